"""Packets that are passed on: never wider than before, whatever is asked for."""

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packet_facts import NODE, NOW, challenge, name, order, passage, request, selection, statement
from packets import GOVERNED, altered

from a2ap.boundary import Boundary, Use
from a2ap.packet.authority import Origin, Speaker
from a2ap.packet.building import seal_packet, write_members
from a2ap.packet.check_packet import check_packet
from a2ap.packet.document import PacketDocument, open_document, read_document
from a2ap.packet.finding import Severity
from a2ap.packet.forwarding import check_forwarding
from a2ap.packet.vocabulary import Level
from graph.errors import InputError
from graph.packets.assembly import assemble
from graph.packets.forwarding import Forwarding, forward
from graph.services.packet_assembly import seal

FOUND = selection(
    statement(1),
    statement(2, boundary=Boundary.INTERNAL),
    statement(3, boundary=Boundary.PRIVATE),
    passages=(passage(),),
    requests=(request(),),
)
BY_THE_NODE = Origin(Speaker(NODE, "did:key:z6MkNode"))


def packet(**changes: Any) -> PacketDocument:
    return read_document(seal(assemble(order(**changes), FOUND, NODE, NOW), audited=True))


def passed(document: PacketDocument, **changes: Any) -> PacketDocument:
    values: dict[str, Any] = {"forwarder": "urn:agent:reader", "recipient": "urn:agent:other"}
    return write_members(seal_packet(forward(document, Forwarding(**{**values, **changes}), NOW, BY_THE_NODE)))


@settings(deadline=None, max_examples=50)
@given(
    ceiling=st.none() | st.sampled_from(Boundary),
    use=st.none() | st.sampled_from(Use),
    seconds=st.none() | st.integers(1, 10**8),
    purpose=st.none() | st.just("Read it."),
    human=st.booleans(),
    granted=st.sampled_from(tuple(Use)[:-1]),
    limit=st.sampled_from([Boundary.PUBLIC, Boundary.INTERNAL, Boundary.PRIVATE]),
)
def test_what_is_passed_on_is_never_wider(
    ceiling: Boundary | None,
    use: Use | None,
    seconds: int | None,
    purpose: str | None,
    human: bool,
    granted: Use,
    limit: Boundary,
) -> None:
    before = packet(ceiling=limit, use=granted)
    kind = "human" if human else "agent"
    after = passed(before, ceiling=ceiling, use=use, seconds=seconds, purpose=purpose, recipient_type=kind)
    errors = [one for one in check_forwarding(before, after) if one.severity is Severity.ERROR]
    assert errors == []
    assert check_packet(after, now=NOW).conforms(Level.GOVERNED)


def test_what_is_above_the_lower_ceiling_is_left_out_and_counted() -> None:
    after = passed(packet(), ceiling=Boundary.PUBLIC)
    assert {item["boundary"] for item in after.items} == {"public"}
    assert [one["count"] for one in after.parts("exclusions") if one.get("boundary") == "internal"] == [1]
    assert after.part("scope")["boundary_ceiling"] == "public"


def test_what_is_left_out_is_not_spoken_of() -> None:
    found = selection(
        *FOUND.statements,
        passages=FOUND.passages,
        requests=(request(), request(301, about=2)),
        challenges=(challenge(about=2), challenge(401, about=1)),
    )
    before = read_document(seal(assemble(order(statements=(name(2),)), found, NODE, NOW), audited=True))
    members = {**before.members, "ext": {**before.members["ext"], "acme.note": "of two", "acme": {"inner": "of two"}}}
    members["ext"]["acme.launch"] = {"maps_to": "destructive"}
    free = {"loop_id": "olp_free", "question": f"What of {members['items'][0]['item_id']}, and of the takeover?"}
    members["open_loops"] = [*before.parts("open_loops"), free, {"loop_id": "olp_x", "question": "And the takeover?"}]
    members["scope"] = {**members["scope"], "disallowed_use": [*members["scope"]["disallowed_use"], "acme.launch"]}
    after = passed(open_document(seal_packet(members)), ceiling=Boundary.PUBLIC)
    kept = [one["loop_id"] for one in after.parts("open_loops")]
    assert len(kept) == 4 and "olp_free" in kept and "olp_x" not in kept
    (wordless,) = [one for one in after.parts("open_loops") if one["loop_id"] == "olp_withheld_3"]
    assert "takeover" not in json.dumps(wordless), "that something is open is said, and not what"
    (left,) = [one for one in after.parts("exclusions") if one.get("boundary") == "internal"]
    assert left["count"] == 1 + 3, "an item, and three open loops"
    gone = ("a2ap.order", "acme.note", "of two", name(2), statement(2).statement_id)
    assert not [word for word in gone if word in after.data.decode()]
    assert set(after.members["ext"]) == {"a2ap.checkpoint", "acme.launch"}
    same = passed(open_document(seal_packet(members)))
    assert len(same.parts("open_loops")) == 6 and "a2ap.order" in same.members["ext"]


