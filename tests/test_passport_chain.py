"""Verifying chains: every vector, and every way to spoil a chain as a finding of its own."""

from collections.abc import Callable
from typing import Any

import pytest
from passports import AUTHOR, Maker, at, chain_of, codes, line, passport_id, spoilt
from vectors_file import load_vectors

from a2ap.passport.building import Event, build_root
from a2ap.passport.check_chain import check_chain
from a2ap.passport.finding import FindingCode, Severity, Status
from a2ap.passport.hashing import Chaining, chain_hash, hash_payload
from a2ap.passport.passport import read_chain
from a2ap.passport.profile import PayloadProfile

CHAINS = {vector["name"]: vector for vector in load_vectors("passport_chains.json")}
FAKE = "sha256:" + "ab" * 32

Records = list[dict[str, Any]]


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_is_found_as_a_right_verifier_finds_it(name: str):
    vector = CHAINS[name]
    report = check_chain(chain_of(vector["passports"]))
    match vector["expected"]:
        case True:
            assert report.status is Status.VALID
        case False if name == "v2.0_reordered":
            # Decision 0059: the text makes a graph of parent_id (§03), in which a file's order says nothing.
            assert report.status is Status.VALID
            assert FindingCode.LISTED_BEFORE_PARENT in codes(report)
        case False:
            assert report.status is not Status.VALID
        case "unbound":
            assert all(FindingCode.NOT_BOUND in codes(report, one) for one in range(len(report.records)))
            assert (report.status is Status.VALID) == (name != "v2.0_id_rewritten")
        case "ambiguous":
            assert report.records[0].match is not None
            assert report.records[0].match.profile is PayloadProfile.V1_TYPESCRIPT
        case "reject/indeterminate":
            assert report.status is Status.UNVERIFIED
            assert codes(report) == {FindingCode.EMPTY}
        case _:
            assert vector["expected"] == "policy"
            assert codes(report) & {FindingCode.MEMBER_UNKNOWN, FindingCode.PAYLOAD_NOT_COVERED}


def test_the_vectors_are_all_there():
    assert len(CHAINS) == 26


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("v1.0_head_truncated", FindingCode.TRUNCATED),
        ("v2.0_nested_payload_tamper", FindingCode.PAYLOAD_HASH_MISMATCH),
        ("v2.0_stored_parent_hash_wrong", FindingCode.PARENT_HASH_MISMATCH),
        ("v2.0_parent_id_wrong", FindingCode.PARENT_RENAMED),
        ("v2.0_id_rewritten", FindingCode.PARENT_RENAMED),
        ("v2.0_backdated", FindingCode.TIME_RUNS_BACK),
        ("v2.0_status_flag_broken", FindingCode.STATUS_CLAIMED),
        ("v2.0_merge_single_parent", FindingCode.MERGE_ONE_PARENT),
        ("v2.0_namespaced_extension", FindingCode.MEMBER_EXTENSION),
        ("v2.0_unnamespaced_unknown_field", FindingCode.MEMBER_UNKNOWN),
        ("v2.0_missing_schema_version_good_hashes", FindingCode.FIELD_MISSING),
        ("v1.0_literal_replacer_nested", FindingCode.PAYLOAD_NOT_COVERED),
    ],
)
def test_each_fault_of_the_vectors_has_its_finding(name: str, code: FindingCode):
    assert code in codes(check_chain(chain_of(CHAINS[name]["passports"])))


def test_a_chain_that_was_left_alone_is_valid_under_every_profile_that_is_written():
    for profile in (PayloadProfile.V2, PayloadProfile.V1_PYTHON, PayloadProfile.V1_TYPESCRIPT):
        report = spoilt(lambda records: None, line(4, profile))
        assert report.status is Status.VALID
        assert codes(report) <= {FindingCode.HEAD_NOT_KNOWN, FindingCode.NOT_BOUND, FindingCode.STATUS_CLAIMED}


def drop(position: int) -> Callable[[Records], None]:
    def change(records: Records) -> None:
        records.pop(position)

    return change


def put(position: int, path: str, value: Any) -> Callable[[Records], None]:
    def change(records: Records) -> None:
        *holders, name = path.split(".")
        members = records[position]
        for holder in holders:
            members = members[holder]
        members[name] = value

    return change


def rehash(record: dict[str, Any], parent: dict[str, Any]) -> None:
    """Make a record's hashes right for another parent, as an attacker with write access would."""
    integrity, theirs = record["integrity"], parent["integrity"]["integrity_hash"]
    record["parent_id"], integrity["parent_hash"] = parent["id"], theirs
    payload = integrity["payload_hash"].removeprefix("sha256:")
    integrity["integrity_hash"] = f"sha256:{chain_hash(payload, theirs.removeprefix('sha256:'))}"


