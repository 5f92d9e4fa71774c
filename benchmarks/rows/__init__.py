"""One module per row: ``NAME``, and ``run(bench)`` that gives the row's lines of the table."""

from . import burst, cli, create, execute, live, output, startup

ALL = {row.NAME: row for row in (create, execute, cli, live, burst, output, startup)}
