"""The words of a query: names, numbers, texts and signs, without the comments between them.

Outside of texts only plain ASCII without backslashes is a word: so no engine can read a word otherwise than this
module. The text for an engine is written anew from these words, so that comments, and the escapes of a text, never
reach it.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from graph.cypher_text.limits import MAX_TEXT
from graph.errors import CypherTextError


class Sort(StrEnum):
    """The sort of a word."""

    NAME = "name"
    PARAMETER = "parameter"
    INTEGER = "integer"
    DECIMAL = "decimal"
    TEXT = "text"
    SIGN = "sign"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One word: `text` is the name, the number, the value of the text, or the sign; places count from 1."""

    sort: Sort
    text: str
    line: int
    column: int

    @property
    def place(self) -> str:
        """Return its place, in words."""
        return f"line {self.line}, column {self.column}"

    @property
    def shown(self) -> str:
        """Return its text for an error."""
        return "the end" if self.sort is Sort.END else repr(self.text[:40])


_WORD = re.compile(
    r"""(?P<space>[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]{0,63}(?![A-Za-z0-9_]))
      | `(?P<quoted>[A-Za-z_][A-Za-z0-9_]{0,63})`
      | \$(?P<parameter>[A-Za-z_][A-Za-z0-9_]{0,63}(?![A-Za-z0-9_]))
      | (?P<decimal>(?:[0-9]{1,18}\.[0-9]{1,18}(?:[eE][+-]?[0-9]{1,2})?|[0-9]{1,18}[eE][+-]?[0-9]{1,2})(?![A-Za-z0-9_]))
      | (?P<integer>[0-9]{1,18}(?![A-Za-z0-9_]))
      | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<sign><>|<=|>=|\.\.|[-+*/%^=<>()\[\]{}.,:|;])""",
    re.DOTALL | re.VERBOSE | re.ASCII,
)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_ESCAPES = {"\\": "\\", "'": "'", '"': '"', "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def read_tokens(text: str) -> tuple[Token, ...]:
    """Return the words of a query, the last of which is its end. Raises CypherTextError."""
    if len(text) > MAX_TEXT:
        raise CypherTextError(f"the query has {len(text)} characters, more than {MAX_TEXT}")
    tokens = []
    position = 0
    while position < len(text):
        found = _WORD.match(text, position)
        line, column = _place(text, position)
        if found is None or found.lastgroup is None:
            raise CypherTextError(f"{text[position : position + 1]!r} at line {line}, column {column} begins no word")
        position = found.end()
        if found.lastgroup != "space":
            tokens.append(_token(found.lastgroup, found[found.lastgroup], line, column))
    return (*tokens, Token(Sort.END, "", *_place(text, position)))


def _token(group: str, text: str, line: int, column: int) -> Token:
    if group == "text":
        return Token(Sort.TEXT, _unescaped(text[1:-1], line, column), line, column)
    return Token(Sort.NAME if group == "quoted" else Sort(group), text, line, column)


def _unescaped(text: str, line: int, column: int) -> str:
    def value(found: re.Match[str]) -> str:
        escape = found[1]
        if len(escape) == 5:
            return chr(int(escape[1:], 16))
        if escape not in _ESCAPES:
            raise CypherTextError(f"the text at line {line}, column {column} has the escape {found[0]!r}")
        return _ESCAPES[escape]

    found = _ESCAPE.sub(value, text)
    if any(0xD800 <= ord(character) <= 0xDFFF or character == "\0" for character in found):
        raise CypherTextError(f"the text at line {line}, column {column} has a character that is none")
    return found


def _place(text: str, position: int) -> tuple[int, int]:
    before = text[:position]
    return before.count("\n") + 1, position - before.rfind("\n")