def circle(records: Records) -> None:
    records[1]["parent_id"] = records[2]["id"]
    records[1]["integrity"]["parent_hash"] = records[2]["integrity"]["integrity_hash"]


def twin(records: Records) -> Records:
    return [*records, records[1]]


def altered_twin(records: Records) -> Records:
    other = {**records[1], "created_by": {**records[1]["created_by"], "agent_id": "urn:agent:mallory"}}
    return [*records, other]


def other_of_the_same_id(records: Records) -> Records:
    other = build_root(records[2]["id"], at(9), AUTHOR, {"output": "another"})
    return [*records, other]


@pytest.mark.parametrize(
    ("spoil", "code", "status"),
    [
        (put(1, "payload.output", "changed"), FindingCode.PAYLOAD_HASH_MISMATCH, Status.BROKEN),
        (put(1, "integrity.payload_hash", FAKE), FindingCode.PAYLOAD_HASH_MISMATCH, Status.BROKEN),
        (put(1, "integrity.integrity_hash", FAKE), FindingCode.INTEGRITY_HASH_MISMATCH, Status.BROKEN),
        (put(1, "integrity.parent_hash", FAKE), FindingCode.PARENT_HASH_MISMATCH, Status.BROKEN),
        (put(1, "integrity.parent_hash", None), FindingCode.PARENT_HASH_MISMATCH, Status.BROKEN),
        (put(0, "integrity.parent_hash", FAKE), FindingCode.PARENT_HASH_MISMATCH, Status.BROKEN),
        (put(1, "parent_id", None), FindingCode.ROOTS, Status.BROKEN),
        (put(1, "parent_id", "ctx_1_dead"), FindingCode.PARENT_RENAMED, Status.BROKEN),
        (put(1, "id", "ctx_1_deadbeefdead"), FindingCode.PARENT_RENAMED, Status.BROKEN),
        (drop(0), FindingCode.TRUNCATED, Status.UNVERIFIED),
        (drop(1), FindingCode.PARENT_MISSING, Status.UNVERIFIED),
        (circle, FindingCode.CYCLE, Status.BROKEN),
        (put(0, "parent_id", passport_id(0)), FindingCode.CYCLE, Status.BROKEN),
        (twin, FindingCode.RECORD_TWICE, Status.VALID),
        (altered_twin, FindingCode.UNBOUND_ALTERED, Status.BROKEN),
        (other_of_the_same_id, FindingCode.ID_TWICE, Status.BROKEN),
        (lambda records: records[::-1], FindingCode.LISTED_BEFORE_PARENT, Status.VALID),
        (lambda records: records[1].pop("payload") and None, FindingCode.PAYLOAD_MISSING, Status.UNVERIFIED),
        (put(2, "schema_version", "1.0"), FindingCode.FIELD_FORM, Status.VALID),
        (put(2, "schema_version", "3.0"), FindingCode.VERSION_UNKNOWN, Status.BROKEN),
        (put(1, "integrity.verification_status", "broken"), FindingCode.STATUS_CLAIMED, Status.VALID),
        (put(1, "event.type", "redact"), FindingCode.REDACTION, Status.VALID),
    ],
)
def test_each_way_to_spoil_a_chain_has_its_finding(spoil: Any, code: FindingCode, status: Status):
    report = spoilt(spoil)
    assert code in codes(report)
    assert report.status is status


def test_what_comes_after_a_broken_record_is_broken_and_says_why():
    report = spoilt(put(1, "payload.output", "changed"))
    assert [record.status for record in report.records] == [Status.VALID, Status.BROKEN, Status.BROKEN]
    assert report.records[2].own is Status.VALID
    assert FindingCode.ANCESTOR_BROKEN in codes(report, 2)


def test_what_has_another_root_is_not_touched_by_a_broken_record():
    maker = Maker()
    maker.root()
    maker.root({"output": "another"})
    report = spoilt(put(0, "payload.output", "changed"), maker.records)
    assert [record.status for record in report.records] == [Status.BROKEN, Status.VALID]


def test_a_fork_and_a_merge_are_found_and_hold():
    maker = Maker()
    maker.root()
    side = maker.fork(0, "side")
    main = maker.commit(0)
    joined = maker.commit(main, merged=(side,))
    report = check_chain(maker.chain)
    assert report.status is Status.VALID
    assert FindingCode.FORK in codes(report, 0)
    assert FindingCode.MERGE in codes(report, joined)
    assert report.ancestry.parents[joined] == (main, side)
    assert report.ancestry.tips == (joined,)


