"""Check of a SPARQL text: one reading query without other services, written anew from its words.

Rules:

- The engine gets the checked text, not the received one. The written text can be read in one way only: comments are
  removed, each string is in double quotes on one line, and every IRI of the body is the name of a prefix that is
  declared before it, so that a `<` in the body is an operator followed by a space, which no IRI has.
- Refusals are by name: updates, `SERVICE`, and graphs that are not ours. An escape `\\u` is refused in every place: an
  engine may read it before or after it looks for the ends of strings.
- A line keeps its number, so that the engine names the right one if it cannot read a query.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from typing import Final

from graph.errors import SparqlTextError
from graph.sparql.tokens import Token, read_tokens

MAX_QUERY: Final = 64 * 1024
"""The maximum number of characters of a query."""

MAX_DEPTH: Final = 64
"""The deepest nesting of braces and brackets."""

GRAPHS_PREFIX: Final = "urn:a2ap:"
"""The beginning of the names of our graphs."""

_FORMS: Final = frozenset(("SELECT", "ASK", "CONSTRUCT", "DESCRIBE"))
_UPDATES: Final = frozenset(("INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH"))
_PROLOGUE: Final = {"BASE": ("word", "iri"), "PREFIX": ("word", "name", "iri")}

# SPARQL 1.1 §19.7.
_ESCAPES: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_WRITTEN: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})


def rewrite_query(text: str) -> str:
    """Return the query for the engine. Raises `SparqlTextError` for anything that is not a reading query."""
    if len(text) > MAX_QUERY:
        raise SparqlTextError(f"the query has {len(text)} characters, and {MAX_QUERY} are taken")
    if "\\u" in text or "\\U" in text:
        raise SparqlTextError("the query has an escape \\u; the character itself can stand there")
    tokens = list(read_tokens(text))
    said = [token for token in tokens if token.kind != "space"]
    _check_words(said)
    _check_depth(said)
    _check_datasets(said)
    return "".join(_written(tokens))


def check_graph(iri: str) -> None:
    """Raise `SparqlTextError` unless the name of a graph can be one of ours: nothing is ever fetched."""
    if not iri.startswith(GRAPHS_PREFIX):
        raise SparqlTextError(f"{iri[:200]} is no graph of this node, and nothing is fetched")


def _check_words(tokens: Sequence[Token]) -> None:
    # An engine may end a word where it knows one: `true` and a number can stand right before it, a name right after.
    if any("SERVICE" in one.text.upper() for one in tokens if one.kind not in ("text", "iri", "variable")):
        raise SparqlTextError("the query has the word SERVICE, and asks nobody else; an IRI with it stands in <>")
    words = [one.text.upper() for one in tokens if one.kind == "word"]
    if (update := next((word for word in words if word in _UPDATES), None)) is not None:
        raise SparqlTextError(f"the text is an update ({update}), and only queries are answered")
    if _FORMS.isdisjoint(words):
        raise SparqlTextError("the text has none of SELECT, ASK, CONSTRUCT and DESCRIBE")


def _check_depth(tokens: Sequence[Token]) -> None:
    depth = 0
    for token in tokens:
        depth += (token.kind == "open") - (token.kind == "close")
        if depth > MAX_DEPTH:
            raise SparqlTextError(f"the query nests deeper than {MAX_DEPTH}")


def _check_datasets(tokens: Sequence[Token]) -> None:
    for token, following in pairwise(tokens):
        if token.kind != "word" or token.text.upper() not in ("FROM", "NAMED"):
            continue
        if following.kind == "iri":
            check_graph(following.text[1:-1])
        elif following.kind != "word" or following.text.upper() != "NAMED":
            raise SparqlTextError(f"the graph after {token.text} is not written as an IRI in angle brackets")


def _written(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the words, with one space or the same line breaks between them."""
    body = _body(tokens)
    prologue, rest = tokens[:body], tokens[body:]
    for token in prologue:
        yield _plain(token)
    # Behind the prologue: its last BASE is that of these too.
    taken = {token.text.partition(":")[0] for token in tokens if token.kind == "name"}
    free = (name for name in (f"i{number}" for number in count()) if name not in taken)
    names = {text: next(free) for text in dict.fromkeys(token.text for token in rest if token.kind == "iri")}
    yield from (f" PREFIX {name}: {iri}" for iri, name in names.items())
    yield " "
    for token in rest:
        yield f"{names[token.text]}: " if token.kind == "iri" else _plain(token)


def _body(tokens: Sequence[Token]) -> int:
    """Return the place in the tokens where the prologue ends."""
    places = [place for place, token in enumerate(tokens) if token.kind != "space"]
    at = 0
    while at < len(places):
        kinds = _PROLOGUE.get(tokens[places[at]].text.upper())
        if kinds is None or tuple(tokens[place].kind for place in places[at : at + len(kinds)]) != kinds:
            break
        at += len(kinds)
    return places[at] if at < len(places) else len(tokens)


def _plain(token: Token) -> str:
    match token.kind:
        case "space":
            return "\n" * token.text.count("\n")
        case "text":
            return _quoted(token.text) + "\n" * token.text.count("\n")
        case _:
            return token.text + " "


def _quoted(text: str) -> str:
    """Return a string in double quotes on one line."""
    marks = 3 if text[:3] in ("'''", '"""') else 1
    value = re.sub(r"\\(.)", _unescaped, text[marks:-marks], flags=re.DOTALL)
    return f'"{value.translate(_WRITTEN)}" '


def _unescaped(match: re.Match[str]) -> str:
    if match[1] not in _ESCAPES:
        raise SparqlTextError(f"a string of the query has {match[0]!r}, which is no escape")
    return _ESCAPES[match[1]]
