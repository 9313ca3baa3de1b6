"""PDF files, written byte by byte."""

import zlib
from collections.abc import Mapping, Sequence

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def write_pdf(
    *pages: Sequence[str] | bytes,
    font: bytes = FONT,
    page_members: bytes = b"",
    resources: bytes = b"",
    objects: Mapping[int, bytes] | None = None,
    packed: bool = True,
    trailer: bytes = b"",
) -> bytes:
    """Return a file with these pages: lines of text each, or the bytes of a content stream.

    Object 1 is the catalogue, 2 the tree of pages, 3 the font; each page has two more, its own and its content, from 10
    on. `objects` are put in as they are.
    """
    body = {1: b"<< /Type /Catalog /Pages 2 0 R >>", 3: font}
    numbers = [10 + 2 * place for place in range(len(pages))]
    kids = b" ".join(b"%d 0 R" % number for number in numbers)
    body[2] = b"<< /Type /Pages /Kids [ %s ] /Count %d >>" % (kids, len(pages))
    for number, page in zip(numbers, pages, strict=True):
        body[number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> %s >> "
            b"/Contents %d 0 R %s >>" % (resources, number + 1, page_members)
        )
        body[number + 1] = stream(page if isinstance(page, bytes) else lines(page), packed=packed)
    return assemble({**body, **(objects or {})}, trailer)


def lines(texts: Sequence[str]) -> bytes:
    """Return a content stream that draws lines one under the other."""
    drawn = b" ".join(b"(%s) Tj T*" % _escaped(text) for text in texts)
    return b"BT /F1 12 Tf 14 TL 72 720 Td " + drawn + b" ET"


def stream(content: bytes, members: bytes = b"", *, packed: bool = False) -> bytes:
    """Return a stream object."""
    if packed:
        content, members = zlib.compress(content), members + b" /Filter /FlateDecode"
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), members, content)


def assemble(objects: Mapping[int, bytes], trailer: bytes = b"") -> bytes:
    """Return a file of these objects, with a table of where they are."""
    out, offsets = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), {}
    for number in sorted(objects):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    start, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n" % size
    for number in range(size):
        kind, offset = (b"n", offsets[number]) if number in offsets else (b"f", 0)
        out += b"%010d %05d %s \n" % (offset, 0 if number else 65535, kind)
    out += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, start)
    return bytes(out)


def _escaped(text: str) -> bytes:
    return text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
