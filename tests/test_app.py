"""The HTTP door: documents in and out byte for byte, sources by hash, problems as RFC 9457 writes them."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import (
    QUOTE,
    SOURCE,
    agent_id,
    agent_key,
    envelope_of,
    key_id,
    signed_endorsement,
    signed_registration,
    signed_request,
    signed_response,
    signed_source,
    signed_statement,
)
from graph_contents import count_everything, run_raw
from http_client import OPERATOR, bearer, client, open_client
from platform_fixture import platform
from rdflib import Graph
from rdflib.compare import isomorphic
from scenario import (
    AUTHOR,
    OPERATOR_A,
    STRANGER,
    VERIFIER_A,
    accept,
    hash_of,
    settle,
    signed_node_policy,
    verified_world,
)
from served import served

from a2ap.canonical import sha256_digest
from a2ap.client import Client, ProblemError, Receipt
from a2ap.json_text import MAX_BYTES
from a2ap.messages.message import read_message
from a2ap.messages.verification_response import Verdict
from a2ap.rdf.expansion import expand
from a2ap.rdf.rdflib_graph import serialize_turtle, to_rdf
from a2ap.signing.signature import verify_signature
from graph import app as application
from graph.errors import ConflictError, ContentDamagedError, GraphError
from graph.platform import Platform
from graph.problem_table import ERRORS, problem_of

__all__ = ["client", "platform"]

LD_JSON = {"content-type": "application/ld+json"}
NDJSON = {"content-type": "application/x-ndjson"}


def problem(response: httpx.Response, status: int) -> dict[str, Any]:
    """Return the problem of a response, which must be one of this status."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    members: dict[str, Any] = response.json()
    assert members["status"] == status
    assert members["type"].startswith("urn:a2ap:problem:") and members["title"]
    return members


async def test_the_whole_life_of_a_statement_over_http(platform: Platform, client: httpx.AsyncClient) -> None:
    statement = signed_statement(AUTHOR)
    documents = [
        ("/agents", signed_registration(AUTHOR)),
        ("/agents", signed_registration(VERIFIER_A)),
        ("/agents", signed_registration(OPERATOR_A)),
        ("/endorsements", signed_endorsement(signed_registration(VERIFIER_A), OPERATOR_A)),
        ("/policies", signed_node_policy(platform, seeds=(agent_id(OPERATOR_A),))),
        ("/sources", signed_source(AUTHOR)),
        ("/statements", statement),
        ("/verification-requests", signed_request(statement)),
        ("/verifications", signed_response(statement)),
    ]
    for path, document in documents:
        response = await client.post(path, content=document, headers=LD_JSON)
        assert response.status_code == 201, response.text
        envelope, receipt = envelope_of(document), response.json()
        members = ["logIndex", "id", "type", "signedHash", "documentHash", "receivedAt", "entry", "proof"]
        assert list(receipt) == members
        assert (receipt["id"], receipt["type"]) == (envelope.id, envelope.type.value)
        assert (receipt["signedHash"], receipt["documentHash"]) == (envelope.signed_hash, envelope.document_hash)
        again = await client.post(path, content=document, headers=LD_JSON)
        assert (again.status_code, again.content) == (200, response.content)


