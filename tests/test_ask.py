"""Questions in plain language on both engines: by a recorded model over real HTTP, and from templates without one."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from builders import QUOTE, SOURCE_ID, TIME, envelope_of
from cypher_world import SECRET, asked_world, hide_a_source
from http_client import ask, client
from model_server import ModelServer, model_server
from platform_fixture import platform
from vectors_file import VECTORS, load_vectors

from graph.answers.answer import Answer
from graph.answers.asking import Asking
from graph.clearance import ANONYMOUS, OPERATOR
from graph.cypher_text.check import check_query
from graph.errors import CypherTextError, InputError
from graph.models.chat_model import ChatModel
from graph.platform import Platform, utc_now
from graph.settings import Settings

__all__ = ["client", "platform"]

QUESTIONS = load_vectors("questions.json")
ANSWERS = "template_answers.json"
MADE_NOW = re.compile(f"(?!{TIME.year})20[0-9]{{2}}-.*Z$")


def filled(value: Any, known: dict[str, bytes]) -> Any:
    """Return a recorded value with what is known only of the world: hashes of statements, its source, its year."""
    if isinstance(value, list):
        return [filled(item, known) for item in value]
    if isinstance(value, dict):
        return {name: filled(item, known) for name, item in value.items()}
    if not isinstance(value, str):
        return value
    values: dict[str, Any] = {name: envelope_of(document).signed_hash for name, document in known.items()}
    values |= {"bytes": len(QUOTE.encode()), "year": TIME.year}
    if value.strip("{}") in values and value.startswith("{"):
        return values[value.strip("{}")]
    return value.replace("{source}", SOURCE_ID)


def emptied(value: Any, names: dict[str, str]) -> Any:
    """Return what was answered with names for what is known only of the world, and nothing that a clock has made."""
    if isinstance(value, list):
        # Statements are listed in a cell in no order.
        are_statements = bool(value) and all(isinstance(item, str) and item.startswith("sha256:") for item in value)
        items = [emptied(item, names) for item in value]
        return sorted(items) if are_statements else items
    if isinstance(value, float):
        return round(value, 4)
    if not isinstance(value, str):
        return value
    return "{any}" if MADE_NOW.match(value) else f"{{{names[value]}}}" if value in names else value


@contextmanager
def recorded_model(known: dict[str, bytes], **changes: str) -> Iterator[tuple[ModelServer, ChatModel]]:
    """Serve a model that answers the questions of the vectors as recorded; `changes` replace its queries, in order."""
    queue = list(changes.values())

    def answer(instructions: str, question: str) -> str:
        if queue:
            return queue.pop(0)
        asked = question.split("Question:\n")[1].split("\n=====")[0]
        vector = next(one for one in QUESTIONS if filled(one["question"], known) == asked)
        return json.dumps({"cypher": vector["cypher"], "parameters": filled(vector["parameters"], known)})

    with model_server(answer) as running:
        yield running, ChatModel(running.url, "recorded", timeout=20.0)


async def answered(platform: Platform, question: str) -> Answer:
    return await platform.asking.answer(ANONYMOUS, question, first=50)


def test_there_are_questions_enough() -> None:
    assert len({one["question"] for one in QUESTIONS}) >= 60
    assert len({one["template"] for one in QUESTIONS} - {None}) >= 25


@pytest.mark.parametrize("vector", QUESTIONS, ids=lambda one: one["question"][:50])
def test_what_the_recorded_model_writes_passes_where_words_are_withheld(vector: dict[str, Any]) -> None:
    if vector.get("describes"):
        # What describes a source is withheld as its words are.
        with pytest.raises(CypherTextError, match="may hold words that this reader is not cleared for"):
            check_query(vector["cypher"], vector["parameters"], withheld=True)
    else:
        assert check_query(vector["cypher"], vector["parameters"], withheld=True).text


async def test_each_question_gets_its_rows_by_the_model(platform: Platform) -> None:
    known = await asked_world(platform)
    wrong = []
    with recorded_model(known) as (running, model):
        platform.asking.model = model
        for vector in QUESTIONS:
            answer = await answered(platform, filled(vector["question"], known))
            rows = [list(row) for row in answer.own.table.rows]
            expected = filled(vector["rows"], known)
            if "{any}" in json.dumps(expected):
                expected = [
                    [found if one == "{any}" else one for one, found in zip(*pair, strict=True)]
                    for pair in zip(expected, rows, strict=True)
                ]
            if (answer.by, rows) != ("recorded", expected):
                wrong.append((vector["question"], answer.note, rows, expected))
    assert wrong == []
    assert len(running.requests) == len(QUESTIONS), "none needed a second question"


@pytest.mark.both_engines
async def test_each_common_question_is_answered_from_a_template(platform: Platform) -> None:
    """Its rows are those of the vectors, which `A2AP_WRITE_VECTORS=1` writes, in any order."""
    known = await asked_world(platform)
    names = {envelope_of(document).signed_hash: name for name, document in known.items()}
    names |= {SOURCE_ID: "source", platform.node.agent_id: "node"}
    found, wrong = {}, []
    for vector in QUESTIONS:
        answer = await answered(platform, filled(vector["question"], known))
        assert answer.by == "templates"
        assert "No model is configured" in (answer.note or "")
        if vector["template"]:
            found[vector["question"]] = sorted(emptied([*map(list, answer.own.table.rows)], names), key=json.dumps)
            if answer.template != f"questions/{vector['template']}":
                wrong.append((vector["question"], answer.template))
    assert wrong == []
    if os.environ.get("A2AP_WRITE_VECTORS"):
        lines = (f"  {json.dumps(asked)}: {json.dumps(rows)}" for asked, rows in found.items())
        (VECTORS / ANSWERS).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    assert found == load_vectors(ANSWERS)


async def test_only_what_is_verified_is_said_as_a_fact(platform: Platform) -> None:
    known = await asked_world(platform)
    hashes = {envelope_of(document).signed_hash: name for name, document in known.items()}
    answer = await answered(platform, "What are the newest statements?")
    assert [(one.text, hashes[one.statement]) for one in answer.accepted] == [
        ("The zoning map changes on Elm Street.", "zoning")
    ]
    missing = {hashes[one.statement]: one.missing for one in answer.not_yet_accepted}
    assert set(missing) == set(known) - {"zoning"}
    assert missing["tables"] == ("No verdict that counts has been given.",)
    assert any("by 1 of 2 operators" in reason for reason in missing["parking"])
    assert missing["budget"][0] == "Its author has taken it back."
    (budget,) = [one for one in answer.not_yet_accepted if hashes[one.statement] == "budget"]
    assert budget.text == "Test agent 21 states: The budget for parks doubles."


@pytest.mark.both_engines
async def test_a_few_agents_sources_and_claims_are_shown_to_a_model(platform: Platform) -> None:
    known = await asked_world(platform)
    with recorded_model(known) as (running, model):
        platform.asking.model = model
        await answered(platform, "How many statements are there?")
    shown = [line.split(": ", 1) for line in running.requests[0]["messages"][1]["content"].splitlines() if ": " in line]
    assert Counter(kind for kind, _ in shown if kind in ("agent", "source", "claim")) == {
        "agent": 7,
        "source": 1,
        "claim": 3,
    }
    assert ["source", SOURCE_ID] in shown


async def test_a_model_gets_one_chance_to_mend_its_query(platform: Platform) -> None:
    known = await asked_world(platform)
    wrong = json.dumps({"cypher": "MATCH (s:Statement) RETURN s.colour", "parameters": {}})
    with recorded_model(known, first=wrong) as (running, model):
        platform.asking.model = model
        answer = await answered(platform, "How many statements are there?")
        assert (answer.by, answer.own.table.rows) == ("recorded", ((6,),))
    told = running.requests[1]["messages"][1]["content"]
    assert "It was refused:" in told and "Statement has no property colour" in told


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("I would rather not.", "did not answer in the form that was asked for"),
        ('{"cypher": 1, "parameters": {}}', "did not answer with a query and its parameters"),
        ('{"cypher": "RETURN 1", "parameters": {}, "also": 1}', "did not answer with a query"),
        ('{"cannot": "The graph\\nhas no weather."}', "gave no query: The graph has no weather."),
        (
            '{"cypher": "MATCH (n) DETACH DELETE n", "parameters": {}}',
            "gave no query that may run: a node has no label",
        ),
        (
            '{"cypher": "MATCH (s:Statement) SET s.verified = true", "parameters": {}}',
            "begins no clause that may be run",
        ),
    ],
)
async def test_without_a_query_that_may_run_the_templates_answer(platform: Platform, says: str, why: str) -> None:
    known = await asked_world(platform)
    with recorded_model(known, first=says, second=says) as (_, model):
        platform.asking.model = model
        answer = await answered(platform, "How many statements are there?")
    assert (answer.by, answer.own.table.rows) == ("templates", ((6, 1),))
    assert why in (answer.note or "")
    assert "The answer is from templates" in (answer.note or "")


async def test_a_model_is_asked_so_often_a_day(platform: Platform) -> None:
    known = await asked_world(platform)
    with recorded_model(known) as (running, model):
        settings = Settings(platform.settings.data, llm_url=running.url, llm_model="recorded", asks_per_day=1)
        asking = Asking(platform.search, settings, utc_now)
        assert isinstance(asking.model, ChatModel)
        first = await asking.answer(ANONYMOUS, "How many statements are there?", first=5)
        second = await asking.answer(ANONYMOUS, "How many statements are there?", first=5)
        assert (first.by, second.by) == ("recorded", "templates")
        assert "has been asked 1 times today" in (second.note or "")
        running.status = 503
        asking = Asking(platform.search, settings, utc_now)
        assert (await asking.answer(ANONYMOUS, "How many statements are there?", first=5)).by == "templates"
    assert model.name == "recorded"


async def test_a_model_is_told_nothing_that_its_asker_may_not_read(platform: Platform) -> None:
    known = await asked_world(platform)
    await hide_a_source(platform)
    with recorded_model(known) as (running, model):
        platform.asking.model = model
        for reader in (ANONYMOUS, OPERATOR):
            await platform.asking.answer(reader, "How many statements are there?", first=5)
    public, operator = (request["messages"][0]["content"] for request in running.requests)
    assert "quote_text" not in public and "quote_text" in operator
    assert SECRET not in json.dumps(running.requests)
    asked = running.requests[0]["messages"][1]["content"]
    marker = asked.split("\n")[0]
    assert marker.startswith("=====") and asked.endswith(marker), "strangers' words stand between markers"


async def test_a_title_that_its_asker_may_not_read_names_nothing(platform: Platform) -> None:
    await asked_world(platform)
    await hide_a_source(platform)
    found = [
        await platform.asking.answer(reader, "Which statements rest on the closed minutes?", first=5)
        for reader in (ANONYMOUS, OPERATOR)
    ]
    assert [one.template == "questions/resting_on" for one in found] == [False, True]


@pytest.mark.parametrize("question", ["", "   ", "x" * 2_000])
async def test_a_question_is_neither_empty_nor_endless(platform: Platform, question: str) -> None:
    with pytest.raises(InputError, match="not from 1 to 1000"):
        await answered(platform, question)


async def test_graphql_and_http_give_the_answer_with_its_evidence(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    known = await asked_world(platform)
    name = envelope_of(known["zoning"]).signed_hash
    query = """query ($q: String!) { ask(question: $q) {
      question answeredBy template note query { cypher parameters columns rows truncated withheld }
      accepted { text missing statement { signedHash citations { quote } } }
      notYetAccepted { text missing statement { signedHash } } } }"""
    found = (await ask(client, query, {"q": "What did they say about zoning?"}))["ask"]
    assert (found["answeredBy"], found["template"]) == ("templates", "questions/statements_about")
    assert found["query"]["columns"][:2] == ["statement", "claim"]
    assert name in [row[0] for row in found["query"]["rows"]]
    assert found["accepted"] == [
        {
            "text": "The zoning map changes on Elm Street.",
            "missing": [],
            "statement": {"signedHash": name, "citations": [{"quote": QUOTE}]},
        }
    ]
    over = (await client.post("/ask", json={"question": "What did they say about zoning?"})).json()
    assert over["query"]["rows"] == found["query"]["rows"]
    assert over["accepted"][0]["statement"]["evidence"][0]["quote"] == QUOTE
    assert [one["text"] for one in over["notYetAccepted"]] == [one["text"] for one in found["notYetAccepted"]]
    bodies: tuple[object, ...] = ({"question": 1}, {}, {"question": "x", "more": 1}, [])
    for body in bodies:
        assert (await client.post("/ask", json=body)).status_code == 400


async def test_queries_run_by_name_or_text_over_each_door(platform: Platform, client: httpx.AsyncClient) -> None:
    known = await asked_world(platform)
    name = envelope_of(known["zoning"]).id
    query = """query ($n: String, $t: String, $p: JSON) {
      cypher(name: $n, text: $t, parameters: $p) { cypher parameters columns rows truncated withheld } }"""
    found = (await ask(client, query, {"n": "examples/consensus_timeline", "p": {"id": name}}))["cypher"]
    assert [row[1] for row in found["rows"]] == ["VALIDATED"] * 3
    text = "MATCH (s:Statement {statement_id: $id}) RETURN s.claim_text AS claim"
    found = (await ask(client, query, {"t": text, "p": {"id": name}}))["cypher"]
    assert found["rows"] == [["The zoning map changes on Elm Street."]]
    over = await client.post("/cypher", json={"text": text, "parameters": {"id": name}})
    assert over.json()["rows"] == found["rows"]
    for body, status in (
        ({"text": "MATCH (n) DETACH DELETE n"}, 400),
        ({"name": "log_head"}, 404),
        ({"name": "examples/../log_head"}, 404),
        ({}, 400),
        ({"name": "examples/agreements", "text": text}, 400),
        ({"text": text, "parameters": []}, 400),
    ):
        assert (await client.post("/cypher", json=body)).status_code == status, body
    refused = (await client.post("/cypher", json={"text": "RETURN 1 / 0 AS n"})).json()
    assert "does not take it" in refused["detail"]
