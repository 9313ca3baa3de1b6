"""Names of members: those of the text, those of extensions, and those that would be more than state (§4.1, §15).

A member that the text does not have is kept and ignored by readers, and belongs in `ext`. An extension that carries the
name of a member of the text together with a word like `override` redefines it; one that carries only the name, as a
number beside `confidence` may, does not.
"""

from collections.abc import Iterator

from a2ap.packet.check_contract import KNOWN as CONTRACT
from a2ap.packet.extensions import extension_members, is_namespaced, local_name, words_of
from a2ap.packet.finding import Finding, Severity
from a2ap.packet.looks import word_set
from a2ap.packet.member_check import Subject
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import ORDER

_EXT = frozenset({"ext"})
_PARTS = {
    "producer": frozenset({"id", "type", "version"}) | _EXT,
    "governor": frozenset({"id", "type", "version", "mode"}) | _EXT,
    "recipient": frozenset({"id", "type", "session"}) | _EXT,
    "scope": frozenset({"workspace", "project", "boundary_ceiling", "expires_at", "allowed_use", "disallowed_use"})
    | _EXT,
    "budget": frozenset({"max_items", "approx_tokens", "compression"}) | _EXT,
    "lineage": frozenset({"assembled_from", "supersedes_packet", "assembly_query_ref"}) | _EXT,
    "reproducibility": frozenset(
        {"packet_hash", "hash_algorithm", "canonicalizer_version", "generator_version", "source_state_refs"}
    )
    | _EXT,
    "temporal_policy": frozenset({"assembled_as_of", "freshness_required", "staleness_policy"}) | _EXT,
    "return_contract": CONTRACT | _EXT,
}
_ITEM = word_set(
    "item_id kind content epistemic_status promotion_state confidence stakes provenance valid_time supersedes"
    " superseded_by boundary reopen_conditions branch_status use_guidance ext"
)
_ITEM_PARTS = {
    "provenance": frozenset({"source", "author", "recorded_at", "trust"}) | _EXT,
    "valid_time": frozenset({"from", "to"}) | _EXT,
    "content": frozenset({"quoted_data", "interpretation", "uri", "media_type"}) | _EXT,
}
_LISTS = {
    "open_loops": (
        frozenset({"loop_id", "question", "blocked_by", "last_movement", "stakes", "owner", "next_action"}) | _EXT
    ),
    "exclusions": frozenset({"reason", "boundary", "count", "escalation_path"}) | _EXT,
    "receipts": frozenset({"receipt_id", "event", "at", "by", "observability_ref", "packet_hash"}) | _EXT,
}
CORE = frozenset(ORDER).union(_ITEM, *_PARTS.values(), *_ITEM_PARTS.values(), *_LISTS.values()) - {"id", "type", "to"}

# Names that mean a member of the text wherever they stand; `reason` or `version` may be about anything.
_TELLING = frozenset(name for name in CORE if "_" in name) | word_set(
    "boundary budget confidence content exclusions governor items kind lineage provenance purpose receipts recipient"
    " reproducibility scope spec stakes supersedes trust"
)

_OVERRIDING = word_set(
    "override overrides overridden overriding redefine redefines redefinition replace replaces replacement relax"
    " relaxed ignore bypass effective actual real instead"
)
# §15: members that have no place in a state object that grants nothing and runs nothing.
_ACTIVE = word_set(
    "capability capabilities command commands credential credentials exec execute function_call grant grants"
    " handler hook hooks install installer invoke password permission permissions plugin plugins script scripts"
    " secret secrets shell skill skills tool tools tool_call tool_calls webhook api_key apikey private_key"
)


def check_names(packet: Subject, items: list[Subject]) -> Iterator[Finding]:
    """Find members that the text does not have, and extensions that are in no namespace or redefine the text."""
    yield from _check_unknown(packet, frozenset(ORDER))
    yield from _check_ext(packet, "4.1-ext")
    for name, known in _PARTS.items():
        yield from _check_unknown(packet.inner(name), known)
        yield from _check_ext(packet.inner(name), "4.1-ext")
    for name, known in _LISTS.items():
        for _, subject in packet.list_of(name, name.replace("_", " ").rstrip("s"), f"{name[:-1]}_id"):
            yield from _check_unknown(subject, known)
            yield from _check_ext(subject, "4.1-ext")
    for item in items:
        yield from _check_unknown(item, _ITEM)
        yield from _check_ext(item, "5.1-ext")
        for name, known in _ITEM_PARTS.items():
            yield from _check_unknown(item.inner(name), known)


def _check_unknown(subject: Subject, known: frozenset[str]) -> Iterator[Finding]:
    for name in subject.members:
        if name in known:
            continue
        if name.lower() in _ACTIVE or local_name(name).lower() in _ACTIVE:
            words = f" has {subject.prefix}{shown(name)}, which is ignored: a packet grants nothing and runs nothing"
            yield subject.say("15-1", words, name)
        else:
            yield subject.say("1-9", f" has {subject.prefix}{shown(name)}, which the text has not", name)


def _check_ext(subject: Subject, number: str) -> Iterator[Finding]:
    ext = subject.members.get("ext")
    for name, value in ext.items() if isinstance(ext, dict) else ():
        # An object may be the namespace itself; one under the name of a member of the text is none.
        if not is_namespaced(name) and (not isinstance(value, dict) or name in CORE):
            rule = "4.1-ext.core" if name in CORE else number
            yield subject.say(rule, f": ext has {shown(name)}, which is in no namespace", "ext")
    for name, _ in extension_members(ext):
        own = local_name(name)
        if not is_namespaced(name):
            continue
        if _redefines(own):
            yield subject.say("4.1-ext.core", f": ext has {shown(name)}, which redefines a member of the text", "ext")
        elif own in _TELLING and own != "confidence":
            words = f": ext has {shown(name)}, named like a member of the text, which takes precedence"
            yield subject.say("4.1-ext.core", words, "ext", Severity.WARNING)
        elif own.lower() in _ACTIVE:
            words = f": ext has {shown(name)}, which is ignored: a packet grants nothing and runs nothing"
            yield subject.say("15-1", words, "ext")


def _redefines(name: str) -> bool:
    words = words_of(name)
    if not _OVERRIDING & set(words):
        return False
    return any(set(core.split("_")) <= set(words) for core in _TELLING)
