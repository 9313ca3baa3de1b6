"""What of a packet goes along with the items that are passed on, and may say nothing of those that are left out.

Open loops and extensions are of no class, and the packet's old ceiling is all that is known of them:

- an open loop goes along where it names an item that does, and none that is left out. One that names neither goes
  along without its words, so that nobody takes what is undecided for decided; one that names what is left out does not;
- of the extensions those go along that say what a local word stands for, and the signed checkpoint of the log.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from a2ap.packet.document import Members, part_of, text_of
from a2ap.packet.extensions import is_namespaced, read_boundary, read_use
from a2ap.packet.vocabulary import Degree

CHECKPOINT = "a2ap.checkpoint"

_NAMES = ("a2ap.statement", "a2ap.statement_id", "a2ap.verification")
# An id without words of its own: olp_002, or a hash or ULID.
_OPAQUE = re.compile(r"[a-z]{2,4}[_-](?:[0-9]{1,9}|[0-9a-f]{16,64}|[0-9A-HJKMNP-TV-Z]{26})")
_WORD = re.compile(r"[^\s\"'(),;!?]+")


def loops_of(
    loops: Sequence[Members], kept: Sequence[Members], left_out: Sequence[Members]
) -> tuple[list[dict[str, Any]], int]:
    """Return the open loops that go along, and of how many the words are withheld."""
    if not left_out:
        return [dict(loop) for loop in loops], 0
    gone = {name for item in left_out for name in _names_of(item)}
    there = {name for item in kept for name in _names_of(item)} - gone
    found: list[dict[str, Any]] = []
    withheld = 0
    for loop in loops:
        text = json.dumps(loop, ensure_ascii=False)
        words = {word.rstrip(".:") for word in _WORD.findall(text)}
        if any(name in text for name in gone):
            withheld += 1
        elif words & there:
            found.append(dict(loop))
        else:
            withheld += 1
            found.append(_without_words(loop, withheld))
    return found, withheld


def _without_words(loop: Members, number: int) -> dict[str, Any]:
    """Return a loop of which nothing is said but that it is open, and how much depends on it."""
    own, stakes = text_of(loop, "loop_id") or "", loop.get("stakes")
    return {
        "loop_id": own if _OPAQUE.fullmatch(own) else f"olp_withheld_{number}",
        "question": "Something is undecided; its words are withheld under the ceiling of this packet.",
        "blocked_by": "The producer of the packet that this one is passed on from knows it.",
        **({"stakes": stakes} if stakes in tuple(Degree) else {}),
        "next_action": "Do not act as if it were decided. Ask who passed the packet on.",
    }


def words_of_ext(ext: Members) -> dict[str, Any]:
    """Return the members of an `ext` that say for which class or use a local word stands, and the checkpoint."""
    found: dict[str, Any] = {}
    for name, value in ext.items():
        if name == CHECKPOINT or (is_namespaced(name) and _is_word(value)):
            found[name] = value
        elif isinstance(value, Mapping) and not is_namespaced(name):
            inner = {local: member for local, member in value.items() if _is_word(member)}
            found |= {name: inner} if inner else {}
    return found


def _is_word(value: Any) -> bool:
    target = value.get("maps_to") if isinstance(value, Mapping) else value
    return read_boundary(target) is not None or read_use(target) is not None


def _names_of(item: Members) -> set[str]:
    ext = part_of(item, "ext")
    named = [text_of(item, "item_id"), text_of(part_of(item, "provenance"), "source")]
    named += [text_of(ext, name) for name in _NAMES]
    return {name for name in named if name}
