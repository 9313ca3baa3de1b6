"""The commands that assemble, receive, return, dispose of and pass on packets: first on files, then with a platform."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import SOURCE, agent_key
from cli_agents import Agent, new_agent
from cli_runner import Run, a2ap, serving
from packet_facts import NODE, order, passage, request, selection, statement

from a2ap.boundary import Boundary, Use
from a2ap.packet.closure import check_closure
from a2ap.packet.document import read_document
from a2ap.packet.records import PacketDisposition, PacketReceipt, PacketReturn, read_record, verify_record
from a2ap.packet.signature import verify_members
from graph.cli.signing import now
from graph.packets.assembly import assemble
from graph.packets.ordered_packet import seal

__all__ = ["a2ap"]


@pytest.fixture
def reader(tmp_path: Path) -> Agent:
    return new_agent(tmp_path)


@pytest.fixture
def packet(tmp_path: Path, reader: Agent) -> Path:
    return packet_for(tmp_path / "packet.json", reader)


def packet_for(path: Path, reader: Agent, **changes: Any) -> Path:
    """Write a packet for an agent with a verified claim, another, a passage, and one above the ceiling."""
    found = selection(
        statement(1),
        statement(2, verified=False, boundary=Boundary.INTERNAL),
        statement(3, boundary=Boundary.PRIVATE),
        passages=(passage(),),
        requests=(request(),),
    )
    wanted = order(recipient=reader.id, audited=True, **changes)
    path.write_bytes(seal(assemble(wanted, found, NODE, now()), audited=True))
    return path


def records_in(folder: Path, seed: int) -> dict[str, Any]:
    """Return the records in a folder by what they are, each signed by the agent."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        document = read_record(path.read_bytes())
        verify_record(document, agent_key(seed).public_key)
        value = document.value
        found[value.event if isinstance(value, PacketReceipt) else type(value).__name__] = value
    return found


def test_a_packet_is_received_for_action_with_receipts(a2ap: Run, packet: Path, reader: Agent, tmp_path: Path) -> None:
    folder = tmp_path / "receipts"
    said = a2ap(
        *("packet", "receive", packet, "--for", "action", "--key", reader.key, "--use", "draft_only"),
        *("--trace", "trace:1", "--to", folder),
    )
    assert "settled     itm_001" in said.out
    assert "data        itm_002" in said.out
    assert "accepted for action: CP-Audited, permits draft_only, returns are proposals" in said.out
    found = records_in(folder, reader.seed)
    assert set(found) == {"delivered", "used", "a2ap.traced"}
    document = read_document(packet.read_bytes())
    assert {one.packet_hash for one in found.values()} == {document.packet_hash}
    assert found["a2ap.traced"].observability_ref == "trace:1"


def test_a_refused_packet_gets_a_receipt_of_its_refusal_and_status_1(
    a2ap: Run, packet: Path, reader: Agent, tmp_path: Path
) -> None:
    other = new_agent(tmp_path)
    said = a2ap(
        *("packet", "receive", packet, "--for", "action", "--key", other.key, "--to", tmp_path / "out", "--json"),
        status=1,
    )
    answer = json.loads(said.out)
    assert answer["decision"] == "review_only"
    assert [one["rule"] for one in answer["reasons"]] == ["§4.1-recipient.one"]
    assert set(records_in(tmp_path / "out", other.seed)) == {"delivered", "rejected"}
    a2ap("packet", "receive", packet, "--for", "review", "--key", other.key, "--to", tmp_path / "review")
    assert set(records_in(tmp_path / "review", other.seed)) == {"delivered", "opened"}


def test_a_return_proposes_within_its_contract(a2ap: Run, packet: Path, reader: Agent, tmp_path: Path) -> None:
    folder = tmp_path / "returns"
    a2ap(
        *("packet", "return", packet, "--key", reader.key, "--output", "summary=It stays.", "--to", folder),
        *("--propose", "append=The limit stays.", "--question", "Until when?", "--trace", "trace:1"),
    )
    found = records_in(folder, reader.seed)
    assert set(found) == {"PacketReturn", "output_emitted", "memory_update_proposed"}
    returned = found["PacketReturn"]
    assert isinstance(returned, PacketReturn)
    assert [one.content for one in returned.proposals] == ["The limit stays."]
    refused = a2ap(
        *("packet", "return", packet, "--key", reader.key, "--output", "credential_request=the password"),
        *("--trace", "trace:1", "--to", tmp_path / "none"),
        status=1,
    )
    assert "goes beyond its contract" in refused.err
    assert not (tmp_path / "none").exists()


def test_a_disposition_is_recorded_for_each_proposal_and_closes_the_loop(
    a2ap: Run, packet: Path, reader: Agent, tmp_path: Path
) -> None:
    folder, clerk = tmp_path / "records", new_agent(tmp_path)
    a2ap(
        *("packet", "return", packet, "--key", reader.key, "--output", "summary=It stays.", "--to", folder),
        *("--propose", "append=The limit stays.", "--trace", "trace:1"),
    )
    (returned,) = folder.glob("ret_*.json")
    state = f"a2ap-log:{NODE}@13#{'1' * 64}"
    a2ap(
        *("packet", "disposition", returned, "--outcome", "promoted", "--by", "human:clerk", "--key", clerk.key),
        *("--state", state, "--to", folder),
    )
    (disposed,) = folder.glob("dsp_*.json")
    value = read_record(disposed.read_bytes()).value
    assert isinstance(value, PacketDisposition)
    assert value.proposal is not None
    first = read_document(packet.read_bytes())
    following = assemble(
        order(recipient=reader.id, supersedes=first.packet_id),
        replace(selection(), state=replace(selection().state, size=13, root_hash=b"\x11" * 32)),
        NODE,
        now(),
    )
    second = read_document(seal(following, audited=False))
    records = [read_record(path.read_bytes()).members for path in folder.glob("*.json")]
    assert check_closure([first, second], records).state == "closed"
    wrong = a2ap(
        *("packet", "disposition", returned, "--outcome", "rejected", "--by", "somebody", "--key", clerk.key),
        status=1,
    )
    assert "begins with human:" in wrong.err


