"""Verifying a chain as the graph that `parent_id` makes of it, with every fault a finding of its own.

(1) Each record by itself: members (§03), payload hash under a profile, signature.
(2) Its parents: the hashes that join them, missing parents, circles.
(3) Records of one id, in the chain and among those that the verifier has seen before.
(4) Forks, merges, reverts and redactions, and the lineage that records state.
(5) Its status: the worst of its own findings and of all that it comes from.

None of this shows an end that was cut off, or a chain that was made anew as a whole. Both need a head that is
known from elsewhere, or signatures under keys that are.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from a2ap.passport.ancestry import Ancestry, trace_ancestry
from a2ap.passport.check_record import RecordCheck, check_record
from a2ap.passport.event_type import EventType
from a2ap.passport.finding import Finding, FindingCode, Severity, Status, worst
from a2ap.passport.hashing import Chaining, PayloadMatch
from a2ap.passport.passport import Chain, Passport, digest
from a2ap.passport.reaching import find_hidden, find_restored
from a2ap.passport.relations import Relations, check_relations
from a2ap.passport.signature import KnownKeys, Signing
from a2ap.passport.twins import check_twins

_WORSE = (Status.VALID, Status.UNVERIFIED, Status.BROKEN)


@dataclass(frozen=True, slots=True)
class RecordReport:
    """The findings in a record: `status` is that of the chain up to it, `own` that of the record by itself."""

    passport: Passport
    status: Status
    own: Status
    match: PayloadMatch | None
    chaining: Chaining | None
    signing: Signing
    not_bound: tuple[str, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class ChainReport:
    """The findings in a chain; `findings` are those of no single record, `records` are as in the file.

    `hidden` are the ids of records whose payload a `redact` hides, each with the record that does so. `restored` maps
    the position of a `revert` to that of the record which it is about, if it comes from that record.
    """

    status: Status
    records: tuple[RecordReport, ...]
    findings: tuple[Finding, ...]
    ancestry: Ancestry
    hidden: Mapping[str, str]
    restored: Mapping[int, int]

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Return the findings of the chain and of all its records."""
        return (*self.findings, *(finding for record in self.records for finding in record.findings))


def check_chain(
    chain: Chain,
    known_keys: KnownKeys | None = None,
    seen: Mapping[str, Passport] | None = None,
    head: str | None = None,
) -> ChainReport:
    """Verify a chain.

    `known_keys` are keys by their key id, `seen` records that the verifier has from elsewhere, by their id, and `head`
    the integrity hash of the last record, if it is known. A chain that does not hold is a report, not an error.
    """
    ancestry = trace_ancestry(chain)
    alone = [check_record(one, known_keys or {}) for one in chain.passports]
    related = [check_relations(one, chain, ancestry) for one in chain.passports]
    holds = [_holds(*pair) for pair in zip(alone, related, strict=True)]
    hidden, restored = find_hidden(chain, ancestry, holds), find_restored(chain, ancestry, holds)
    for at, one in enumerate(chain.passports):
        if one.id in hidden:
            alone[at] = check_record(one, known_keys or {}, hidden[one.id])
    twins = check_twins(chain, ancestry, seen or {})
    found = [
        (
            *alone[at].findings,
            *related[at].findings,
            *_idle_redaction(one, ancestry, hidden),
            *_idle_revert(one, ancestry, restored),
            *twins.get(at, ()),
        )
        for at, one in enumerate(chain.passports)
    ]
    own = [worst({finding.severity for finding in findings}) for findings in found]
    status = _statuses(ancestry, own)
    records = tuple(
        RecordReport(
            passport=one,
            status=status[at],
            own=own[at],
            match=alone[at].match,
            chaining=related[at].chaining,
            signing=alone[at].signature.signing,
            not_bound=alone[at].not_bound,
            findings=(*found[at], *_say_status(one, own[at], status[at], alone[at])),
        )
        for at, one in enumerate(chain.passports)
    )
    findings = tuple(_check_whole(chain, ancestry, head))
    whole = worst({finding.severity for finding in findings})
    return ChainReport(max([whole, *status], key=_WORSE.index), records, findings, ancestry, hidden, restored)


