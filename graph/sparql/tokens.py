"""The words of a SPARQL text, by the terminals of SPARQL 1.1 §19.8: at each place the longest one is taken.

Anything else is refused. Escapes in names are not accepted: an IRI in angle brackets says the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from graph.errors import SparqlTextError

_BASE: Final = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_VARIABLE: Final = _BASE + "_0-9\u00b7\u0300-\u036f\u203f-\u2040"
_CHARS: Final = _VARIABLE + "\\-"
_EXPONENT: Final = "[eE][+-]?[0-9]+"

_TOKEN = re.compile(
    rf"""
    (?P<space>[\x20\t\r\n]+ | \#[^\n\r]*)
  | (?P<iri><[^<>"{{}}|^`\\\x00-\x20]*>)
  | (?P<text>'''(?:'{{0,2}}(?:[^'\\]|\\.))*''' | \"\"\"(?:"{{0,2}}(?:[^"\\]|\\.))*\"\"\"
           | '(?:[^'\\\n\r]|\\.)*' | "(?:[^"\\\n\r]|\\.)*")
  | (?P<variable>[?$][{_VARIABLE}]+)
  | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
  | (?P<name>(?:_|[{_BASE}](?:[{_CHARS}.]{{0,100}}[{_CHARS}])?)?
             :(?:(?:[{_VARIABLE}:]|%[0-9A-Fa-f]{{2}})(?:\.*(?:[{_CHARS}:]|%[0-9A-Fa-f]{{2}}))*)?)
  | (?P<number>[+-]?(?:[0-9]+\.[0-9]*{_EXPONENT} | \.?[0-9]+{_EXPONENT} | [0-9]*\.[0-9]+ | [0-9]+))
  | (?P<word>[A-Za-z][A-Za-z0-9_]*)
  | (?P<open>[{{(\[])
  | (?P<close>[}})\]])
  | (?P<operator>\^\^ | && | \|\| | != | <= | >= | [\^!=<>|/*+\-?.,;])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word: `kind` is that of the terminal; comments are `space` too."""

    kind: str
    text: str


def read_tokens(text: str) -> Iterator[Token]:
    """Yield the words in order, and the space between them. Raises `SparqlTextError` for text that is no word."""
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise SparqlTextError(f"the query has {text[at]!r} at character {at}, where no word begins with it")
        assert match.lastgroup is not None
        yield Token(match.lastgroup, match[0])
        at = match.end()