def test_a_packet_is_passed_on_restricted_and_signed(a2ap: Run, packet: Path, reader: Agent, tmp_path: Path) -> None:
    passed, other = tmp_path / "passed.json", new_agent(tmp_path)
    a2ap(
        *("packet", "forward", packet, "--for", other.id, "--key", reader.key, "--ceiling", "public"),
        *("--use", "read_only", "--seconds", 60, "--output", passed, "--to", tmp_path / "receipts"),
    )
    before, after = read_document(packet.read_bytes()), read_document(passed.read_bytes())
    verify_members(after.members, agent_key(reader.seed).public_key)
    assert after.packet_id != before.packet_id
    assert before.packet_id in after.part("lineage")["assembled_from"]
    assert {item["boundary"] for item in after.items} == {"public"}
    assert after.part("scope")["allowed_use"] == ["read_only"]
    assert "receipts" not in after.members
    a2ap("packet", "forwarding", packet, passed)
    a2ap("packet", "receive", passed, "--for", "action", "--key", other.key, "--to", tmp_path / "other")
    assert set(records_in(tmp_path / "receipts", reader.seed)) == {"forwarded"}


def test_nothing_can_be_raised_when_a_packet_is_passed_on(
    a2ap: Run, packet: Path, reader: Agent, tmp_path: Path
) -> None:
    passed = tmp_path / "passed.json"
    a2ap(
        *("packet", "forward", packet, "--for", "urn:agent:other", "--key", reader.key, "--ceiling", "private"),
        *("--use", "destructive", "--seconds", 10**7, "--output", passed, "--to", tmp_path / "receipts"),
    )
    before, after = read_document(packet.read_bytes()), read_document(passed.read_bytes())
    for name in ("boundary_ceiling", "expires_at", "allowed_use", "disallowed_use"):
        assert after.part("scope")[name] == before.part("scope")[name]


def test_a_file_that_is_there_is_not_written_over(a2ap: Run, packet: Path, reader: Agent, tmp_path: Path) -> None:
    passed = tmp_path / "passed.json"
    passed.write_text("mine")
    said = a2ap(
        *("packet", "forward", packet, "--for", "urn:agent:other", "--key", reader.key, "--output", passed), status=1
    )
    assert "is there already" in said.only_error
    assert passed.read_text() == "mine"


def test_a_packet_that_may_be_used_for_nothing_is_refused(a2ap: Run, reader: Agent, tmp_path: Path) -> None:
    packet = packet_for(tmp_path / "reading.json", reader, use=Use.READ_ONLY)
    said = a2ap(
        *("packet", "receive", packet, "--for", "action", "--use", "internal_write", "--key", reader.key),
        *("--to", tmp_path / "receipts"),
        status=1,
    )
    assert "refused     §4.2" in said.out


def test_the_life_of_a_packet_with_a_platform(a2ap: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the worked commands of the page, one after the other."""
    author, writer, clerk = (new_agent(tmp_path) for _ in range(3))
    with serving(tmp_path / "data") as (_, url):
        monkeypatch.setenv("A2AP_URL", url)
        for agent in (author, writer, clerk):
            a2ap("register", "--key", agent.key, "--name", "Agent", "--version", "1", "--publisher", "City")
        source = tmp_path / "council.vtt"
        source.write_bytes(SOURCE)
        a2ap("source", "add", source, "--urn", "urn:doc:test:7", "--key", author.key, "--title", "Council")
        claim = ("--urn", "urn:doc:test:7", "--quote", "The new zoning map", "--confidence", 0.9)
        a2ap("claim", "The height limit stays.", "--key", author.key, "--source", source, *claim)
        packet, folder = tmp_path / "packet.json", tmp_path / "records"
        order = ("--for", writer.id, "--purpose", "Write a summary.", "--ceiling", "public", "--topic", "height limit")
        a2ap("packet", "assemble", *order, "--audited", "--signed", "--output", packet)
        a2ap("packet", "validate", packet, "--level", "CP-Audited")
        a2ap("packet", "register", packet, "--boundary", "public")
        to = ("--to", folder, "--submit", "--boundary", "public")
        trace = ("--trace", "trace:41")
        receive = ("--for", "action", "--use", "draft_only", "--key", writer.key, "--state", "platform")
        said = a2ap("packet", "receive", packet, *receive, *trace, *to)
        assert "accepted for action" in said.out
        back = ("--output", "summary=The limit stays.", "--propose", "append=The limit stays.")
        a2ap("packet", "return", packet, "--key", writer.key, *back, *trace, *to)
        (returned,) = folder.glob("ret_*.json")
        decision = ("--outcome", "promoted", "--by", "human:clerk", "--key", clerk.key)
        a2ap("packet", "disposition", returned, *decision, *to)
        following = tmp_path / "next.json"
        first = read_document(packet.read_bytes())
        a2ap("packet", "assemble", *order, "--supersedes", first.packet_id, "--sign", writer.key, "--output", following)
        a2ap("packet", "register", following, "--boundary", "public")
        a2ap("packet", "closure", packet, following, *sorted(folder.glob("*.json")))
        verify_members(read_document(following.read_bytes()).members, agent_key(writer.seed).public_key)
