"""The scope of a packet: its workspace and ceiling, its expiry, and its permitted uses (§4.1, §4.2, §6).

A packet is of the class of its ceiling, the only class that it has as a whole, and of those of its items.
The two lists of uses are read as `a2ap.boundary` reads them for the platform.
"""

from collections.abc import Iterator
from datetime import datetime

from a2ap.boundary import Boundary, Use, UseTerms
from a2ap.packet.document import text_of, texts_of
from a2ap.packet.extensions import is_namespaced, read_boundary, read_use
from a2ap.packet.finding import Finding, Severity
from a2ap.packet.looks import a_moment, a_text, has_zone, read_moment, texts
from a2ap.packet.member_check import MemberRule, Subject, check_members
from a2ap.packet.shown import shown

# §6-5 names these, and not safety-sensitive.
_WITH_USES = frozenset({Boundary.PRIVATE, Boundary.LEGAL_SENSITIVE, Boundary.CLIENT_SENSITIVE, Boundary.IP_SENSITIVE})
_LISTS = ("allowed_use", "disallowed_use")


def check_scope(packet: Subject, mappings: dict[str, str], now: datetime | None) -> Iterator[Finding]:
    """Find faults of the scope; `now` tells whether the packet has expired."""
    if not isinstance(packet.members.get("scope"), dict):
        return
    scope = packet.inner("scope")
    yield from check_members(scope, _MEMBERS)
    yield from _check_ceiling(scope, mappings)
    yield from _check_expiry(packet, scope, now)
    yield from _check_words(scope, mappings)
    yield from _check_ladder(scope, mappings)
    yield from _check_sensitive(packet, scope, mappings)


_MEMBERS = (
    MemberRule("workspace", a_text, "4.1-scope.workspace", "4.1-scope.workspace"),
    MemberRule("project", a_text),
    MemberRule("boundary_ceiling", a_text, "4.1-scope.boundary_ceiling", "4.1-scope.boundary_ceiling"),
    MemberRule("expires_at", a_moment, "4.1-scope.expires_at"),
    MemberRule("allowed_use", texts, "4.1-scope.use", "4.2"),
    MemberRule("disallowed_use", texts, "4.1-scope.use", "4.2"),
)


def _check_ceiling(scope: Subject, mappings: dict[str, str]) -> Iterator[Finding]:
    ceiling = text_of(scope.members, "boundary_ceiling")
    if ceiling is None:
        return
    found = read_boundary(ceiling, mappings)
    if found is None:
        words = f": scope.boundary_ceiling is {shown(ceiling)}, which is no class of §6"
        yield scope.say("4.1-scope.boundary_ceiling", words, "boundary_ceiling")
    elif ceiling != found:
        words = f": scope.boundary_ceiling is {shown(ceiling)}, which ext maps to {found}; others do not know it"
        yield scope.say("6-6", words, "boundary_ceiling", Severity.WARNING)


def _check_expiry(packet: Subject, scope: Subject, now: datetime | None) -> Iterator[Finding]:
    expiry, made = scope.members.get("expires_at"), read_moment(packet.members.get("created_at"))
    end = read_moment(expiry)
    if end is None:
        return
    if not has_zone(expiry):
        words = f" expires at {shown(expiry)}, a time without a zone, taken for UTC"
        yield scope.say("4.1-scope.expires_at", words, "expires_at")
    if made is not None and end <= made:
        yield scope.say("4.1-scope.expires_at", " expires before it is made", "expires_at")
    if now is not None and end <= now:
        words = f" expired at {shown(expiry)}: it is for audit and review, and for no action"
        yield scope.say("3-4", words, "expires_at")


def _check_words(scope: Subject, mappings: dict[str, str]) -> Iterator[Finding]:
    for name in _LISTS:
        words = texts_of(scope.members, name)
        for word in dict.fromkeys(words):
            if read_use(word, mappings) is None:
                why = "which ext does not map to a use of §4.2" if is_namespaced(word) else "which is no use of §4.2"
                yield scope.say("4.2", f": scope.{name} has {shown(word)}, {why}", name)
        if len(set(words)) != len(words):
            yield scope.say("4.2-ladder", f": scope.{name} has one use twice", name)
    allowed, disallowed = (_uses(scope, name, mappings) for name in _LISTS)
    for use in Use:
        if use in allowed and use in disallowed:
            yield scope.say("4.2", f" both allows and disallows {use}", "allowed_use")


def _check_ladder(scope: Subject, mappings: dict[str, str]) -> Iterator[Finding]:
    allowed, disallowed = (_uses(scope, name, mappings) for name in _LISTS)
    terms = UseTerms(allowed, disallowed)
    for use in terms.conflicting:
        if use not in disallowed:
            words = f" allows {use} and disallows a lesser use, so that {use} is not permitted"
            yield scope.say("4.2-ladder", words, "allowed_use")
    if not allowed:
        return
    top = max(use.rank for use in allowed)
    unsaid = [use for use in Use if use.rank > top and use not in disallowed]
    if unsaid and isinstance(scope.members.get("disallowed_use"), list):
        yield scope.say("4.2-ladder", f" does not prohibit {', '.join(unsaid)} by name", "disallowed_use")


def _check_sensitive(packet: Subject, scope: Subject, mappings: dict[str, str]) -> Iterator[Finding]:
    marked = [scope.members.get("boundary_ceiling")]
    items = packet.members.get("items")
    marked += [one.get("boundary") for one in items if isinstance(one, dict)] if isinstance(items, list) else []
    classes = {found for one in marked if (found := read_boundary(one, mappings)) is not None}
    if not classes:
        return
    highest = max(classes, key=lambda one: one.rank)
    missing = [name for name in _LISTS if not texts_of(scope.members, name)]
    if not missing or highest < Boundary.IP_SENSITIVE:
        return
    lists = " and ".join(f"scope.{name}" for name in missing)
    words = f" is {highest} and has nothing in {lists}"
    yield scope.say("6-5", words, missing[0], None if classes & _WITH_USES else Severity.WARNING)


def _uses(scope: Subject, name: str, mappings: dict[str, str]) -> tuple[Use, ...]:
    found = (read_use(word, mappings) for word in texts_of(scope.members, name))
    return tuple(use for use in found if use is not None)
