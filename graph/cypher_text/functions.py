"""The functions that a query may call, and the shape of each result. Any other function is refused."""

from collections.abc import Callable, Sequence

from graph.cypher_text.cursor import Cursor, Term
from graph.cypher_text.limits import MAX_RANGE
from graph.cypher_text.shapes import DURATION, NUMBER, SCALAR, TIME, Kind, Shape, either, list_of, node, relationship
from graph.cypher_text.tokens import Token
from graph.cypher_text.vocabulary import ends_of

Answer = Callable[[Cursor, Token, Sequence[Term]], Shape]

PLAIN = (Kind.SCALAR, Kind.NUMBER, Kind.TIME, Kind.DURATION, Kind.NULL)


def _always(shape: Shape, *kinds: Kind) -> Answer:
    def answer(cursor: Cursor, token: Token, terms: Sequence[Term]) -> Shape:
        for term in terms:
            if kinds and term.shape.kind not in (*kinds, Kind.NULL):
                cursor.refuse(f"{token.text} is not for a {term.shape.kind}", token)
        return shape

    return answer


def _same(cursor: Cursor, token: Token, terms: Sequence[Term]) -> Shape:
    if any(term.shape.kind not in PLAIN for term in terms):
        cursor.refuse(f"{token.text} is for texts, numbers and times", token)
    return either([term.shape for term in terms])


def _first(cursor: Cursor, token: Token, terms: Sequence[Term]) -> Shape:
    return either([term.shape for term in terms])


def _item(cursor: Cursor, token: Token, terms: Sequence[Term]) -> Shape:
    item = terms[0].shape.item
    if item is None:
        cursor.refuse(f"{token.text} is for lists", token)
    return item


def _range(cursor: Cursor, token: Token, terms: Sequence[Term]) -> Shape:
    bounds = [cursor.constant(term) for term in terms]
    if not all(type(bound) is int for bound in bounds):
        cursor.refuse("range is for whole numbers that stand in the query or in its parameters", token)
    start, end, step = [*bounds, 1] if len(bounds) == 2 else bounds
    if not isinstance(start, int) or not isinstance(end, int) or not isinstance(step, int) or not step:
        cursor.refuse("range goes nowhere", token)
    count = max(0, (end - start) // step + 1)
    if count > MAX_RANGE:
        cursor.refuse(f"range has more than {MAX_RANGE} elements", token)
    return list_of(NUMBER, count)


def _nodes(cursor: Cursor, token: Token, terms: Sequence[Term]) -> Shape:
    shape = _of_path(cursor, token, terms)
    return list_of(node(shape.labels), shape.count + 1)


def _relationships(cursor: Cursor, token: Token, terms: Sequence[Term]) -> Shape:
    shape = _of_path(cursor, token, terms)
    return list_of(relationship(shape.types), shape.count)


def _of_path(cursor: Cursor, token: Token, terms: Sequence[Term]) -> Shape:
    if terms[0].shape.kind is not Kind.PATH:
        cursor.refuse(f"{token.text} is for paths", token)
    return terms[0].shape


def _end(place: int) -> Answer:
    def answer(cursor: Cursor, token: Token, terms: Sequence[Term]) -> Shape:
        if terms[0].shape.kind is not Kind.RELATIONSHIP:
            cursor.refuse(f"{token.text} is for relationships", token)
        return node(ends_of(terms[0].shape.types)[place])

    return answer


_TEXTS = (Kind.SCALAR,)
# Name in lower case: how it is written, the least and the most arguments that it takes, its result.
FUNCTIONS: dict[str, tuple[str, int, int, Answer]] = {
    "abs": ("abs", 1, 1, _always(NUMBER, Kind.NUMBER)),
    "ceil": ("ceil", 1, 1, _always(NUMBER, Kind.NUMBER)),
    "coalesce": ("coalesce", 1, 8, _first),
    "date": ("date", 1, 1, _always(TIME, *_TEXTS, Kind.TIME)),
    "datetime": ("datetime", 0, 1, _always(TIME, *_TEXTS, Kind.TIME)),
    "duration": ("duration", 1, 1, _always(DURATION, *_TEXTS)),
    "endnode": ("endNode", 1, 1, _end(1)),
    "floor": ("floor", 1, 1, _always(NUMBER, Kind.NUMBER)),
    "head": ("head", 1, 1, _item),
    "labels": ("labels", 1, 1, _always(list_of(SCALAR, 1), Kind.NODE)),
    "last": ("last", 1, 1, _item),
    "left": ("left", 2, 2, _always(SCALAR, *_TEXTS, Kind.NUMBER)),
    "length": ("length", 1, 1, _always(NUMBER, Kind.PATH)),
    "nodes": ("nodes", 1, 1, _nodes),
    "range": ("range", 2, 3, _range),
    "relationships": ("relationships", 1, 1, _relationships),
    "right": ("right", 2, 2, _always(SCALAR, *_TEXTS, Kind.NUMBER)),
    "round": ("round", 1, 2, _always(NUMBER, Kind.NUMBER)),
    "sign": ("sign", 1, 1, _always(NUMBER, Kind.NUMBER)),
    "size": ("size", 1, 1, _always(NUMBER, *_TEXTS, Kind.LIST)),
    "sqrt": ("sqrt", 1, 1, _always(NUMBER, Kind.NUMBER)),
    "startnode": ("startNode", 1, 1, _end(0)),
    "substring": ("substring", 2, 3, _always(SCALAR, *_TEXTS, Kind.NUMBER)),
    "tofloat": ("toFloat", 1, 1, _always(NUMBER, *_TEXTS, Kind.NUMBER)),
    "tointeger": ("toInteger", 1, 1, _always(NUMBER, *_TEXTS, Kind.NUMBER)),
    "tolower": ("toLower", 1, 1, _always(SCALAR, *_TEXTS)),
    "tostring": ("toString", 1, 1, _always(SCALAR, *PLAIN)),
    "toupper": ("toUpper", 1, 1, _always(SCALAR, *_TEXTS)),
    "trim": ("trim", 1, 1, _always(SCALAR, *_TEXTS)),
    "type": ("type", 1, 1, _always(SCALAR, Kind.RELATIONSHIP)),
}
AGGREGATES: dict[str, tuple[str, Answer]] = {
    "avg": ("avg", _always(NUMBER, Kind.NUMBER)),
    "max": ("max", _same),
    "min": ("min", _same),
    "stdev": ("stDev", _always(NUMBER, Kind.NUMBER)),
    "sum": ("sum", _always(NUMBER, Kind.NUMBER)),
}
QUANTIFIERS = ("all", "any", "none", "single")
