"""Expressions of a query: read by Cypher's precedence, and written anew.

A property read from a node must be one of its label, and one that this reader may use; words of sources are read behind
a guard if some are withheld (`guards`). Only numbers and times are added, so that no text and no list grows; no
property is read by a name computed at run time.
"""

from collections.abc import Callable

from graph.cypher_text.cursor import Cursor, Scope, Term
from graph.cypher_text.guards import guard, guarded_owner, key_sets
from graph.cypher_text.limits import MAX_COLLECTED, MAX_NEGATIONS
from graph.cypher_text.names import read_labels
from graph.cypher_text.shapes import DURATION, NUMBER, SCALAR, SHAPES, TIME, Kind, Shape, either, list_of, map_of
from graph.cypher_text.tokens import Sort, Token
from graph.cypher_text.vocabulary import properties_of, withheld_of

_TIME_WORDS = "year month day hour minute second week quarter ordinalDay epochSeconds epochMillis"
_TIME_PARTS = frozenset(_TIME_WORDS.split())
_COMPARISONS = ("=", "<>", "<", ">", "<=", ">=")

Reader = Callable[[Cursor, Scope], Term]


def read_expression(cursor: Cursor, scope: Scope) -> Term:
    """Read an expression. Raises CypherTextError."""
    cursor.enter()
    term = _binary(cursor, scope, _xor, "OR")
    cursor.leave()
    return term


def _xor(cursor: Cursor, scope: Scope) -> Term:
    return _binary(cursor, scope, _and, "XOR")


def _and(cursor: Cursor, scope: Scope) -> Term:
    return _binary(cursor, scope, _not, "AND")


def _binary(cursor: Cursor, scope: Scope, operand: Reader, word: str) -> Term:
    term = operand(cursor, scope)
    while cursor.is_word(word):
        cursor.operate(cursor.next())
        term = _truth(f"{term.text} {word}", term, operand(cursor, scope))
    return term


def _not(cursor: Cursor, scope: Scope) -> Term:
    negated, start = 0, cursor.token
    while cursor.take_word("NOT"):
        negated += 1
    if negated > MAX_NEGATIONS:
        cursor.refuse(f"there are more than {MAX_NEGATIONS} NOT in a row", start)
    term = _comparison(cursor, scope)
    return Term("NOT " * negated + term.text, SCALAR, term.aggregates) if negated else term


def _comparison(cursor: Cursor, scope: Scope) -> Term:
    term = _predicate(cursor, scope)
    while cursor.token.sort is Sort.SIGN and cursor.token.text in _COMPARISONS:
        cursor.operate(cursor.token)
        sign = cursor.next().text
        term = _truth(f"{term.text} {sign}", term, _predicate(cursor, scope))
    return term


def _predicate(cursor: Cursor, scope: Scope) -> Term:
    term = _sum(cursor, scope)
    while True:
        for words in (("STARTS", "WITH"), ("ENDS", "WITH"), ("CONTAINS",), ("IN",)):
            start = cursor.token
            if cursor.take_word(*words):
                cursor.operate(start)
                term = _truth(f"{term.text} {' '.join(words)}", term, _sum(cursor, scope))
                break
        else:
            if not cursor.take_word("IS"):
                return term
            words = ("NOT", "NULL") if cursor.take_word("NOT") else ("NULL",)
            cursor.expect_word("NULL")
            term = Term(f"{term.text} IS {' '.join(words)}", SCALAR, term.aggregates)


def _sum(cursor: Cursor, scope: Scope) -> Term:
    term = _product(cursor, scope)
    while cursor.is_sign("+") or cursor.is_sign("-"):
        sign = cursor.next()
        term = _computed(cursor, sign, term, _product(cursor, scope))
    return term


def _product(cursor: Cursor, scope: Scope) -> Term:
    term = _power(cursor, scope)
    while any(cursor.is_sign(sign) for sign in "*/%"):
        sign = cursor.next()
        term = _computed(cursor, sign, term, _power(cursor, scope))
    return term


def _power(cursor: Cursor, scope: Scope) -> Term:
    term = _signed(cursor, scope)
    while cursor.is_sign("^"):
        sign = cursor.next()
        term = _computed(cursor, sign, term, _signed(cursor, scope))
    return term


def _signed(cursor: Cursor, scope: Scope) -> Term:
    if not (cursor.is_sign("-") or cursor.is_sign("+")):
        return read_operand(cursor, scope)
    sign = cursor.next()
    # Two signs in a row are never written: they could be read as a pattern.
    term = read_operand(cursor, scope)
    if term.shape.kind is not Kind.NUMBER:
        cursor.refuse(f"{sign.text} stands before something that is no number", sign)
    return Term(f"(0 {sign.text} {term.text})", NUMBER, term.aggregates)


def _computed(cursor: Cursor, sign: Token, left: Term, right: Term) -> Term:
    cursor.operate(sign)
    kinds = {left.shape.kind, right.shape.kind} - {Kind.NULL}
    if kinds <= {Kind.NUMBER}:
        shape = NUMBER
    elif sign.text in "+-" and kinds <= {Kind.TIME, Kind.DURATION} and right.shape.kind is Kind.DURATION:
        shape = TIME if Kind.TIME in kinds else DURATION
    else:
        cursor.refuse(f"{sign.text} is for numbers, and for a time and a duration", sign)
    return Term(f"{left.text} {sign.text} {right.text}", shape, left.aggregates or right.aggregates)


