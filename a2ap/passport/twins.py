"""Records of one id: copies, others under the same id, and copies that differ in members that no hash binds."""

from collections.abc import Iterator, Mapping

from a2ap.passport.ancestry import Ancestry
from a2ap.passport.finding import Finding, FindingCode, Severity
from a2ap.passport.passport import Chain, Passport

MOST_PATHS = 8
"""Members that a finding names; the rest are counted."""
MOST_OF_A_PATH = 120


def check_twins(chain: Chain, ancestry: Ancestry, seen: Mapping[str, Passport]) -> dict[int, tuple[Finding, ...]]:
    """Compare every record with the first of its id in the chain, and with the one of that id seen elsewhere."""
    found: dict[int, tuple[Finding, ...]] = {}
    for one in chain.passports:
        if one.id is None:
            continue
        first = chain.passports[ancestry.first_with_id[one.id]]
        here = _compare_here(one, first) if first is not one else ()
        elsewhere = _compare_elsewhere(one, seen[one.id]) if one.id in seen else ()
        if findings := (*here, *elsewhere):
            found[one.position] = findings
    return found


def differing_paths(one: Passport, other: Passport) -> tuple[str, ...]:
    """Return the members, two levels deep, in which two records differ, as paths in the order of the first."""
    return tuple(_differing(one.members, other.members))


def _compare_here(one: Passport, first: Passport) -> Iterator[Finding]:
    if one.integrity_hash != first.integrity_hash:
        words = f"is the id of record {first.position + 1} as well, which is another record"
        yield Finding(FindingCode.ID_TWICE, Severity.ERROR, words, one.label, "id")
        return
    paths = differing_paths(one, first)
    if paths:
        yield _altered(one, paths, f"record {first.position + 1}, which has the same id and hashes")
    else:
        words = f"is in the chain twice, first as record {first.position + 1}"
        yield Finding(FindingCode.RECORD_TWICE, Severity.WARNING, words, one.label)


def _compare_elsewhere(one: Passport, other: Passport) -> Iterator[Finding]:
    if one.integrity_hash != other.integrity_hash:
        words = "is the id of a record with another hash, seen elsewhere"
        yield Finding(FindingCode.ID_OF_ANOTHER, Severity.ERROR, words, one.label, "id")
    elif paths := differing_paths(one, other):
        yield _altered(one, paths, "the copy seen elsewhere")


def _altered(one: Passport, paths: tuple[str, ...], other: str) -> Finding:
    named = ", ".join(path[:MOST_OF_A_PATH] for path in paths[:MOST_PATHS])
    rest = f" and {len(paths) - MOST_PATHS} more" if len(paths) > MOST_PATHS else ""
    words = f"differs from {other}, in members that the hash does not bind: {named}{rest}"
    return Finding(FindingCode.UNBOUND_ALTERED, Severity.ERROR, words, one.label)


def _differing(one: Mapping[str, object], other: Mapping[str, object], path: str = "") -> Iterator[str]:
    for name in dict.fromkeys([*one, *other]):
        place = f"{path}.{name}" if path else name
        mine, theirs = one.get(name), other.get(name)
        if isinstance(mine, dict) and isinstance(theirs, dict) and not path:
            yield from _differing(mine, theirs, place)
        elif (name in one) != (name in other) or not _same(mine, theirs):
            yield place


def _same(one: object, other: object) -> bool:
    # 1, 1.0 and true are equal in Python.
    return one == other and type(one) is type(other)
