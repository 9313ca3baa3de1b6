"""The smallest parts of an expression: literals, which become parameters, variables, calls and subqueries."""

from math import isfinite

from graph.cypher_text.cursor import Cursor, Scope, Term
from graph.cypher_text.expressions import collected, read_expression, read_map
from graph.cypher_text.functions import AGGREGATES, FUNCTIONS, QUANTIFIERS
from graph.cypher_text.shapes import NULL, NUMBER, SCALAR, Kind, either, list_of
from graph.cypher_text.tokens import Sort

_CONSTANTS = {"TRUE": (True, SCALAR), "FALSE": (False, SCALAR), "NULL": (None, NULL)}
MAX_INTEGER = 2**63 - 1


def read_atom(cursor: Cursor, scope: Scope) -> Term:
    """Read one literal, variable, bracket, function call or subquery."""
    token = cursor.token
    match token.sort:
        case Sort.TEXT:
            return cursor.literal(cursor.next().text)
        case Sort.INTEGER:
            return cursor.literal(int(cursor.next().text))
        case Sort.DECIMAL:
            return cursor.literal(_decimal(cursor))
        case Sort.PARAMETER:
            return cursor.parameter(cursor.next())
        case Sort.SIGN:
            return _bracket(cursor, scope)
        case Sort.NAME:
            return _named(cursor, scope)
        case _:
            cursor.refuse(f"{token.shown} stands where a value must")


def _decimal(cursor: Cursor) -> float:
    value = float(cursor.next().text)
    if not isfinite(value):
        cursor.refuse("a number is beyond 64 bits")
    return value


def _bracket(cursor: Cursor, scope: Scope) -> Term:
    if cursor.is_sign("["):
        cursor.enter()
        term = _comprehension(cursor, scope) if cursor.is_word("IN", ahead=2) else _list(cursor, scope)
        cursor.leave()
        return term
    if cursor.is_sign("{"):
        return read_map(cursor, scope)
    cursor.expect_sign("(")
    term = read_expression(cursor, scope)
    cursor.expect_sign(")")
    return Term(f"({term.text})", term.shape, term.aggregates, term.name)


def _list(cursor: Cursor, scope: Scope) -> Term:
    cursor.expect_sign("[")
    items: list[Term] = []
    while not cursor.take_sign("]"):
        if items:
            cursor.expect_sign(",")
        items.append(read_expression(cursor, scope))
    shape = list_of(either([item.shape for item in items]) if items else SCALAR, len(items))
    text = ", ".join(item.text for item in items)
    return Term(f"[{text}]", shape, any(item.aggregates for item in items))


def _comprehension(cursor: Cursor, scope: Scope) -> Term:
    cursor.expect_sign("[")
    start, unwound = cursor.token, cursor.unwound
    name, source, inner = _bound(cursor, scope)
    text, item = f"{name} IN {source.text}", inner[name]
    if cursor.take_word("WHERE"):
        text += f" WHERE {read_expression(cursor, inner).text}"
    if cursor.take_sign("|"):
        term = read_expression(cursor, inner)
        text, item = f"{text} | {term.text}", term.shape
    cursor.unwound = unwound
    cursor.expect_sign("]")
    return Term(f"[{text}]", cursor.bounded(list_of(item, source.shape.count), start), source.aggregates)


def _bound(cursor: Cursor, scope: Scope) -> tuple[str, Term, Scope]:
    """Read `name IN list`; return the name, the list, and the scope in which the name is an element.

    The expression that follows is evaluated for each element.
    """
    name = cursor.name("a variable")
    cursor.expect_word("IN")
    start = cursor.token
    source = read_expression(cursor, scope)
    if source.shape.kind is not Kind.LIST or source.shape.item is None:
        cursor.refuse("the expression after `IN` is no list", start)
    cursor.repeat(source.shape.count, start)
    return name, source, {**scope, name: source.shape.item}


