"""One module per row: ``NAME``, and ``run(bench)`` that gives the row's lines of the table."""

from . import burst, cli, create, execute, fork, http, live, memory, output, rate, rollback, run, startup, stream

ALL = {
    row.NAME: row
    for row in (create, fork, rollback, run, execute, http, rate, cli, live, memory, burst, output, stream, startup)
}
