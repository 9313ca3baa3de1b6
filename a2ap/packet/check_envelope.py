"""The envelope of a packet (§4): its own members, its producer and governor, its recipient, and its lineage."""

import json
from collections.abc import Iterator
from typing import Any

from a2ap.packet.document import text_of
from a2ap.packet.finding import Finding, Severity
from a2ap.packet.looks import (
    a_boolean,
    a_count,
    a_list,
    a_moment,
    a_text,
    a_utc_time,
    an_object,
    one_of,
    read_moment,
    some_texts,
)
from a2ap.packet.member_check import MemberRule, Subject, check_members
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import SPEC, GovernorMode, PacketType, ProducerType, StalenessPolicy

MAX_ID = 256
MOST_CHARACTERS_A_TOKEN = 6
"""Characters of plain text: items with more than that for each token have more tokens than the packet says."""

_EVERYBODY = frozenset({"*", "all", "any", "anybody", "anyone", "broadcast", "everybody", "everyone", "public"})


def check_envelope(packet: Subject) -> Iterator[Finding]:
    """Find faults of the envelope, but for its scope and members that have a section of their own."""
    yield from check_members(packet, _MEMBERS)
    for name, rules in _PARTS.items():
        if isinstance(packet.members.get(name), dict):
            yield from check_members(packet.inner(name), rules)
    yield from _check_governor(packet)
    yield from _check_recipient(packet)
    yield from _check_task(packet)
    yield from _check_lineage(packet)
    yield from _check_budget(packet)
    yield from _check_times(packet)


def _is_spec(value: Any) -> str | None:
    return None if value == SPEC and isinstance(value, str) else SPEC


def _is_packet_id(value: Any) -> str | None:
    held = isinstance(value, str) and 4 < len(value) <= MAX_ID and value.startswith("cpk_")
    held = held and value.isprintable() and not any(mark.isspace() for mark in value)
    return None if held else f"cpk_ and a word of at most {MAX_ID} characters in all"


def _is_packet_ref(value: Any) -> str | None:
    return None if _is_packet_id(value) is None else "the id of a packet, cpk_ and more"


_MEMBERS = (
    MemberRule("spec", _is_spec, "4.1-spec", "4.1-spec"),
    MemberRule("packet_id", _is_packet_id, "4.1-packet_id", "4.1-packet_id"),
    MemberRule("created_at", a_utc_time, "4.1-created_at", "4.1-created_at"),
    MemberRule("producer", an_object, "4.1-producer", "4.1-producer"),
    MemberRule("governor", an_object, "4.1-governor"),
    MemberRule("recipient", an_object, "4.1-recipient", "4.1-recipient"),
    MemberRule("purpose", a_text, "4.1-purpose", "4.1-purpose"),
    MemberRule("task_ref", a_text, "4.1-task_ref"),
    MemberRule("packet_type", a_text, "4.1-packet_type"),
    MemberRule("scope", an_object, "4.1-scope", "4.1-scope"),
    MemberRule("budget", an_object, "4.1-budget"),
    MemberRule("lineage", an_object, "4.1-lineage", "4.1-lineage"),
    MemberRule("reproducibility", an_object, "4.1-reproducibility"),
    MemberRule("temporal_policy", an_object, "4.1-temporal_policy"),
    MemberRule("items", a_list, "4.1-items", "4.1-items"),
    MemberRule("open_loops", a_list, "4.1-open_loops"),
    MemberRule("exclusions", a_list),
    MemberRule("receipts", a_list),
    MemberRule("return_contract", an_object, "4.1-return_contract"),
    MemberRule("ext", an_object, None, "4.1-ext"),
)
_PARTS = {
    "producer": (
        MemberRule("id", a_text, "4.1-producer", "4.1-producer"),
        MemberRule("type", one_of(ProducerType), "4.1-producer", "4.1-producer"),
        MemberRule("version", a_text),
    ),
    "governor": (
        MemberRule("id", a_text, "12-governor"),
        MemberRule("type", a_text),
        MemberRule("version", a_text),
        MemberRule("mode", one_of(GovernorMode), "12-governor", "4.1-governor.mode"),
    ),
    "recipient": (
        MemberRule("id", a_text, "4.1-recipient", "4.1-recipient"),
        MemberRule("type", a_text, "4.1-recipient", "4.1-recipient"),
        MemberRule("session", a_text),
    ),
    "budget": (
        MemberRule("max_items", a_count),
        MemberRule("approx_tokens", a_count),
        MemberRule("compression", a_text),
    ),
    "lineage": (
        MemberRule("assembled_from", some_texts, "4.1-lineage", "4.1-lineage"),
        MemberRule("supersedes_packet", _is_packet_ref, None, "4.1-lineage.supersedes_packet"),
        MemberRule("assembly_query_ref", a_text),
    ),
    "temporal_policy": (
        MemberRule("assembled_as_of", a_moment, "4.1-temporal_policy"),
        MemberRule("freshness_required", a_boolean, "4.1-temporal_policy"),
        MemberRule("staleness_policy", one_of(StalenessPolicy), "4.1-temporal_policy", "4.1-staleness_policy"),
    ),
}


