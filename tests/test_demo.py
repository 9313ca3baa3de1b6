"""The demonstration from end to end, on both engines, over real HTTP."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from builders import agent_key
from demo_statements import shipped
from http_client import ask, open_client
from model_server import model_server
from platform_fixture import platform
from rich.console import Console
from served import served

from a2ap.messages.message import read_message
from a2ap.messages.policy import Policy
from graph.demo.answer_text import print_answers
from graph.demo.errors import DemoError
from graph.demo.result import DemoOptions, DemoResult
from graph.demo.run import run_demo
from graph.models.chat_model import ChatModel
from graph.node import node_from_key
from graph.platform import Platform, utc_now

__all__ = ["platform"]

QUESTION = "What did they say about zoning?"
SRT = """1
00:00:01,000 --> 00:00:05,500
CHAIR: Item 1 is the zoning change for the café district.

2
00:00:05,500 --> 00:00:11,250
The new zoning allows 45 homes & a
café on every corner of Elm Street.

3
00:00:12,000 --> 00:00:17,000
RESIDENT: I oppose the zoning change because
it takes 12 <i>parking</i> spaces from Elm Street.

4
00:00:18,000 --> 00:00:23,000
CHAIR: The zoning change is approved, 5 to 2, with 3 added conditions.
"""


async def policy_in_force(platform: Platform) -> Policy | None:
    rows = await platform.store.read("current_policy")
    entries = await platform.store.read("log_entries_by_hash", hashes=[row["signed_hash"] for row in rows])
    for entry in entries:
        message = read_message(await platform.content.get(entry["document_hash"]))
        if isinstance(message, Policy):
            return message
    return None


REQUESTS = """query ($first: Int!) {
  openRequests(first: 1) { totalCount }
  statements(first: $first) {
    nodes { asked: verificationRequests(first: 1) { nodes { responses(first: 1) { totalCount } } } }
  }
}"""


async def requests_of(platform: Platform, folder: Path, first: int) -> dict[str, Any]:
    """Return the number of open requests, and the requests on the newest statements with their verdicts."""
    async with open_client(platform, folder) as client:
        return await ask(client, REQUESTS, {"first": first})


async def demonstrate(platform: Platform, folder: Path, **options: Any) -> tuple[DemoResult, str]:
    """Run the demonstration on a platform; return what came of it and what was shown on the way."""
    shown = io.StringIO()
    async with served(platform) as address:
        result = await run_demo(
            DemoOptions(folder, **options),
            address,
            platform.node,
            clock=utc_now,
            console=Console(file=shown, width=100),
            policy=await policy_in_force(platform),
        )
    return result, shown.getvalue()


async def test_a_newcomer_gets_an_answer_that_can_be_traced(platform: Platform, tmp_path: Path) -> None:
    source, _ = shipped()

    result, shown = await demonstrate(platform, tmp_path)
    answer = result.as_json()

    # Every claim leads to the bytes of the file.
    traceable = answer["traceable"]
    assert traceable["claims"] == traceable["withEvidence"] == traceable["bytesMatch"] == result.verified > 60
    # All of it was said at a meeting, and nothing of it passes for a fact.
    assert answer["verified"] == {"saidAsQuoted": result.verified, "holds": 0}
    # The answer is about zoning, verified, and shaped as the interface says.
    assert answer["question"] == QUESTION
    claims = [found["claim"] for found in answer["answers"]]
    assert any("change the zoning from heavy industrial to mixed use" in claim for claim in claims)
    assert any("approved on first reading" in claim for claim in claims)
    for found in answer["answers"]:
        check_shape(found, source.data)
        assert found["verified"] and found["consensusScore"] >= 0.7
        assert found["interval"]["low"] < found["consensusScore"] < found["interval"]["high"]
        assert (found["claimKind"], found["operators"]) == ("REPORTS", 2)
        agents = {given["agent"] for given in found["verifications"] if given["verdict"] == "VALIDATED"}
        assert len([agent for agent in agents if "a2ap-node" not in agent]) == 2
    # People read it too.
    assert "Read 298 captions: 12 topics" in shown
    # No terminal: each step is told as it begins, and once it is done.
    assert f"Handing in the source\n✓ Handed in {source.file_name}\nSigning the claims\n" in shown
    text = printed(result, "https://youtu.be/abc")
    assert "Planning Director, 00:03:44–00:03:54  https://youtu.be/abc?t=224" in text
    assert re.search(r"✓ said, as quoted, score 0\.9\d \(95 %: 0\.\d\d–[01]\.\d\d, 2 operators\)\n +by ", text)
    assert "verified" not in text and "Holds" not in text
    assert re.search(r"“The applicant asks the city to change the zoning from heavy +bytes \d+–\d+\n", text)
    assert "Word Aligner (Riverside Archive)" in text
    # The podcast speaks of every item, and of nothing that is not linked.
    podcast = result.podcast.read_text(encoding="utf-8")
    assert podcast.count("\n## Item ") == 12
    assert len(re.findall(r"/statements/urn:uuid:", podcast)) == traceable["claims"]

    # Each request is answered by both verifiers, and waits no longer.
    requests = (await requests_of(platform, tmp_path, traceable["claims"]))["statements"]["nodes"]
    assert {request["responses"]["totalCount"] for one in requests for request in one["asked"]["nodes"]} == {2}
    assert (await requests_of(platform, tmp_path, 1))["openRequests"]["totalCount"] == 0

    # Again: nothing is new.
    size = await log_size(platform)
    again, _ = await demonstrate(platform, tmp_path)
    assert await log_size(platform) == size
    assert again.as_json() == answer


async def test_captions_of_other_kinds_are_cited_by_their_bytes(platform: Platform, tmp_path: Path) -> None:
    captions = tmp_path / "meeting.srt"
    captions.write_bytes(b"\xef\xbb\xbf" + SRT.replace("\n", "\r\n").encode())
    lines = tmp_path / "meeting.txt"
    lines.write_text(
        "CHAIR: The zoning change adds 45 homes to Elm Street.\nCLERK: The zoning vote is 5 to 2 in favor.\n"
    )

    of_captions, _ = await demonstrate(platform, tmp_path / "a", source=captions, media="https://youtu.be/abc")
    of_lines, _ = await demonstrate(platform, tmp_path / "a", source=lines)
    of_nothing, _ = await demonstrate(platform, tmp_path / "a", source=lines, question="Who spoke of submarines?")

    for result, path in ((of_captions, captions), (of_lines, lines)):
        counts = result.traceability
        assert counts.claims == counts.with_evidence == counts.bytes_match == result.verified >= 2
        assert result.answers
        for found in result.as_json()["answers"]:
            check_shape(found, path.read_bytes())
    evidence = of_captions.as_json()["answers"][0]["evidence"]
    assert {one["document"] for one in evidence} == {"urn:doc:youtube:abc"}
    assert any("&" in one["quote"] for found in of_captions.as_json()["answers"] for one in found["evidence"])
    assert of_lines.as_json()["answers"][0]["evidence"][0]["timestamp"] is None
    assert of_nothing.as_json()["answers"] == []
    assert "Nobody has made a statement about that." in printed(of_nothing)


async def test_the_policy_keeps_what_it_said_and_names_the_operators(platform: Platform, tmp_path: Path) -> None:
    before = await policy_in_force(platform)
    captions = tmp_path / "meeting.srt"
    captions.write_text(SRT)

    await demonstrate(platform, tmp_path / "a", source=captions)
    await demonstrate(platform, tmp_path / "b", source=captions)
    after = await policy_in_force(platform)

    assert before is not None and after is not None
    assert len(after.seeds) == len(before.seeds) + 4
    assert (after.threshold, after.quorum, after.criteria) == (before.threshold, before.quorum, before.criteria)


async def test_an_agent_that_lost_its_memory_goes_on_with_what_it_said(platform: Platform, tmp_path: Path) -> None:
    captions = tmp_path / "meeting.srt"
    captions.write_text(SRT)
    first, _ = await demonstrate(platform, tmp_path / "a", source=captions)
    (tmp_path / "a" / "agents" / "council-scribe" / "signed.ndjson").unlink()

    second, _ = await demonstrate(platform, tmp_path / "a", source=captions)

    assert [one.statement for one in second.answers] == [one.statement for one in first.answers]
    assert second.traceability == first.traceability


async def test_with_a_model_author_and_verifiers_ask_it(platform: Platform, tmp_path: Path) -> None:
    captions = tmp_path / "meeting.srt"
    captions.write_text(SRT)

    def answer(system: str, user: str) -> str:
        if "Cited words:" in user:
            finding = {"status": "PASS", "reason": "It is there.", "confidence": 0.95}
            return json.dumps({"evidence-sufficiency": finding, "logical-consistency": finding})
        number = next(m[1] for m in re.finditer(r"^\[(\d+)\].*$", user, re.MULTILINE) if "45 homes" in m[0])
        claim = {"text": "The new zoning allows 45 homes on Elm Street.", "passages": [int(number)], "confidence": 0.8}
        return json.dumps({"claims": [claim]})

    with model_server(answer) as server:
        model = ChatModel(server.url, "test-model")
        result, _ = await demonstrate(platform, tmp_path / "a", source=captions, model=model)

    (found,) = [one for one in result.answers if one.claim == "The new zoning allows 45 homes on Elm Street."]
    assert found.verified and (found.standing, result.verified - result.reported) == ("holds", 1)
    assert found.confidence == 0.8
    judged = [finding["evidence"] for given in found.verifications for finding in given.findings if not given.machine]
    assert "test-model: It is there." in judged
    assert result.traceability.bytes_match == result.traceability.claims


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"", "no sentence"),
        (b"WEBVTT\n\n00:00 --> 00:01\nhello", "no sentence"),
        (None, "No such file"),
    ],
)
async def test_a_file_without_anything_to_claim_is_a_clear_error(
    tmp_path: Path, content: bytes | None, problem: str
) -> None:
    captions = tmp_path / "meeting.vtt"
    if content is not None:
        captions.write_bytes(content)

    with pytest.raises(DemoError, match=problem):
        await run_demo(
            DemoOptions(tmp_path / "a", captions),
            "http://127.0.0.1:9",
            node_from_key(agent_key(5)),
            clock=utc_now,
            console=Console(file=io.StringIO()),
            policy=None,
        )


def printed(result: DemoResult, media: str | None = None) -> str:
    written = io.StringIO()
    console = Console(file=written, width=120)
    print_answers(console, result.question, result.answers, media=media, speaker_of=result.speaker_of)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines())


def check_shape(answer: dict[str, Any], data: bytes) -> None:
    assert list(answer) == [
        "statement",
        "claim",
        "claimKind",
        "standing",
        "confidence",
        "consensusScore",
        "interval",
        "operators",
        "verified",
        "status",
        "agent",
        "evidence",
        "verifications",
    ]
    assert answer["status"] == "CURRENT"
    assert answer["evidence"] and answer["verifications"]
    for one in answer["evidence"]:
        assert list(one) == ["document", "documentHash", "byteRange", "timestamp", "quote"]
        assert data[one["byteRange"]["start"] : one["byteRange"]["end"]].decode() == one["quote"]
        assert one["timestamp"] is None or re.fullmatch(r"\d\d:\d\d:\d\d", one["timestamp"]["start"])
    for given in answer["verifications"]:
        assert list(given) == ["agent", "verdict", "confidence", "findings", "respondedAt"]
        assert all(set(found) == {"criterion", "status", "evidence", "confidence"} for found in given["findings"])


async def log_size(platform: Platform) -> int:
    rows = await platform.store.read("log_size")
    size: int = next(iter(rows[0].values()))
    return size
