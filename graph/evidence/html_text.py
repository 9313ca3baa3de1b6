"""The text that an HTML document shows, each character with the bytes that it stands in: the rule `html/1`.

No script is run, nothing is fetched, and no style sheet is read: text that these hide or add is not known here. The
rules:

- A document is HTML if it begins, after a byte order mark, white space, comments and an XML declaration, with
  `<!doctype html`, `<html`, `<head` or `<body`. It is read as UTF-8, and otherwise not read.
- Not shown: comments, declarations, tags, and text in the elements of `_RAW` and `_UNSEEN`, in an element with the
  attribute `hidden`, or in an element whose own `style` says `display: none` or `visibility: hidden`.
- A character reference shows its characters as one unit with all of its bytes.
- White space of any length, and the tags of any element that is not `WITHIN_WORDS`, show one space between words. Soft
  hyphens and characters without width show nothing.
- An element ends at its end tag, at that of an element around it or, for `_IMPLIED`, at the next element of its kind;
  `html_scope` lists the end tags that end nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from html import unescape

from graph.evidence.html_scope import closing_scope, is_special
from graph.evidence.shown_text import ShownText, Unreadable
from graph.evidence.shown_text_builder import ShownTextBuilder

_LONG_STYLE = 4096
# CSS: a comment that nobody closes goes on to the end, so that each character is read once.
_COMMENT = re.compile(r"/\*(?:.*?\*/|.*)", re.DOTALL)
_HIDING = re.compile(
    r"(?:^|;)[\t\n\f\r ]*(?:display[\t\n\f\r ]*:[\t\n\f\r ]*none|visibility[\t\n\f\r ]*:[\t\n\f\r ]*hidden)"
    r"(?![\w-]|[^\x00-\x7f])",
    re.IGNORECASE | re.ASCII,
)


def hides(style: str) -> bool:
    """Return whether the value of a `style` hides its element; a value of more than 4,096 characters is not read."""
    if len(style) > _LONG_STYLE:
        return False
    plain = unescape(style)
    return _HIDING.search(_COMMENT.sub("", plain)) is not None


RULE = "html/1"

# Longer documents, and deeper ones (browsers stop there too), are not read.
MAX_HTML = 2 * 1024 * 1024
MAX_DEPTH = 512


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


_RAW = _words("iframe noembed noframes noscript plaintext script style textarea title xmp")
_UNSEEN = _words("audio canvas datalist object template video")
_VOID = _words("area base br col embed hr img input link meta param source track wbr")
_INLINE = _words(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rp rt ruby s samp "
    "small span strike strong sub sup time tt u var wbr"
)
WITHIN_WORDS = _INLINE | _RAW | _UNSEEN
_IMPLIED = {
    "p": ("p",),
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "option": ("option",),
    "tr": ("tr", "td", "th"),
    "td": ("td", "th"),
    "th": ("td", "th"),
}

# HTML's white space, and its letters that are the same in both cases, are those of ASCII.
_S = r"\t\n\f\r "
_LOWER = {letter: letter + 32 for letter in range(ord("A"), ord("Z") + 1)}
_BEGINNING = re.compile(
    rf"(?:[{_S}]|<\?xml[^>]{{0,200}}\?>|<!--(?:(?!-->).){{0,1000}}-->)*+"
    rf"<(?:!doctype[{_S}]+html|html|head|body)(?=[{_S}>])",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
_NAME = re.compile(rf"[A-Za-z][^{_S}/>]*")
_BETWEEN = re.compile(rf"[{_S}/]*")
_ATTRIBUTE = re.compile(rf"([^{_S}/>][^{_S}/>=]*)(?:[{_S}]*(=)[{_S}]*)?")
_UNQUOTED = re.compile(rf"[^{_S}>]*")
_COMMENT_END = re.compile(r"--!?>")
_SCRIPT = re.compile(rf"<!--|-->|<(/?)script(?=[{_S}/>])", re.IGNORECASE | re.ASCII)


def is_html(beginning: bytes) -> bool:
    """Return whether a document is HTML, by its first bytes; 4,096 are enough."""
    text = beginning[:4096].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return _BEGINNING.match(text) is not None


def read_html(document: bytes) -> ShownText:
    """Return the text that an HTML document shows, in time linear in its length; raises `Unreadable`."""
    if len(document) > MAX_HTML:
        raise Unreadable(f"it has {len(document)} bytes, and HTML of up to {MAX_HTML} is read")
    try:
        text = document.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is not UTF-8 at byte {error.start}") from error
    return _Reading(text).read()


class _Open(Exception):
    """The document ends within a tag: nothing after that is shown."""


class _Reading:
    """One pass over a document, with its open elements, outermost first."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._shown = ShownTextBuilder(RULE, text)
        self._elements: list[tuple[str, bool]] = []
        self._open: defaultdict[str, list[int]] = defaultdict(list)  # where those of a name are among them
        self._special: list[int] = []
        self._hiding = 0

    def read(self) -> ShownText:
        position, end = 0, len(self._text)
        while position < end:
            tag = self._text.find("<", position)
            tag = end if tag < 0 else tag
            if not self._hiding:
                self._shown.add(position, tag)
            try:
                position = self._markup(tag) if tag < end else end
            except _Open:
                break
        return self._shown.finish()

    def _markup(self, at: int) -> int:
        """Read the markup that begins with the `<` at this position, and return the position of its end."""
        text = self._text
        if text.startswith("<!--", at):
            return self._comment_end(at)
        closing = text.startswith("</", at)
        name = _NAME.match(text, at + 1 + closing)
        if name is not None:
            return self._tag(name[0].translate(_LOWER), closing, at, name.end())
        if text.startswith(("<!", "<?", "</"), at):
            return self._find(">", at) + 1
        if not self._hiding:
            self._shown.add(at, at + 1)
        return at + 1

    def _comment_end(self, at: int) -> int:
        # HTML §13.2.5.43: `<!-->` and `<!--->` are whole comments, and `--!>` ends one that has begun.
        begin = at + 4 if self._text.startswith("<!--!>", at) else at + 2
        end = _COMMENT_END.search(self._text, begin)
        if end is None:
            raise _Open
        return end.end()

    def _tag(self, name: str, closing: bool, at: int, position: int) -> int:
        hidden, empty = name in _UNSEEN, False
        for attribute, value, stop, slash in self._attributes(position):
            position, empty = stop, slash
            hidden = hidden or attribute == "hidden" or (attribute == "style" and hides(value))
        if name not in WITHIN_WORDS and not self._hiding:
            self._shown.part(at, position)
        if closing:
            self._close(name)
        elif name in _RAW:
            return self._raw_end(name, position)
        elif name not in _VOID and not (empty and (self._open["svg"] or self._open["math"])):
            self._begin(name, hidden)
        return position

    def _attributes(self, position: int) -> Iterator[tuple[str, str, int, bool]]:
        """Yield each attribute's name, value and end; last, no name, the tag's end, and whether a `/` precedes it."""
        text = self._text
        while True:
            begin = position
            between = _BETWEEN.match(text, position)
            position = between.end() if between else position
            if position >= len(text):
                raise _Open
            if text[position] == ">":
                yield "", "", position + 1, "/" in text[begin:position]
                return
            found = _ATTRIBUTE.match(text, position)
            assert found is not None
            name, position, value = found[1].translate(_LOWER), found.end(), ""
            if found[2]:
                quote = text[position : position + 1]
                if quote in ('"', "'"):
                    stop = self._find(quote, position + 1)
                    value, position = text[position + 1 : stop], stop + 1
                else:
                    bare = _UNQUOTED.match(text, position)
                    value = bare[0] if bare else ""
                    position += len(value)
            yield name, value, position, False

    def _raw_end(self, name: str, position: int) -> int:
        """Return the end of an element whose content is no markup; its end tag is read like any other."""
        if name == "plaintext":
            raise _Open
        if name == "script":
            return self._script_end(position)
        found = re.compile(rf"</{name}(?=[{_S}/>])", re.IGNORECASE | re.ASCII).search(self._text, position)
        if found is None:
            raise _Open
        return found.start()

    def _script_end(self, position: int) -> int:
        # HTML §13.2.6.4: within `<!--` a script may hold another one, with its end tag.
        commented = inner = False
        while found := _SCRIPT.search(self._text, position):
            position = found.end()
            if found[0] == "<!--":
                commented = True
                position = found.start() + 2  # `<!-->` is both
            elif found[0] == "-->":
                commented = inner = False
            elif not found[1]:
                inner = commented
            elif inner:
                inner = False
            else:
                return found.start()
        raise _Open

    def _begin(self, name: str, hides: bool) -> None:
        ends = _IMPLIED.get(name, ())
        if ends and self._elements and self._elements[-1][0] in ends:
            self._pop()
        if name == "tr" and self._elements and self._elements[-1][0] == "tr":
            self._pop()
        if len(self._elements) >= MAX_DEPTH:
            raise Unreadable(f"its elements are nested more than {MAX_DEPTH} deep")
        if is_special(name):
            self._special.append(len(self._elements))
        self._open[name].append(len(self._elements))
        self._elements.append((name, hides))
        self._hiding += hides

    def _close(self, name: str) -> None:
        if name in ("body", "html"):
            return  # HTML §13.2.6.4.7: the content after these stands in the body as well.
        at = self._open[name][-1] if self._open[name] else -1
        scope = closing_scope(name)
        if scope is None:
            bound = self._special[-1] if self._special else -1
        else:
            bound = max((self._open[one][-1] for one in scope if self._open[one]), default=-1)
        while 0 <= at < len(self._elements) and bound <= at:
            self._pop()

    def _pop(self) -> None:
        name, hides = self._elements.pop()
        self._open[name].pop()
        if is_special(name):
            self._special.pop()
        self._hiding -= hides

    def _find(self, mark: str, position: int) -> int:
        found = self._text.find(mark, position)
        if found < 0:
            raise _Open
        return found
