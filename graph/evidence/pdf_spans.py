"""The place of the pages' content in a PDF: from the head of a page's first stream to the end of its last.

A stream stands in the file itself, never packed within another object (ISO 32000-2 §7.5.7), so its bytes can be cited.
"""

import re
from typing import Any


class PageSpans:
    """The place of the pages' content in the file."""

    def __init__(self, reader: Any, content: bytes) -> None:
        self._reader = reader
        self._content = content

    def of(self, page: Any) -> tuple[int, int] | None:
        """Return the bytes from the head of a page's first stream to the end of its last; None if it has none.

        None also if a stream is not found. One whose content is in another file (ISO 32000-2, table 5) is not followed.
        """
        found = [self._stream(reference) for reference in self._references(page)]
        whole = [one for one in found if one is not None]
        if not whole or len(whole) != len(found):
            return None
        return min(start for start, _ in whole), max(end for _, end in whole)

    def _references(self, page: Any) -> list[Any]:
        from pypdf.generic import ArrayObject

        if "/Contents" not in page:
            return []
        contents = page.get("/Contents").get_object()
        return list(contents) if isinstance(contents, ArrayObject) else [page.raw_get("/Contents")]

    def _stream(self, reference: Any) -> tuple[int, int] | None:
        number, generation = getattr(reference, "idnum", -1), getattr(reference, "generation", -1)
        start = self._reader.xref.get(generation, {}).get(number)
        if not isinstance(start, int) or start < 0:
            return None
        head = re.compile(rb"\s*(%d\s+%d\s+obj)" % (number, generation)).match(self._content, start)
        end = self._content.find(b"endstream", start)
        return (head.start(1), end + len(b"endstream")) if head and end >= 0 else None