def _check_governor(packet: Subject) -> Iterator[Finding]:
    if packet.members.get("governor") is None:
        yield packet.say("12-governor", " names no governor, and no record of a human's in its place", "governor")


def _check_recipient(packet: Subject) -> Iterator[Finding]:
    name = text_of(packet.inner("recipient").members, "id") or ""
    if "*" in name or name.strip().lower().rsplit(":", 1)[-1] in _EVERYBODY:
        yield packet.say("4.1-recipient.one", f" is for {shown(name)}, which is not one recipient", "recipient")


def _check_task(packet: Subject) -> Iterator[Finding]:
    task = text_of(packet.members, "task_ref")
    if task is not None and (":" not in task or any(mark.isspace() for mark in task)):
        yield packet.say("4.1-task_ref", f": task_ref is {shown(task)}, which no machine can resolve", "task_ref")
    kind = text_of(packet.members, "packet_type")
    if kind is not None and kind not in frozenset(PacketType):
        yield packet.say("10", f": packet_type is {shown(kind)}, which is none of those in the text", "packet_type")


def _check_lineage(packet: Subject) -> Iterator[Finding]:
    lineage, own = packet.inner("lineage"), text_of(packet.members, "packet_id")
    if own is not None and lineage.members.get("supersedes_packet") == own:
        yield lineage.say("4.1-lineage.supersedes_packet", " supersedes itself", "supersedes_packet")


def _check_budget(packet: Subject) -> Iterator[Finding]:
    most, items = packet.inner("budget").members.get("max_items"), packet.members.get("items")
    if type(most) is int and isinstance(items, list) and len(items) > most >= 0:
        yield packet.say("4.1-budget", f" has {len(items)} items, and a budget of {most}", "budget", Severity.WARNING)
    tokens, cost = packet.inner("budget").members.get("approx_tokens"), _least_tokens(items)
    if type(tokens) is int and cost > tokens >= 0:
        words = f" costs at least {cost} tokens, and has a budget of about {tokens}"
        yield packet.say("4.1-budget", words, "budget", Severity.WARNING)


def _least_tokens(items: Any) -> int:
    """Return the least number of tokens of the items; a tokenizer makes more of most texts."""
    return len(json.dumps(items, ensure_ascii=False, separators=(",", ":"))) // MOST_CHARACTERS_A_TOKEN


def _check_times(packet: Subject) -> Iterator[Finding]:
    made = read_moment(packet.members.get("created_at"))
    reflected = packet.inner("temporal_policy").members.get("assembled_as_of")
    moment = read_moment(reflected)
    if made is not None and moment is not None and moment > made:
        words = f" reflects {shown(reflected)}, which is after it was made"
        yield packet.say("4.1-temporal_policy", words, "temporal_policy")