def _truth(text: str, left: Term, right: Term) -> Term:
    return Term(f"{text} {right.text}", SCALAR, left.aggregates or right.aggregates)


def read_operand(cursor: Cursor, scope: Scope) -> Term:
    """Read one operand with its suffixes: properties, elements, slices, and label tests."""
    start = cursor.token
    term = cursor.read_atom(cursor, scope)
    while True:
        if cursor.take_sign("."):
            term = _property(cursor, term)
        elif cursor.is_sign("["):
            term = _element(cursor, scope, term)
        elif cursor.is_sign(":") and term.shape.kind is Kind.NODE:
            term = _labelled(cursor, term)
        else:
            cursor.bounded(term.shape, start)
            return term


def _property(cursor: Cursor, term: Term) -> Term:
    token = cursor.next()
    if token.sort is not Sort.NAME:
        cursor.refuse(f"{token.shown} is no name of a property", token)
    text, owner = f"{term.text}.{token.text}", _guarded_owner(cursor, term, token)
    if owner is not None:
        cursor.operate(token)
        for one in key_sets(owner):
            cursor.use_keys(one)
        text = f"(CASE WHEN {guard(owner, term.text, cursor.key_sets)} THEN {text} END)"
    shape = property_shape(cursor, term.shape, token, guarded=owner is not None)
    return Term(text, shape, term.aggregates, token.text)


def _guarded_owner(cursor: Cursor, term: Term, token: Token) -> str | None:
    # A guard names its node or relationship again: an expression could grow with each of several in one another.
    is_variable = term.name == term.text and term.shape.kind in (Kind.NODE, Kind.RELATIONSHIP)
    return guarded_owner(term.shape, token.text) if cursor.by_row and is_variable else None


def property_shape(cursor: Cursor, shape: Shape, token: Token, *, guarded: bool = False) -> Shape:
    """Return the shape of a property; refuse a property that the value lacks, or that this reader may not use.

    A `guarded` property gives its words only where this reader may read them.
    """
    name = token.text
    if shape.kind is Kind.MAP:
        if name not in shape.members:
            cursor.refuse(f"the map has no {name}", token)
        return shape.members[name]
    if shape.kind is Kind.TIME:
        if name not in _TIME_PARTS:
            cursor.refuse(f"{name} is no part of a time", token)
        return NUMBER
    owners = {Kind.NODE: shape.labels, Kind.RELATIONSHIP: shape.types}.get(shape.kind)
    if owners is None:
        cursor.refuse(f"{name} is read of something that is no node, relationship or map", token)
    kinds = [properties_of(owner)[name] for owner in sorted(owners) if name in properties_of(owner)]
    if not kinds:
        cursor.refuse(f"{' or '.join(sorted(owners))} has no property {name}", token)
    if cursor.withheld and not guarded and any(name in withheld_of(owner) for owner in owners):
        way = ": read it as variable.property of a variable of one label" if cursor.by_row else ""
        cursor.refuse(f"{name} may hold words that this reader is not cleared for{way}", token)
    return either([SHAPES[kind] for kind in kinds])


def _element(cursor: Cursor, scope: Scope, term: Term) -> Term:
    start = cursor.token
    cursor.expect_sign("[")
    if term.shape.kind is not Kind.LIST or term.shape.item is None:
        cursor.refuse("an element is read of something that is no list", start)
    bounds, sliced = ["", ""], False
    if not cursor.is_sign(".."):
        bounds[0] = _index(cursor, scope)
    if cursor.take_sign(".."):
        sliced = True
        if not cursor.is_sign("]"):
            bounds[1] = _index(cursor, scope)
    cursor.expect_sign("]")
    if sliced:
        return Term(f"{term.text}[{bounds[0]}..{bounds[1]}]", term.shape, term.aggregates)
    return Term(f"{term.text}[{bounds[0]}]", term.shape.item, term.aggregates)


def _index(cursor: Cursor, scope: Scope) -> str:
    start = cursor.token
    term = read_expression(cursor, scope)
    if term.shape.kind not in (Kind.NUMBER, Kind.NULL):
        cursor.refuse("an element is named by something that is no number", start)
    return term.text


def _labelled(cursor: Cursor, term: Term) -> Term:
    return Term(f"{term.text}:{'|'.join(read_labels(cursor))}", SCALAR, term.aggregates)


def collected(item: Term, text: str) -> Term:
    """Return the term of `collect` of an item, cut off at `MAX_COLLECTED` elements."""
    return Term(f"{text}[0..{MAX_COLLECTED}]", list_of(item.shape, MAX_COLLECTED), True)


def read_map(cursor: Cursor, scope: Scope) -> Term:
    """Read a map."""
    cursor.expect_sign("{")
    members: dict[str, Term] = {}
    while not cursor.take_sign("}"):
        if members:
            cursor.expect_sign(",")
        token = cursor.next()
        if token.sort is not Sort.NAME or token.text in members:
            cursor.refuse(f"{token.shown} is no name for a further member", token)
        cursor.expect_sign(":")
        members[token.text] = read_expression(cursor, scope)
    text = ", ".join(f"{name}: {term.text}" for name, term in members.items())
    shape = map_of({name: term.shape for name, term in members.items()})
    return Term(f"{{{text}}}", shape, any(term.aggregates for term in members.values()))
