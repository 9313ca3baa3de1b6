"""The check of a packet: every rule that a single packet can show, and from that the level that it reaches (§12).

The check executes nothing, fetches nothing, assembles nothing and decides nothing (§15-4): it reads and reports.
Its sentences quote the packet in a form that can be shown to a model. A level that the packet claims is compared
with the level found, never believed (§18).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from a2ap.packet.check_boundaries import check_boundaries
from a2ap.packet.check_compulsion import check_compulsion
from a2ap.packet.check_contract import check_contract
from a2ap.packet.check_envelope import check_envelope
from a2ap.packet.check_epistemics import check_epistemics
from a2ap.packet.check_external import check_external
from a2ap.packet.check_items import check_items, items_of
from a2ap.packet.check_loops import check_exclusions, check_loops
from a2ap.packet.check_names import check_names
from a2ap.packet.check_reproducibility import check_receipts, check_reproducibility
from a2ap.packet.check_scope import check_scope
from a2ap.packet.check_supersession import check_supersession
from a2ap.packet.document import PacketDocument
from a2ap.packet.errors import PacketHashError, PacketSignatureError
from a2ap.packet.extensions import extension_members, local_name, mappings_of
from a2ap.packet.finding import Finding, Severity
from a2ap.packet.integrity import check_own_hash, check_signature
from a2ap.packet.member_check import Subject
from a2ap.packet.rules import RULES
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import Level

# Of findings under one rule and of one severity, so many are listed; the rest are counted.
MOST_LISTED = 50

_CLAIM = "conformance_level"


@dataclass(frozen=True, slots=True)
class Report:
    """The findings in a packet, worst first and then in the order of the text.

    `level` is the one that the packet reaches, `None` if it does not even conform to CP-Core; `claimed` the one that
    it says it has. `unlisted` counts the findings of a rule beyond those that are listed.
    """

    document: PacketDocument
    level: Level | None
    claimed: Level | None
    findings: tuple[Finding, ...]
    unlisted: Mapping[str, int]

    @property
    def claim_holds(self) -> bool:
        """Say whether the packet reaches every level that it claims."""
        return not any(one.rule.level is None and one.severity is Severity.ERROR for one in self.findings)

    def conforms(self, level: Level) -> bool:
        """Say whether the packet reaches a level, and claims no higher one than it reaches (§18)."""
        return self.claim_holds and self.level is not None and self.level.rank >= level.rank

    def errors_at(self, level: Level) -> tuple[Finding, ...]:
        """Return the findings that keep a packet from a level, those of claims among them."""
        return tuple(
            one
            for one in self.findings
            if one.severity is Severity.ERROR and (one.rule.level is None or one.rule.level.rank <= level.rank)
        )


def check_packet(
    document: PacketDocument,
    *,
    now: datetime | None = None,
    receipts: Sequence[Mapping[str, Any]] = (),
    by_letter: bool = False,
) -> Report:
    """Check a packet against every rule; no content of the packet makes it raise.

    `now` decides which times have expired. `receipts` are the members of receipts kept beside the packet. With
    `by_letter`, a hash that is not the packet's own counts at CP-Audited only, and a signature that does not hold
    counts nowhere: the text has hashes for that level alone, and no signatures.
    """
    found = _collect(chain(_find(document, now, receipts), () if by_letter else _find_broken(document)))
    level = _reached(found.failed)
    claimed, claims = _check_claims(Subject("the packet", "", document.members), level)
    findings = sorted([*found.listed, *claims], key=_place)
    return Report(document, level, claimed, tuple(findings), found.unlisted)


def _find(document: PacketDocument, now: datetime | None, receipts: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    packet = Subject("the packet", "", document.members)
    items = items_of(packet)
    mappings = mappings_of(document.members)
    yield from check_envelope(packet)
    yield from check_scope(packet, mappings, now)
    yield from check_items(packet, items)
    yield from check_epistemics(packet, items, now)
    yield from check_supersession(items)
    yield from check_external(packet, items)
    yield from check_boundaries(packet, items, mappings)
    yield from check_loops(packet)
    yield from check_exclusions(packet, mappings)
    yield from check_receipts(packet, receipts)
    yield from check_reproducibility(packet, document)
    yield from check_contract(packet)
    yield from check_compulsion(packet)
    yield from check_names(packet, items)


def _find_broken(document: PacketDocument) -> Iterator[Finding]:
    """Find a signature or a hash that does not hold, as `a2ap packet verify` does: a forged packet has no level."""
    packet = Subject("the packet", "", document.members)
    try:
        check_signature(document)
    except PacketSignatureError as error:
        yield packet.say("4.3-signature", f": {error}", "ext")
    try:
        check_own_hash(document)
    except PacketHashError as error:
        yield packet.say("4.3-packet_hash.own", f": {error}", "reproducibility")


@dataclass(frozen=True, slots=True)
class _Found:
    listed: list[Finding]
    unlisted: dict[str, int]
    failed: frozenset[Level]


def _collect(findings: Iterable[Finding]) -> _Found:
    listed: list[Finding] = []
    counts: Counter[tuple[str, Severity]] = Counter()
    unlisted: Counter[str] = Counter()
    failed: set[Level] = set()
    for one in findings:
        if one.severity is Severity.ERROR and one.rule.level is not None:
            failed.add(one.rule.level)
        key = (one.rule.number, one.severity)
        counts[key] += 1
        if counts[key] <= MOST_LISTED:
            listed.append(one)
        else:
            unlisted[one.rule.number] += 1
    return _Found(listed, dict(unlisted), frozenset(failed))


def _reached(failed: frozenset[Level]) -> Level | None:
    reached = None
    for level in Level:
        if level in failed:
            break
        reached = level
    return reached


def _check_claims(packet: Subject, level: Level | None) -> tuple[Level | None, list[Finding]]:
    """Return the highest level that extensions claim, and faults of the claims; the text has no member for a level."""
    claimed: Level | None = None
    findings: list[Finding] = []
    for name, value in [*extension_members(packet.members.get("ext")), *packet.members.items()]:
        if local_name(name) != _CLAIM:
            continue
        known = next((one for one in Level if one == value), None)
        if known is None:
            findings.append(packet.say("12-level", f" claims {shown(value)}, which is no level of §12", "ext"))
        elif claimed is None or known.rank > claimed.rank:
            claimed = known
    if claimed is not None and (level is None or level.rank < claimed.rank):
        number = {Level.CORE: "18-6", Level.GOVERNED: "18-2", Level.AUDITED: "18-5"}[claimed]
        found = f"reaches {level}" if level is not None else "does not reach CP-Core"
        findings.append(packet.say(number, f" claims {claimed} and {found}", "ext"))
    return claimed, findings


def _place(finding: Finding) -> tuple[int, int]:
    return _SEVERITIES[finding.severity], _NUMBERS[finding.rule.number]


_SEVERITIES = {severity: place for place, severity in enumerate(Severity)}
_NUMBERS = {number: place for place, number in enumerate(RULES)}
