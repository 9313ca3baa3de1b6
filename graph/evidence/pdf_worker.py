"""The process that reads a PDF: the file on standard input, its pages' text on standard output as a line of JSON.

It is started for one file, so that it can be ended with it. Nothing of the file is run, drawn or fetched. For each page
the answer has the text, and the byte range of the page's content, from the head of its first stream to the end of its
last. If a page shows more than text, or has text that is not seen, the answer says so:

- `hides`: some text of the page is drawn unseen, such as text recognised in a scanned picture, or on a layer that may
  be off. It is not known which of its text the page shows.
- `besides`: the page may show words that are not in its text: it has a picture, a drawing or a form, a font whose
  letters are not named, a replacement text, no text at all, or content that the library could not read.

The work of the library's unpacking and parsing is bounded by count, so that the same file gets the same answer on every
machine; time and memory are bounded as well.
"""

import io
import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from graph.confinement import confine
from graph.evidence.pdf_spans import PageSpans
from graph.evidence.pdf_words import letters_of, page_text

MAX_PAGES = 1000
MAX_TEXT = 2 * 2**20
"""Maximum characters of text in one file; its letters, taken apart, may be twice as many."""
SECONDS = 10
"""Seconds of processor time."""
_MEMORY = 2**30
_TOO_LONG = f"it has more than {MAX_TEXT} characters"
_MAX_UNPACKED = 16 * 2**20
"""Maximum bytes of one stream."""
_MAX_PARSED = 200_000
"""Maximum words of one content stream."""
_MAX_OPERATORS = 2_000_000
_MAX_LINES = 500
"""More straight lines than this on one page may be letters."""

_CURVES = (b"c", b"v", b"y")
_PICTURES = (b"Do", b"INLINE IMAGE", b"BI", b"sh")
_PATTERNS = (b"scn", b"SCN")
_UNSEEN_MODES = (3, 7)  # ISO 32000-2, table 104
_NAMED_ENCODINGS = ("/WinAnsiEncoding", "/MacRomanEncoding", "/StandardEncoding")
_BOUNDS: Mapping[str, Any] = {
    "maximum_declared_stream_length": _MAX_UNPACKED,
    "array_based_stream_maximum_output_length": _MAX_UNPACKED,
    "lzw_maximum_output_length": _MAX_UNPACKED,
    "run_length_maximum_output_length": _MAX_UNPACKED,
    "zlib_maximum_output_length": _MAX_UNPACKED,
    "brotli_maximum_output_length": _MAX_UNPACKED,
    "stream_parsing_work_maximum_count": _MAX_PARSED,
    "page_tree_maximum_entries": 10 * MAX_PAGES,
    "xform_maximum_invocations_per_extraction": 100,
    "jbig2dec_binary": None,
}
_NO_LETTERS = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x9f\ufffd\ue000-\uf8ff]")


class TooMuch(Exception):
    """The file exceeds a limit, which the message names."""


