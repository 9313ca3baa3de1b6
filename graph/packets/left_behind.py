"""The parts of a packet that are passed on with the kept items, without telling of the items that are left out.

Open loops and extensions have no class of their own; only the packet's old ceiling is known of them:

- an open loop is passed on if it names a kept item and none that is left out. A loop that names neither is passed on
  without its words, so that no reader takes an open question for decided; a loop that names an item left out is not;
- the extensions passed on are those that define a local word, and the signed checkpoint of the log.
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
    """Return the open loops that are passed on, and the number of those whose words are withheld."""
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
    """Return a loop that says only that it is open, and how much depends on it."""
    own, stakes = text_of(loop, "loop_id") or "", loop.get("stakes")
    return {
        "loop_id": own if _OPAQUE.fullmatch(own) else f"olp_withheld_{number}",
        "question": "Something is undecided; its words are withheld under the ceiling of this packet.",
        "blocked_by": "The producer of the packet that this one is passed on from knows it.",
        **({"stakes": stakes} if stakes in tuple(Degree) else {}),
        "next_action": "Do not act as if it were decided. Ask the agent that passed the packet on.",
    }


def words_of_ext(ext: Members) -> dict[str, Any]:
    """Return the members of an `ext` that map a local word to a class or use, and the checkpoint."""
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
