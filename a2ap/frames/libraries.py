"""Data frames of pandas and polars: each column in the type of its kind, for any rows.

| kind | pandas | polars |
|---|---|---|
| TEXT | `str` | `String` |
| INTEGER | `Int64` | `Int64` |
| NUMBER | `float64` | `Float64` |
| TRUTH | `boolean` | `Boolean` |
| TIME | `datetime64[us, UTC]` | `Datetime("us", "UTC")` |
| CATEGORY | `category` | `Enum` |
| OTHER | `object` | `String`, as JSON |
| lists | `object` | `List` |

Both libraries are loaded when a frame is made, and not before.
"""

import json
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from a2ap.errors import FrameError
from a2ap.frames.parts import Column, Kind, Part
from a2ap.frames.table import Table

_PANDAS = {
    Kind.TEXT: "str",
    Kind.INTEGER: "Int64",
    Kind.NUMBER: "float64",
    Kind.TRUTH: "boolean",
    Kind.TIME: "datetime64[us, UTC]",
}


def frame_of(table: Table, library: str) -> Any:
    """Return a table as a data frame of a library, `pandas` or `polars`; raises FrameError if it is not installed."""
    make = _MAKERS.get(library)
    if make is None:
        raise FrameError(f"{library!r} is no library of data frames that is known: they are {', '.join(_MAKERS)}")
    try:
        module = import_module(library)
    except ModuleNotFoundError as error:
        raise FrameError(f"{library} is not installed: it comes with a2ap[{library}]") from error
    return make(module, table)


def _in_pandas(pandas: Any, table: Table) -> Any:
    series = {
        column.name: _pandas_series(pandas, column, [row[column.name] for row in table.rows])
        for column in table.columns
    }
    return pandas.DataFrame(series, index=pandas.RangeIndex(len(table.rows)))


def _pandas_series(pandas: Any, column: Column, values: Sequence[Any]) -> Any:
    kind = column.part.kind
    if column.listed or kind is Kind.OTHER:
        return pandas.Series(values, dtype="object")
    if kind is Kind.CATEGORY:
        return pandas.Series(pandas.Categorical(values, categories=list(column.part.categories)))
    return pandas.Series(values, dtype=_PANDAS[kind])


def _in_polars(polars: Any, table: Table) -> Any:
    return polars.DataFrame(
        [
            polars.Series(
                column.name,
                [_polars_value(column.part, row[column.name], listed=column.listed) for row in table.rows],
                dtype=_polars_type(polars, column.part, listed=column.listed),
            )
            for column in table.columns
        ]
    )


def _polars_value(part: Part, value: Any, *, listed: bool) -> Any:
    """Return a value in the form of a polars column: a value without a type of its own as JSON."""
    if value is None:
        return None
    if listed:
        return [_polars_value(part, one, listed=False) for one in value]
    if part.parts:
        return {one.name: _polars_value(one, value[one.name], listed=one.many) for one in part.parts}
    return json.dumps(value, ensure_ascii=False) if part.kind is Kind.OTHER else value


def _polars_type(polars: Any, part: Part, *, listed: bool) -> Any:
    if listed:
        return polars.List(_polars_type(polars, part, listed=False))
    if part.parts:
        return polars.Struct({one.name: _polars_type(polars, one, listed=one.many) for one in part.parts})
    if part.kind is Kind.CATEGORY:
        return polars.Enum(list(part.categories))
    return {
        Kind.TEXT: polars.String,
        Kind.INTEGER: polars.Int64,
        Kind.NUMBER: polars.Float64,
        Kind.TRUTH: polars.Boolean,
        Kind.TIME: polars.Datetime("us", "UTC"),
        Kind.OTHER: polars.String,
    }[part.kind]


_MAKERS: dict[str, Callable[[Any, Table], Any]] = {"pandas": _in_pandas, "polars": _in_polars}