def test_the_second_parent_of_a_merge_is_bound_by_the_hash_under_every_profile():
    for profile in (PayloadProfile.V2, PayloadProfile.V1_PYTHON, PayloadProfile.V1_LITERAL):
        maker = Maker(profile)
        maker.root({"output": "x"})
        side = maker.fork(0, "side", {"output": "s"})
        joined = maker.commit(0, {"output": "m"}, merged=(side,))
        other = put(joined, "payload", {**maker.records[joined]["payload"], "a2ap.merged_parents": [FAKE]})
        assert FindingCode.PAYLOAD_HASH_MISMATCH in codes(spoilt(other, maker.records), joined)
        assert check_chain(maker.chain).status is Status.VALID
        gone = spoilt(drop(side), maker.records)
        assert FindingCode.MERGED_PARENT_MISSING in codes(gone)
        assert gone.status is Status.UNVERIFIED


def test_a_broken_branch_breaks_the_merge_that_joins_it():
    maker = Maker()
    maker.root()
    side = maker.fork(0, "side")
    joined = maker.commit(0, merged=(side,))
    report = spoilt(put(side, "payload.output", "changed"), maker.records)
    assert report.records[joined].status is Status.BROKEN


def test_a_cut_end_is_seen_with_a_known_head_and_not_without():
    records = line(3)
    head = records[2]["integrity"]["integrity_hash"]
    assert check_chain(chain_of(records), head=head).status is Status.VALID
    cut = chain_of(records[:2])
    assert check_chain(cut).status is Status.VALID
    assert FindingCode.HEAD_NOT_KNOWN in codes(check_chain(cut))
    found = check_chain(cut, head=head)
    assert found.status is Status.BROKEN
    assert FindingCode.HEAD_MISSING in codes(found)


def test_a_chain_made_anew_is_seen_where_its_records_were_seen_before():
    records, others = line(3), line(3)
    others[0]["created_by"]["agent_id"] = "urn:agent:mallory"
    seen = {one.id or "": one for one in chain_of(records).passports}
    altered = check_chain(chain_of(others), seen=seen)
    assert FindingCode.UNBOUND_ALTERED in codes(altered, 0)
    (words,) = [str(f) for f in altered.records[0].findings if f.code is FindingCode.UNBOUND_ALTERED]
    assert words.endswith("created_by.agent_id")
    stolen = build_root(records[0]["id"], at(0), AUTHOR, {"output": "mine"})
    assert FindingCode.ID_OF_ANOTHER in codes(check_chain(chain_of([stolen]), seen=seen))
    assert check_chain(chain_of(records), seen=seen).status is Status.VALID


def test_of_many_members_that_differ_a_few_are_named_and_the_rest_counted():
    records, others = line(1), line(1)
    others[0] |= {f"acme.{number}": number for number in range(5_000)}
    seen = {one.id or "": one for one in chain_of(records).passports}
    findings = check_chain(chain_of(others), seen=seen).records[0].findings
    (words,) = [one.words for one in findings if one.code is FindingCode.UNBOUND_ALTERED]
    assert words.endswith("acme.6, acme.7 and 4992 more")


def test_numbers_that_python_holds_equal_are_not_the_same():
    records = line(1)
    other = read_chain(chain_of(records).data.replace(b'"role": "researcher"', b'"role": "researcher", "acme.n": 1'))
    again = read_chain(other.data.replace(b'"acme.n": 1', b'"acme.n": true'))
    assert FindingCode.UNBOUND_ALTERED in codes(check_chain(again, seen={passport_id(0): other.passports[0]}))


def test_a_record_rewritten_to_version_1_says_what_its_hash_no_longer_covers():
    maker = Maker()
    maker.root({"input": "transfer", "memory": {}})

    def downgrade(records: Records) -> None:
        records[0] |= {"schema_version": "1.0", "payload": {"input": "transfer", "memory": {"amount": 10**6}}}

    report = spoilt(downgrade, maker.records)
    assert report.status is Status.UNVERIFIED
    assert report.records[0].match is not None
    assert report.records[0].match.uncovered == ("payload.memory.amount",)


def test_bare_chaining_is_recognised_and_named():
    records = line(2)
    digests = [one["integrity"]["payload_hash"].removeprefix("sha256:") for one in records]
    root = chain_hash(digests[0], None, Chaining.BARE)
    for record, parent, found in zip(
        records, (None, root), (root, chain_hash(digests[1], root, Chaining.BARE)), strict=True
    ):
        record["integrity"] |= {"parent_hash": parent, "integrity_hash": found}
        record["integrity"]["payload_hash"] = record["integrity"]["payload_hash"].removeprefix("sha256:")
    report = check_chain(chain_of(records))
    assert [record.chaining for record in report.records] == [Chaining.BARE, Chaining.BARE]
    assert report.status is Status.VALID
    assert FindingCode.HASH_BARE in codes(report)


def test_a_root_may_write_root_where_the_formula_says_so():
    report = spoilt(put(0, "integrity.parent_hash", "root"))
    assert report.status is Status.VALID
    assert any(f.severity is Severity.WARNING and "root" in f.words for f in report.records[0].findings)


