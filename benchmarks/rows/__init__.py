"""One module per row: ``NAME``, and ``run(bench)`` that gives the row's lines of the table."""

from . import burst, cli, create, execute, http, live, output, rate, startup, stream

ALL = {
    row.NAME: row
    for row in (create, execute, http, rate, cli, live, burst, output, stream, startup)
}
