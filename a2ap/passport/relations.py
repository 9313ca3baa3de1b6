"""The relations of a record to others: its parents, the events that name records, and the lineage that it states."""

from collections.abc import Iterator
from dataclasses import dataclass

from a2ap.passport.ancestry import Ancestry
from a2ap.passport.event_type import EventType
from a2ap.passport.field_rules import read_timestamp
from a2ap.passport.finding import Finding, FindingCode, Severity
from a2ap.passport.hashing import Chaining, match_chaining
from a2ap.passport.passport import Chain, Passport

_LINEAGE = ("fork_of", "fork_point", "lineage_root")


@dataclass(frozen=True, slots=True)
class Relations:
    """The findings on a record's relations to others, and the way its integrity hash was joined."""

    chaining: Chaining | None
    findings: tuple[Finding, ...]


def check_relations(passport: Passport, chain: Chain, ancestry: Ancestry) -> Relations:
    """Check the relations of a record to others of its chain."""
    parent = _parent_of(passport, chain, ancestry)
    stated = passport.parent_hash
    actual = parent.integrity_hash if parent is not None else stated
    # One wrong hash is one finding: the integrity hash may be of either parent hash where the two differ.
    chaining = match_chaining(passport, (actual, stated) if passport.parent_id is not None else (None,))
    findings = (
        *_check_hashes(passport, parent, chaining),
        *_check_parent(passport, parent, ancestry),
        *_check_place(passport, parent),
        *_check_event(passport, chain, ancestry),
        *_check_lineage(passport, chain, ancestry),
    )
    return Relations(chaining, findings)


def _parent_of(passport: Passport, chain: Chain, ancestry: Ancestry) -> Passport | None:
    if passport.parent_id is None or not ancestry.has_parent[passport.position]:
        return None
    return chain.passports[ancestry.parents[passport.position][0]]


def _check_hashes(passport: Passport, parent: Passport | None, chaining: Chaining | None) -> Iterator[Finding]:
    stated, path = passport.parent_hash, "integrity.parent_hash"
    if passport.parent_id is None and stated is not None:
        words = "is given, and the record names no parent"
        yield Finding(FindingCode.PARENT_HASH_MISMATCH, Severity.ERROR, words, passport.label, path)
    elif passport.parent_id is not None and (stated is None or (parent and stated != parent.integrity_hash)):
        of = parent.label if parent is not None else "its parent"
        words = f"is not the integrity hash of {of}"
        yield Finding(FindingCode.PARENT_HASH_MISMATCH, Severity.ERROR, words, passport.label, path)
    if chaining is None and passport.payload_hash and passport.integrity_hash:
        words = "is not the hash of the payload's and the parent's"
        path = "integrity.integrity_hash"
        yield Finding(FindingCode.INTEGRITY_HASH_MISMATCH, Severity.ERROR, words, passport.label, path)


def _check_parent(passport: Passport, parent: Passport | None, ancestry: Ancestry) -> Iterator[Finding]:
    if passport.parent_id is not None and parent is None:
        words = f"names {passport.parent_id[:80]}, which is not here"
        yield Finding(FindingCode.PARENT_MISSING, Severity.GAP, words, passport.label, "parent_id")
    elif passport.position in ancestry.renamed and passport.parent_id is not None and parent is not None:
        words = (
            f"names {passport.parent_id[:80]}, which is not here; the record with its hash is {parent.label}: "
            "one of the two ids was changed, and no hash binds an id"
        )
        yield Finding(FindingCode.PARENT_RENAMED, Severity.ERROR, words, passport.label, "parent_id")
    for merged in ancestry.missing_merged.get(passport.position, ()):
        words = f"merges sha256:{merged}, which is not here"
        yield Finding(FindingCode.MERGED_PARENT_MISSING, Severity.GAP, words, passport.label, "payload")


