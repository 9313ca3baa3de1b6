"""Closure of a thread of packets: closed, or open at a link that is named, whatever is handed in."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packets import GONE, altered, sealed
from patience import PATIENT
from vectors_file import load_vectors

from a2ap.packet.closure import ClosureReport, closure_by_letter
from a2ap.packet.closure_links import Link
from a2ap.packet.document import PacketDocument, open_document
from a2ap.packet.errors import PacketFormError
from a2ap.packet.state_lineage import read_lineage

CASES = load_vectors("context_packet_closure.json")
FIRST, SECOND = CASES[0]["packets"]
DONE = CASES[0]["dispositions"][0]


def walk(packets: list[dict[str, Any]], *records: dict[str, Any]) -> ClosureReport:
    return closure_by_letter([open_document(one) for one in packets], records)


def places(report: ClosureReport) -> list[tuple[Link, str]]:
    return [(one.link, one.packet) for one in report.breaks]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_vectors_are_open_where_they_are_open(case: dict[str, Any]):
    report = walk(case["packets"], *case["dispositions"])
    assert report.state == case["expect"]
    assert report.is_closed is (case["expect"] == "closed")
    assert {one.packet for one in report.breaks} <= {"cpk_chain_001"}


def test_a_contract_that_expects_nothing_is_kept_by_nothing():
    silent = altered(
        FIRST, return_contract={"may_propose_memory_updates": False, "promotion_required": True}, receipts=[]
    )
    assert walk([silent, SECOND]).is_closed
    emitted = altered(silent, receipts=FIRST["receipts"][:2])
    assert walk([emitted, SECOND]).state == "open at link 2 (disposition)"
    assert walk([emitted, SECOND], DONE).is_closed


def test_proposals_are_enough_where_nothing_else_is_expected():
    only = altered(FIRST, return_contract__expected_outputs=["memory_update_proposals"], receipts=FIRST["receipts"][2:])
    assert walk([only, SECOND], DONE).is_closed
    more = altered(only, return_contract__expected_outputs=["memory_update_proposals", "code_diff"])
    assert walk([more, SECOND], DONE).state == "open at link 1 (returns)"


def test_one_packet_has_nothing_that_inherits():
    assert walk([FIRST], DONE).state == "open at link 3 (source-state inheritance)"
    assert walk([]).state == "open at link 1 (returns)"


def test_what_the_end_of_a_thread_lacks_is_a_remark():
    report = walk([FIRST, SECOND], DONE)
    assert report.is_closed
    assert any(one.startswith("not yet, at the end of the thread") for one in report.remarks)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"return_contract": GONE}, "no return contract"),
        ({"receipts": []}, "no receipt or return says"),
        ({"receipts__1__event": "opened", "receipts__2__event": "opened"}, "no receipt or return says"),
        ({"receipts__2__event": "opened"}, "expects memory updates"),
        ({"return_contract__may_propose_memory_updates": False}, "does not let them be"),
        ({"receipts__1__packet_hash": "b2:" + "1" * 64}, "echoes another hash"),
        ({"return_contract__trace_required": True}, "requires a trace"),
        ({"reproducibility__packet_hash": "b2:" + "1" * 64}, "its hash is not its own"),
    ],
)
def test_returns_are_missing_or_against_the_contract(change: dict[str, Any], words: str):
    report = walk([altered(FIRST, **change), SECOND], DONE)
    assert report.state == "open at link 1 (returns)"
    assert any(words in one.words for one in report.breaks), report.breaks


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"outcome": "forgotten"}, "none of §11.1"),
        ({"result_state": GONE}, "names no state"),
        ({"result_state": "snapshot:demo-app@v9"}, "made no new state"),
        ({"result_state": "snapshot:demo-app@v8"}, "made no new state"),
        ({"packet_hash": "b2:" + "1" * 64}, "echoes another hash"),
    ],
)
def test_dispositions_are_missing_or_make_nothing(change: dict[str, Any], words: str):
    report = walk([FIRST, SECOND], altered(DONE, **change))
    assert any(one.link is Link.DISPOSITION and words in one.words for one in report.breaks), report.breaks


def test_each_proposal_of_a_return_needs_a_disposition():
    returned = {
        "spec": "a2ap-packet-return/1",
        "return_id": "ret_1",
        "packet_id": "cpk_chain_001",
        "proposals": [{"proposal_id": "prop_1"}, {"proposal_id": "prop_2"}],
    }
    report = walk([FIRST, SECOND], DONE, returned)
    assert [str(one) for one in report.breaks] == [
        "link 2 (disposition) of cpk_chain_001: the proposal prop_2 was never dispositioned"
    ]
    rejected = {**DONE, "proposal": "prop_2", "outcome": "rejected"}
    assert walk([FIRST, SECOND], DONE, returned, rejected).is_closed
    whole = {name: value for name, value in DONE.items() if name != "proposal"} | {"return_id": "ret_1"}
    assert walk([FIRST, SECOND], whole, returned).is_closed


def test_a_proposal_has_one_outcome_in_the_end():
    assert walk([FIRST, SECOND], DONE, {**DONE, "outcome": "escalated"}).is_closed
    twice = walk([FIRST, SECOND], DONE, {**DONE, "outcome": "rejected"})
    assert twice.state == "open at link 2 (disposition)"


def test_a_contract_that_asks_for_a_human_is_not_met_by_an_agent():
    asked = altered(FIRST, return_contract__requires_human_review=True)
    assert walk([asked, SECOND], {**DONE, "by": "agent:x"}).state == "open at link 2 (disposition)"
    assert walk([asked, SECOND], {**DONE, "by": "human:y"}).is_closed


@pytest.mark.parametrize(
    ("change", "closed"),
    [
        ({"reproducibility__source_state_refs": ["snapshot:demo-app@v11"]}, True),
        ({"reproducibility__source_state_refs": ["snapshot:demo-app@v10", "snapshot:other@v1"]}, True),
        ({"reproducibility__source_state_refs": ["snapshot:other@v11"]}, False),
        ({"reproducibility__source_state_refs": []}, False),
        ({"reproducibility": GONE}, False),
        ({"reproducibility__packet_hash": "b2:" + "1" * 64}, False),
    ],
)
def test_what_follows_inherits_the_state_or_a_later_one(change: dict[str, Any], closed: bool):
    report = walk([FIRST, altered(SECOND, **change)], DONE)
    assert report.is_closed is closed
    assert closed or {one.link for one in report.breaks} == {Link.INHERITANCE}


def test_what_was_made_before_the_disposition_inherits_nothing():
    report = walk([FIRST, SECOND], {**DONE, "at": "2026-07-05T10:00:00Z"})
    assert report.state == "open at link 3 (source-state inheritance)"


def test_hashes_corroborate_where_they_are_whole():
    first = sealed(FIRST)
    receipts = [{**one, "packet_hash": first.packet_hash} for one in FIRST["receipts"]]
    held = open_document({**first.members, "receipts": receipts})
    report = closure_by_letter([held, sealed(SECOND)], [DONE])
    assert report.is_closed
    assert not any("hash" in one for one in report.remarks)


def test_a_longer_thread_is_open_where_one_loop_is():
    third = altered(SECOND, packet_id="cpk_chain_003", lineage__supersedes_packet="cpk_chain_002")
    second = altered(SECOND, receipts=FIRST["receipts"])
    report = walk([FIRST, second, third], DONE)
    assert places(report) == [(Link.DISPOSITION, "cpk_chain_002")]
    done = {**DONE, "from_packet": "cpk_chain_002", "result_state": "snapshot:demo-app@v12"}
    assert places(walk([FIRST, second, third], DONE, done)) == [(Link.INHERITANCE, "cpk_chain_002")]
    third = altered(third, reproducibility__source_state_refs=["snapshot:demo-app@v12"])
    assert walk([FIRST, second, third], DONE, done).is_closed
    # The order of the files is that of the thread only where the packets do not say it.
    assert walk([third, FIRST, second], DONE, done).is_closed


def test_both_sides_of_a_fork_inherit():
    side = altered(SECOND, packet_id="cpk_side", reproducibility__source_state_refs=["snapshot:demo-app@v9"])
    (broken,) = walk([FIRST, SECOND, side], DONE).breaks
    assert (broken.packet, broken.following) == ("cpk_chain_001", "cpk_side")


def test_packets_that_follow_from_themselves_are_found():
    first = altered(FIRST, lineage__supersedes_packet="cpk_chain_002")
    report = walk([first, SECOND], DONE)
    assert any("follow from themselves: cpk_chain_001, cpk_chain_002" in one.words for one in report.breaks)


def test_states_that_come_from_themselves_are_nothing_new():
    second = altered(SECOND, receipts=FIRST["receipts"])
    third = altered(SECOND, packet_id="cpk_chain_003", lineage__supersedes_packet="cpk_chain_002")
    back = {**DONE, "from_packet": "cpk_chain_002", "result_state": "snapshot:demo-app@v9"}
    report = walk([FIRST, second, third], DONE, back)
    assert (Link.DISPOSITION, "cpk_chain_002") in places(report)


def test_a_record_of_no_packet_that_is_here_is_a_remark():
    assert (
        "a disposition is about no packet that is here" in walk([FIRST, SECOND], {**DONE, "from_packet": "x"}).remarks
    )


def test_states_are_downstream_by_disposition_or_by_version():
    lineage = read_lineage([(["a"], "b"), (["b"], "c@v2"), (["c@v2"], "a")])
    assert lineage.downstream_of("a").has("c@v3")
    assert lineage.downstream_of("c@v2").has("b")
    opaque = read_lineage([])
    assert opaque.downstream_of("log:node@12#ab").has("log:node@13#cd")
    assert not opaque.downstream_of("log:node@12").has("log:node@9")
    assert opaque.downstream_of("s@2026-07-04").has("s@2026-10-01")
    assert not opaque.downstream_of("s@2026-07-04").has("s@v3000")
    assert not opaque.downstream_of("x").has("y")


def test_a_thread_without_end_is_refused():
    with pytest.raises(PacketFormError, match="more than 2000"):
        closure_by_letter([], [{}] * 2001)
    names = [f"cpk_{number}" for number in range(100)]
    knot = [open_document({"packet_id": name, "lineage": {"assembled_from": names}}) for name in names]
    with pytest.raises(PacketFormError, match="9900 ways"):
        closure_by_letter(knot)


def test_many_states_are_walked_once():
    states = [f"s{number}" for number in range(300)]
    packet = altered(FIRST, reproducibility__source_state_refs=states)
    done = [{**DONE, "proposal": f"p{one}", "result_state": one} for one in states]
    report = walk([packet, SECOND], *done)
    assert (Link.DISPOSITION, "cpk_chain_001") in places(report)


names = st.sampled_from(
    ["packet_id", "from_packet", "proposal", "outcome", "result_state", "event", "packet_hash", "spec", "return_id"]
)
words = st.sampled_from(
    ["cpk_a", "cpk_b", "promoted", "rejected", "used", "output_emitted", "s@v1", "s@v2", "a2ap-packet-return/1"]
)
values = words | st.none() | st.integers(0, 2) | st.lists(words, max_size=2)
records = st.lists(st.dictionaries(names, values, max_size=5), max_size=6)


@st.composite
def packets(draw: st.DrawFn) -> PacketDocument:
    members = {
        "packet_id": draw(values),
        "lineage": {"supersedes_packet": draw(values), "assembled_from": draw(values)},
        "reproducibility": {"source_state_refs": draw(values), "packet_hash": draw(values)},
        "receipts": draw(records),
        "return_contract": {"may_propose_memory_updates": draw(st.booleans()), "expected_outputs": draw(values)},
    }
    return open_document(members)


@PATIENT
@given(st.lists(packets(), max_size=4), records)
def test_any_thread_ends_in_a_report(thread: list[PacketDocument], about: list[dict[str, Any]]):
    report = closure_by_letter(thread, about)
    assert report.is_closed is (report.breaks == ())
    assert all(str(one) for one in report.breaks)
