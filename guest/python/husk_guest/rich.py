"""Results as data beside their pictures: data frames as rows, figures as the points that were drawn.

Both are one more MIME type of what is displayed anyway, made by IPython's own formatters. So they come with a last
value, ``display()``, its updates and ``plt.show()``, and ``display(..., exclude=[...])`` leaves them out. Neither pandas
nor matplotlib is imported here: formatters are found by a type's name, once somebody else has imported it.

``%config DataFrames.enabled = False`` and ``%config Charts.enabled = False`` turn them off; ``%config DataFrames`` shows
the limits.
"""

import warnings
from collections.abc import Mapping

from IPython.core.formatters import BaseFormatter
from traitlets import Int, ObjectName, Unicode

from . import log, rich_chart, rich_table

TABLE = "application/vnd.dataresource+json"
CHART = "application/vnd.husk.chart+json"

_PANDAS = [
    ("pandas", "DataFrame"),
    ("pandas", "Series"),
    ("pandas.core.frame", "DataFrame"),  # before pandas 3
    ("pandas.core.series", "Series"),
]
_FIGURE = ("matplotlib.figure", "Figure")
_POLARS = [("polars.dataframe.frame", "DataFrame"), ("polars.series.series", "Series")]


class _DataFormatter(BaseFormatter):
    _return_type = (Mapping,)

    def __call__(self, value):
        # Nearly every value, and no time is to be lost on it.
        return None if type(value).__module__ == "builtins" else super().__call__(value)


class DataFrames(_DataFormatter):
    """Data frames and series as a Tabular Data Resource: a schema, and the first rows."""

    format_type = Unicode(TABLE)
    print_method = ObjectName("_repr_data_resource_")

    rows = Int(500, min=0, help="How many rows of a data frame are given as data.").tag(config=True)
    size = Int(256 * 1024, min=0, help="How many characters of JSON they may take.").tag(config=True)

    def __init__(self, **options):
        super().__init__(**options)
        for module, name in _PANDAS:
            self.for_type_by_name(module, name, _never_failing(self._of_pandas))
        for module, name in _POLARS:
            self.for_type_by_name(module, name, _never_failing(self._of_polars))

    def _of_pandas(self, frame):
        return rich_table.of_pandas(frame, self.rows, self.size)

    def _of_polars(self, frame):
        return rich_table.of_polars(frame, self.rows, self.size)


class Charts(_DataFormatter):
    """Figures of matplotlib as what was drawn in them: type, axes and points of each chart."""

    format_type = Unicode(CHART)
    print_method = ObjectName("_repr_husk_chart_")

    points = Int(1000, min=2, help="How many points of one series are given.").tag(config=True)
    total = Int(5000, min=2, help="How many points of one figure are given.").tag(config=True)

    def __init__(self, **options):
        super().__init__(**options)
        self.for_type_by_name(*_FIGURE, _never_failing(self._of_figure))

    def pop(self, typ, *default):
        """IPython takes figures out of every formatter when a format of their pictures is chosen; this is no picture."""
        if default and (getattr(typ, "__module__", None), getattr(typ, "__name__", None)) == _FIGURE:
            return default[0]
        return super().pop(typ, *default)

    def _of_figure(self, figure):
        return rich_chart.of_figure(figure, self.points, self.total)


def install(shell):
    """Adds both to what a shell's values are formatted as."""
    for made in (DataFrames(parent=shell.display_formatter), Charts(parent=shell.display_formatter)):
        shell.display_formatter.formatters[made.format_type] = made
        shell.configurables.append(made)


def _never_failing(make):
    """The value is still displayed when its data cannot be had; only an interrupt of the user's gets through."""

    def made_or_none(value):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return make(value)
        except KeyboardInterrupt:
            raise
        except BaseException:
            log.failure("reading the data of a %s" % type(value).__name__)
            return None

    return made_or_none
