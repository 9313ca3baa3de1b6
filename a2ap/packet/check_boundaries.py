"""The boundaries of the items of a packet against its ceiling and its recipient (§6)."""

from collections.abc import Iterator, Mapping

from a2ap.boundary import Boundary, strictest
from a2ap.packet.document import text_of
from a2ap.packet.extensions import extension_members, local_mappings, local_name, read_boundary, words_of
from a2ap.packet.finding import Finding, Severity
from a2ap.packet.member_check import Subject
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import GovernorMode

_CLASSES = frozenset(Boundary)


def check_boundaries(packet: Subject, items: list[Subject], mappings: Mapping[str, str]) -> Iterator[Finding]:
    """Find items whose boundary is no class, is above the ceiling, or is not for this recipient."""
    scope = packet.inner("scope")
    ceiling = read_boundary(scope.members.get("boundary_ceiling"), mappings)
    above: list[Boundary] = []
    for item in items:
        boundary = text_of(item.members, "boundary")
        if boundary is None:
            continue
        found = read_boundary(boundary, local_mappings(item.members.get("ext")), mappings)
        if found is None:
            yield item.say("6", f": boundary is {shown(boundary)}, which is no class of §6", "boundary")
            continue
        if boundary != found:
            words = f": boundary is {shown(boundary)}, which ext maps to {found}; others do not know it"
            yield item.say("6-6", words, "boundary", Severity.WARNING)
        if ceiling is not None and not ceiling.covers(found):
            above.append(found)
            yield item.say("6-2", f" is {found} above the ceiling {ceiling}", "boundary")
        if found is Boundary.SAFETY_SENSITIVE and not is_reviewed(packet):
            recipient = shown(packet.inner("recipient").members.get("id"))
            words = f" is safety-sensitive, and {recipient} is autonomous, without human review"
            yield item.say("6-4", words, "boundary")
    if above and ceiling is not None:
        words = f": the ceiling is {ceiling}, below the highest boundary of an item, {strictest(*above)}"
        yield scope.say("6-1", words, "boundary_ceiling")
    for subject in (packet, scope, *items):
        yield from _check_local_classes(subject)


def is_reviewed(packet: Subject) -> bool:
    """Say whether a human receives or reviews the packet: by its recipient, its contract or the mode of its governor.

    The text has no member for "autonomous, non-human-reviewed". A type of `human` for an id `agent:…` is not believed.
    """
    recipient = packet.inner("recipient").members
    name = text_of(recipient, "id") or ""
    is_human = recipient.get("type") == "human" and not name.startswith(("agent:", "system:"))
    asked = packet.inner("return_contract").members.get("requires_human_review") is True
    return is_human or asked or packet.inner("governor").members.get("mode") == GovernorMode.HUMAN_REVIEW


def _check_local_classes(subject: Subject) -> Iterator[Finding]:
    """Find local classes that an extension declares and maps to no class of §6."""
    for name, value in extension_members(subject.members.get("ext")):
        words = words_of(local_name(name))
        if "boundary" not in words or not {"class", "classes"} & set(words):
            continue
        declared = value if isinstance(value, dict) and "maps_to" not in value else {local_name(name): value}
        for word, target in declared.items():
            mapped = target.get("maps_to") if isinstance(target, dict) else target
            if not isinstance(mapped, str) or mapped not in _CLASSES:
                yield subject.say("6-6", f": ext has the local class {shown(word)}, mapped to no class of §6", "ext")
