"""Supersession among the items of a packet (§5.1): an item known to be superseded is marked, with a pointer.

The packet itself shows that an item is superseded: by its status, by a pointer, or by another item that supersedes it
or its source. Further knowledge of the substrate is not visible to a validator.
"""

import re
from collections.abc import Iterable, Iterator

from a2ap.packet.document import Members, text_of
from a2ap.packet.finding import Finding, Severity
from a2ap.packet.member_check import Subject
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import EpistemicStatus, PromotionState

_REFERENCE = re.compile(r"(?:itm-ref|item-ref|item|itm):")


def check_supersession(items: list[Subject]) -> Iterator[Finding]:
    """Find items that are known to be superseded and do not say so."""
    by_id = {name: item for item in items if (name := text_of(item.members, "item_id")) is not None}
    successors: dict[str, Subject] = {}
    for item in items:
        old = target_of(text_of(item.members, "supersedes"))
        if old is not None:
            successors.setdefault(old, item)
    for item in items:
        yield from _check_marks(item)
        yield from _check_pointers(item)
        yield from _check_successor(item, successors)
    yield from _check_cycles(by_id)


def target_of(reference: str | None) -> str | None:
    """Return the target of a reference, without `itm-ref:` before it (the text shows that form without defining it)."""
    return None if reference is None else _REFERENCE.sub("", reference, count=1)


def superseded_names(items: Iterable[Members]) -> dict[str, str]:
    """Return the items and sources that items of a packet supersede, each with the id of the superseding item."""
    found: dict[str, str] = {}
    for item in items:
        old = target_of(text_of(item, "supersedes"))
        if old is not None:
            found.setdefault(old, text_of(item, "item_id") or "")
    return found


def is_marked(item: Subject) -> bool:
    """Say whether an item is marked superseded, on either axis that has the word."""
    status, state = item.members.get("epistemic_status"), item.members.get("promotion_state")
    return status == EpistemicStatus.SUPERSEDED or state == PromotionState.SUPERSEDED


def _check_marks(item: Subject) -> Iterator[Finding]:
    pointer = text_of(item.members, "superseded_by")
    if is_marked(item) and pointer is None:
        words = " is marked superseded and points at nothing in superseded_by"
        yield item.say("5.1-superseded_by", words, "superseded_by")
    elif pointer is not None and not is_marked(item):
        status = shown(item.members.get("epistemic_status"))
        words = f" is superseded by {shown(pointer)}, and its epistemic_status is {status}"
        yield item.say("5.1-superseded_by", words, "epistemic_status")
    elif pointer is not None and item.members.get("epistemic_status") != EpistemicStatus.SUPERSEDED:
        words = " is superseded in its promotion_state only, and its epistemic_status says something else"
        yield item.say("5.1-superseded_by", words, "epistemic_status", Severity.WARNING)


def _check_pointers(item: Subject) -> Iterator[Finding]:
    own = text_of(item.members, "item_id")
    for name in ("supersedes", "superseded_by"):
        if own is not None and target_of(text_of(item.members, name)) == own:
            yield item.say("5.1-supersedes", f": {name} is the item itself", name)


def _check_successor(item: Subject, successors: dict[str, Subject]) -> Iterator[Finding]:
    own = text_of(item.members, "item_id")
    source = text_of(item.inner("provenance").members, "source")
    if is_marked(item) or text_of(item.members, "superseded_by") is not None:
        return
    by_id = successors.get(own) if own is not None else None
    if by_id is not None and by_id is not item:
        yield item.say("5.1-superseded_by", f" is superseded by {by_id.label} and does not say so", "superseded_by")
    by_source = successors.get(target_of(source) or "") if source is not None else None
    if by_source is not None and by_source is not item and by_source is not by_id:
        words = f" comes from {shown(source)}, which {by_source.label} supersedes"
        yield item.say("5.1-superseded_by", words, "superseded_by")


def _check_cycles(by_id: dict[str, Subject]) -> Iterator[Finding]:
    following = {name: target_of(text_of(item.members, "superseded_by")) for name, item in by_id.items()}
    done: set[str] = set()
    for start in by_id:
        path: dict[str, None] = {}
        at: str | None = start
        while at is not None and at in following and at not in done and at not in path:
            path[at] = None
            at = following[at]
        if at is not None and at in path and following[at] != at:
            words = " is superseded by an item that it supersedes, through other items"
            yield by_id[at].say("5.1-supersedes", words, "superseded_by")
        done.update(path)