def test_version_2_under_the_library_s_own_form_is_named_as_not_rfc_8785():
    record = line(1)[0]
    record["payload"] = {"output": {"n": 1e-7}}
    payload = hash_payload(PayloadProfile.V2_PYTHON, record["payload"])
    record["integrity"] |= {
        "payload_hash": f"sha256:{payload}",
        "integrity_hash": f"sha256:{chain_hash(payload, None)}",
    }
    report = check_chain(chain_of([record]))
    assert report.status is Status.VALID
    assert FindingCode.PROFILE_NOT_RFC8785 in codes(report)
    record["schema_version"] = "1.0"
    assert check_chain(chain_of([record])).status is Status.VALID  # 1e-07 is what Python wrote in version 1 as well
    record["schema_version"], record["payload"] = "2.0", {"output": "é"}
    payload = hash_payload(PayloadProfile.V1_PYTHON, record["payload"])
    record["integrity"] |= {
        "payload_hash": f"sha256:{payload}",
        "integrity_hash": f"sha256:{chain_hash(payload, None)}",
    }
    assert FindingCode.PROFILE_OF_OTHER_VERSION in codes(check_chain(chain_of([record])))
    assert check_chain(chain_of([record])).status is Status.BROKEN


def test_a_redacted_payload_may_be_gone_and_its_hashes_still_join_the_chain():
    maker = Maker()
    maker.root()
    hidden = maker.commit(0)
    maker.event(hidden, "redact", {"input": "asked to"}, target=hidden)
    assert FindingCode.PAYLOAD_REDACTED in codes(check_chain(maker.chain), hidden)
    report = spoilt(lambda records: records[hidden].pop("payload") and None, maker.records)
    assert report.status is Status.VALID
    assert FindingCode.PAYLOAD_REDACTED in codes(report, hidden)
    changed = spoilt(put(hidden, "payload.output", "other"), maker.records)
    assert changed.status is Status.BROKEN


@pytest.mark.parametrize("unrelated", ["root", "side", "broken", "twice broken"])
def test_only_a_redaction_that_comes_from_a_record_and_holds_hides_its_payload(unrelated: str):
    maker = Maker()
    maker.root()
    hidden = maker.commit(0)
    if unrelated == "root":
        maker.root({"target_record_id": passport_id(hidden)}, event=Event("redact", None, passport_id(hidden)))
    elif unrelated == "side":
        maker.event(0, "redact", {"input": "asked to"}, target=hidden)
    else:
        between = maker.commit(hidden)
        maker.event(between, "redact", {"input": "asked to"}, target=hidden)
        changed = between if unrelated == "twice broken" else between + 1
        maker.records[changed]["payload"] = {"input": "changed"}
    maker.records[hidden].pop("payload")
    report = check_chain(maker.chain)
    assert report.records[hidden].status is Status.UNVERIFIED
    assert FindingCode.PAYLOAD_REDACTED not in codes(report, hidden)
    assert report.hidden == {}
    assert any(finding.words.startswith("hides nothing") for one in report.records for finding in one.findings)


def test_a_fork_says_its_lineage_and_a_wrong_one_is_found():
    maker = Maker()
    maker.root()
    checkpoint = maker.event(0, "checkpoint")
    later = maker.commit(checkpoint)
    side = maker.fork(later, "side")
    assert maker.records[side]["lineage"] == {
        "fork_of": passport_id(later),
        "fork_point": passport_id(checkpoint),
        "lineage_root": passport_id(0),
    }
    assert not codes(check_chain(maker.chain), side) & {FindingCode.LINEAGE_MISSING, FindingCode.LINEAGE_MISMATCH}
    for name, wrong in (("fork_of", "ctx_1_ab"), ("lineage_root", passport_id(checkpoint))):
        found = spoilt(put(side, f"lineage.{name}", wrong), maker.records)
        assert FindingCode.LINEAGE_MISMATCH in codes(found, side)
    assert FindingCode.LINEAGE_MISSING in codes(spoilt(put(side, "lineage", None), maker.records), side)


def test_a_revert_of_what_is_not_here_is_found():
    maker = Maker()
    maker.root()
    maker.commit(0, {"output": {"reverted_record": "ctx_1_ab"}}, event=Event("revert"))
    assert FindingCode.TARGET_MISSING in codes(check_chain(maker.chain))


def test_a_line_of_thousands_and_a_great_circle_are_no_trouble():
    many = [
        {"id": f"ctx_{number}_ab", "parent_id": f"ctx_{number - 1}_ab" if number else None} for number in range(3000)
    ]
    assert len(check_chain(chain_of(many)).records) == 3000
    many[0]["parent_id"] = "ctx_2999_ab"
    assert FindingCode.CYCLE in codes(check_chain(chain_of(many)))