def test_a_lower_ceiling_alone_takes_the_order_away() -> None:
    only = selection(statement(1), requests=(request(),))
    before = read_document(seal(assemble(order(), only, NODE, NOW), audited=True))
    after = passed(before, ceiling=Boundary.PUBLIC)
    assert "a2ap.order" not in after.members["ext"]
    assert after.parts("open_loops") == before.parts("open_loops") != ()


def test_signature_receipts_and_claim_are_not_passed_on() -> None:
    after = passed(packet())
    assert "receipts" not in after.members
    assert "a2ap.conformance_level" not in after.members["ext"]
    assert after.members["ext"]["a2ap.order"] == order().members


def test_a_packet_that_is_passed_on_names_the_one_it_comes_from() -> None:
    before = packet()
    after = passed(before)
    assert after.packet_id != before.packet_id
    assert {before.packet_id, before.packet_hash} <= set(after.part("lineage")["assembled_from"])
    assert after.part("producer")["id"] == "urn:agent:reader"


def test_an_expired_packet_is_not_passed_on() -> None:
    before = packet()
    with pytest.raises(InputError, match="has expired"):
        forward(before, Forwarding("urn:agent:reader", "urn:agent:other"), NOW + timedelta(days=1), BY_THE_NODE)


def test_a_packet_of_which_nothing_is_left_is_not_passed_on() -> None:
    before = packet(ceiling=Boundary.PRIVATE)
    members = json.loads(before.data)
    for item in members["items"]:
        item["boundary"] = "private"
    with pytest.raises(InputError, match="no item"):
        passed(open_document(seal_packet(members)), ceiling=Boundary.PUBLIC)


def test_what_is_no_packet_is_not_passed_on() -> None:
    with pytest.raises(InputError, match="CP-Core"):
        passed(open_document({"spec": "context-packet/0.3"}))


def test_a_local_prohibition_stays() -> None:
    members = json.loads(packet().data)
    members["scope"]["disallowed_use"].append("acme.launch")
    members["ext"]["acme.launch"] = "destructive"
    after = passed(open_document(seal_packet(members)))
    assert "acme.launch" in after.part("scope")["disallowed_use"]


def foreign(**changes: Any) -> PacketDocument:
    """Return a packet of another implementation: its open loops name no items, and its claims are its own."""
    members = altered(
        GOVERNED,
        scope__expires_at="2026-07-04T22:00:00Z",
        items=[GOVERNED["items"][0], altered(GOVERNED["items"][0], item_id="itm_002", boundary="public")],
        ext={"acme.conformance_level": "CP-Audited", "acme": {"conformance_level": "CP-Governed"}},
    )
    return open_document(altered(members, **changes))


def test_open_loops_of_a_foreign_packet_stay_under_a_lower_ceiling() -> None:
    before = foreign()
    after = passed(before, ceiling=Boundary.PUBLIC)
    (loop,) = after.parts("open_loops")
    assert (loop["loop_id"], loop["stakes"]) == ("olp_001", "medium")
    assert "bucket" not in after.data.decode()
    assert check_packet(after, now=NOW).level is not None


@pytest.mark.parametrize("ceiling", [None, Boundary.PUBLIC])
def test_no_level_is_claimed_that_is_not_reached_any_more(ceiling: Boundary | None) -> None:
    before = foreign(conformance_level="CP-Audited")
    for origin in (Origin(Speaker("assembler.demo.example", "did:key:z6Mk")), Origin()):
        wanted = Forwarding("urn:agent:reader", "urn:agent:other", ceiling=ceiling)
        after = write_members(seal_packet(forward(before, wanted, NOW, origin)))
        report = check_packet(after, now=NOW)
        assert report.claim_holds, report.findings
        assert ("governor" in after.members) is (origin.speaker is not None)
    assert report.level is Level.CORE


def test_members_that_the_text_has_not_stay_behind_under_a_lower_ceiling() -> None:
    before = foreign(notes="All about the takeover.")
    assert "takeover" in passed(before).data.decode()
    assert "takeover" not in passed(before, ceiling=Boundary.PUBLIC).data.decode()


def test_a_packet_that_fails_its_hash_or_signature_is_not_passed_on() -> None:
    changed = {**packet().members, "purpose": "Another purpose."}
    with pytest.raises(InputError, match="CP-Core"):
        passed(open_document(changed))
    wanted = Forwarding("urn:agent:reader", "urn:agent:other")
    problem = Origin(problem="the signature does not hold")
    with pytest.raises(InputError, match="the signature does not hold"):
        forward(packet(), wanted, NOW, problem)
    assert forward(open_document(changed), wanted, NOW, None)["purpose"] == "Another purpose.", "by the letter"
