"""GraphQL over the whole application: what is asked is answered, what is handed in arrives, errors say their kind."""

import base64
import json
from typing import Any

import httpx
import pytest
from builders import (
    CLAIM,
    QUOTE,
    SOURCE,
    SOURCE_ID,
    agent_id,
    envelope_of,
    message_id,
    reference_to,
    signed_endorsement,
    signed_registration,
    signed_request,
    signed_response,
    signed_source,
    signed_statement,
)
from graph_contents import count_everything, run_raw
from http_client import OPERATOR, ask, ask_flat, client, send
from platform_fixture import platform
from scenario import (
    AUTHOR,
    OPERATOR_A,
    OPERATOR_B,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    settle,
    signed_node_policy,
    verified_world,
)

from a2ap.canonical import sha256_digest
from a2ap.messages.verification_response import Verdict
from graph.graphql.context import MAX_PAGE
from graph.graphql.examples import EXAMPLES, Example
from graph.platform import Platform

__all__ = ["client", "platform"]

MUTATION = """mutation ($document: String!) { %s(document: $document) {
  ... on Receipt { id type signedHash created logIndex } ... on Problem { code path message } } }"""


async def hand_in(client: httpx.AsyncClient, name: str, document: bytes, token: str | None = None) -> dict[str, Any]:
    answer = await ask(client, MUTATION % name, {"document": document.decode()}, token)
    receipt: dict[str, Any] = answer[name]
    assert "signedHash" in receipt, receipt
    return receipt


async def problem_of(client: httpx.AsyncClient, name: str, document: bytes | str) -> dict[str, Any]:
    text = document if isinstance(document, str) else document.decode()
    answer: dict[str, Any] = await ask(client, MUTATION % name, {"document": text})
    problem: dict[str, Any] = answer[name]
    assert "code" in problem, problem
    return problem


async def error_of(client: httpx.AsyncClient, query: str, variables: dict[str, Any] | None = None) -> dict[str, Any]:
    answer = await send(client, query, variables)
    (error,) = answer["errors"]
    extensions: dict[str, Any] = error["extensions"]
    return {"message": error["message"], **extensions}


