"""The words of our own queries: names, parameters, texts and signs, with the comments and the space between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

_TOKEN = re.compile(
    r"""(?P<COMMENT>//[^\n]*|/\*.*?\*/)
      | (?P<QUOTED>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:``|[^`])*`)
      | (?P<PARAMETER>\$[A-Za-z_]\w*)
      | (?P<WORD>\w+)
      | (?P<SPACE>\s+)
      | (?P<SIGN>.)""",
    re.DOTALL | re.VERBOSE,
)


class Sort(Enum):
    """The sort of a token."""

    COMMENT = auto()
    QUOTED = auto()
    PARAMETER = auto()
    WORD = auto()
    SPACE = auto()
    SIGN = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a query, as it stands there: together the tokens are its text."""

    sort: Sort
    text: str


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the tokens of a query."""
    for match in _TOKEN.finditer(text):
        yield Token(Sort[match.lastgroup or ""], match[0])


def said_in(text: str) -> Iterator[Token]:
    """Yield the tokens that are neither space nor comments."""
    return (token for token in tokens_of(text) if token.sort not in (Sort.COMMENT, Sort.SPACE))