async def test_what_curl_sends_by_default_is_taken(platform: Platform, client: httpx.AsyncClient) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded", "accept": "*/*"}
    response = await client.post("/agents", content=signed_registration(AUTHOR), headers=headers)
    assert response.status_code == 201


@pytest.mark.parametrize(
    ("content", "status", "code", "path"),
    [
        (b"", 400, "INVALID_JSON", None),
        (b"\xff{}", 400, "INVALID_JSON", None),
        (b"[]", 400, "INVALID_JSON", None),
        (b'{"@type": "a2ap:Nonsense"}', 400, "WRONG_TYPE", "@type"),
        (signed_registration(AUTHOR), 400, "WRONG_TYPE", "@type"),
        (signed_statement(AUTHOR), 403, "NOT_REGISTERED", "agent.@id"),
        (b" " * (MAX_BYTES + 1), 413, "TOO_LARGE", None),
    ],
    ids=["empty", "not-utf-8", "a-list", "unknown-type", "another-type", "unregistered", "too-large"],
)
async def test_a_refused_document_is_a_problem_and_changes_nothing(
    platform: Platform, client: httpx.AsyncClient, content: bytes, status: int, code: str, path: str | None
) -> None:
    before = await count_everything(platform.store)
    members = problem(await client.post("/statements", content=content, headers=LD_JSON), status)
    assert (members["code"], members.get("path")) == (code, path)
    assert "Traceback" not in members["detail"]
    assert await count_everything(platform.store) == before


async def test_each_kind_of_refusal_has_its_status(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    conflict = signed_statement(AUTHOR, confidence=0.5)
    assert problem(await client.post("/statements", content=conflict), 409)["code"] == "CONFLICT"
    elsewhere = signed_response(signed_statement(STRANGER, claim="Never submitted."))
    assert problem(await client.post("/verifications", content=elsewhere), 404)["code"] == "UNKNOWN_TARGET"
    altered = signed_statement(STRANGER).replace(b"0.92", b"0.93")
    assert problem(await client.post("/statements", content=altered), 422)["code"] == "INVALID_SIGNATURE"


async def test_an_unsigned_request_is_the_operator_s_alone(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    message = json.loads(signed_request(world.statement))
    del message["signature"]
    unsigned = json.dumps(message)
    assert problem(await client.post("/verification-requests", content=unsigned), 403)["code"] == "FORBIDDEN"
    response = await client.post("/verification-requests", content=unsigned, headers=bearer(OPERATOR))
    assert response.status_code == 201


async def test_an_unknown_token_is_refused_and_not_read_as_none(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    for authorization in ("Bearer wrong", "Basic dXNlcjpwYXNz", "Bearer"):
        response = await client.get(f"/sources/{sha256_digest(SOURCE)}", headers={"authorization": authorization})
        assert problem(response, 401)["code"] == "UNAUTHENTICATED"
        assert response.headers["www-authenticate"] == "Bearer"


async def test_many_documents_are_answered_line_by_line(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    first, second = signed_statement(AUTHOR), signed_statement(AUTHOR, claim="Another.")
    lines = [first, b"{}", b"", signed_response(first), b" " * (MAX_BYTES + 5), second, first]
    response = await client.post("/statements", content=b"\r\n".join(lines), headers=NDJSON)
    assert response.status_code == 200 and response.headers["content-type"].startswith("application/x-ndjson")
    answers = [json.loads(line) for line in response.text.splitlines()]
    assert [answer.get("code") or answer["created"] for answer in answers] == [
        True,
        "WRONG_TYPE",
        True,
        "TOO_LARGE",
        True,
        False,
    ]
    assert answers[0]["signedHash"] == hash_of(first) == answers[5]["signedHash"]
    assert answers[1]["status"] == 400


async def test_a_bulk_body_has_a_limit(platform: Platform, tmp_path: Path) -> None:
    async with open_client(platform, tmp_path, max_bulk_bytes=1000) as client:
        response = await client.post("/statements", content=b"{}\n" * 400, headers=NDJSON)
        assert problem(response, 413)["code"] == "TOO_LARGE"


async def test_a_statement_comes_back_byte_for_byte(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    document = json.dumps(json.loads(signed_statement(AUTHOR)), indent=2, ensure_ascii=True).encode() + b"\n\n"
    await accept(platform, document)
    for name in (envelope_of(document).id, hash_of(document)):
        response = await client.get(f"/statements/{name}")
        assert response.content == document
        assert response.headers["content-type"] == "application/json"
        assert response.headers["etag"] == f'"{sha256_digest(document)}"'
        assert "Accept" in response.headers["vary"] and response.headers["x-content-type-options"] == "nosniff"
    known = {"if-none-match": f'W/"x", "{sha256_digest(document)}"'}
    unchanged = await client.get(f"/statements/{hash_of(document)}", headers=known)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    head = await client.head(f"/statements/{hash_of(document)}")
    assert head.status_code == 200 and head.headers["content-length"] == str(len(document))


async def test_json_ld_says_what_became_of_a_statement_and_is_still_signed(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    challenge = signed_response(world.statement, STRANGER, verdict=Verdict.CHALLENGED, reason="No.")
    await accept(platform, challenge)
    name = envelope_of(world.statement).id
    response = await client.get(f"/statements/{name}", headers={"accept": "application/ld+json"})
    assert response.headers["content-type"] == "application/ld+json"
    assert response.json()["verificationStatus"] == {
        "verified": True,
        "validators": [agent_id(2), agent_id(3)],
        "challenges": [envelope_of(challenge).id],
        "consensusScore": 0.9099,
    }
    unfilled = {key: value for key, value in response.json().items() if key != "verificationStatus"}
    assert unfilled == json.loads(world.statement)
    envelope = envelope_of(json.dumps(unfilled).encode())
    assert envelope.signature is not None and envelope.signature.public_key == key_id(AUTHOR)
    verify_signature(envelope.signature, envelope.signed_bytes, agent_key(AUTHOR).public_key)


async def test_turtle_is_the_statement_s_provenance(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    response = await client.get(f"/statements/{hash_of(world.statement)}", headers={"accept": "text/turtle"})
    assert response.headers["content-type"].startswith("text/turtle")
    expected = serialize_turtle(to_rdf(read_message(world.statement)))
    given, made = (Graph().parse(data=text, format="turtle") for text in (response.text, expected))
    assert isomorphic(given, made) and len(given) > 20


@pytest.mark.parametrize("path", ["statements", "verifications", "agents"])
async def test_n_quads_are_the_expansion_of_the_document_by_a_json_ld_processor(
    platform: Platform, client: httpx.AsyncClient, path: str
) -> None:
    world = await verified_world(platform)
    document, name = {
        "statements": (world.statement, hash_of(world.statement)),
        "verifications": (world.responses[0], hash_of(world.responses[0])),
        "agents": (signed_registration(AUTHOR), agent_id(AUTHOR)),
    }[path]
    response = await client.get(f"/{path}/{name}", headers={"accept": "application/n-quads"})
    assert response.headers["content-type"].startswith("application/n-quads")
    expanded = expand(json.loads(document)).serialize(format="nt")
    given, made = (Graph().parse(data=text, format="nt") for text in (response.text, expanded))
    assert isomorphic(given, made) and len(given) > 5


async def test_a_form_that_there_is_none_of(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    response = await client.get(f"/statements/{hash_of(world.statement)}", headers={"accept": "image/png"})
    assert problem(response, 406)["path"] == "Accept"


async def test_verifications_and_registrations_come_back_too(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    for name in (envelope_of(world.responses[0]).id, hash_of(world.responses[0])):
        assert (await client.get(f"/verifications/{name}")).content == world.responses[0]
    registration = await client.get(f"/agents/{agent_id(AUTHOR)}")
    assert registration.content == signed_registration(AUTHOR)
    turtle = await client.get(f"/agents/{agent_id(AUTHOR)}", headers={"accept": "text/turtle"})
    assert len(Graph().parse(data=turtle.text, format="turtle")) > 5


@pytest.mark.parametrize(
    "path",
    [
        "/statements/urn:uuid:00000000-0000-4000-8000-000000000000",
        "/statements/sha256:00",
        "/statements/%00%27%22",
        "/verifications/none",
        "/agents/urn:agent:nobody/at/all",
        f"/sources/{sha256_digest(b'nothing')}",
        "/sources/..%2f..%2fetc%2fpasswd",
        "/nowhere",
    ],
)
async def test_what_is_not_here_is_404(platform: Platform, client: httpx.AsyncClient, path: str) -> None:
    assert problem(await client.get(path), 404)["code"] == "NOT_FOUND"


async def test_a_statement_is_not_found_as_something_else(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    problem(await client.get(f"/verifications/{hash_of(world.statement)}"), 404)
    # Documents and sources share the content store; only registered sources are given as such.
    problem(await client.get(f"/sources/{envelope_of(world.statement).document_hash}"), 404)


async def test_a_method_that_a_path_does_not_have(platform: Platform, client: httpx.AsyncClient) -> None:
    assert problem(await client.delete("/statements"), 405)["code"] == "METHOD_NOT_ALLOWED"


async def test_a_source_goes_in_and_comes_out_by_ranges(platform: Platform, client: httpx.AsyncClient) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_source(AUTHOR))
    path = f"/sources/{sha256_digest(SOURCE)}"
    problem(await client.get(path), 404)
    created = await client.put(path, content=SOURCE)
    assert (created.status_code, created.json()["byteLength"]) == (201, len(SOURCE))
    assert (await client.put(path, content=SOURCE)).status_code == 200
    whole = await client.get(path)
    assert whole.content == SOURCE and whole.headers["content-type"].startswith("text/vtt")
    assert whole.headers["accept-ranges"] == "bytes" and "sandbox" in whole.headers["content-security-policy"]
    start = SOURCE.index(QUOTE.encode())
    part = await client.get(path, headers={"range": f"bytes={start}-{start + len(QUOTE) - 1}"})
    assert (part.status_code, part.content) == (206, QUOTE.encode())
    assert part.headers["content-range"] == f"bytes {start}-{start + len(QUOTE) - 1}/{len(SOURCE)}"
    beyond = await client.get(path, headers={"range": f"bytes={len(SOURCE)}-"})
    assert (beyond.status_code, beyond.headers["content-range"]) == (416, f"bytes */{len(SOURCE)}")
    changed = await client.get(path, headers={"range": "bytes=0-1", "if-range": '"another"'})
    assert changed.status_code == 200
    head = await client.head(path, headers={"range": "bytes=0-1"})
    assert (head.status_code, head.headers["content-length"], head.content) == (206, "2", b"")
    assert (await client.get(path, headers={"if-none-match": whole.headers["etag"]})).status_code == 304


