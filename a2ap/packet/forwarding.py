"""Forwarding (§6-3, §15-5): a forwarded packet is at least as protected as before, and has at most the same uses.

Each member that the forwarded packet widens is a finding of its own. Items are matched by their id and by their
content, so that neither a new id nor that of another item relaxes anything. An item that the forwarder adds is a
warning: it is not part of the forwarded packet.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from a2ap.boundary import Boundary, Use, UseTerms
from a2ap.canonical import canonicalize
from a2ap.packet.canon import packet_bytes
from a2ap.packet.check_items import items_of
from a2ap.packet.document import PacketDocument, text_of, texts_of
from a2ap.packet.errors import PacketHashError
from a2ap.packet.extensions import local_mappings, mappings_of, read_boundary, read_use
from a2ap.packet.finding import Finding, Severity
from a2ap.packet.looks import read_moment
from a2ap.packet.member_check import Subject
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import EXTERNAL_TRUST, StalenessPolicy
from a2ap.packet.widening import WIDENED

_RULE = "6-3"
_CAREFUL: dict[str, int] = {policy: rank for rank, policy in enumerate(StalenessPolicy)}


def check_forwarding(parent: PacketDocument, child: PacketDocument) -> tuple[Finding, ...]:
    """Find everything in which a forwarded packet is wider than the one that it comes from; raises nothing."""
    before, after = (Subject("the packet", "", one.members) for one in (parent, child))
    return (
        *_check_identity(parent, child, after),
        *_check_scope(before, after),
        *_check_policy(before, after),
        *_check_contract(before, after),
        *_check_items(before, after),
        *_check_unsaid(before, after),
    )


def _check_identity(parent: PacketDocument, child: PacketDocument, after: Subject) -> Iterator[Finding]:
    if parent.packet_id is None:
        return
    if child.packet_id == parent.packet_id:
        if _bytes(parent) != _bytes(child):
            words = f" has the id {shown(child.packet_id)} of the one that it comes from, and other content"
            yield after.say("4.1-packet_id", words, "packet_id")
    elif parent.packet_id not in texts_of(child.part("lineage"), "assembled_from"):
        words = f": lineage.assembled_from does not name {shown(parent.packet_id)}, from which it is forwarded"
        yield after.say("4.1-lineage", words, "lineage", Severity.WARNING)


def _check_scope(before: Subject, after: Subject) -> Iterator[Finding]:
    old, new = before.inner("scope"), after.inner("scope")
    ceilings = [
        _class(one.inner("scope").members, "boundary_ceiling", mappings_of(one.members)) for one in (before, after)
    ]
    if ceilings[0] is not None and (ceilings[1] is None or ceilings[1] > ceilings[0]):
        words = f": the ceiling was {ceilings[0]} and is {shown(new.members.get('boundary_ceiling'))}"
        yield new.say(_RULE, words, "boundary_ceiling")
    terms = [_terms(one) for one in (before, after)]
    for use in Use:
        if (terms[1].permits(use) or use in (terms[1].allowed or ())) and not terms[0].permits(use):
            yield new.say(_RULE, f" allows {use}, which was not permitted", "allowed_use")
        elif use in (terms[0].disallowed or ()) and use not in (terms[1].disallowed or ()):
            yield new.say(_RULE, f" prohibits {use} no more", "disallowed_use")
    ends = [read_moment(one.members.get("expires_at")) for one in (old, new)]
    if ends[0] is not None and (ends[1] is None or ends[1] > ends[0]):
        yield new.say(_RULE, ": scope.expires_at is later, or gone", "expires_at")
    workspaces = [text_of(one.members, "workspace") for one in (old, new)]
    if workspaces[0] is not None and workspaces[1] != workspaces[0]:
        yield new.say(_RULE, f" is forwarded into {shown(workspaces[1])}", "workspace", Severity.WARNING)


def _check_policy(before: Subject, after: Subject) -> Iterator[Finding]:
    old, new = (one.inner("temporal_policy").members for one in (before, after))
    was, now = (_CAREFUL.get(text_of(one, "staleness_policy") or "", 0) for one in (old, new))
    if now < was:
        yield after.say(_RULE, ": staleness_policy is less careful", "temporal_policy")
    if old.get("freshness_required") is True and new.get("freshness_required") is not True:
        yield after.say(_RULE, ": freshness is required no more", "temporal_policy")


def _check_contract(before: Subject, after: Subject) -> Iterator[Finding]:
    old, new = (one.inner("return_contract").members for one in (before, after))
    if new.get("may_propose_memory_updates") is True and old.get("may_propose_memory_updates") is not True:
        yield after.say(_RULE, " lets memory updates be proposed, which it did not", "return_contract")
    for name in ("promotion_required", "requires_human_review", "trace_required"):
        if old.get(name) is True and new.get(name) is not True:
            yield after.say(_RULE, f": {name} holds no more", "return_contract")
    still = frozenset(texts_of(new, "forbidden_outputs"))
    for one in dict.fromkeys(texts_of(old, "forbidden_outputs")):
        if one not in still:
            yield after.say(_RULE, f" forbids the output {shown(one)} no more", "return_contract")


def _check_items(before: Subject, after: Subject) -> Iterator[Finding]:
    old_words, new_words = mappings_of(before.members), mappings_of(after.members)
    by_id: dict[str, Subject] = {}
    by_content: dict[bytes, Subject] = {}
    for old in items_of(before):
        if (own := text_of(old.members, "item_id")) is not None:
            by_id.setdefault(own, old)
        same = by_content.setdefault(_content(old), old)
        classes = [_class(one.members, "boundary", old_words) or Boundary.PUBLIC for one in (same, old)]
        if classes[1] > classes[0]:
            by_content[_content(old)] = old
    for item in items_of(after):
        named, same_words = by_id.get(text_of(item.members, "item_id") or ""), by_content.get(_content(item))
        sources = [one for one in (named, same_words) if one is not None]
        if not sources:
            yield item.say(_RULE, " is not in the packet that it is forwarded from", "", Severity.WARNING)
        for source in sources[:1] if named is same_words else sources:
            classes_of = [
                _class(one.members, "boundary", words) for one, words in ((source, old_words), (item, new_words))
            ]
            yield from _check_class(item, *classes_of)
            yield from _check_item(source, item)


def _check_class(item: Subject, was: Boundary | None, now: Boundary | None) -> Iterator[Finding]:
    if was is not None and (now is None or now < was):
        yield item.say(_RULE, f" was {was} and is {shown(item.members.get('boundary'))}", "boundary")


def _check_item(old: Subject, item: Subject) -> Iterator[Finding]:
    first, second = old.members.get("content"), item.members.get("content")
    if isinstance(first, dict) and "quoted_data" in first:
        if not isinstance(second, dict) or "quoted_data" not in second:
            yield item.say("15-5", " was quoted data and is so no more", "content")
        elif second["quoted_data"] != first["quoted_data"]:
            yield item.say("15-5", " quotes other data than before", "content")
    yield from _check_same(old, item)
    trusts = [one.inner("provenance").members.get("trust") for one in (old, item)]
    if _is_external(trusts[0]) and not _is_external(trusts[1]):
        yield item.say(_RULE, f" had trust {trusts[0]} and has {shown(trusts[1])}", "provenance")
    for name, widened in WIDENED.items():
        if widened(old.members.get(name), item.members.get(name)):
            words = f": {name} was {shown(old.members.get(name))} and is {shown(item.members.get(name))}"
            yield item.say(_RULE, words, name)


def _check_same(old: Subject, item: Subject) -> Iterator[Finding]:
    """Find changes of an item's content, kind, author or source under the same id."""
    first, second = old.members.get("content"), item.members.get("content")
    if text_of(old.members, "item_id") != text_of(item.members, "item_id"):
        return
    if not (isinstance(first, dict) and "quoted_data" in first) and _content(old) != _content(item):
        yield item.say(_RULE, " has other content than before", "content")
    elif isinstance(first, dict) and isinstance(second, dict) and canonicalize(first) != canonicalize(second):
        yield item.say(_RULE, " says something else of the data that it quotes", "content")
    if old.members.get("kind") != item.members.get("kind"):
        words = f": kind was {shown(old.members.get('kind'))} and is {shown(item.members.get('kind'))}"
        yield item.say(_RULE, words, "kind")
    for name in ("author", "source"):
        was, now = (one.inner("provenance").members.get(name) for one in (old, item))
        if was != now:
            yield item.say(_RULE, f": {name} was {shown(was)} and is {shown(now)}", "provenance")


