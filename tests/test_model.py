"""Claims and verdicts with a language model: what it may say, and what happens when it does not."""

import json
import re
from pathlib import Path

import pytest
from demo_statements import altered, claims_of, shipped, signed_by_author
from model_server import model_server

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verdict import verdict_of
from a2ap.messages.verification_response import Verdict
from graph.demo.generator import generate_claims
from graph.demo.model_judge import ModelJudge
from graph.models.chat_model import ChatModel
from graph.models.errors import ModelError
from graph.transcripts.transcript import Transcript
from graph.verifier.alignment import AlignmentJudge


def model_at(url: str) -> ChatModel:
    return ChatModel(url, "test-model", "secret")


def claims(*claims: dict[str, object]) -> str:
    return json.dumps({"claims": claims})


def judgement(status: str, confidence: object = 0.9) -> str:
    answer = {"status": status, "reason": "Because it says so.", "confidence": confidence}
    return json.dumps({"evidence-sufficiency": answer, "logical-consistency": answer})


def test_a_model_is_asked_as_any_openai_compatible_endpoint_is() -> None:
    with model_server(lambda system, user: '{"yes": true}') as server:
        answer = model_at(server.url).ask("Be brief.", "Is it?")

    assert answer == {"yes": True}
    (request,) = server.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["model"] == "test-model"
    assert request["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Is it?"},
    ]
    assert server.keys == ["Bearer secret"]


def test_an_answer_in_a_fence_is_read() -> None:
    with model_server(lambda system, user: '```json\n{"yes": true}\n```') as server:
        assert model_at(f"{server.url}/chat/completions").ask("", "") == {"yes": True}


@pytest.mark.parametrize("text", ["Sure! Here is it.", "[1, 2]", '{"a": 1', ""])
def test_an_answer_that_is_no_json_object_is_asked_for_once_more_and_then_refused(text: str) -> None:
    with model_server(lambda system, user: text) as server, pytest.raises(ModelError, match="test-model answered with"):
        model_at(server.url).ask("", "")

    assert len(server.requests) == 2


def test_a_model_that_fails_is_a_clear_error_without_the_key() -> None:
    with model_server(lambda system, user: "{}") as server:
        server.status = 500
        with pytest.raises(ModelError, match="test-model answered 500") as caught:
            model_at(server.url).ask("", "")
    assert "secret" not in str(caught.value)

    with pytest.raises(ModelError, match="test-model cannot be reached"):
        model_at(server.url).ask("", "")


def test_claims_of_a_model_cite_the_passages_that_it_names() -> None:
    source, transcript = shipped()

    def answer(system: str, user: str) -> str:
        number = next((m[1] for m in re.finditer(r"^\[(\d+)\].*$", user, re.MULTILINE) if "20%" in m[0]), "1")
        return claims({"text": "A claim in\nother words.", "passages": [int(number)], "confidence": 0.8})

    with model_server(answer) as server:
        topics = generate_claims(transcript.sentences, model_at(server.url))

    (call, claim) = topics[0].claims
    assert "Item 1 is" in call.text
    assert (claim.text, claim.confidence, claim.method) == ("A claim in other words.", 0.8, "llm:test-model")
    shown = server.requests[2]["messages"][1]["content"]
    assert shown.startswith("Topic: Item ")
    for topic in topics:
        for made in topic.claims:
            for citation in made.citations:
                cue = citation.cue
                assert source.data[cue.start : cue.end].decode() == cue.text


@pytest.mark.parametrize(
    "answer",
    [
        claims(),
        claims({"text": "Cites nothing.", "passages": []}),
        claims({"text": "Cites what was not shown.", "passages": [9999]}),
        claims({"text": "Cites with a word.", "passages": ["1"]}),
        claims({"text": "", "passages": [1]}),
        claims({"text": "x" * 700, "passages": [1]}),
        '{"claims": "none"}',
        "I would rather not.",
    ],
)
def test_claims_that_cite_nothing_shown_fall_back_to_quotations_with_a_message(answer: str) -> None:
    _, transcript = shipped()
    said: list[str] = []

    with model_server(lambda system, user: answer) as server:
        topics = generate_claims(transcript.sentences, model_at(server.url), said.append)

    assert topics == generate_claims(transcript.sentences)
    assert len(said) == 12
    assert all("test-model" in line and line.endswith("; quoting instead") for line in said)


def test_a_model_judges_what_words_leave_open(tmp_path: Path) -> None:
    source, transcript = shipped()
    statement = next(
        one for one in signed_by_author(tmp_path, claims_of(transcript), source) if "heavy industrial" in one.claim.text
    )
    loose = altered(statement, "Somebody wants homes where industry was.")

    with model_server(lambda system, user: judgement("PASS")) as server:
        judge = ModelJudge(model_at(server.url), _Undecided())
        findings = judge.judge(loose, transcript)

    assert verdict_of(findings) is Verdict.VALIDATED
    assert findings[0].evidence == "test-model: Because it says so."
    asked = server.requests[0]["messages"][1]["content"]
    assert "Claim: Somebody wants homes where industry was." in asked
    assert "- Planning Director: The applicant asks the city" in asked


def test_a_model_cannot_talk_away_a_wrong_figure(tmp_path: Path) -> None:
    source, transcript = shipped()
    statement = next(
        one for one in signed_by_author(tmp_path, claims_of(transcript), source) if "65 feet" in one.claim.text
    )
    wrong = altered(statement, statement.claim.text.replace("65 feet", "85 feet"))

    with model_server(lambda system, user: judgement("PASS", 1.0)) as server:
        findings = ModelJudge(model_at(server.url), AlignmentJudge()).judge(wrong, transcript)

    assert verdict_of(findings) is not Verdict.VALIDATED


@pytest.mark.parametrize(
    "answer",
    ["no", "{}", judgement("MAYBE"), judgement("PASS", 7), judgement("PASS", "high"), '{"evidence-sufficiency": 1}'],
)
def test_a_judgement_in_another_form_falls_back_to_words_with_a_message(tmp_path: Path, answer: str) -> None:
    source, transcript = shipped()
    statement = signed_by_author(tmp_path, claims_of(transcript)[:3], source)[0]
    said: list[str] = []

    with model_server(lambda system, user: answer) as server:
        findings = ModelJudge(model_at(server.url), AlignmentJudge(), said.append).judge(statement, transcript)

    assert findings == AlignmentJudge().judge(statement, transcript)
    (line,) = said
    assert "test-model" in line and line.endswith("; judging by words instead")


class _Undecided:
    """A judge by words that finds nothing wrong and nothing right."""

    name, version = "undecided", "1"

    def judge(self, statement: ProvenanceStatement, transcript: Transcript) -> tuple[Finding, ...]:
        findings = AlignmentJudge().judge(statement, transcript)
        return tuple(one for one in findings if one.criterion == "source-accuracy" and one.status is FindingStatus.PASS)
