"""The members of each item (§5.1), one by one; `check_epistemics` checks them together."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from a2ap.packet.finding import Finding, Severity
from a2ap.packet.looks import a_moment, a_text, an_object, has_zone, one_of, read_moment
from a2ap.packet.member_check import MemberRule, Subject, check_members, check_objects
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import (
    AUTHOR_PREFIXES,
    BranchStatus,
    Degree,
    EpistemicStatus,
    Kind,
    PromotionState,
    Trust,
)

# §5.2: of a full source, an item has the part that changes behaviour. The text has no number.
LONG_CONTENT = 8000
_SPEAKER = re.compile(r"^[ \t]*(?:user|human|assistant|ai|agent|system|customer|me|you)[ \t]*:", re.I | re.M)
_OPENED_BY_ITSELF = frozenset({"data", "javascript", "file", "vbscript", "blob", "about"})


def items_of(packet: Subject) -> list[Subject]:
    """Return the items that are objects, each labelled with its id."""
    return [subject for _, subject in packet.list_of("items", "item", "item_id")]


def check_items(packet: Subject, items: list[Subject]) -> Iterator[Finding]:
    """Find faults of single items, and of their ids."""
    if packet.members.get("items") == []:
        yield packet.say("4.1-items", " has no item", "items")
    yield from check_objects(packet, "items", "4.1-items")
    yield from _check_ids(items)
    for item in items:
        yield from check_members(item, _MEMBERS)
        provenance, valid_time = item.members.get("provenance"), item.members.get("valid_time")
        if isinstance(provenance, dict):
            yield from check_members(item.inner("provenance"), _PROVENANCE)
            yield from _check_recording(item)
        if isinstance(valid_time, dict):
            yield from check_members(item.inner("valid_time"), _VALID_TIME)
            yield from _check_period(item)
        if isinstance(item.members.get("content"), dict):
            yield from check_members(item.inner("content"), _CONTENT)
        yield from _check_content(item)


def _is_content(value: Any) -> str | None:
    if isinstance(value, dict):
        artifact = not a_text(value.get("uri")) and not a_text(value.get("media_type"))
        quoted = isinstance(value.get("quoted_data"), str)
        return None if artifact or quoted else "an object with uri and media_type, or with quoted_data"
    return a_text(value) and "text, or an object with uri and media_type, or with quoted_data"


def _is_author(value: Any) -> str | None:
    held = isinstance(value, str) and any(
        value.startswith(prefix) and value.removeprefix(prefix).strip() for prefix in AUTHOR_PREFIXES
    )
    return None if held else f"a name after {', '.join(AUTHOR_PREFIXES[:-1])} or {AUTHOR_PREFIXES[-1]}"


_MEMBERS = (
    MemberRule("item_id", a_text, "5.1-item_id", "5.1-item_id"),
    MemberRule("kind", one_of(Kind), "5.1-kind", "5.1-kind"),
    MemberRule("content", _is_content, "5.1-content", "5.1-content"),
    MemberRule("epistemic_status", one_of(EpistemicStatus), "5.1-epistemic_status", "5.1-epistemic_status"),
    MemberRule("promotion_state", one_of(PromotionState), "5.1-promotion_state", "5.1-promotion_state.word"),
    MemberRule("confidence", one_of(Degree), "5.1-confidence", "5.1-confidence"),
    MemberRule("stakes", one_of(Degree), "5.1-stakes", "5.1-stakes.word"),
    MemberRule("provenance", an_object, "5.1-provenance", "5.1-provenance"),
    MemberRule("valid_time", an_object, "5.1-valid_time", "5.1-valid_time.period"),
    MemberRule("supersedes", a_text),
    MemberRule("superseded_by", a_text),
    MemberRule("boundary", a_text, "5.1-boundary", "5.1-boundary"),
    MemberRule("reopen_conditions", a_text, None, "5.1-reopen_conditions"),
    MemberRule("branch_status", one_of(BranchStatus), None, "5.1-branch_status"),
    MemberRule("use_guidance", a_text, "5.1-use_guidance"),
    MemberRule("ext", an_object, None, "5.1-ext"),
)
_PROVENANCE = (
    MemberRule("source", a_text, "5.1-provenance.source", "5.1-provenance.source"),
    MemberRule("author", _is_author, "5.1-provenance.author", "5.1-provenance.author"),
    MemberRule("recorded_at", a_moment, "5.1-provenance.recorded_at", "5.1-provenance.recorded_at"),
    MemberRule("trust", one_of(Trust), "5.1-provenance.trust", "5.1-provenance.trust"),
)
_VALID_TIME = (
    MemberRule("from", a_moment, None, "5.1-valid_time.period"),
    MemberRule("to", a_moment, None, "5.1-valid_time.period"),
)
_CONTENT = (
    MemberRule("quoted_data", lambda value: None if isinstance(value, str) else "a text"),
    MemberRule("interpretation", a_text),
    MemberRule("uri", a_text),
    MemberRule("media_type", a_text),
)


def _check_ids(items: list[Subject]) -> Iterator[Finding]:
    seen: set[str] = set()
    for item in items:
        own = item.members.get("item_id")
        if isinstance(own, str) and own in seen:
            yield item.say("5.1-item_id", " has the id of another item", "item_id")
        elif isinstance(own, str):
            seen.add(own)


def _check_recording(item: Subject) -> Iterator[Finding]:
    recorded = item.inner("provenance").members.get("recorded_at")
    if read_moment(recorded) is not None and not has_zone(recorded):
        words = f" was recorded at {shown(recorded)}, which is no time with a zone"
        yield item.say("5.1-provenance.recorded_at", words, "provenance", Severity.WARNING)


def _check_period(item: Subject) -> Iterator[Finding]:
    period = item.inner("valid_time").members
    begin, end = read_moment(period.get("from")), read_moment(period.get("to"))
    if begin is not None and end is not None and end < begin:
        yield item.say("5.1-valid_time.period", ": valid_time ends before it begins", "valid_time")


def _check_content(item: Subject) -> Iterator[Finding]:
    content, is_reference = item.members.get("content"), item.members.get("kind") == Kind.ARTIFACT_REF
    if isinstance(content, str):
        if is_reference:
            yield item.say("5.1-content.artifact", " is an artifact_ref and its content is text", "content")
        yield from _check_residue(item, content)
    elif isinstance(content, dict):
        yield from _check_reference(item, content, is_reference)
        if isinstance(content.get("quoted_data"), str):
            yield from _check_residue(item, content["quoted_data"])


def _check_reference(item: Subject, content: Mapping[str, Any], is_reference: bool) -> Iterator[Finding]:
    uri, quotes = content.get("uri"), isinstance(content.get("quoted_data"), str)
    if is_reference and (a_text(uri) or a_text(content.get("media_type"))):
        words = " is an artifact_ref without uri and media_type"
        yield item.say("5.1-content", words, "content")
    if not is_reference and not quotes:
        yield item.say("5.1-content.artifact", " refers to an artifact and is no artifact_ref", "content")
    if quotes and a_text(content.get("interpretation")):
        words = " quotes data without describing them in interpretation"
        yield item.say("5.3-wrap", words, "content", Severity.WARNING)
    if isinstance(uri, str):
        yield from _check_uri(item, uri)


def _check_uri(item: Subject, uri: str) -> Iterator[Finding]:
    try:
        parts = urlsplit(uri[:4096])
        scheme, has_user = parts.scheme.lower(), "@" in parts.netloc
    except ValueError:
        scheme, has_user = "", False
    if not scheme:
        yield item.say("15-3", " refers to an artifact by an address that is not absolute", "content")
    elif scheme in _OPENED_BY_ITSELF:
        yield item.say("15-3", f" refers to an artifact by a {scheme} address", "content")
    if has_user:
        yield item.say("15-3", " refers to an artifact by an address with a user or password in it", "content")


def _check_residue(item: Subject, text: str) -> Iterator[Finding]:
    if len(text) > LONG_CONTENT:
        yield item.say("5.2", f" has {len(text)} characters of content; full sources stay in the substrate", "content")
    if len(_SPEAKER.findall(text)) >= 3:
        yield item.say("5.2", " has a transcript for its content", "content")
