"""Open loops (§7) and exclusions (§8): unresolved matters, and content left out without being disclosed."""

from collections.abc import Iterator, Mapping

from a2ap.packet.document import text_of
from a2ap.packet.extensions import read_boundary
from a2ap.packet.finding import Finding
from a2ap.packet.looks import a_count, a_moment, a_text, one_of, word_set
from a2ap.packet.member_check import MemberRule, Subject, check_members, check_objects
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import Degree, ExclusionReason

# Members that could hold an item that was left out.
_DISCLOSING = word_set(
    "content contents data excerpt excluded item items item_id item_ids ids preview quote quoted_data source sources"
    " statement summary text title titles uri url withheld"
)


def check_loops(packet: Subject) -> Iterator[Finding]:
    """Find faults of open loops, and a packet that does not say whether there are any."""
    if packet.members.get("open_loops") is None:
        yield packet.say("7-present", " declares no open loops, not even that there are none", "open_loops")
    yield from check_objects(packet, "open_loops", "7")
    seen: set[str] = set()
    for _, loop in packet.list_of("open_loops", "open loop", "loop_id"):
        yield from check_members(loop, _LOOP)
        own = text_of(loop.members, "loop_id")
        if own is not None and own in seen:
            yield loop.say("7-members", " has the id of another open loop", "loop_id")
        seen.update(() if own is None else (own,))


def check_exclusions(packet: Subject, mappings: Mapping[str, str]) -> Iterator[Finding]:
    """Find exclusions that give no reason, or disclose the excluded content."""
    yield from check_objects(packet, "exclusions", "8")
    for _, exclusion in packet.list_of("exclusions", "exclusion", ""):
        yield from check_members(exclusion, _EXCLUSION)
        reason, boundary = text_of(exclusion.members, "reason"), text_of(exclusion.members, "boundary")
        if reason is not None and reason not in frozenset(ExclusionReason):
            yield exclusion.say("8-reason", f": reason is {shown(reason)}, none of the common ones", "reason")
        if boundary is not None and read_boundary(boundary, mappings) is None:
            yield exclusion.say("6", f": boundary is {shown(boundary)}, which is no class of §6", "boundary")
        for name in exclusion.members:
            if name.lower() in _DISCLOSING:
                yield exclusion.say("8-content", f" has {name}, which may disclose the excluded content", name)


_LOOP = (
    MemberRule("loop_id", a_text, "7-members", "7"),
    MemberRule("question", a_text, "7", "7"),
    MemberRule("blocked_by", a_text, None, "7"),
    MemberRule("last_movement", a_moment, None, "7"),
    MemberRule("stakes", one_of(Degree), None, "7"),
    MemberRule("owner", a_text, None, "7"),
    MemberRule("next_action", a_text, None, "7"),
)
_EXCLUSION = (
    MemberRule("reason", a_text, "8", "8"),
    MemberRule("boundary", a_text, None, "8"),
    MemberRule("count", a_count, None, "8"),
    MemberRule("escalation_path", a_text, None, "8"),
)