async def test_what_did_they_say_about_zoning(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    answer = await ask(
        client,
        """{ statementsAbout(topic: "zoning", first: 5) {
          id claimText confidence consensusScore verified
          generatedBy { id name version publisher reputation statements { id } verifications { id } }
          evidence { id text byteStart byteEnd document { id title hash boundary byteLength mediaType
            source { id title publisher origin } chunks { nodes { id } } } citedBy { id } }
          verifications { id verdict confidence agent { id } statement { id } findings { criterion status } machine }
        } }""",
    )
    statement_id = envelope_of(world.statement).id
    start = SOURCE.index(QUOTE.encode())
    (found,) = answer["statementsAbout"]
    assert (found["id"], found["claimText"], found["confidence"]) == (statement_id, CLAIM, 0.92)
    assert found["verified"] is True and found["consensusScore"] == pytest.approx(0.909925343)
    assert found["generatedBy"] == {
        "id": agent_id(AUTHOR),
        "name": "Test agent 1",
        "version": "1",
        "publisher": "Test publisher",
        "reputation": 0.5,
        "statements": [{"id": statement_id}],
        "verifications": [],
    }
    (chunk,) = found["evidence"]
    assert (chunk["text"], chunk["byteStart"], chunk["byteEnd"]) == (QUOTE, start, start + len(QUOTE))
    assert chunk["citedBy"] == [{"id": statement_id}]
    assert chunk["document"] == {
        "id": SOURCE_ID,
        "title": "City council meeting",
        "hash": sha256_digest(SOURCE),
        "boundary": "public",
        "byteLength": len(SOURCE),
        "mediaType": "text/vtt",
        "source": {
            "id": SOURCE_ID,
            "title": "City council meeting",
            "publisher": "City clerk",
            "origin": "https://example.org/meetings/1",
        },
        "chunks": {"nodes": [{"id": chunk["id"]}]},
    }
    machine, first, second = found["verifications"]
    assert machine["machine"] and not first["machine"]
    assert [one["agent"]["id"] for one in (first, second)] == [agent_id(VERIFIER_A), agent_id(VERIFIER_B)]
    assert {one["verdict"] for one in found["verifications"]} == {"VALIDATED"}
    assert {one["statement"]["id"] for one in found["verifications"]} == {statement_id}
    assert [finding["status"] for finding in first["findings"]] == ["PASS"] * 3


async def test_a_citation_says_what_the_statement_says_of_it(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    answer = await ask(
        client,
        """query ($id: ID!) { statement(id: $id) { statementId signedHash generationMethod contentHash generatedAt
          receivedAt logIndex machineCheck machineReason documentHash
          citations { quote byteRange { start end } relevanceScore withheld sourceDocument contentHash
            timestamp { start end startMilliseconds endMilliseconds } chunk { text } } } }""",
        {"id": hash_of(world.statement)},
    )
    envelope, found = envelope_of(world.statement), answer["statement"]
    assert found["statementId"] == envelope.id and found["signedHash"] == envelope.signed_hash
    assert found["documentHash"] == envelope.document_hash
    assert found["generationMethod"] == "semantic-analysis" and found["machineCheck"] == "PASS"
    assert found["generatedAt"] == "2025-10-14T10:30:00Z" and found["receivedAt"].endswith("Z")
    assert found["citations"] == [
        {
            "quote": QUOTE,
            "byteRange": {"start": SOURCE.index(QUOTE.encode()), "end": SOURCE.index(QUOTE.encode()) + len(QUOTE)},
            "relevanceScore": 0.88,
            "withheld": None,
            "sourceDocument": SOURCE_ID,
            "contentHash": sha256_digest(QUOTE.encode()),
            "timestamp": {
                "start": "00:02:15",
                "end": "00:02:19",
                "startMilliseconds": 135_400,
                "endMilliseconds": 138_900,
            },
            "chunk": {"text": QUOTE},
        }
    ]


async def test_the_specification_s_other_questions(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    answer = await ask(
        client,
        """query ($id: ID!, $agent: ID!) {
          evidenceChain(statementId: $id) { text document { title } }
          agentReputation(agentId: $agent)
          low: consensusOn(topic: "height limit", minScore: 0.7) { id }
          high: consensusOn(topic: "height limit", minScore: 0.95) { id }
        }""",
        {"id": envelope_of(world.statement).id, "agent": agent_id(VERIFIER_A)},
    )
    assert answer["evidenceChain"] == [{"text": QUOTE, "document": {"title": "City council meeting"}}]
    assert answer["agentReputation"] == 0.5
    assert answer["low"] == [{"id": envelope_of(world.statement).id}] and answer["high"] == []


async def test_a_topic_is_words_and_not_a_query(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    claims = ("The council rezoned Elm Street.", "Permits for cafés double.", "Zones near the river stay closed.")
    await accept(platform, *(signed_statement(AUTHOR, claim=claim, evidence=[pointer(claim)]) for claim in claims))
    expected = {
        "zoning": [claims[2]],
        "permit": [claims[1]],
        "cafés": [claims[1]],
        "ELM   street": [claims[0]],
        "river permits": [claims[1], claims[2]],
        'claim_text:* OR "': [],
        "elm AND street": [claims[0]],
        "~^*?:\\/[]{}()!&&||+-": [],
        "": [],
        "elm\\": [claims[0]],
    }
    found = {}
    for topic in expected:
        answer = await ask(client, "query ($t: String!) { statementsAbout(topic: $t) { claimText } }", {"t": topic})
        found[topic] = sorted(one["claimText"] for one in answer["statementsAbout"])
    # "and" is a word like any other: it stands in no claim, so that any of the three words may.
    assert found == expected


def pointer(text: str) -> dict[str, Any]:
    """Evidence by name and place alone, one place a text."""
    place = int(message_id(text)[-6:], 16)
    return {
        "@type": "a2ap:EvidenceSegment",
        "sourceDocument": "urn:doc:test:elsewhere",
        "chunkId": "urn:chunk:" + message_id(text).removeprefix("urn:uuid:"),
        "byteRange": {"start": place, "end": place + 10},
    }


async def test_a_pointer_without_bytes_is_evidence_without_text(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await accept(platform, signed_statement(AUTHOR, evidence=[{**pointer("one"), "quoteText": "as they say"}]))
    answer = await ask(
        client,
        """{ statements { nodes { machineCheck evidence { text withheld document { id hash held registered boundary } }
          citations { quote withheld timestamp { start } relevanceScore } } } }""",
    )
    assert answer["statements"]["nodes"] == [
        {
            "machineCheck": "INCONCLUSIVE",
            "evidence": [
                {
                    "text": "",
                    "withheld": "the source is not held here",
                    "document": {
                        "id": "urn:doc:test:elsewhere",
                        "hash": None,
                        "held": False,
                        "registered": False,
                        "boundary": "public",
                    },
                }
            ],
            "citations": [{"quote": "as they say", "withheld": None, "timestamp": None, "relevanceScore": None}],
        }
    ]


async def test_the_whole_life_of_a_statement_through_mutations(platform: Platform, client: httpx.AsyncClient) -> None:
    for number in (AUTHOR, VERIFIER_A, VERIFIER_B, OPERATOR_A, OPERATOR_B):
        receipt = await hand_in(client, "registerAgent", signed_registration(number))
        assert receipt["created"] and receipt["type"] == "AgentRegistration"
    await hand_in(client, "endorse", signed_endorsement(signed_registration(VERIFIER_A), OPERATOR_A))
    await hand_in(client, "endorse", signed_endorsement(signed_registration(VERIFIER_B), OPERATOR_B))
    await hand_in(client, "setPolicy", signed_node_policy(platform))
    answer = await ask(
        client,
        """mutation ($document: String!, $content: String) {
          registerSource(document: $document, contentBase64: $content) { ... on Receipt { type } } }""",
        {"document": signed_source(AUTHOR).decode(), "content": base64.b64encode(SOURCE).decode()},
    )
    assert answer == {"registerSource": {"type": "SourceRegistration"}}
    statement = signed_statement(AUTHOR)
    receipt = await hand_in(client, "submitStatement", statement)
    assert receipt["signedHash"] == hash_of(statement) and receipt["created"]
    await hand_in(client, "requestVerification", signed_request(statement))
    await hand_in(client, "submitVerification", signed_response(statement, VERIFIER_A))
    await hand_in(client, "submitVerification", signed_response(statement, VERIFIER_B))
    found = await ask_flat(
        client,
        """{ statements { nodes { verified machineCheck
          verificationRequests { nodes { criteria agent { id } statement { id } } } } } }""",
    )
    assert found["statements"] == [
        {
            "verified": True,
            "machineCheck": "PASS",
            "verificationRequests": [
                {
                    "criteria": ["source-accuracy", "evidence-sufficiency", "logical-consistency"],
                    "agent": {"id": agent_id(AUTHOR)},
                    "statement": {"id": envelope_of(statement).id},
                }
            ],
        }
    ]


async def test_bytes_survive_a_mutation(platform: Platform, client: httpx.AsyncClient) -> None:
    document = json.dumps(json.loads(signed_registration(AUTHOR)), indent=3).replace("\n", "\r\n").encode()
    await hand_in(client, "registerAgent", document)
    assert (await client.get(f"/agents/{agent_id(AUTHOR)}")).content == document
    again = await hand_in(client, "registerAgent", signed_registration(AUTHOR))
    assert not again["created"], "the same signed bytes in another layout are the same message"


async def test_a_document_of_another_type_is_refused(platform: Platform, client: httpx.AsyncClient) -> None:
    before = await count_everything(platform.store)
    error = await problem_of(client, "submitStatement", signed_registration(1))
    assert (error["code"], error["path"]) == ("WRONG_TYPE", "@type")
    assert error["message"] == "@type is a2ap:AgentRegistration, not a2ap:ProvenanceStatement"
    assert await count_everything(platform.store) == before


async def test_content_of_another_hash_is_refused_before_anything_is_written(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await accept(platform, signed_registration(AUTHOR))
    before = await count_everything(platform.store)
    query = """mutation ($d: String!, $c: String) {
      registerSource(document: $d, contentBase64: $c) { ... on Problem { code } } }"""
    for content, code in ((base64.b64encode(b"something else").decode(), "HASH_MISMATCH"), ("ä", "INVALID_INPUT")):
        answer = await ask(client, query, {"d": signed_source(AUTHOR).decode(), "c": content})
        assert answer["registerSource"] == {"code": code}
    assert await count_everything(platform.store) == before


@pytest.mark.parametrize(
    ("document", "code", "path"),
    [
        ("{", "INVALID_JSON", None),
        ('{"@type": "a2ap:ProvenanceStatement"}', "INVALID_FIELD", "agent"),
    ],
)
async def test_bad_input_says_its_kind_and_place(
    platform: Platform, client: httpx.AsyncClient, document: str, code: str, path: str | None
) -> None:
    error = await problem_of(client, "submitStatement", document)
    assert (error["code"], error["path"]) == (code, path)


async def test_a_lone_surrogate_is_no_text(platform: Platform, client: httpx.AsyncClient) -> None:
    body = '{"query": "mutation ($d: String!) { endorse(document: $d) { __typename } }", "variables": {"d": "\\ud800"}}'
    response = await client.post("/graphql", content=body, headers={"content-type": "application/json"})
    (error,) = response.json()["errors"]
    assert (response.status_code, error["extensions"]) == (400, {"code": "INVALID_REQUEST"})


async def test_an_unsigned_request_needs_the_operator(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    message = json.loads(signed_request(world.statement))
    del message["signature"]
    unsigned = json.dumps(message).encode()
    assert (await problem_of(client, "requestVerification", unsigned))["code"] == "FORBIDDEN"
    assert (await hand_in(client, "requestVerification", unsigned, OPERATOR))["created"]


@pytest.mark.parametrize(
    ("query", "code", "path"),
    [
        ('{ evidenceChain(statementId: "urn:uuid:none") { id } }', "NOT_FOUND", None),
        ('{ evidenceChain(statementId: "sha256:00") { id } }', "NOT_FOUND", None),
        ('{ agentReputation(agentId: "urn:agent:nobody") }', "NOT_FOUND", None),
        ('{ computeConsensus(statementId: "urn:uuid:none") { score } }', "NOT_FOUND", None),
        ('{ computeReputation(agentId: "urn:agent:nobody") { value } }', "NOT_FOUND", None),
        ('{ computeReputation(agentId: "urn:agent:nobody", method: "best") { value } }', "INVALID_INPUT", "method"),
        ('{ consensusOn(topic: "x", minScore: 1.5) { id } }', "INVALID_INPUT", "minScore"),
        ("{ statements(first: 0) { nodes { id } } }", "INVALID_INPUT", "first"),
        (f"{{ statements(first: {MAX_PAGE + 1}) {{ nodes {{ id }} }} }}", "INVALID_INPUT", "first"),
        ('{ statementsAbout(topic: "x", first: -1) { id } }', "INVALID_INPUT", "first"),
        ("{ statements(first: 9999999999) { nodes { id } } }", "INVALID_QUERY", None),
        ("{ statements { passwords } }", "INVALID_QUERY", None),
        ("{ statements {", "INVALID_QUERY", None),
    ],
)
async def test_a_question_that_cannot_be_answered_says_why(
    platform: Platform, client: httpx.AsyncClient, query: str, code: str, path: str | None
) -> None:
    error = await error_of(client, query)
    assert (error["code"], error.get("path")) == (code, path)


async def test_what_is_not_here_is_null(platform: Platform, client: httpx.AsyncClient) -> None:
    query = '{ statement(id: "urn:uuid:none") { id } agent(id: "x") { id } verification(signedHash: "y") { id } }'
    assert await ask(client, query) == {"statement": None, "agent": None, "verification": None}


async def test_a_failure_inside_is_masked(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    await run_raw(platform.store, "MATCH (s:Statement) REMOVE s.signature, s.content_hash")
    error = await error_of(client, "{ statements { nodes { id contentHash } } }")
    assert error == {"message": "see the log of the server", "code": "INTERNAL"}


async def test_an_answer_without_end_is_cut_off(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await verified_world(platform)
    monkeypatch.setattr("graph.graphql.context.MAX_OBJECTS", 3)
    error = await error_of(client, "{ statements { nodes { evidence { citedBy { evidence { citedBy { id } } } } } } }")
    assert error["code"] == "TOO_LARGE"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
async def test_the_playground_s_examples_have_answers(
    platform: Platform, client: httpx.AsyncClient, example: Example
) -> None:
    await verified_world(platform)
    answer = await ask(client, example.query)
    assert all(answer.values()), "each part of an example finds something"


async def test_pages_go_on_after_the_last_one_seen(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    statements = [signed_statement(AUTHOR, claim=f"Claim {n}", evidence=[pointer(str(n))]) for n in range(5)]
    # Many verdicts between the first and the others: more than one window of the log has to be looked at.
    verdicts = [signed_response(statements[0], STRANGER, confidence=n / 100) for n in range(40)]
    await accept(platform, statements[0], *verdicts, *statements[1:])
    page = "{ nodes { claimText } pageInfo { hasNextPage endCursor } }"
    queries = {
        f"query ($after: String) {{ statements(first: 2, after: $after) {page} }}": {},
        f"""query ($after: String, $id: ID!) {{ agent(id: $id) {{
          statements: statementsConnection(first: 2, after: $after) {page} }} }}""": {"id": agent_id(AUTHOR)},
    }
    for query, variables in queries.items():
        seen: list[str] = []
        more, after = True, None
        while more:
            answer = await ask(client, query, {**variables, "after": after})
            found = answer.get("agent", answer)["statements"]
            seen += [one["claimText"] for one in found["nodes"]]
            more, after = found["pageInfo"]["hasNextPage"], found["pageInfo"]["endCursor"]
        assert seen == [f"Claim {n}" for n in reversed(range(5))]


async def test_whoever_cites_a_chunk_first_does_not_name_it_for_others(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    first = {**pointer("here"), "timestamp": {"start": "00:00:01", "end": "00:00:02"}}
    second = {**first, "chunkId": pointer("there")["chunkId"], "timestamp": {"start": "00:00:03", "end": "00:00:04"}}
    for number, evidence in enumerate((first, second)):
        await accept(platform, signed_statement(AUTHOR, claim=f"Claim {number}", evidence=[evidence]))
    chunk = "id contentHash timestamp { start }"
    answer = await ask(
        client, f"{{ statements {{ nodes {{ evidence {{ {chunk} }} citations {{ chunk {{ {chunk} }} }} }} }} }}"
    )
    for statement, cited in zip(answer["statements"]["nodes"], (second, first), strict=True):
        expected = {"id": cited["chunkId"], "contentHash": None, "timestamp": {"start": cited["timestamp"]["start"]}}
        assert statement["evidence"] == [expected] and statement["citations"] == [{"chunk": expected}]


async def test_the_log_is_read_in_order(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    query = """query ($after: String) { logEntries(first: 4, after: $after) {
      nodes { logIndex type v origin key agent } pageInfo { endCursor } } }"""
    page = (await ask(client, query))["logEntries"]
    first = page["nodes"]
    second = (await ask(client, query, {"after": page["pageInfo"]["endCursor"]}))["logEntries"]["nodes"]
    assert [one["logIndex"] for one in first + second] == list(range(8))
    assert [one["type"] for one in first[:2]] == ["AgentRegistration", "Policy"]
    assert {one["origin"] for one in first} == {platform.node.origin}


async def test_agents_are_listed_with_keys_and_operators(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    answer = await ask(
        client,
        """query ($id: ID!) { agents(first: 3) { nodes { id } } agent(id: $id) { capabilities publicKey registeredAt
          registrationHash keys { id publicKey alias logIndex } endorsedBy { id } } }""",
        {"id": agent_id(VERIFIER_A)},
    )
    assert [one["id"] for one in answer["agents"]["nodes"]] == [platform.node.agent_id, agent_id(1), agent_id(2)]
    found = answer["agent"]
    assert found["endorsedBy"] == [{"id": agent_id(OPERATOR_A)}]
    assert found["capabilities"] == ["reasoning", "provenance-tracking"]
    assert found["registrationHash"] == hash_of(signed_registration(VERIFIER_A))
    assert [key["publicKey"] for key in found["keys"]] == [found["publicKey"]]


async def test_statements_point_at_each_other(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    first = signed_statement(AUTHOR)
    second = signed_statement(AUTHOR, claim="Supported.", supports=[reference_to(first)])
    third = signed_statement(AUTHOR, claim="Denied.", contradicts=[reference_to(first), reference_to(second)])
    fourth = signed_statement(AUTHOR, claim="Revised.", was_revision_of=reference_to(first))
    await accept(platform, first, second, third, fourth)
    query = """query ($id: ID!) { statement(id: $id) { supports { claimText } contradicts { claimText }
      revisionOf { claimText } supportedBy { nodes { claimText } } contradictedBy { nodes { claimText } }
      revisedBy { nodes { claimText } } } }"""

    async def relations(document: bytes) -> dict[str, Any]:
        found = (await ask_flat(client, query, {"id": hash_of(document)}))["statement"]
        return {name: value for name, value in found.items() if value}

    claimed = [{"claimText": CLAIM}]
    assert await relations(first) == {
        "supportedBy": [{"claimText": "Supported."}],
        "contradictedBy": [{"claimText": "Denied."}],
        "revisedBy": [{"claimText": "Revised."}],
    }
    assert await relations(second) == {"supports": claimed, "contradictedBy": [{"claimText": "Denied."}]}
    assert await relations(third) == {"contradicts": [*claimed, {"claimText": "Supported."}]}
    assert await relations(fourth) == {"revisionOf": {"claimText": CLAIM}}


async def test_of_two_statements_with_one_id_ours_is_given_and_both_are_flagged(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    # A twin comes from a peer only: our own door refuses it.
    await run_raw(
        platform.store,
        """MATCH (s:Statement)<-[:GENERATED]-(a:Agent) CREATE (t:Statement {signed_hash: 'sha256:twin'})
        SET t += s {.*, signed_hash: 'sha256:twin', log_index: 1000} CREATE (a)-[:GENERATED]->(t)""",
    )
    query = "query ($id: ID!) { statement(id: $id) { id signedHash twins { signedHash } } }"
    ours = (await ask(client, query, {"id": envelope_of(world.statement).id}))["statement"]
    theirs = (await ask(client, query, {"id": "sha256:twin"}))["statement"]
    assert ours["signedHash"] == hash_of(world.statement) and ours["twins"] == [{"signedHash": "sha256:twin"}]
    assert theirs["id"] == ours["id"] and theirs["twins"] == [{"signedHash": ours["signedHash"]}]


async def test_scores_by_either_method(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    variables = {"id": envelope_of(world.statement).id, "agent": agent_id(VERIFIER_A)}
    for root in ("query", "mutation"):
        answer = await ask(
            client,
            root
            + """ ($id: ID!, $agent: ID!) {
              ours: computeConsensus(statementId: $id) { score verified method counted
                perCriterion { criterion quorumMet operatorsFor operatorsAgainst } ignored { verifier reason } }
              literal: computeConsensus(statementId: $id, method: "a2ap-0.1") { score verified method }
              learnt: computeReputation(agentId: $agent) { value method right wrong interval95 { low high } reason }
              counted: computeReputation(agentId: $agent, method: "a2ap-0.1") { value method interval95 { low } reason }
            }""",
            variables,
        )
        assert answer["ours"]["score"] == pytest.approx(0.909925343) and answer["ours"]["method"] == "a2ap-posterior"
        assert answer["ours"]["counted"] == [agent_id(VERIFIER_A), agent_id(VERIFIER_B)]
        assert answer["ours"]["perCriterion"][0]["operatorsFor"] == [agent_id(OPERATOR_A), agent_id(OPERATOR_B)]
        assert [one["verifier"] for one in answer["ours"]["ignored"]] == [platform.node.agent_id]
        assert answer["literal"]["method"] == "a2ap-0.1" and answer["literal"]["verified"]
        assert answer["learnt"]["value"] == 0.5 and answer["learnt"]["interval95"]["low"] == pytest.approx(0.025)
        assert answer["counted"]["value"] == 1.0 and not answer["counted"]["interval95"]


async def test_a_statement_says_what_it_lacks(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, signed_response(statement, VERIFIER_A))
    answer = await ask(client, "{ statements { nodes { verified consensus { score verified reasons } } } }")
    (found,) = answer["statements"]["nodes"]
    assert not found["verified"] and not found["consensus"]["verified"]
    assert "source-accuracy has been passed by 1 of 2 operators." in found["consensus"]["reasons"]


async def test_the_timeline_shows_how_the_consensus_came_about(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_response(world.statement, VERIFIER_B, verdict=Verdict.CHALLENGED, reason="No."))
    answer = await ask(
        client,
        """query ($id: ID!) { consensusTimeline(statementId: $id) { nodes {
          verdict confidence score verified verification { agent { id } machine reason logIndex } } } }""",
        {"id": envelope_of(world.statement).id},
    )
    # Times are equal here but for the machine's, which this node's clock made: it comes last.
    first, second, challenge, machine = answer["consensusTimeline"]["nodes"]
    assert [one["verification"]["agent"]["id"] for one in (first, second, challenge)] == [
        agent_id(VERIFIER_A),
        agent_id(VERIFIER_B),
        agent_id(VERIFIER_B),
    ]
    assert machine["verification"]["machine"] and machine["score"] == 0.0
    assert [one["verified"] for one in (first, second, challenge)] == [False, True, False]
    assert second["score"] > first["score"] and second["score"] > challenge["score"]
    assert challenge["verification"]["reason"] == "No."


async def test_agents_that_agree_are_counted_once_a_pair(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    answer = await ask(client, "{ agreements { nodes { agreements agents { id } } } }")
    assert answer == {
        "agreements": {
            "nodes": [{"agreements": 1, "agents": [{"id": agent_id(VERIFIER_A)}, {"id": agent_id(VERIFIER_B)}]}]
        }
    }