def main() -> None:
    """Read the file on standard input."""
    is_alone = confine(SECONDS, _MEMORY)
    told = {**read_file(sys.stdin.buffer.read()), "alone": is_alone}
    sys.stdout.buffer.write(json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    sys.stdout.buffer.flush()


def read_file(content: bytes) -> dict[str, Any]:
    """Return the `pages` of a PDF, or the `error` for which it is not read."""
    from pypdf import PdfReader, apply_configuration
    from pypdf.errors import LimitReachedError

    try:
        with apply_configuration(**_BOUNDS):
            reader = PdfReader(io.BytesIO(content))
            if reader.is_encrypted:
                return {"error": "it is encrypted"}
            return {"pages": list(_pages(reader, content))}
    except TooMuch as error:
        return {"error": str(error)}
    except LimitReachedError:
        return {"error": "it unpacks to more than is read"}
    except MemoryError:
        return {"error": "it takes more memory than it may"}
    # Whatever a library makes of any bytes at all.
    except Exception as error:
        return {"error": f"it is damaged ({type(error).__name__})"}


def _pages(reader: Any, content: bytes) -> Iterator[dict[str, Any]]:
    if len(reader.pages) > MAX_PAGES:
        raise TooMuch(f"it has more than {MAX_PAGES} pages")
    spans = PageSpans(reader, content)
    length = letters = operators = 0
    for page in reader.pages:
        reading = _Reading(page, _MAX_OPERATORS - operators, MAX_TEXT - length)
        read = _read_page(page, reading, spans)
        length, letters = length + len(read["text"]), letters + len(read["letters"])
        operators += reading.operators
        if length > MAX_TEXT or letters > 2 * MAX_TEXT:
            raise TooMuch(_TOO_LONG)
        yield read


def _read_page(page: Any, reading: "_Reading", spans: PageSpans) -> dict[str, Any]:
    try:
        text, span, fields = page_text(reading.read()), spans.of(page), _fields(page)
    except (TooMuch, MemoryError):
        raise
    # A page that the library stumbles over leaves the others as they are.
    except Exception:
        return {"text": "", "letters": "", "span": None, "hides": "something that cannot be read", "besides": ""}
    shown = {"text": text, "letters": letters_of(text)}
    return {**shown, "span": span, "hides": reading.hides, "besides": reading.besides or fields}


class _Reading:
    """One page as it is drawn: its text, and the first sign that it shows more or less than its text."""

    def __init__(self, page: Any, most_operators: int, longest: int) -> None:
        self._page = page
        self._most = most_operators
        self._left = longest
        self._fonts: dict[int, bool] = {}
        self._lines = 0
        self.operators = 0
        self.hides = ""
        self.besides = ""

    def read(self) -> str:
        warnings = _Warnings()
        logger = logging.getLogger("pypdf")
        logger.addHandler(warnings)
        logger.propagate = False
        try:
            text = self._page.extract_text(visitor_operand_before=self._see_operator, visitor_text=self._see_text)
        finally:
            logger.removeHandler(warnings)
        if warnings.count:
            self._add("something that cannot be read")
        elif not text.strip():
            self._add("no text")
        elif _NO_LETTERS.search(text):
            self._add("signs that stand for no letters")
        # Two halves of one letter are one.
        return str(text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")

    def _add(self, what: str) -> None:
        self.besides = self.besides or what

    def _see_operator(self, operator: bytes, operands: Any, *matrices: Any) -> None:
        self.operators += 1
        if self.operators > self._most:
            raise TooMuch(f"it is drawn by more than {_MAX_OPERATORS} operators")
        if operator in _PICTURES:
            self._add("a picture or a form")
        elif operator in _CURVES or operator == b"l":
            self._lines += 1
            if operator != b"l" or self._lines > _MAX_LINES:
                self._add("a drawing")
        elif operator in _PATTERNS and operands and isinstance(operands[-1], str):
            self._add("a pattern")
        elif operator == b"Tr" and operands and operands[0] in _UNSEEN_MODES:
            self.hides = self.hides or "text that is drawn unseen, as that which a program read in a picture is"
        elif operator == b"gs" and operands and _is_clear(self._page, operands[0]):
            self.hides = self.hides or "text that is drawn unseen, with no colour at all"
        elif operator == b"BDC":
            self._see_marked(operands)

    def _see_marked(self, operands: Any) -> None:
        if operands and operands[0] == "/OC":
            self.hides = self.hides or "text on a layer that may be off"
        elif len(operands) > 1 and (isinstance(operands[1], str) or "/ActualText" in operands[1]):
            self._add("a text to be read in place of the drawn one")

    def _see_text(self, text: str, cm: Any, tm: Any, font: Any, size: Any) -> None:
        self._left -= len(text)
        if self._left < 0:
            raise TooMuch(_TOO_LONG)
        if not text.strip():
            return
        if id(font) not in self._fonts:
            self._fonts[id(font)] = _names_letters(font)
        if not self._fonts[id(font)]:
            self._add("a font whose letters are not named")


class _Warnings(logging.Handler):
    """Counts the library's warnings of content that it could not read and left out."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1


def _names_letters(font: Any) -> bool:
    """Return whether a font names the letters that it draws: by a map of its own, or by a well-known encoding."""
    if font is None:
        return False
    if "/ToUnicode" in font:
        return True
    # Those of Symbol and ZapfDingbats, and of fonts that are in the file, are their own.
    if font.get("/Subtype") not in ("/Type1", "/TrueType", "/MMType1"):
        return False
    if "/Encoding" in font:
        return font["/Encoding"] in _NAMED_ENCODINGS
    name = str(font.get("/BaseFont", ""))
    return "/FontDescriptor" not in font and name.startswith(("/Helvetica", "/Times", "/Courier"))


def _is_clear(page: Any, name: Any) -> bool:
    """Return whether a graphics state of the page fills letters with nothing (ISO 32000-2, table 57, `ca`)."""
    alpha = _member(_member(_member(_member(page, "/Resources"), "/ExtGState"), name), "/ca")
    return isinstance(alpha, int | float) and alpha <= 0


def _member(of: Any, name: Any) -> Any:
    found: Any = of.get(name) if isinstance(of, dict) else None
    return found if found is None or not hasattr(found, "get_object") else found.get_object()


def _fields(page: Any) -> str:
    """Return a description if something is drawn on a page that is not in its content, "" otherwise."""
    annotations = page.get("/Annots")
    for one in annotations.get_object() if annotations is not None else ():
        annotation = one.get_object()
        if annotation.get("/Subtype") not in ("/Link", "/Popup") or "/AP" in annotation:
            return "a note or a field"
    return ""


if __name__ == "__main__":
    main()