def _check_unsaid(before: Subject, after: Subject) -> Iterator[Finding]:
    """Find open loops and exclusions that are no longer declared: the slice would be taken for the world (§7, §8)."""
    left = {text_of(loop.members, "loop_id") for _, loop in after.list_of("open_loops", "open loop", "loop_id")}
    for _, loop in before.list_of("open_loops", "open loop", "loop_id"):
        if text_of(loop.members, "loop_id") not in left:
            yield loop.say("7-present", " is not forwarded", "", Severity.WARNING)
    counts = [len(one.list_of("exclusions", "exclusion", "")) for one in (before, after)]
    if counts[1] < counts[0]:
        yield after.say("8", f" declares {counts[1]} exclusions of {counts[0]}", "exclusions", Severity.WARNING)


def _class(members: Mapping[str, Any], name: str, mappings: Mapping[str, str]) -> Boundary | None:
    return read_boundary(members.get(name), local_mappings(members.get("ext")), mappings)


def _terms(packet: Subject) -> UseTerms:
    scope = packet.inner("scope").members
    mappings = mappings_of(packet.members)
    lists = []
    for name in ("allowed_use", "disallowed_use"):
        found = [read_use(word, mappings) for word in texts_of(scope, name)]
        lists.append(tuple(use for use in found if use is not None) if isinstance(scope.get(name), list) else None)
    return UseTerms(*lists)


def _is_external(trust: Any) -> bool:
    return isinstance(trust, str) and trust in EXTERNAL_TRUST


def _content(item: Subject) -> bytes:
    content = item.members.get("content")
    # Quoted content is the same content without its quotation marks.
    quoted = content.get("quoted_data") if isinstance(content, dict) else None
    return canonicalize(content if quoted is None else quoted)


def _bytes(document: PacketDocument) -> bytes:
    try:
        return packet_bytes(document.members)
    except PacketHashError:
        return document.data
