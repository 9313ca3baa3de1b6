"""Passports in the graph: joined to parents and agents by what proves it, and verified and replayed on reading."""

import json
import threading
from typing import Any

import httpx
import pytest
from builders import agent_id, agent_key, key_id, signed_key_revocation, signed_registration, signed_statement
from graph_contents import run_raw
from http_client import READERS, client, send
from http_client import ask_flat as ask
from passports import Maker, line, signed_world
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, accept, settle

from a2ap.canonical import sha256_digest
from a2ap.messages.record_registration import RecordFormat
from a2ap.passport.building import write_passport
from a2ap.passport.hashing import Chaining, chain_hash, hash_payload
from a2ap.passport.passport import Chain, read_chain
from a2ap.passport.profile import PayloadProfile
from a2ap.rdf.vocabulary import PROV
from graph.export.record_triples import WRITERS
from graph.platform import Platform
from graph.records import passport_chain

__all__ = ["client", "platform"]

_LINKS = """
    MATCH (c:Passport)-[r:DERIVED_FROM]->(p:Passport)
    RETURN c.record_hash AS child, p.record_hash AS parent, r.named AS named, r.merged AS merged
"""
_CHECK = """query ($id: ID!) { passport(id: $id) {
    recordHash held document attributedTo { id }
    verification { status own profile chaining signing notBound uncovered complete records leftOut
                   findings { code severity path } chainFindings { code } }
    state { output memory variables lacks status } parents { recordHash } children { nodes { recordHash } } } }"""


async def post(client: httpx.AsyncClient, records: list[bytes], boundary: str = "public") -> list[str]:
    answer = await client.post(f"/passports?boundary={boundary}", content=b"[" + b",".join(records) + b"]")
    assert answer.status_code in (200, 201), answer.text
    return [record["recordHash"] for record in answer.json()["records"]]


async def links(platform: Platform) -> set[tuple[str, str, bool, bool]]:
    return {tuple(row.values()) for row in await run_raw(platform.store, _LINKS)}


async def check(client: httpx.AsyncClient, name: str, token: str | None = None) -> dict[str, Any]:
    found = await ask(client, _CHECK, {"id": name}, token)
    passport: dict[str, Any] = found["passport"]
    return passport


def codes(passport: dict[str, Any]) -> set[str]:
    return {finding["code"] for finding in passport["verification"]["findings"]}


