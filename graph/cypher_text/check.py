"""The check of a query by a reader or a model: the result only reads, and is bounded.

1. Its words are read (`tokens`): plain ASCII outside of texts, no comments. 2. It is read clause by clause (`clauses`,
`patterns`, `expressions`): unknown syntax is refused. 3. Labels, types and properties are those of this graph, and
those that this reader may use (`vocabulary`). 4. Literals become parameters, and the result has a LIMIT. 5. The text is
written anew from the parsed parts, so that nothing unparsed reaches an engine.
"""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from graph.cypher_text.atoms import read_atom
from graph.cypher_text.clauses import read_query
from graph.cypher_text.cursor import Cursor
from graph.cypher_text.estimate import Bound
from graph.cypher_text.limits import MAX_WORDS
from graph.cypher_text.query import CheckedQuery
from graph.cypher_text.tokens import Sort, read_tokens
from graph.errors import CypherTextError

MAX_PARAMETERS = 50
MAX_LIST = 1_000
"""The maximum number of elements of a list among the parameters."""

MAX_PARAMETER_TEXT = 10_000


def check_query(
    text: str, parameters: Mapping[str, Any], *, withheld: bool, by_row: bool = False, bound: Bound | None = None
) -> CheckedQuery:
    """Return an untrusted query in the form that may run; `withheld` refuses properties that may hold words of sources.

    With `by_row`, such a property of a variable is guarded if only one of its labels has it: it is null where its key
    is in a set of withheld keys. The caller adds these sets, named in `key_sets` of the result, to the parameters.

    With a `bound` the query is refused if it could go through more rows, by estimate.

    Raises CypherTextError for anything not known to only read, and if parameters are missing or not used.
    """
    _check_parameters(parameters)
    tokens = read_tokens(text)
    if len(tokens) > MAX_WORDS:
        raise CypherTextError(f"the query has {len(tokens)} words and signs, more than {MAX_WORDS}")
    cursor = Cursor(tokens, parameters, withheld, read_atom, bound, withheld and by_row)
    written, columns, shapes = read_query(cursor, {})
    cursor.take_sign(";")
    if cursor.token.sort is not Sort.END:
        cursor.refuse(f"{cursor.token.shown} stands behind the end of the query")
    unused = sorted(set(parameters) - cursor.used)
    if unused:
        raise CypherTextError(f"the query does not use the parameter {unused[0]}")
    kinds = tuple(shapes[name].kind for name in columns)
    return CheckedQuery(written, cursor.parameters, columns, kinds, cursor.key_sets)


def _check_parameters(parameters: Mapping[str, Any]) -> None:
    if len(parameters) > MAX_PARAMETERS:
        raise CypherTextError(f"there are {len(parameters)} parameters, more than {MAX_PARAMETERS}")
    for name, value in parameters.items():
        _check_value(name, value, 0)


def _check_value(name: str, value: Any, depth: int) -> None:
    if depth > 4:
        raise CypherTextError(f"the parameter {name} is more than 4 deep")
    if isinstance(value, str):
        if len(value) > MAX_PARAMETER_TEXT:
            raise CypherTextError(f"the parameter {name} has more than {MAX_PARAMETER_TEXT} characters")
        if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
            raise CypherTextError(f"the parameter {name} has a character that is none")
    elif isinstance(value, float) and not isfinite(value):
        raise CypherTextError(f"the parameter {name} is no number of JSON")
    elif isinstance(value, bool | float) or value is None:
        return
    elif isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise CypherTextError(f"the parameter {name} is beyond 64 bits")
    elif isinstance(value, (list, tuple, Mapping)):
        if len(value) > MAX_LIST:
            raise CypherTextError(f"the parameter {name} has more than {MAX_LIST} elements")
        for item in value.values() if isinstance(value, Mapping) else value:
            _check_value(name, item, depth + 1)
    else:
        raise CypherTextError(f"the parameter {name} is no value of JSON")
