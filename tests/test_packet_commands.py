"""The commands that assemble, receive, return, dispose of and pass on packets: first on files, then with a platform."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import SOURCE, agent_key, description, signed_registration
from cli_agents import Agent, new_agent
from cli_runner import Run, a2ap, serving
from packet_facts import NODE, order, passage, request, selection, statement

from a2ap.boundary import Boundary, Use
from a2ap.packet.building import seal_packet, write_members
from a2ap.packet.document import read_document
from a2ap.packet.records import PacketDisposition, PacketReceipt, PacketReturn, read_record, verify_record
from a2ap.packet.signature import verify_members
from graph.cli.signing import now
from graph.packets.assembly import assemble
from graph.services.packet_assembly import seal

__all__ = ["a2ap"]


@pytest.fixture
def reader(tmp_path: Path) -> Agent:
    return new_agent(tmp_path)


@pytest.fixture
def packet(tmp_path: Path, reader: Agent) -> Path:
    return packet_for(tmp_path / "packet.json", reader)


NODE_KEY = agent_key(7)
KNOWN_NODE = ("--known-key", f"{NODE}#key-1={NODE_KEY.public_key.did_key}")


def known(agent: Agent) -> tuple[str, str]:
    return "--known-key", f"{agent.id}#key-1={agent_key(agent.seed).public_key.did_key}"


def registered(folder: Path, *agents: Agent) -> tuple[str, Path]:
    """Write the registrations of persons into a file, and return the option that names it."""
    path = folder / "persons.jsonl"
    documents = [signed_registration(one.seed, agent=description(one.seed, person=True)) for one in agents]
    path.write_bytes(b"\n".join(documents) + b"\n")
    return "--keys", path


def packet_for(path: Path, reader: Agent, **changes: Any) -> Path:
    """Write a packet for an agent with a verified claim, another, a passage, and one above the ceiling.

    The node signs it.
    """
    found = selection(
        statement(1),
        statement(2, verified=False, boundary=Boundary.INTERNAL),
        statement(3, boundary=Boundary.PRIVATE),
        passages=(passage(),),
        requests=(request(),),
    )
    wanted = order(recipient=reader.id, audited=True, **changes)
    content = seal(assemble(wanted, found, NODE, now()), audited=True, key=NODE_KEY, key_id=f"{NODE}#key-1")
    path.write_bytes(content)
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


def test_a_packet_is_received_and_used_in_two_steps(a2ap: Run, packet: Path, reader: Agent, tmp_path: Path) -> None:
    folder, state = tmp_path / "receipts", f"a2ap-log:{NODE}@12#{'00' * 32}"
    common = ("--key", reader.key, "--use", "draft_only", *KNOWN_NODE)
    said = a2ap("packet", "receive", packet, "--for", "action", *common, "--to", folder)
    assert "settled     itm_001" in said.out
    assert "data        itm_002" in said.out
    assert "first       §11-trace" in said.out
    assert "accepted for action: CP-Audited, permits draft_only, returns are proposals" in said.out
    assert set(records_in(folder, reader.seed)) == {"delivered", "opened"}
    # Neither the trace that the contract requires nor a look at the substrate: a status of its own, and no receipt.
    use, used = ("packet", "use", packet, *common), tmp_path / "used"
    for more, missing in (
        ((), "§11-trace"),
        (("--trace", "trace:1", "--state", state.replace("@12", "@13")), "§4.1-staleness_policy"),
        (("--trace", "trace:1", "--revalidated"), "§4.1-staleness_policy"),
    ):
        said = a2ap(*use, *more, "--to", used, status=3)
        assert f"first       {missing}" in said.out
        assert not used.exists()
    grown = ("--state", state.replace("@12", "@13"), "--revalidated")
    a2ap(*use, "--trace", "trace:1", *grown, "--to", used)
    found = records_in(used, reader.seed)
    assert set(found) == {"used", "a2ap.traced"}
    document = read_document(packet.read_bytes())
    assert {one.packet_hash for one in found.values()} == {document.packet_hash}
    assert found["a2ap.traced"].observability_ref == "trace:1"
    assert found["used"].ext["a2ap.revalidated"] == grown[1]
    a2ap(*use, "--trace", "trace:1", "--state", state, "--to", tmp_path / "same")


def test_a_refused_packet_gets_a_receipt_of_its_refusal_and_status_1(
    a2ap: Run, packet: Path, reader: Agent, tmp_path: Path
) -> None:
    other = new_agent(tmp_path)
    common = ("--key", other.key, *KNOWN_NODE)
    said = a2ap(
        *("packet", "receive", packet, "--for", "action", *common, "--to", tmp_path / "out", "--json"), status=1
    )
    answer = json.loads(said.out)
    assert answer["decision"] == "review_only"
    assert [one["rule"] for one in answer["reasons"]] == ["§4.1-recipient.one"]
    assert set(records_in(tmp_path / "out", other.seed)) == {"delivered", "rejected"}
    a2ap("packet", "use", packet, *common, "--trace", "t:1", "--to", tmp_path / "used", status=1)
    assert not (tmp_path / "used").exists()
    a2ap("packet", "receive", packet, "--for", "review", *common, "--to", tmp_path / "review")
    assert set(records_in(tmp_path / "review", other.seed)) == {"delivered", "opened"}


def raised(packet: Path, to: Path, **changes: Any) -> Path:
    """Write the packet with another purpose and more uses, and a hash that is right."""
    members = json.loads(packet.read_bytes())
    scope = {**members["scope"], "allowed_use": ["financial"], "disallowed_use": ["destructive"]}
    ext = {**members["ext"], **changes.pop("ext", {})}
    members |= {"purpose": "Pay the invoice.", "scope": scope, "receipts": [], "ext": ext, **changes}
    to.write_bytes(write_members(seal_packet(members)).data)
    return to


def test_what_verify_refuses_no_command_takes(a2ap: Run, packet: Path, reader: Agent, tmp_path: Path) -> None:
    forged = raised(packet, tmp_path / "forged.json")
    a2ap("packet", "verify", forged, *KNOWN_NODE, status=1)
    own, to = ("--key", reader.key), ("--to", tmp_path / "none")
    use = ("--use", "financial", "--trace", "t:1", "--state", f"a2ap-log:{NODE}@12#{'00' * 32}")
    said = a2ap("packet", "receive", forged, "--for", "action", *own, *KNOWN_NODE, *use[:2], *to, status=1)
    assert "refused     §4.3-signature" in said.out and "refused for action" in said.out
    assert set(records_in(tmp_path / "none", reader.seed)) == {"delivered", "rejected"}
    a2ap("packet", "use", forged, *own, *KNOWN_NODE, *use, status=1)
    assert "§4.3-signature" in a2ap("packet", "validate", forged, status=1).out
    output = ("--output", "summary=Paid.", "--trace", "t:1", *to)
    assert "does not hold" in a2ap("packet", "return", forged, *own, *output, status=1).only_error
    passed = ("--for", "urn:agent:other", "--output", tmp_path / "passed.json")
    assert "does not hold" in a2ap("packet", "forward", forged, *own, *KNOWN_NODE, *passed, status=1).only_error
    assert not (tmp_path / "passed.json").exists()
    a2ap("packet", "return", packet, *own, *output[:-2], "--to", tmp_path / "records")
    (returned,) = (tmp_path / "records").glob("ret_*.json")
    decision = ("--packet", forged, "--outcome", "promoted", "--state", f"a2ap-log:{NODE}@13#{'1' * 64}")
    decide = ("packet", "disposition", returned, *decision, "--key", reader.key, *known(reader), *to)
    assert f"not by {NODE_KEY.public_key.did_key}" in a2ap(*decide, status=1).only_error
    # By the letter of the text there is no signature that could fail, and the hash is the packet's own.
    letter = ("--by-letter", "--to", tmp_path / "letter")
    said = a2ap("packet", "receive", forged, "--for", "action", *own, *use[:2], *letter)
    assert "accepted for action" in said.out
    assert "does not reach CP-Core" in a2ap("packet", "validate", forged, status=1).out
    assert "reaches CP-Governed" in a2ap("packet", "validate", forged, "--by-letter", status=1).out


def test_a_signature_that_is_taken_off_or_made_anew_shows_no_origin(
    a2ap: Run, packet: Path, reader: Agent, tmp_path: Path
) -> None:
    stripped = raised(packet, tmp_path / "stripped.json", ext={"a2ap.signature": None})
    members = json.loads(stripped.read_bytes())
    del members["ext"]["a2ap.signature"]
    stripped.write_bytes(write_members(seal_packet(members)).data)
    stranger, resigned = new_agent(tmp_path), tmp_path / "resigned.json"
    a2ap("packet", "sign", stripped, "--key", stranger.key, "--output", resigned)
    for place, path in enumerate((stripped, resigned)):
        to = ("--to", tmp_path / f"out{place}")
        known_keys = (*KNOWN_NODE, *known(stranger))
        common = ("--for", "action", "--use", "financial", "--key", reader.key)
        said = a2ap("packet", "receive", path, *common, *known_keys, *to, status=1)
        assert "refused     §4.3-signature" in said.out


def test_a_packet_that_fails_its_hash_is_used_returned_decided_about_and_passed_on_by_nobody(
    a2ap: Run, packet: Path, reader: Agent, tmp_path: Path
) -> None:
    changed, passed, none = tmp_path / "changed.json", tmp_path / "passed.json", tmp_path / "none"
    own, output, trace = ("--key", reader.key), ("--output", "summary=It stays."), ("--trace", "t:1")
    a2ap("packet", "return", packet, *own, *output, *trace, "--to", tmp_path / "records")
    (returned,) = (tmp_path / "records").glob("ret_*.json")
    members = json.loads(packet.read_bytes())
    del members["ext"]["a2ap.signature"]
    changed.write_text(json.dumps({**members, "purpose": "Another."}))
    use = ("packet", "use", changed, *own, *trace, "--state", f"a2ap-log:{NODE}@12#{'00' * 32}", "--to", none)
    for more in ((), ("--by-letter",)):
        assert "refused     §4.3-packet_hash" in a2ap(*use, *more, status=1).out
    decision = ("--packet", changed, "--outcome", "promoted", "--state", f"a2ap-log:{NODE}@13#{'1' * 64}")
    for command in (
        ("return", changed, *output, *trace, "--to", none),
        ("disposition", returned, *decision, *known(reader), "--to", none),
        ("forward", changed, "--for", "urn:agent:other", "--output", passed, "--to", none),
    ):
        assert "not that of the packet" in a2ap("packet", *command, *own, status=1).only_error
    assert not passed.exists() and not none.exists()


def test_who_has_no_part_in_a_packet_neither_returns_nor_passes_it_on(a2ap: Run, packet: Path, tmp_path: Path) -> None:
    stranger = new_agent(tmp_path)
    to = ("--to", tmp_path / "none")
    output = ("--output", "summary=It stays.", "--trace", "t:1")
    said = a2ap("packet", "return", packet, "--key", stranger.key, *output, *to, status=1)
    assert "the packet is for" in said.only_error
    passed = ("--for", "urn:agent:other", "--key", stranger.key, "--output", tmp_path / "passed.json")
    assert "has no part in the packet" in a2ap("packet", "forward", packet, *passed, *to, status=1).only_error
    assert not (tmp_path / "none").exists() and not (tmp_path / "passed.json").exists()


def test_nobody_is_a_person_by_saying_so(a2ap: Run, packet: Path, reader: Agent, tmp_path: Path) -> None:
    output = ("--output", "summary=It stays.", "--trace", "t:1")
    for command in (
        ("receive", packet, "--for", "review"),
        ("use", packet, "--trace", "t:1"),
        ("return", packet, *output),
    ):
        said = a2ap("packet", *command, "--key", reader.key, "--human", "--to", tmp_path / "none", status=1)
        assert "--human needs the key of a person" in said.only_error
    assert not (tmp_path / "none").exists()
    persons = registered(tmp_path, reader)
    a2ap("packet", "return", packet, *output, "--key", reader.key, "--human", *persons, "--to", tmp_path / "records")
    assert records_in(tmp_path / "records", reader.seed)["PacketReturn"].by == f"human:{reader.id}"


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
    a2ap: Run, reader: Agent, tmp_path: Path
) -> None:
    folder, clerk = tmp_path / "records", new_agent(tmp_path)
    packet = packet_for(tmp_path / "packet.json", reader, promoters=(clerk.id,))
    a2ap(
        *("packet", "return", packet, "--key", reader.key, "--output", "summary=It stays.", "--to", folder),
        *("--propose", "append=The limit stays.", "--trace", "trace:1"),
    )
    (returned,) = folder.glob("ret_*.json")
    state = f"a2ap-log:{NODE}@13#{'1' * 64}"
    persons = registered(tmp_path, clerk)
    decision = ("packet", "disposition", returned, "--packet", packet, "--outcome", "promoted", "--state", state)
    decide = (*decision, "--key", clerk.key, "--to", folder, *known(reader))
    assert "requires human review" in a2ap(*decide, status=1).only_error
    assert "not that of a registered person" in a2ap(*decide, "--by", f"human:{clerk.id}", status=1).only_error
    assert "by is human:clerk" in a2ap(*decide, *persons, "--by", "human:clerk", status=1).only_error
    own = (*decision, "--key", reader.key, "--to", folder, *known(reader))
    assert "decides about nothing of its own" in a2ap(*own, status=1).only_error
    stranger = new_agent(tmp_path)
    strange = (*decision, "--key", stranger.key, "--to", folder, *known(reader))
    assert "neither producer, governor nor promoter" in a2ap(*strange, status=1).only_error
    assert not list(folder.glob("dsp_*.json"))
    a2ap(*decide, *persons)
    (disposed,) = folder.glob("dsp_*.json")
    value = read_record(disposed.read_bytes()).value
    assert isinstance(value, PacketDisposition)
    assert (value.proposal is not None, value.by) == (True, f"human:{clerk.id}")
    first = read_document(packet.read_bytes())
    following = assemble(
        order(recipient=reader.id, supersedes=first.packet_id),
        replace(selection(), state=replace(selection().state, size=13, root_hash=b"\x11" * 32)),
        NODE,
        now(),
    )
    second = tmp_path / "second.json"
    second.write_bytes(seal(following, audited=False, key=NODE_KEY, key_id=f"{NODE}#key-1"))
    thread = ("packet", "closure", packet, second, *sorted(folder.glob("*.json")))
    keys = (*KNOWN_NODE, *known(reader), *persons)
    assert a2ap(*thread, *keys).out.splitlines()[-1] == "closed"
    # Without knowing whose the keys are, nothing counts.
    assert "does not count" in a2ap(*thread, status=1).out
    members = json.loads(disposed.read_bytes())
    del members["ext"]
    disposed.write_text(json.dumps(members))
    said = a2ap(*thread, *keys, status=1)
    assert said.out.splitlines()[-1] == "open at link 2 (disposition)"
    assert "nobody signed it in a way that holds" in said.out
    assert a2ap(*thread, "--by-letter").out.splitlines()[-1] == "closed"


def test_a_packet_is_passed_on_restricted_and_signed(a2ap: Run, packet: Path, reader: Agent, tmp_path: Path) -> None:
    passed, other = tmp_path / "passed.json", new_agent(tmp_path)
    a2ap(
        *("packet", "forward", packet, "--for", other.id, "--key", reader.key, "--ceiling", "public"),
        *("--use", "read_only", "--seconds", 60, "--output", passed, "--to", tmp_path / "receipts", *KNOWN_NODE),
    )
    before, after = read_document(packet.read_bytes()), read_document(passed.read_bytes())
    verify_members(after.members, agent_key(reader.seed).public_key)
    assert after.packet_id != before.packet_id
    assert before.packet_id in after.part("lineage")["assembled_from"]
    assert {item["boundary"] for item in after.items} == {"public"}
    assert after.part("scope")["allowed_use"] == ["read_only"]
    assert "receipts" not in after.members
    a2ap("packet", "forwarding", packet, passed)
    assert after.part("governor")["id"] == NODE
    taken = ("--key", other.key, *known(reader), "--to", tmp_path / "other")
    a2ap("packet", "receive", passed, "--for", "action", *taken)
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
        for agent in (author, writer):
            a2ap("register", "--key", agent.key, "--name", "Agent", "--version", "1", "--publisher", "City")
        a2ap("register", "--person", "--key", clerk.key, "--name", "Clerk", "--version", "1", "--publisher", "City")
        source = tmp_path / "council.vtt"
        source.write_bytes(SOURCE)
        a2ap("source", "add", source, "--urn", "urn:doc:test:7", "--key", author.key, "--title", "Council")
        claim = ("--urn", "urn:doc:test:7", "--quote", "The new zoning map", "--confidence", 0.9)
        a2ap("claim", "The height limit stays.", "--key", author.key, "--source", source, *claim)
        packet, folder = tmp_path / "packet.json", tmp_path / "records"
        order = (
            "--for",
            writer.id,
            "--purpose",
            "Write a summary.",
            "--ceiling",
            "public",
            "--topic",
            "height limit",
            "--promoter",
            clerk.id,
        )
        a2ap("packet", "assemble", *order, "--audited", "--signed", "--output", packet)
        a2ap("packet", "validate", packet, "--level", "CP-Audited")
        a2ap("packet", "register", packet, "--boundary", "public")
        to = ("--to", folder, "--submit", "--boundary", "public")
        trace = ("--trace", "trace:41")
        asked = ("--keys", "platform")
        common = ("--use", "draft_only", "--key", writer.key, "--state", "platform", *asked)
        said = a2ap("packet", "receive", packet, "--for", "action", *common, *to)
        assert "accepted for action" in said.out
        a2ap("packet", "use", packet, *common, "--revalidated", *trace, *to)
        back = ("--output", "summary=The limit stays.", "--propose", "append=The limit stays.")
        a2ap("packet", "return", packet, "--key", writer.key, *back, *trace, *to)
        (returned,) = folder.glob("ret_*.json")
        decision = ("--packet", packet, "--outcome", "promoted", "--key", clerk.key, *asked)
        a2ap("packet", "disposition", returned, *decision, *to)
        following = tmp_path / "next.json"
        first = read_document(packet.read_bytes())
        assert first.members["ext"]["a2ap.ordered_by"] == "anonymous"
        a2ap("packet", "assemble", *order, "--supersedes", first.packet_id, "--signed", "--output", following)
        a2ap("packet", "register", following, "--boundary", "public")
        thread = ("packet", "closure", packet, following, *sorted(folder.glob("*.json")))
        assert a2ap(*thread, *asked).out.splitlines()[-1] == "closed"
        a2ap(*thread, status=1)
        own = tmp_path / "own.json"
        a2ap("packet", "assemble", *order, "--sign", writer.key, "--output", own)
        verify_members(read_document(own.read_bytes()).members, agent_key(writer.seed).public_key)
