"""The query language of search: words, "phrases", beginnings*, fields, AND, OR, NOT and parentheses.

Rules:

- Words alone are plain: the results have all of them, or any of them if none has all (`graph.search.statements`).
- `claim:`, `evidence:`, `title:` or `agent:` before a word, phrase, beginning or parenthesis names the field to search.
  An agent is named by its id, or by the beginning of its id and a `*`.
- Adjacent parts must all hold, as with AND between them. OR binds less tightly. `NOT x` and `-x` exclude texts with x.
  The three are operators in capitals only, and only in a query that is not all in capitals.
- Misplaced signs mean nothing: an unpaired quotation mark or parenthesis, an operator without a part, a sign between
  words. So every text is a query, except those that `parse_query` refuses with a sentence.
"""

import re
from collections.abc import Iterator

from graph.errors import InputError
from graph.search.expression import All, AnyOf, ByAgent, Expression, Field, SearchQuery, Term, TermKind
from graph.search.words import WORD

MAX_TERMS = 16
"""The maximum number of parts of a query; of plain words, the first ones up to this number are searched for."""

MAX_TEXT = 4_000
"""The maximum number of characters of a query that are read."""

_MAX_DEPTH = 8
_OPERATORS = ("AND", "OR", "NOT")
_PLAIN = ("word", "open", "close")

_TOKEN = re.compile(
    rf"""(?P<field>\b(?:claim|evidence|title|agent):(?=["“\w(]))
      | ["“”](?P<phrase>[^"“”]*)["“”]
      | (?P<open>\() | (?P<close>\))
      | (?P<minus>(?<![^\s(])-(?=["“\w(]))
      | (?P<prefix>\w{{2,}})\*
      | (?P<word>{WORD.pattern})""",
    re.VERBOSE,
)
_AGENT = re.compile(r'"(?P<quoted>[^"]*)"|(?P<bare>[^\s()"]+)')


def parse_query(text: str) -> SearchQuery:
    """Return the query of a text.

    Raises InputError for one that only excludes, and for parts that are too many or too deep.
    """
    text = text[:MAX_TEXT]
    shouted = text.upper() == text
    tokens = _balanced([_operator(token, shouted) for token in _tokens(text)])
    if all(name in _PLAIN for name, _ in tokens):
        return SearchQuery(words=tuple(value for name, value in tokens if name == "word")[:MAX_TERMS])
    terms = sum(name in ("word", "phrase", "prefix", "agent") for name, _ in tokens)
    if terms > MAX_TERMS:
        raise InputError(f"the query has {terms} parts, and {MAX_TERMS} are looked for", "query")
    expression = _Parser(tokens).read()
    if isinstance(expression, Term) and expression.kind is TermKind.WORD and expression.field is None:
        return SearchQuery(words=(expression.text,))
    return SearchQuery(expression=expression)


_Token = tuple[str, str]


def _tokens(text: str) -> Iterator[_Token]:
    place = 0
    while match := _TOKEN.search(text, place):
        place = match.end()
        name = match.lastgroup or ""
        if match["field"] == "agent:":
            named = _AGENT.match(text, place)
            if named is not None:
                place = named.end()
                yield "agent", named["quoted"] if named["quoted"] is not None else named["bare"]
            continue
        if name == "field":
            yield name, match["field"].removesuffix(":")
        elif name == "phrase":
            if WORD.search(match["phrase"]):
                yield name, match["phrase"]
        else:
            yield name, match[name]


def _operator(token: _Token, shouted: bool) -> _Token:
    name, value = token
    if name == "word" and value in _OPERATORS and not shouted:
        return value, ""
    return ("NOT", "") if name == "minus" else token


def _balanced(tokens: list[_Token]) -> list[_Token]:
    """Return the tokens without unpaired parentheses, and without empty pairs."""
    kept: list[_Token | None] = list(tokens)
    opened: list[int] = []
    for place, (name, _) in enumerate(tokens):
        if name == "open":
            opened.append(place)
        elif name == "close":
            if opened:
                opened.pop()
            else:
                kept[place] = None
    for place in opened:
        kept[place] = None
    return [token for token in kept if token is not None]


class _Parser:
    """Reads tokens by descent: any of, all of, one part."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._place = 0

    def read(self) -> Expression | None:
        return self._any(None, 0)

    def _peek(self) -> str:
        return self._tokens[self._place][0] if self._place < len(self._tokens) else ""

    def _take(self) -> str:
        self._place += 1
        return self._tokens[self._place - 1][1]

    def _any(self, field: Field | None, depth: int) -> Expression | None:
        parts = [self._all(field, depth)]
        while self._peek() == "OR":
            self._take()
            parts.append(self._all(field, depth))
        found = tuple(part for part in parts if part is not None)
        return AnyOf(found) if len(found) > 1 else next(iter(found), None)

    def _all(self, field: Field | None, depth: int) -> Expression | None:
        parts: list[Expression] = []
        without: list[Expression] = []
        while self._peek() not in ("", "OR", "close"):
            if self._peek() == "AND":
                self._take()
                continue
            left_out = False
            while self._peek() == "NOT":
                self._take()
                left_out = not left_out
            part = self._one(field, depth)
            if part is not None:
                (without if left_out else parts).append(part)
        if not parts and without:
            raise InputError("the query only excludes words: add words to look for", "query")
        if len(parts) == 1 and not without:
            return parts[0]
        return All(tuple(parts), tuple(without)) if parts else None

    def _one(self, field: Field | None, depth: int) -> Expression | None:
        while self._peek() == "field":
            field = Field(self._take())
        name = self._peek()
        if name == "open":
            if depth == _MAX_DEPTH:
                raise InputError(f"the parentheses of the query are more than {_MAX_DEPTH} deep", "query")
            self._take()
            found = self._any(field, depth + 1)
            self._take()
            return found
        if name == "agent":
            value = self._take()
            return ByAgent(value.rstrip("*"), begins=value.endswith("*"))
        if name in ("word", "phrase", "prefix"):
            return Term(TermKind(name), self._take(), field)
        return None
