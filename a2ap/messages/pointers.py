"""Pointers: passages that a verdict, or the answer to one, rests on, in the form of a statement's evidence.

A pointer gives the place and the hash of a passage and does not repeat its words: a quote in a verdict would have to
be withheld, and erased, apart from the source (docs/decisions/0041).
"""

from collections.abc import Mapping
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import read_list
from a2ap.messages.evidence import EvidenceSegment, read_segment


def read_pointers(message: Mapping[str, Any], name: str = "evidence") -> tuple[EvidenceSegment, ...]:
    """Read a list of pointers in document order, empty if there is no such member; raises `FieldError`."""
    if name not in message:
        return ()
    pointers = tuple(
        read_segment(value, f"{name}[{index}]", {}) for index, value in enumerate(read_list(message, name))
    )
    for index, pointer in enumerate(pointers):
        if pointer.quote is not None:
            raise FieldError(f"{name}[{index}].quoteText", "is there; evidence of a verdict points, and does not quote")
    return pointers