async def test_records_are_joined_to_their_parents_whatever_comes_first(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    records = signed_world(agent_id(AUTHOR), agent_key(AUTHOR), key_id(AUTHOR))
    root, spawn, fork, merge, revert = [sha256_digest(record) for record in records]
    for record in (records[3], records[0], records[4], records[2], records[1]):
        await post(client, [record])
    assert await links(platform) == {
        (spawn, root, True, False),
        (fork, root, True, False),
        (merge, spawn, True, False),
        (merge, fork, False, True),
        (revert, merge, True, False),
    }


async def test_a_parent_is_found_by_its_hash_and_never_by_its_name(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    records = line(2)
    renamed = {**records[0], "id": "ctx_1_ffffffffffff"}
    other = Maker()
    other.root({"output": "another payload"})
    impostor = {**other.records[0], "id": records[0]["id"]}
    names = await post(client, [write_passport(one) for one in (records[1], renamed, impostor)])
    assert await links(platform) == {(names[0], names[1], False, False)}
    assert "parent-renamed" in codes(await check(client, names[0]))


async def test_a_record_whose_hash_does_not_hold_is_joined_to_nothing(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    records = line(3)
    records[1]["payload"]["output"] = "altered"
    names = await post(client, [write_passport(one) for one in records])
    assert await links(platform) == set()
    passport = await check(client, names[1])
    assert passport["verification"]["own"] == "BROKEN"
    assert "payload-hash-mismatch" in codes(passport)


async def test_a_parent_that_no_hash_binds_is_none_and_one_that_is_bound_needs_no_name(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    root, child = line(2)
    other = Maker()
    other.root({"output": "another run"})
    posing = other.records[0]
    posing["integrity"]["parent_hash"] = root["integrity"]["integrity_hash"]
    nameless = {**child, "parent_id": None}
    names = await post(client, [write_passport(one) for one in (root, posing, nameless)])
    assert await links(platform) == {(names[2], names[0], False, False)}


async def test_a_circle_of_names_is_no_endless_walk(platform: Platform, client: httpx.AsyncClient) -> None:
    # Hashes cannot run in a circle; names can, and every record may state any hash.
    first, second = line(2)
    first["parent_id"], second["parent_id"] = second["id"], first["id"]
    names = await post(client, [write_passport(one) for one in (first, second)])
    for name in names:
        assert (await check(client, name))["verification"]["complete"] is True


async def test_twins_are_each_kept_and_children_come_from_both(platform: Platform, client: httpx.AsyncClient) -> None:
    root, child = line(2)
    twin = {**root, "created_by": {**root["created_by"], "agent_name": "Somebody else"}}
    names = await post(client, [write_passport(one) for one in (root, twin, child)])
    assert await links(platform) == {(names[2], names[0], True, False), (names[2], names[1], True, False)}
    assert "unbound-altered" in codes(await check(client, names[1]))


async def test_an_agent_is_joined_only_where_its_key_proves_it(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    proved = signed_world(agent_id(AUTHOR), agent_key(AUTHOR), key_id(AUTHOR))[0]
    claimed = signed_world(agent_id(AUTHOR), agent_key(STRANGER), key_id(AUTHOR))[0]
    names = await post(client, [proved, claimed])
    first, second = await check(client, names[0]), await check(client, names[1])
    assert first["attributedTo"] == {"id": agent_id(AUTHOR)}
    assert (first["verification"]["signing"], first["verification"]["notBound"]) == ("holds", [])
    assert second["attributedTo"] is None
    assert second["verification"]["signing"] == "holds-for-somebody"


async def test_a_key_that_is_registered_later_proves_it_as_well(platform: Platform, client: httpx.AsyncClient) -> None:
    (name,) = await post(client, signed_world(agent_id(31), agent_key(31), key_id(31))[:1])
    assert (await check(client, name))["attributedTo"] is None
    await accept(platform, signed_registration(31))
    assert (await check(client, name))["attributedTo"] == {"id": agent_id(31)}


async def test_a_revoked_key_proves_nothing_from_where_it_is_not_trusted(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await accept(platform, signed_registration(31, recovery_seed=32))
    (name,) = await post(client, signed_world(agent_id(31), agent_key(31), key_id(31))[:1])
    assert (await check(client, name))["attributedTo"] is not None
    await accept(platform, signed_key_revocation(31, recovery=32, not_trusted_since=0))
    passport = await check(client, name)
    assert (passport["attributedTo"], passport["verification"]["signing"]) == (None, "holds-for-somebody")


async def test_the_state_is_replayed_and_hides_what_is_redacted(platform: Platform, client: httpx.AsyncClient) -> None:
    maker = Maker()
    maker.root({"output": "first", "memory": {"a": 1}})
    maker.commit(0, {"output": "second", "variables": {"x": "y"}})
    names = await post(client, [write_passport(one) for one in maker.records])
    state = (await check(client, names[1]))["state"]
    assert [json.loads(state[name]) for name in ("output", "memory", "variables")] == ["second", {"a": 1}, {"x": "y"}]
    maker.event(1, "redact", {"output": None}, target=0)
    await post(client, [write_passport(maker.records[2])])
    state = (await check(client, names[1]))["state"]
    assert json.loads(state["memory"]) == {}
    assert list(json.loads(state["lacks"])) == [maker.records[0]["id"]]


async def test_what_a_profile_does_not_cover_is_named(platform: Platform, client: httpx.AsyncClient) -> None:
    maker = Maker(PayloadProfile.V1_LITERAL)
    maker.root({"input": "hi", "output": {"amount": 1}})
    (name,) = await post(client, [write_passport(maker.records[0])])
    found = (await check(client, name))["verification"]
    assert (found["profile"], found["uncovered"]) == ("v1-literal", ["payload.output.amount"])
    assert "created_by" in found["notBound"]


async def test_bare_chaining_is_joined_too(platform: Platform, client: httpx.AsyncClient) -> None:
    records = line(2)
    before = None
    for record in records:
        digits = hash_payload(PayloadProfile.V2, record["payload"])
        before, parent = chain_hash(digits, before, Chaining.BARE), before
        record["integrity"] |= {"parent_hash": parent and f"sha256:{parent}", "integrity_hash": f"sha256:{before}"}
    names = await post(client, [write_passport(one) for one in records])
    assert await links(platform) == {(names[1], names[0], True, False)}
    assert (await check(client, names[1]))["verification"]["chaining"] == "bare"


async def test_a_reader_gets_no_word_of_a_payload_above_the_clearance(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    records = [write_passport(one) for one in line(2)]
    (root,) = await post(client, records[:1], "confidential")
    (child,) = await post(client, records[1:])
    hidden, open_one = await check(client, root), await check(client, child)
    assert (hidden["document"], hidden["verification"], hidden["state"]) == (None, None, None)
    assert (open_one["verification"]["status"], open_one["verification"]["leftOut"]) == ("UNVERIFIED", [root])
    cleared = await check(client, root, READERS["confidential"])
    assert cleared["document"].encode() == records[0]


async def test_a_chain_that_is_too_long_is_looked_at_in_part(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: Any
) -> None:
    monkeypatch.setattr(passport_chain, "MAX_RECORDS", 3)
    names = await post(client, [write_passport(one) for one in line(6)])
    found = (await check(client, names[0]))["verification"]
    assert (found["records"], found["complete"]) == (3, False)


async def test_what_a_passport_is_derived_from_is_as_of_a_size_of_the_log_and_so_many(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    parent, child = (write_passport(record) for record in line(2))
    await post(client, [child])
    await post(client, [parent])
    name, other = sha256_digest(child), sha256_digest(parent)
    (row,) = await platform.store.read("passports_by_hash", hashes=[other])
    write = WRITERS[RecordFormat.PASSPORT]
    for size, there in ((row["log_index"], False), (row["log_index"] + 1, True)):
        triples = (await write(platform.store, [name], size))[name]
        assert any(triple[1] == PROV.WAS_DERIVED_FROM for triple in triples) is there
    for first in (0, 1):
        rows = await platform.store.read(
            "passport_parents", hashes=[name, other], size=row["log_index"] + 1, first=first
        )
        assert [one["parent"] for one in rows] == [other][:first]


async def test_a_chain_is_read_aside_of_what_the_node_answers(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    (name,) = await post(client, [write_passport(line(1)[0])])
    threads: list[int] = []

    def noted(data: bytes) -> Chain:
        threads.append(threading.get_ident())
        return read_chain(data)

    monkeypatch.setattr(passport_chain, "read_chain", noted)
    assert (await check(client, name))["verification"]["status"] == "VALID"
    assert threads and threading.get_ident() not in threads


async def test_a_statement_leads_to_the_event_that_it_came_out_of(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    (name,) = await post(client, [write_passport(line(1)[0])])
    unknown = "sha256:" + "0" * 64
    await accept(platform, signed_statement(AUTHOR, generated_by=[name, unknown]))
    query = """query ($id: ID!) { passport(id: $id) { eventType statements { nodes { records {
        recordHash kind held passport { id } } } } } }"""
    passport = (await ask(client, query, {"id": name}))["passport"]
    (statement,) = passport["statements"]
    found = {record["recordHash"]: record for record in statement["records"]}
    assert (found[name]["kind"], found[name]["held"]) == ("Passport", True)
    assert (found[unknown]["kind"], found[unknown]["passport"]) == (None, None)


async def test_passports_are_listed_by_what_they_say(platform: Platform, client: httpx.AsyncClient) -> None:
    maker = Maker()
    maker.root(trace_id="trc_one")
    maker.fork(0, "draft")
    names = await post(client, [write_passport(one) for one in maker.records])
    query = "query ($first: Int!, $event: String, $trace: String, $branch: String, $agent: String)" + (
        "{ passports(first: $first, filter: {event: $event, trace: $trace, branch: $branch, agent: $agent})"
        " { nodes { recordHash } } }"
    )

    async def listed(**arguments: Any) -> list[str]:
        found = await ask(client, query, {"first": 20, **arguments})
        return [row["recordHash"] for row in found["passports"]]

    assert await listed() == names[::-1]
    assert await listed(event="fork") == await listed(branch="draft") == names[1:]
    assert await listed(trace="trc_one", agent="urn:agent:r") == names[::-1]
    assert await listed(agent="urn:agent:nobody") == []


async def test_a_chain_is_every_record_connected_with_one_in_log_order(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    names = await post(client, signed_world(agent_id(AUTHOR), agent_key(AUTHOR), key_id(AUTHOR)))
    other = Maker()
    other.root({"output": "another chain"})
    await post(client, [write_passport(other.records[0])])
    query = "query ($id: ID!, $n: Int) { passport(id: $id) { chain(first: $n) { nodes { recordHash } totalCount } } }"
    for name in (names[0], names[4]):
        found = (await send(client, query, {"id": name}))["data"]["passport"]["chain"]
        assert ([one["recordHash"] for one in found["nodes"]], found["totalCount"]) == (names, 5)
    part = (await send(client, query, {"id": names[2], "n": 2}))["data"]["passport"]["chain"]
    assert [one["recordHash"] for one in part["nodes"]] == names[:2]
