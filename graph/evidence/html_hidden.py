"""The words that the bytes of an HTML document could show, even if hidden: only words missing here are denied.

A script or a style sheet may show hidden text, and browsers show markup that they do not understand. So the cited bytes
are read in several ways, each without regard to elements open around them: as they stand, with references resolved; and
without tags, with or without comments, scripts and styles, and with or without the text written over ruby.
"""

import re
from collections.abc import Iterator

from graph.evidence.html_text import WITHIN_WORDS
from graph.evidence.shown_text_builder import ShownTextBuilder

_MARKUP = re.compile(
    r"(?P<begin><!--)|(?P<end>--!?>)|<(?P<close>/?)(?P<name>[A-Za-z][^\t\n\f\r />\"'<]*+)[^<>]*+>|<[!?][^<>]*+>"
)
_DROPPED = ("script", "style")
_OVER_RUBY = ("rt", "rtc", "rp")
_RUBY_ENDS = ("rb", "ruby", *_OVER_RUBY)


def could_show(words: str, content: bytes) -> bool:
    """Return whether bytes of an HTML document hold words, in the form of `as_shown`, that a browser could show."""
    return any(words in text for text in _readings(content.decode("utf-8", "ignore")))


def _readings(text: str) -> Iterator[str]:
    whole = ShownTextBuilder("", text)
    whole.add(0, len(text))
    yield whole.finish().text
    for drops_scripts in (False, True):
        for drops_ruby in (False, True):
            yield _read(text, drops_scripts=drops_scripts, drops_ruby=drops_ruby)


def _read(text: str, *, drops_scripts: bool, drops_ruby: bool) -> str:
    shown = ShownTextBuilder("", text)
    position = 0
    inside = ""  # the comment, or the element, that is left out
    over_ruby = False
    for found in _MARKUP.finditer(text):
        if not inside and not over_ruby:
            shown.add(position, found.start())
        position = found.end()
        name, closing = (found["name"] or "").lower(), bool(found["close"])
        if drops_scripts:
            if inside:
                ends = found["end"] if inside == "!" else closing and name == inside
                inside = "" if ends else inside
                continue
            if found["begin"] or (name in _DROPPED and not closing):
                inside = "!" if found["begin"] else name
                continue
        if drops_ruby and name in _RUBY_ENDS:
            over_ruby = name in _OVER_RUBY and not closing
        if name and name not in WITHIN_WORDS and not over_ruby:
            shown.part(*found.span())
    if not inside and not over_ruby:
        shown.add(position, len(text))
    return shown.finish().text