async def test_wrong_unregistered_and_too_many_bytes_are_refused(platform: Platform, tmp_path: Path) -> None:
    async with open_client(platform, tmp_path, max_source_bytes=len(SOURCE)) as client:
        path = f"/sources/{sha256_digest(SOURCE)}"
        assert problem(await client.put(path, content=SOURCE), 403)["code"] == "NOT_REGISTERED"
        await accept(platform, signed_registration(AUTHOR), signed_source(AUTHOR))
        assert problem(await client.put(path, content=b"other"), 422)["code"] == "HASH_MISMATCH"
        assert problem(await client.put(path, content=SOURCE + b"x"), 413)["code"] == "TOO_LARGE"
        assert not await platform.content.has(sha256_digest(SOURCE))


async def test_a_page_that_agents_wrote_never_runs_here(platform: Platform, client: httpx.AsyncClient) -> None:
    page = b"<script>alert(1)</script>"
    await accept(platform, signed_registration(AUTHOR), signed_source(AUTHOR, source=page, media_type="text/html"))
    await client.put(f"/sources/{sha256_digest(page)}", content=page)
    response = await client.get(f"/sources/{sha256_digest(page)}")
    assert response.content == page and response.headers["content-type"] == "application/octet-stream"
    assert response.headers["x-content-type-options"] == "nosniff"