def _idle_redaction(one: Passport, ancestry: Ancestry, hidden: Mapping[str, str]) -> Iterator[Finding]:
    target = (one.target or one.parent_id) if one.is_event(EventType.REDACT) else None
    if target is not None and target in ancestry.first_with_id and target not in hidden:
        words = f"hides nothing: it does not come from {target[:80]} by records that hold"
        yield Finding(FindingCode.REDACTION, Severity.NOTE, words, one.label)


def _idle_revert(one: Passport, ancestry: Ancestry, restored: Mapping[int, int]) -> Iterator[Finding]:
    target = (one.target or one.parent_id) if one.is_event(EventType.REVERT) else None
    if target is not None and target in ancestry.first_with_id and one.position not in restored:
        words = f"restores nothing: it does not come from one record {target[:80]} by records that hold"
        yield Finding(FindingCode.REVERT, Severity.WARNING, words, one.label)


def _holds(alone: RecordCheck, related: Relations) -> bool:
    return Severity.ERROR not in {finding.severity for finding in (*alone.findings, *related.findings)}


def _statuses(ancestry: Ancestry, own: list[Status]) -> list[Status]:
    status = list(own)
    for cycle in ancestry.cycles:
        for at in cycle:
            status[at] = Status.BROKEN
    for at in ancestry.order:
        status[at] = max([status[at], *(status[parent] for parent in ancestry.parents[at])], key=_WORSE.index)
    return status


def _say_status(passport: Passport, own: Status, status: Status, alone: RecordCheck) -> list[Finding]:
    findings = []
    if own is not status and status is not Status.VALID:
        code = FindingCode.ANCESTOR_BROKEN if status is Status.BROKEN else FindingCode.ANCESTOR_UNVERIFIED
        words = f"comes after a record that is {status}"
        findings.append(Finding(code, Severity.NOTE, words, passport.label, "parent_id"))
    claimed = passport.part("integrity").get("verification_status")
    if isinstance(claimed, str) and claimed != status:
        words = f"says {claimed[:32]}, which anybody can write; found was {status}"
        path = "integrity.verification_status"
        findings.append(Finding(FindingCode.STATUS_CLAIMED, Severity.NOTE, words, passport.label, path))
    return findings


def _check_whole(chain: Chain, ancestry: Ancestry, head: str | None) -> list[Finding]:
    def names(positions: tuple[int, ...]) -> str:
        labels = [chain.passports[at].label for at in positions]
        return ", ".join(labels[:8]) + (f" and {len(labels) - 8} more" if len(labels) > 8 else "")

    if not chain.passports:
        return [Finding(FindingCode.EMPTY, Severity.GAP, "there is no record, and so nothing that could hold")]
    findings = []
    for cycle in ancestry.cycles:
        words = f"these come from one another: {names(cycle)}"
        findings.append(Finding(FindingCode.CYCLE, Severity.ERROR, words))
    if not ancestry.roots and ancestry.without_parent:
        words = f"the beginning is not here: {names(ancestry.without_parent)} has a parent that is not"
        findings.append(Finding(FindingCode.TRUNCATED, Severity.GAP, words))
    if len(ancestry.roots) > 1:
        words = f"there are {len(ancestry.roots)} roots, and so several chains: {names(ancestry.roots)}"
        findings.append(Finding(FindingCode.ROOTS, Severity.WARNING, words))
    tips = ancestry.tips
    if head is None:
        words = "that nothing was cut off at the end can be seen only with a head that is known from elsewhere"
        findings.append(Finding(FindingCode.HEAD_NOT_KNOWN, Severity.NOTE, words))
    elif digest(head) not in {chain.passports[at].integrity_hash for at in tips}:
        words = f"no branch ends in {head[:80]}: it ends in {names(tips)}"
        findings.append(Finding(FindingCode.HEAD_MISSING, Severity.ERROR, words))
    return findings