def _check_place(passport: Passport, parent: Passport | None) -> Iterator[Finding]:
    if parent is None:
        return
    if parent.position > passport.position:
        words = f"stands in the file before its parent {parent.label}; the order there has no meaning"
        yield Finding(FindingCode.LISTED_BEFORE_PARENT, Severity.WARNING, words, passport.label)
    mine, theirs = (read_timestamp(one.part("event").get("timestamp")) for one in (passport, parent))
    if mine and theirs and (mine.tzinfo is None) == (theirs.tzinfo is None) and mine < theirs:
        words = f"is earlier than that of its parent {parent.label}"
        yield Finding(FindingCode.TIME_RUNS_BACK, Severity.WARNING, words, passport.label, "event.timestamp")


def _check_event(passport: Passport, chain: Chain, ancestry: Ancestry) -> Iterator[Finding]:
    children = [chain.passports[at] for at in ancestry.children[passport.position]]
    forks = [one for one in children if _parent_of(one, chain, ancestry) is passport]
    if len({one.id for one in forks}) > 1:
        words = f"is where {len(forks)} branches part: {_names(forks)}"
        yield Finding(FindingCode.FORK, Severity.NOTE, words, passport.label)
    parents = ancestry.parents[passport.position]
    if len(parents) > 1:
        words = f"joins {_names([chain.passports[at] for at in parents])}"
        yield Finding(FindingCode.MERGE, Severity.NOTE, words, passport.label)
    elif passport.is_event(EventType.MERGE) and passport.position not in ancestry.missing_merged:
        words = "is a merge that names one parent: versions 1 and 2 have no member for another"
        yield Finding(FindingCode.MERGE_ONE_PARENT, Severity.NOTE, words, passport.label)
    for kind, code in ((EventType.REVERT, FindingCode.REVERT), (EventType.REDACT, FindingCode.REDACTION)):
        if passport.is_event(kind):
            yield from _check_target(passport, code, ancestry)


def _check_target(passport: Passport, code: FindingCode, ancestry: Ancestry) -> Iterator[Finding]:
    target = passport.target or passport.parent_id
    if target is None or target not in ancestry.first_with_id:
        words = f"is about {target[:80]}, which is not here" if target else "does not say which record it is about"
        yield Finding(FindingCode.TARGET_MISSING, Severity.WARNING, words, passport.label, "payload")
        return
    words = f"takes back {target[:80]}" if code is FindingCode.REVERT else f"is to hide the payload of {target[:80]}"
    if code is FindingCode.REVERT and passport.target and not passport.restores_before:
        words = f"goes back to {target[:80]}"
    yield Finding(code, Severity.NOTE, words, passport.label)


def _check_lineage(passport: Passport, chain: Chain, ancestry: Ancestry) -> Iterator[Finding]:
    lineage = passport.part("lineage")
    stated = {name: value for name in _LINEAGE if isinstance(value := lineage.get(name), str)}
    if passport.is_event(EventType.FORK) and len(stated) < len(_LINEAGE):
        missing = ", ".join(name for name in _LINEAGE if name not in stated)
        words = f"of a fork does not say {missing}"
        yield Finding(FindingCode.LINEAGE_MISSING, Severity.WARNING, words, passport.label, "lineage")
    for name, value in stated.items():
        at = ancestry.first_with_id.get(value)
        if at is None:
            words = f"names {value[:80]}, which is not here"
        elif ancestry.root[at] != ancestry.root[passport.position]:
            words = f"names {value[:80]}, which has another root"
        elif name == "lineage_root" and ancestry.root[passport.position] != at:
            words = f"names {value[:80]}, which is not the root"
        else:
            continue
        yield Finding(FindingCode.LINEAGE_MISMATCH, Severity.WARNING, words, passport.label, f"lineage.{name}")


def _names(passports: list[Passport]) -> str:
    labels = [one.label for one in passports]
    return ", ".join(labels[:8]) + (f" and {len(labels) - 8} more" if len(labels) > 8 else "")