def _named(cursor: Cursor, scope: Scope) -> Term:
    word = cursor.token.text.upper()
    if word in _CONSTANTS:
        cursor.next()
        return Term(word, _CONSTANTS[word][1])
    if word == "CASE":
        return _case(cursor, scope)
    if word in ("EXISTS", "COUNT") and cursor.is_sign("{", ahead=1):
        return _counted(cursor, scope)
    if cursor.is_sign("(", ahead=1):
        return _call(cursor, scope)
    token = cursor.token
    name = cursor.name("a variable")
    if name not in scope:
        cursor.refuse(f"nothing is called {name}", token)
    return Term(name, scope[name], name=name)


def _case(cursor: Cursor, scope: Scope) -> Term:
    cursor.expect_word("CASE")
    cursor.enter()
    parts, shapes = ["CASE"], []
    aggregates = False
    if not cursor.is_word("WHEN"):
        parts.append(read_expression(cursor, scope).text)
    while cursor.take_word("WHEN"):
        asked = read_expression(cursor, scope)
        cursor.expect_word("THEN")
        given = read_expression(cursor, scope)
        parts.append(f"WHEN {asked.text} THEN {given.text}")
        shapes.append(given.shape)
        aggregates = aggregates or asked.aggregates or given.aggregates
    if not shapes:
        cursor.refuse(f"{cursor.token.shown} stands where WHEN must")
    if cursor.take_word("ELSE"):
        given = read_expression(cursor, scope)
        parts.append(f"ELSE {given.text}")
        shapes.append(given.shape)
        aggregates = aggregates or given.aggregates
    cursor.expect_word("END")
    cursor.leave()
    return Term(" ".join([*parts, "END"]), either(shapes), aggregates)


def _counted(cursor: Cursor, scope: Scope) -> Term:
    from graph.cypher_text.patterns import read_inner_match

    word = cursor.next().text.upper()
    cursor.expect_sign("{")
    cursor.enter()
    text = read_inner_match(cursor, scope)
    cursor.leave()
    cursor.expect_sign("}")
    return Term(f"{word} {{ {text} }}", SCALAR if word == "EXISTS" else NUMBER)


def _call(cursor: Cursor, scope: Scope) -> Term:
    token = cursor.next()
    name = token.text.lower()
    if name in QUANTIFIERS:
        return _quantified(cursor, scope, name)
    cursor.expect_sign("(")
    cursor.enter()
    if name == "count" and cursor.take_sign("*"):
        cursor.expect_sign(")")
        cursor.leave()
        return Term("count(*)", NUMBER, True, "count")
    distinct = "DISTINCT " if cursor.is_word("DISTINCT") else ""
    if distinct:
        cursor.next()
    terms: list[Term] = []
    while not cursor.take_sign(")"):
        if terms:
            cursor.expect_sign(",")
        terms.append(read_expression(cursor, scope))
    cursor.leave()
    written = ", ".join(term.text for term in terms)
    if name in ("count", "collect") or name in AGGREGATES:
        if len(terms) != 1 or terms[0].aggregates:
            cursor.refuse(f"{name} takes one value, that counts nothing together itself", token)
        if name == "count":
            return Term(f"count({distinct}{written})", NUMBER, True, "count")
        if name == "collect":
            return collected(terms[0], f"collect({distinct}{written})")
        proper, answer = AGGREGATES[name]
        return Term(f"{proper}({distinct}{written})", answer(cursor, token, terms), True, proper)
    if name not in FUNCTIONS:
        cursor.refuse(f"{token.text} is no function that may be called", token)
    proper, least, most, answer = FUNCTIONS[name]
    if distinct or not least <= len(terms) <= most:
        cursor.refuse(f"{proper} does not take {len(terms)} values", token)
    shape = answer(cursor, token, terms)
    return Term(f"{proper}({written})", shape, any(term.aggregates for term in terms), proper)


def _quantified(cursor: Cursor, scope: Scope, word: str) -> Term:
    cursor.expect_sign("(")
    cursor.enter()
    unwound = cursor.unwound
    name, source, inner = _bound(cursor, scope)
    cursor.expect_word("WHERE")
    asked = read_expression(cursor, inner)
    cursor.unwound = unwound
    cursor.leave()
    cursor.expect_sign(")")
    return Term(f"{word}({name} IN {source.text} WHERE {asked.text})", SCALAR, source.aggregates)
