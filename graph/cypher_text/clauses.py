"""Clauses of a query: MATCH, UNWIND, WITH, CALL of a subquery or of an index, RETURN, and UNION between such queries.

Every other clause is refused: so no check has to recognize a disguised write.
"""

from dataclasses import dataclass, field
from math import prod

from graph.cypher_text.cursor import Cursor, Scope, Term
from graph.cypher_text.estimate import Rows
from graph.cypher_text.expressions import read_expression
from graph.cypher_text.limits import MAX_CLAUSES, MAX_HITS, MAX_ROWS, MAX_VALUES
from graph.cypher_text.patterns import read_patterns
from graph.cypher_text.procedures import read_procedure
from graph.cypher_text.shapes import Kind, either
from graph.cypher_text.tokens import Sort, Token

MANY = 2**62


@dataclass(slots=True)
class Part:
    """The parsed state of one query of a UNION, or of a subquery.

    `rows` is the number of rows that there can be, `rows_before` the number that it is run for; `aggregated` says that
    the last clause made one row of them.
    """

    scope: Scope
    rows_before: int = 1
    rows: int = 1
    texts: list[str] = field(default_factory=list)
    columns: tuple[str, ...] = ()
    aggregated: bool = False


def read_query(
    cursor: Cursor, scope: Scope, rows: int = 1, *, outermost: bool = True
) -> tuple[str, tuple[str, ...], Scope]:
    """Read queries with UNION between them; return the text, the columns, and the shapes of the columns."""
    texts: list[str] = []
    columns, result = tuple[str, ...](), Scope()
    before, unwound = cursor.unwound, 0
    rows_before, made = cursor.rows, 0
    while True:
        cursor.unwound = before
        cursor.rows = Rows(rows_before.number, set(rows_before.distinct))
        part = _read_part(cursor, scope, rows, outermost=outermost)
        if texts and part.columns != columns:
            cursor.refuse("the queries on both sides of UNION have other columns")
        # A column after UNION may hold values of either query; a reader of nodes has to read it from each.
        result = _together(cursor, result, part) if texts else {name: part.scope[name] for name in part.columns}
        columns = part.columns
        texts.append("\n".join(part.texts))
        made += cursor.rows.number
        unwound += before if part.aggregated else cursor.unwound
        if not cursor.take_word("UNION"):
            cursor.unwound = before
            cursor.rows = Rows(made)
            if not outermost:
                cursor.repeat(unwound // before, cursor.token)
            return "\n".join(texts), columns, result
        texts.append("UNION ALL" if cursor.take_word("ALL") else "UNION")


def _together(cursor: Cursor, result: Scope, part: Part) -> Scope:
    return {name: cursor.bounded(either([shape, part.scope[name]]), cursor.token) for name, shape in result.items()}


def _read_part(cursor: Cursor, scope: Scope, rows: int, *, outermost: bool) -> Part:
    part = Part(dict(scope), rows, rows)
    estimated_before = cursor.rows.number
    while True:
        cursor.clauses += 1
        if cursor.clauses > MAX_CLAUSES:
            cursor.refuse(f"there are more than {MAX_CLAUSES} clauses in the query")
        if cursor.is_word("OPTIONAL", "MATCH") or cursor.is_word("MATCH"):
            _match(cursor, part)
        elif cursor.take_word("UNWIND"):
            _unwind(cursor, part)
        elif cursor.take_word("WITH"):
            _project(cursor, part, "WITH", estimated_before)
        elif cursor.is_word("CALL"):
            _call(cursor, part)
        elif cursor.take_word("RETURN"):
            _project(cursor, part, "RETURN", estimated_before, outermost=outermost)
            return part
        else:
            cursor.refuse(f"{cursor.token.shown} begins no clause that may be run")


def _match(cursor: Cursor, part: Part) -> None:
    word = "OPTIONAL MATCH" if cursor.take_word("OPTIONAL") else "MATCH"
    cursor.expect_word("MATCH")
    start = cursor.token
    found = read_patterns(cursor, part.scope)
    if len(found.loose) > (1 if part.rows <= 1 and not found.spread else 0):
        cursor.refuse(
            "a pattern hangs together with nothing before it: name a node of it by its id or hash, as in "
            "(:Agent {agent_id: …})",
            found.loose[-1] if len(found.loose) > 1 else start,
        )
    if not found.single:
        part.rows = MANY
    part.scope = found.scope
    part.texts.append(f"{word} {found.text}{_where(cursor, part.scope)}")


def _where(cursor: Cursor, scope: Scope) -> str:
    if not cursor.take_word("WHERE"):
        return ""
    start = cursor.token
    term = read_expression(cursor, scope)
    if term.aggregates:
        cursor.refuse("a condition counts rows together", start)
    return f"\nWHERE {term.text}"


def _unwind(cursor: Cursor, part: Part) -> None:
    start = cursor.token
    term = read_expression(cursor, part.scope)
    if term.shape.kind is not Kind.LIST or term.shape.item is None:
        cursor.refuse("the expression after `UNWIND` is no list", start)
    cursor.expect_word("AS")
    name = _new(cursor, part.scope)
    cursor.repeat(term.shape.count, start)
    part.rows = min(part.rows * max(term.shape.count, 1), MANY)
    cursor.rows.distinct = set()
    cursor.check_rows(start, cursor.unwound)
    part.scope = {**part.scope, name: term.shape.item}
    part.texts.append(f"UNWIND {term.text} AS {name}")


def _new(cursor: Cursor, scope: Scope) -> str:
    token = cursor.token
    name = cursor.name("a variable")
    if name in scope:
        cursor.refuse(f"{name} is already something else", token)
    return name


def _call(cursor: Cursor, part: Part) -> None:
    cursor.expect_word("CALL")
    if cursor.token.sort is Sort.NAME:
        text, found = read_procedure(cursor, part.scope, part.rows)
        part.scope, part.rows = {**part.scope, **found}, MANY
        cursor.rows = Rows(cursor.rows.number * MAX_HITS)
        part.texts.append(f"{text}{_where(cursor, part.scope)}")
        return
    imported = _imported(cursor, part.scope)
    cursor.expect_sign("{")
    cursor.enter()
    scope = {name: part.scope[name] for name in imported}
    text, columns, result = read_query(cursor, scope, part.rows, outermost=False)
    cursor.leave()
    cursor.expect_sign("}")
    if cursor.is_word("IN"):
        cursor.refuse("a subquery runs in transactions of its own")
    for name in columns:
        if name in part.scope:
            cursor.refuse(f"the subquery gives back {name}, which is already something else")
    part.scope, part.rows = {**part.scope, **result}, MANY
    part.texts.append(f"CALL ({', '.join(imported)}) {{\n{text}\n}}")


def _imported(cursor: Cursor, scope: Scope) -> tuple[str, ...]:
    names: list[str] = []
    if not cursor.take_sign("("):
        return ()
    while not cursor.take_sign(")"):
        if names:
            cursor.expect_sign(",")
        token = cursor.token
        name = cursor.name("a variable")
        if name not in scope or name in names:
            cursor.refuse(f"nothing is called {name}, or it is named twice", token)
        names.append(name)
    return tuple(names)


def _project(cursor: Cursor, part: Part, word: str, estimated_before: int, *, outermost: bool = False) -> None:
    distinct = " DISTINCT" if cursor.take_word("DISTINCT") else ""
    if cursor.is_sign("*"):
        cursor.refuse("* stands for columns that are not named")
    items: dict[str, Term] = {}
    while True:
        start = cursor.token
        term = read_expression(cursor, part.scope)
        name = _column(cursor, items, term, word, start)
        items[name] = Term(term.text, cursor.bounded(term.shape, start), term.aggregates)
        if not cursor.take_sign(","):
            break
    if sum(term.shape.values for term in items.values()) > 2 * MAX_VALUES:
        cursor.refuse(f"a row could have more than {2 * MAX_VALUES} values", start)
    part.aggregated = all(term.aggregates for term in items.values())
    if part.aggregated:
        part.rows = part.rows_before
    _estimate_grouped(cursor, items, estimated_before, is_grouped=bool(distinct))
    scope = {name: term.shape for name, term in items.items()}
    text = f"{word}{distinct} {', '.join(_named(name, term) for name, term in items.items())}"
    text += _order(cursor, {**part.scope, **scope}) + _page(cursor, part, estimated_before, outermost=outermost)
    part.scope, part.columns = scope, tuple(items)
    part.texts.append(text + (_where(cursor, scope) if word == "WITH" else ""))


def _estimate_grouped(cursor: Cursor, items: dict[str, Term], estimated_before: int, *, is_grouped: bool) -> None:
    """Estimate the rows after WITH or RETURN: those of one group for each node, if nodes alone make the groups."""
    rows = cursor.rows
    keys = {name: term for name, term in items.items() if not term.aggregates}
    if len(keys) == len(items) and not is_grouped:
        rows.distinct = {name for name, term in items.items() if term.text in rows.distinct}
        return
    rows.distinct = set()
    if not keys:
        rows.number = estimated_before
    elif cursor.bound is not None and all(term.shape.kind is Kind.NODE for term in keys.values()):
        groups = prod(cursor.bound.count(term.shape.labels) for term in keys.values())
        rows.number = min(rows.number, estimated_before * groups)
        rows.distinct = set(keys) if len(keys) == 1 and estimated_before == 1 else set()


def _named(name: str, term: Term) -> str:
    return name if term.text == name else f"{term.text} AS {name}"


def _column(cursor: Cursor, items: dict[str, Term], term: Term, word: str, start: Token) -> str:
    if cursor.take_word("AS"):
        token = cursor.token
        name = cursor.name("a column")
        if name in items:
            cursor.refuse(f"two columns are called {name}", token)
        return name
    if word == "WITH" and term.name != term.text:
        cursor.refuse("a value that WITH passes on has no name: write AS", start)
    base = term.name or "value"
    name, number = base, 1
    while name in items:
        number += 1
        name = f"{base}_{number}"
    return name


def _order(cursor: Cursor, scope: Scope) -> str:
    if not cursor.take_word("ORDER", "BY"):
        return ""
    parts = []
    while True:
        text = read_expression(cursor, scope).text
        if cursor.take_word("DESC") or cursor.take_word("DESCENDING"):
            text += " DESC"
        elif cursor.take_word("ASC") or cursor.take_word("ASCENDING"):
            pass
        parts.append(text)
        if not cursor.take_sign(","):
            return f"\nORDER BY {', '.join(parts)}"


def _page(cursor: Cursor, part: Part, estimated_before: int, *, outermost: bool) -> str:
    text = f"\nSKIP {_number(cursor)}" if cursor.take_word("SKIP") else ""
    limit = _number(cursor) if cursor.take_word("LIMIT") else None
    if outermost:
        # One row more than is shown says that there are more.
        limit = MAX_ROWS + 1 if limit is None else min(limit, MAX_ROWS + 1)
    if limit is None:
        return text
    part.rows = min(part.rows, limit * part.rows_before)
    cursor.rows.number = min(cursor.rows.number, limit * estimated_before)
    return f"{text}\nLIMIT {limit}"


def _number(cursor: Cursor) -> int:
    token = cursor.next()
    value = int(token.text) if token.sort is Sort.INTEGER else None
    if token.sort is Sort.PARAMETER:
        value = cursor.value_of(token)
    if type(value) is not int or not 0 <= value < 2**31:
        cursor.refuse(f"{token.shown} is no number of rows", token)
    return value
