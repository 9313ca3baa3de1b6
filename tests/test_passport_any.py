"""Any JSON at all ends in a report or in one clear error, and nothing of another kind; nothing outside is touched."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from nothing_outside import nothing_outside
from passports import Maker, chain_of, line, passport_id
from patience import PATIENT

from a2ap.passport.check_chain import check_chain
from a2ap.passport.errors import PassportError
from a2ap.passport.event_type import EventType
from a2ap.passport.passport import MERGED_PARENTS, TARGET, read_chain
from a2ap.passport.replay import replay_chain

GOOD = line(2)
HASHES = [one["integrity"]["integrity_hash"] for one in GOOD] + ["sha256:" + "0" * 64, "f" * 64, "root"]
IDS = [passport_id(number) for number in range(3)]
NAMES = sorted({name for part in (GOOD[0], *GOOD[0].values()) if isinstance(part, dict) for name in part})

leaves = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([2**53, 10**30, 1.0, 1e-7, 1e300, float("1e308")])
    | st.text(max_size=3)
    | st.sampled_from(
        [*IDS, *HASHES, *EventType, "1.0", "2.0", "ed25519", "2026-01-01T00:00:00Z", "\ud800", "did:key:z6"]
    )
)
names = st.sampled_from([*NAMES, "signature", "public_key", "__proto__", "acme.x", TARGET, MERGED_PARENTS]) | st.text(
    max_size=2
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=5), max_leaves=20
)


@nothing_outside()
def check(data: bytes) -> None:
    try:
        chain = read_chain(data)
        report = check_chain(chain, seen={one.id or "": one for one in chain_of(GOOD).passports}, head=HASHES[0])
        assert len(report.records) == len(chain.passports)
        assert sorted(report.ancestry.order) == list(range(len(chain.passports)))
        for finding in report.all_findings:
            assert str(finding) and finding.words
        for step in replay_chain(chain, report):
            step.state.memory.members()
    except PassportError as error:
        assert str(error)


@PATIENT
@given(st.binary(max_size=60))
def test_any_bytes(data: bytes):
    check(data)


@PATIENT
@given(values)
def test_any_json(value: Any):
    check(json.dumps(value).encode())


@PATIENT
@given(st.lists(st.dictionaries(st.sampled_from(list(GOOD[0])), values, max_size=12), max_size=4))
def test_any_records(records: list[dict[str, Any]]):
    check(json.dumps(records).encode())


@PATIENT
@given(st.lists(st.tuples(st.integers(0, 5), names, names, leaves), max_size=8), st.permutations(range(6)))
def test_good_records_with_anything_in_them(changes: list[tuple[int, str, str, Any]], order: list[int]):
    maker = Maker()
    maker.root()
    side = maker.fork(0, "side")
    main = maker.commit(0)
    joined = maker.commit(main, merged=(side,))
    maker.event(joined, "redact", target=main)
    maker.event(joined, "revert", target=0)
    records = json.loads(json.dumps(maker.records))
    for position, part, name, value in changes:
        holder = records[position].get(part)
        if isinstance(holder, dict):
            holder[name] = value
        else:
            records[position][name] = value
    check(json.dumps([records[position] for position in order]).encode())