async def test_health_and_readiness(platform: Platform, client: httpx.AsyncClient) -> None:
    assert (await client.get("/healthz")).json() == {"status": "up"}
    ready = await client.get("/readyz")
    assert ready.json() == {"status": "ready", "engine": platform.store.kind, "logSize": 2}
    await run_raw(platform.store, "MATCH (e:LogEntry {log_index: 1}) DETACH DELETE e")
    response = await client.get("/readyz")
    assert problem(response, 503)["code"] == "UNAVAILABLE" and response.headers["retry-after"] == "1"
    assert (await client.get("/healthz")).status_code == 200


async def test_a_failure_inside_says_nothing_of_the_inside(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    await run_raw(platform.store, "MATCH (s:Statement) REMOVE s.consensus_score, s.verified")
    response = await client.get(f"/statements/{hash_of(world.statement)}", headers={"accept": "application/ld+json"})
    assert problem(response, 500)["detail"] == "see the log of the server"


async def test_the_playground_opens_with_questions(platform: Platform, client: httpx.AsyncClient) -> None:
    page = await client.get("/graphql", headers={"accept": "text/html"})
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    script = page.text
    assert "<title>GraphQL playground · A2AP</title>" in script


async def test_a_query_in_the_address_works_and_a_mutation_does_not(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    found = await client.get("/graphql", params={"query": "{ logEntries(first: 1) { nodes { logIndex } } }"})
    assert found.json()["data"] == {"logEntries": {"nodes": [{"logIndex": 0}]}}
    refused = await client.get("/graphql", params={"query": 'mutation { endorse(document: "") { __typename } }'})
    assert refused.status_code == 405


async def test_a_form_from_another_page_is_no_graphql(platform: Platform, client: httpx.AsyncClient) -> None:
    for media_type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        body = '{"query": "{ __typename }"}'
        assert (await client.post("/graphql", content=body, headers={"content-type": media_type})).status_code == 415


async def test_a_graphql_body_has_a_limit(platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "MAX_GRAPHQL_BODY", 1000)
    async with open_client(platform, tmp_path) as client:
        small = await client.post("/graphql", json={"query": "{ __typename }"})
        assert small.status_code == 200
        response = await client.post("/graphql", json={"query": "{ __typename }", "variables": {"x": "x" * 2000}})
        assert problem(response, 413)["code"] == "TOO_LARGE"
        # A length that is announced is refused before a byte has come.
        headers = {"content-length": "99999999999", "content-type": "application/json"}
        response = await client.post("/graphql", content=b"{}", headers=headers)
        assert "the body has 99999999999 bytes" in problem(response, 413)["detail"]


async def test_an_export_is_given_in_the_form_that_is_asked_for(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    forms = {"cypher": "application/x-cypher-query", "turtle": "text/turtle", "json-ld": "application/ld+json"}
    for name, media_type in forms.items():
        response = await client.get("/export", params={"format": name})
        assert response.status_code == 200 and response.headers["content-type"].startswith(media_type)
        assert len(response.content) > 1000
    assert problem(await client.get("/export", params={"format": "pdf"}), 400)["path"] == "format"


async def test_the_interface_describes_itself(platform: Platform, client: httpx.AsyncClient) -> None:
    paths = (await client.get("/openapi.json")).json()["paths"]
    assert {"/agents", "/statements", "/statements/{name}", "/sources/{document_hash}", "/export"} <= set(paths)


@pytest.mark.parametrize("path", ["/docs", "/redoc"])
async def test_no_page_loads_scripts_from_elsewhere(platform: Platform, client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 404


def test_every_error_of_the_platform_is_told_somehow() -> None:
    def below(kind: type[Exception]) -> list[type[Exception]]:
        return [kind] + [found for child in kind.__subclasses__() for found in below(child)]

    listed = {kind for kind, *_ in ERRORS}
    for kind in below(GraphError):
        told = [one for one in ERRORS if issubclass(kind, one[0])]
        assert told or problem_of(kind.__new__(kind, "x")).status == 500  # some take more than a text
    # A row is reached: no row before it has a class above its own.
    for place, (kind, *_) in enumerate(ERRORS):
        assert not any(issubclass(kind, earlier) for earlier, *_ in ERRORS[:place]), kind
    assert len(listed) == len(ERRORS)


@asynccontextmanager
async def serving(platform: Platform, tmp_path: Path) -> AsyncIterator[str]:
    """Serve the platform on a free port of this machine, and yield its address."""
    async with open_client(platform, tmp_path), served(platform) as address:
        yield address


async def test_an_agent_s_client_speaks_to_a_real_server(platform: Platform, tmp_path: Path) -> None:
    statement = signed_statement(AUTHOR)

    def life(address: str) -> None:
        with Client(address) as client:
            assert client.health()
            assert client.register(signed_registration(AUTHOR)).created
            client.register_source(signed_source(AUTHOR))
            client.put_source(sha256_digest(SOURCE), SOURCE)
            assert client.source(sha256_digest(SOURCE), 0, 6) == b"WEBVTT"
            assert client.submit(statement).created and not client.submit(statement).created
            answers = client.submit_many([signed_registration(VERIFIER_A), b"{}", signed_response(statement)])
            assert [type(answer) for answer in answers] == [Receipt, ProblemError, Receipt]
            assert client.statement(hash_of(statement)) == statement
            assert client.agent(agent_id(AUTHOR)) == signed_registration(AUTHOR)
            found = client.graphql("{ statements { nodes { verifications { agent { id } } } } }")
            assert len(found["statements"]["nodes"][0]["verifications"]) == 2
            with pytest.raises(ProblemError, match="409"):
                client.submit(signed_statement(AUTHOR, confidence=0.1))

    async with serving(platform, tmp_path) as address:
        await asyncio.to_thread(life, address)


async def test_a_body_that_does_not_say_its_length_is_cut_off(platform: Platform, tmp_path: Path) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(64):
            yield b" " * 65_536

    async with serving(platform, tmp_path) as address, httpx.AsyncClient(base_url=address) as client:
        response = await client.post("/statements", content=endless(), headers=LD_JSON)
        assert problem(response, 413)["code"] == "TOO_LARGE"


def test_what_is_damaged_here_is_nobody_elses_fault() -> None:
    found = problem_of(ContentDamagedError("content kept as sha256:0 is sha256:1"))
    assert (found.status, found.code) == (500, "DAMAGED") and "sha256" not in found.detail


def test_a_conflict_is_not_always_one_of_bytes() -> None:
    assert "bytes" not in problem_of(ConflictError("it is already retracted")).title


def test_an_error_of_graphql_does_not_say_that_all_is_well() -> None:
    assert str(ProblemError(200, "GraphQL error", "first is 0")) == "GraphQL error: first is 0"
    assert str(ProblemError(404, "Not found", "")) == "404 Not found"
