"""What a node says of itself: `/.well-known/a2ap`, `thisNode` in GraphQL, and the DID document of its did:web."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import admission_policy_message, signed_registration, signed_statement
from http_client import ask, client, open_client
from platform_fixture import platform
from scenario import AUTHOR, accept, hash_of, settle

from a2ap.errors import VersionError
from a2ap.json_text import MAX_BYTES, read_json, write_json
from a2ap.log.checkpoint import open_checkpoint
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.admission_policy import AdmissionMode
from a2ap.messages.message import MessageType, read_message
from a2ap.signing.data_integrity import add_proof, read_proofs, verify_proof
from a2ap.signing.keys import PublicKey
from a2ap.signing.signature import sign_message
from contexts import A2AP_CONTEXT_URL
from graph.platform import Platform, utc_now

__all__ = ["client", "platform"]

URL = "https://node.example.org/a2ap"


async def described(client: httpx.AsyncClient) -> dict[str, Any]:
    response = await client.get("/.well-known/a2ap")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    answer: dict[str, Any] = response.json()
    return answer


async def test_a_node_lists_versions_types_keys_and_limits(platform: Platform, client: httpx.AsyncClient) -> None:
    found = await described(client)
    assert found["node"] == platform.node.agent_id == found["log"]["origin"]
    assert (found["protocolVersions"], found["contexts"]) == (["0.1"], [A2AP_CONTEXT_URL])
    assert found["messageTypes"] == [type.wire for type in MessageType]
    assert found["cryptosuites"] == ["eddsa-jcs-2022"]
    assert found["agentKey"] == platform.node.key.public_key.did_key
    assert len({found["agentKey"], found["transportKey"], platform.log.verifier_key.public_key.did_key}) == 3
    assert found["limits"]["documentBytes"] == MAX_BYTES
    assert found["limits"]["bulkBytes"] == platform.settings.max_bulk_bytes
    assert (found["url"], found["did"]) == (None, None)
    assert found["software"]["name"] == "a2ap"


async def test_the_log_can_be_checked_with_what_is_listed(platform: Platform, client: httpx.AsyncClient) -> None:
    found = await described(client)
    key = VerifierKey.parse(found["logKey"])
    assert found["logKeys"][-1] == found["logKey"]
    assert found["logKeySuccessions"] == []
    note = (await client.get(found["log"]["monitoring"] + "/checkpoint")).text
    assert open_checkpoint(note, key).tree_size == found["log"]["size"]


async def test_the_policies_in_force_are_named(platform: Platform, client: httpx.AsyncClient) -> None:
    assert (await described(client))["admissionPolicy"] == {"mode": "open"}
    await settle(platform)
    message = admission_policy_message(mode=AdmissionMode.ALLOW_LIST, allowed_agents=["urn:agent:one"])
    message["issuingAgent"] = platform.node.agent_id
    document = write_json(sign_message(message, platform.node.key, platform.node.key_id))
    await accept(platform, document)
    found = await described(client)
    assert found["admissionPolicy"]["mode"] == "allow-list"
    assert found["admissionPolicy"]["signedHash"] == hash_of(document)
    assert "urn:agent:one" not in str(found)
    (row,) = await platform.store.read("current_policy")
    assert found["consensusPolicy"]["signedHash"] == row["signed_hash"]
    assert (found["consensusPolicy"]["quorum"], len(found["consensusPolicy"]["seeds"])) == (2, 2)


async def test_every_door_that_is_listed_is_there(platform: Platform, client: httpx.AsyncClient) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_statement(AUTHOR))
    name = hash_of(signed_statement(AUTHOR))
    (row,) = await platform.store.read("log_entries_by_hash", hashes=[name])
    for door, path in (await described(client))["doors"].items():
        path = path.replace("{id}", name).replace("{documentHash}", row["document_hash"])
        path += {"log": "/checkpoint", "graphql": "?query={__typename}"}.get(door, "")
        response = await client.get(path)
        # Some doors are for POST. No source is here and no address is set, which the routes say in words of their own.
        assert response.status_code in (200, 404, 405), door
        assert response.status_code != 404 or not response.json()["detail"].startswith("GET "), door


async def test_graphql_says_the_same(platform: Platform, client: httpx.AsyncClient) -> None:
    found = await described(client)
    node = (
        await ask(
            client,
            """{ thisNode { agentId did url softwareVersion protocolVersions contexts messageTypes cryptosuites agentKey
              transportKey logKeys admissionMode consensusPolicy { signedHash quorum } limits { name value }
              doors { name path } } }""",
        )
    )["thisNode"]
    assert node["agentId"] == found["node"]
    for name in ("did", "url", "protocolVersions", "contexts", "messageTypes", "cryptosuites", "agentKey"):
        assert node[name] == found[name]
    assert (node["transportKey"], node["logKeys"]) == (found["transportKey"], found["logKeys"])
    assert {limit["name"]: limit["value"] for limit in node["limits"]} == found["limits"]
    assert {door["name"]: door["path"] for door in node["doors"]} == found["doors"]
    assert node["admissionMode"] == "open"


async def test_a_document_of_an_unknown_version_is_refused_by_name(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    later = signed_statement(AUTHOR).replace(b"a2ap/v0.1", b"a2ap/v9.7")
    with pytest.raises(VersionError, match=r"is that of A2AP 9\.7; the versions spoken here: 0\.1"):
        read_message(later)
    response = await client.post("/statements", content=later)
    assert response.status_code in (400, 422)
    assert "9.7" in response.json()["detail"]


async def test_the_did_document_has_a_key_for_each_thing_that_the_node_does(platform: Platform, tmp_path: Path) -> None:
    async with open_client(platform, tmp_path, public_url=URL) as client:
        response = await client.get("/.well-known/did.json")
        assert response.headers["content-type"] == "application/did+ld+json"
        document = response.json()
        assert (await client.get("/did.json")).json() == document
        found = await described(client)
    did = "did:web:node.example.org:a2ap"
    assert document["id"] == did == found["did"]
    keys = {
        method["id"]: PublicKey.from_did_key("did:key:" + method["publicKeyMultibase"])
        for method in document["verificationMethod"]
    }
    assert keys == {
        f"{did}#agent": platform.node.key.public_key,
        f"{did}#log": platform.log.verifier_key.public_key,
        f"{did}#transport": PublicKey.from_did_key(found["transportKey"]),
    }
    assert document["assertionMethod"] == [f"{did}#agent", f"{did}#log"]
    assert document["authentication"] == [f"{did}#transport"]
    assert document["alsoKnownAs"] == [platform.node.agent_id, platform.node.key.public_key.did_key]
    assert document["service"][0]["serviceEndpoint"] == f"{URL}/.well-known/a2ap"


@pytest.mark.parametrize(
    ("accepted", "given"),
    [
        ("application/did+json", "application/did+json"),
        ("application/json", "application/json"),
        ("*/*", "application/did+ld+json"),
        ("text/turtle", None),
    ],
)
async def test_the_did_document_comes_as_it_is_asked_for(
    platform: Platform, tmp_path: Path, accepted: str, given: str | None
) -> None:
    async with open_client(platform, tmp_path, public_url=URL) as client:
        response = await client.get("/.well-known/did.json", headers={"accept": accepted})
    if given is None:
        assert response.status_code == 406
    else:
        assert response.headers["content-type"] == given


async def test_no_did_is_made_out_of_a_host_header(platform: Platform, client: httpx.AsyncClient) -> None:
    response = await client.get("/.well-known/did.json", headers={"host": "evil.example"})
    assert response.status_code == 404
    assert "A2AP_PUBLIC_URL" in response.json()["detail"]
    assert "evil" not in (await client.get("/.well-known/a2ap", headers={"host": "evil.example"})).text


@pytest.mark.parametrize("url", ["http://node.example.org", "https://192.0.2.1"])
async def test_an_address_without_a_did_web_has_no_document(platform: Platform, tmp_path: Path, url: str) -> None:
    async with open_client(platform, tmp_path, public_url=url) as client:
        response = await client.get("/.well-known/did.json")
        assert (response.status_code, (await described(client))["did"]) == (404, None)
    assert url in response.json()["detail"]


async def test_what_the_node_proves_is_checked_with_its_did_document(platform: Platform, tmp_path: Path) -> None:
    async with open_client(platform, tmp_path, public_url=URL) as client:
        document = (await client.get("/.well-known/did.json")).json()
    registration = read_json(platform.node.registration(utc_now()).envelope.received)
    proven = add_proof(registration, platform.node.key, utc_now(), f"{document['id']}#agent")
    (proof,) = read_proofs(proven)
    (method,) = [one for one in document["verificationMethod"] if one["id"] == proof.key_reference]
    verify_proof(proven, proof, PublicKey.from_did_key("did:key:" + method["publicKeyMultibase"]))
