"""Members that would make a reader act by itself: write into memory (§11), or fetch a reference (§15-3).

Write permission is `may_propose_memory_updates` with `promotion_required`, and nothing else grants it, neither the name
of a member (`a2ap.packet.check_contract`) nor its value: `"memory_access": "read-write"`. A packet compels no
retrieval, as by `"auto_fetch": true` at any place. Quoted data is text, and is not searched.
"""

from collections.abc import Iterator
from typing import Any

from a2ap.packet.extensions import local_name, words_of
from a2ap.packet.finding import Finding, Severity
from a2ap.packet.looks import word_set
from a2ap.packet.member_check import Subject
from a2ap.packet.shown import shown

# Names of the records that may be written, or of the right to.
_ACCESS = word_set(
    "access canon grant grants knowledge memory mode permission permissions privilege privileges right rights storage"
    " store substrate"
)
_WRITES = word_set("write writes writing writable overwrite readwrite writeback rw append modify update delete full")
_FETCHING = word_set("fetch download retrieve retrieval dereference")
_FETCHING_ITSELF = word_set("autofetch prefetch autoload autodownload")
_COMPELLING = word_set("auto automatic automatically always eager eagerly force forced immediate must now pre require")
_OF_THE_TEXT = word_set("allowed_use disallowed_use expected_outputs forbidden_outputs staleness_policy mode")
_NO = (None, False, 0, "", "no", "false", "never", "off", "manual")


def check_compulsion(packet: Subject) -> Iterator[Finding]:
    """Find members whose value grants writing, and members that make a reader fetch something."""
    pending: list[tuple[str, Any]] = [("", packet.members)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, list):
            pending += [(f"{path}[{at}]", one) for at, one in enumerate(value) if isinstance(one, dict | list)]
        elif isinstance(value, dict):
            subject = Subject(packet.label, path, value)
            for name, member in value.items():
                yield from _check_member(subject, name, member)
                if isinstance(member, dict | list):
                    pending.append((subject.place(name), member))


def _check_member(subject: Subject, name: str, member: Any) -> Iterator[Finding]:
    if name in _OF_THE_TEXT:
        return
    words = set(words_of(local_name(name)))
    if words & _ACCESS and _WRITES & _words_in(member):
        said = f" has {shown(name)} of {shown(member)}, which speaks of writing"
        yield subject.say("11-pair", said, name)
    fetches = words & _FETCHING_ITSELF or (words & _FETCHING and (words & _COMPELLING or words <= _FETCHING))
    if fetches and member not in _NO:
        said = f" has {shown(name)}, and a packet compels nobody to fetch anything"
        yield subject.say("15-3", said, name, Severity.ERROR)


def _words_in(member: Any) -> frozenset[str]:
    if isinstance(member, str) and len(member) <= 64:
        return frozenset(words_of(member))
    if isinstance(member, list):
        return frozenset(word for one in member[:64] if isinstance(one, str) for word in words_of(one[:64]))
    return frozenset()
