"""Hidden probes: that nobody can tell one before it is revealed, what a reveal must prove, and what comes of it."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import (
    agent_id,
    gold_label_message,
    probe_message,
    signed_endorsement,
    signed_key_revocation,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_statement,
)
from graph_contents import run_raw, whole_graph
from http_client import ask, client
from key_world import RECOVERY, by_node, key_world, size_of
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import (
    AUTHOR,
    OPERATOR_A,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    settle,
    signed_node_policy,
)

from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.gold_label import Label, RevealedProbe
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.probe import commit
from a2ap.messages.verification_response import Verdict
from graph.errors import ConflictError, ForbiddenError, TargetError
from graph.gold.probe_answers import probe_records_of
from graph.platform import Platform

__all__ = ["client", "platform"]

PROBER = 31
"""An ordinary agent, whose key is the operator's."""
CRITERION = DEFAULT_CRITERIA[0]
SALT = "c2FsdHNhbHRzYWx0c2FsdA=="
CLAIM = "The council keeps the height limit at fifty feet."
PROBE = signed_statement(PROBER, claim=CLAIM)
PROBES = """query ($id: ID!) { agent(id: $id) { probes { seen abstentions wrongRefusedOtherwise { count of }
  falseAccepts { count of rate interval95 { low high } } falseRefusals { count of rate interval95 { low high } }
} } }"""
DRAWN = "verificationRequests { nodes { drawn { operator declined } } } consensus { verified reasons }"
STATE = """query ($id: ID!) { statement(id: $id) { probe verified consensusScore consensus { reasons }
  goldLabels { criterion label standing probe commitment salt reason labelledBy { id }
    disputes { nodes { id } } } } }"""


def commitment(platform: Platform, statement: bytes = PROBE, label: Label = Label.FAIL) -> bytes:
    digest = commit(SALT, hash_of(statement), CRITERION, label)
    message = probe_message([digest, "sha256:" + "0" * 64], committing_agent=platform.node.agent_id)
    return by_node(platform, message)


def reveal(
    platform: Platform,
    committed: bytes,
    statement: bytes = PROBE,
    label: Label = Label.FAIL,
    salt: str = SALT,
    number: int = 1,
) -> bytes:
    message = gold_label_message(
        statement,
        label,
        labelling_agent=platform.node.agent_id,
        criterion=CRITERION,
        probe=RevealedProbe(hash_of(committed), salt),
        number=number,
    )
    return by_node(platform, message)


async def probed(platform: Platform, statement: bytes = PROBE, label: Label = Label.FAIL) -> bytes:
    """Settle, commit to the label of a statement, submit it and ask for it to be verified; return the commitment."""
    await settle(platform)
    committed = commitment(platform, statement, label)
    await accept(platform, signed_registration(PROBER), committed, statement, signed_request(statement, PROBER))
    return committed


async def refused(platform: Platform, document: bytes) -> Exception:
    (outcome,) = await platform.submit_many([document])
    assert isinstance(outcome, Exception)
    return outcome


async def test_a_revealed_probe_is_gold_and_marked(platform: Platform, client: httpx.AsyncClient) -> None:
    committed = await probed(platform)
    await accept(platform, reveal(platform, committed))

    found = (await ask(client, STATE, {"id": hash_of(PROBE)}))["statement"]
    assert found["probe"] and not found["verified"]
    (label,) = found["goldLabels"]
    assert (label["criterion"], label["label"], label["standing"]) == (CRITERION, "FAIL", "IN_FORCE")
    assert (label["probe"], label["commitment"], label["salt"]) == (True, hash_of(committed), SALT)
    assert label["labelledBy"] == {"id": platform.node.agent_id}


async def test_a_false_probe_is_never_verified_whoever_was_taken_in(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    committed = await probed(platform)
    await accept(platform, signed_response(PROBE, VERIFIER_A), signed_response(PROBE, VERIFIER_B))
    assert (await ask(client, STATE, {"id": hash_of(PROBE)}))["statement"]["verified"]

    label = reveal(platform, committed)
    await accept(platform, label)

    found = (await ask(client, STATE, {"id": hash_of(PROBE)}))["statement"]
    assert not found["verified"]
    assert any("It was a probe" in reason for reason in found["consensus"]["reasons"])
    about = await ask(client, '{ statementsAbout(topic: "height limit at fifty feet") { signedHash } }')
    assert hash_of(PROBE) not in [one["signedHash"] for one in about["statementsAbout"]]
    answer = await client.get(f"/statements/{hash_of(PROBE)}", headers={"accept": "application/ld+json"})
    assert answer.json()["verificationStatus"]["probe"] == "FAIL"
    turtle = await client.get(f"/statements/{hash_of(PROBE)}", headers={"accept": "text/turtle"})
    assert "GoldLabel" in turtle.text and hash_of(committed) in turtle.text


async def test_each_verifiers_mistakes_are_counted(platform: Platform, client: httpx.AsyncClient) -> None:
    committed = await probed(platform)
    await accept(
        platform,
        signed_response(PROBE, VERIFIER_A),
        signed_response(PROBE, VERIFIER_B, verdict=Verdict.CHALLENGED, findings=[], reason="It is not so."),
        reveal(platform, committed),
        signed_response(PROBE, STRANGER),
    )

    async def probes_of(number: int) -> Any:
        return (await ask(client, PROBES, {"id": agent_id(number)}))["agent"]["probes"]

    taken_in, watchful, late = [await probes_of(number) for number in (VERIFIER_A, VERIFIER_B, STRANGER)]
    assert taken_in["seen"] == watchful["seen"] == 1
    assert (taken_in["falseAccepts"]["count"], taken_in["falseAccepts"]["of"]) == (1, 1)
    assert taken_in["falseAccepts"]["interval95"]["low"] == pytest.approx(0.2065, abs=1e-4)
    assert watchful["falseAccepts"]["rate"] == 0.0 and watchful["falseRefusals"]["rate"] is None
    assert late["seen"] == 0


async def test_a_right_probe_counts_false_refusals(platform: Platform, client: httpx.AsyncClient) -> None:
    right = signed_statement(PROBER)
    committed = await probed(platform, right, Label.PASS)
    await accept(
        platform,
        signed_response(right, VERIFIER_A, verdict=Verdict.CHALLENGED, findings=[], reason="It is not so."),
        reveal(platform, committed, right, Label.PASS),
    )

    found = (await ask(client, PROBES, {"id": agent_id(VERIFIER_A)}))["agent"]["probes"]
    assert (found["seen"], found["falseRefusals"]["count"], found["falseRefusals"]["of"]) == (1, 1, 1)


async def test_who_takes_an_answer_back_does_not_erase_it(platform: Platform, client: httpx.AsyncClient) -> None:
    committed = await probed(platform)
    response = signed_response(PROBE, VERIFIER_A)
    await accept(platform, response, reveal(platform, committed), signed_retraction(response, VERIFIER_A))

    found = (await ask(client, PROBES, {"id": agent_id(VERIFIER_A)}))["agent"]["probes"]
    assert found["falseAccepts"]["count"] == 1


async def test_who_declares_its_key_untrusted_since_before_does_not_erase_its_answer(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await key_world(platform)
    committed = commitment(platform)
    await accept(platform, signed_registration(PROBER), committed, PROBE)
    size = await size_of(platform)
    revoked = signed_key_revocation(VERIFIER_A, recovery=VERIFIER_A + RECOVERY, not_trusted_since=size)
    await accept(platform, signed_response(PROBE, VERIFIER_A), reveal(platform, committed), revoked)

    (row,) = await run_raw(
        platform.store, "MATCH (v:Verification) WHERE v.probed_verifier IS NOT NULL RETURN v.key_trusted AS trusted"
    )
    assert not row["trusted"]
    found = (await ask(client, PROBES, {"id": agent_id(VERIFIER_A)}))["agent"]["probes"]
    assert (found["seen"], found["falseAccepts"]["count"]) == (1, 1)


async def test_a_fault_under_another_criterion_is_shown_as_a_refusal(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    committed = await probed(platform)
    finding = Finding("logical-consistency", FindingStatus.FAIL, "It contradicts itself.", 0.9)
    response = signed_response(PROBE, VERIFIER_A, verdict=Verdict.CHALLENGED, findings=[finding])
    await accept(platform, response, reveal(platform, committed))

    found = (await ask(client, PROBES, {"id": agent_id(VERIFIER_A)}))["agent"]["probes"]
    assert (found["seen"], found["abstentions"], found["falseAccepts"]["count"]) == (1, 0, 0)
    assert found["wrongRefusedOtherwise"] == {"count": 1, "of": 1}


async def test_an_answer_after_the_operators_first_word_counts_for_no_criterion(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    digests = [commit(SALT, hash_of(PROBE), name, Label.FAIL) for name in DEFAULT_CRITERIA[:2]]
    committed = by_node(platform, probe_message(digests, committing_agent=platform.node.agent_id))
    first, second = (
        by_node(
            platform,
            gold_label_message(
                PROBE,
                Label.FAIL,
                labelling_agent=platform.node.agent_id,
                criterion=name,
                probe=RevealedProbe(hash_of(committed), SALT),
            ),
        )
        for name in DEFAULT_CRITERIA[:2]
    )
    await accept(platform, signed_registration(PROBER), committed, PROBE, signed_response(PROBE, VERIFIER_A))
    await accept(platform, first, signed_response(PROBE, VERIFIER_B), second)

    seen = [
        (await ask(client, PROBES, {"id": agent_id(number)}))["agent"]["probes"]["seen"]
        for number in (VERIFIER_A, VERIFIER_B)
    ]
    assert seen == [2, 0]


async def test_a_newcomer_is_measured_and_who_counts_for_the_authors_seed_is_not(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    committed = await probed(platform)
    await accept(
        platform,
        signed_endorsement(signed_registration(PROBER), OPERATOR_A),
        *(signed_response(PROBE, number) for number in (VERIFIER_A, VERIFIER_B, STRANGER)),
        reveal(platform, committed),
    )

    seen = {
        number: (await ask(client, PROBES, {"id": agent_id(number)}))["agent"]["probes"]["seen"]
        for number in (VERIFIER_A, VERIFIER_B, STRANGER)
    }
    assert seen == {VERIFIER_A: 0, VERIFIER_B: 1, STRANGER: 1}


@pytest.mark.both_engines
async def test_a_record_of_many_pages_is_read_to_the_end(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.gold.probe_answers.PAGE", 2)
    await settle(platform)
    claims = [signed_statement(PROBER, claim=f"The limit is {number} feet.") for number in range(5)]
    digests = [commit(SALT, hash_of(claim), CRITERION, Label.FAIL) for claim in claims]
    committed = by_node(platform, probe_message(digests, committing_agent=platform.node.agent_id))
    await accept(platform, signed_registration(PROBER), committed, *claims)
    verifiers = (VERIFIER_A, VERIFIER_B)
    await accept(platform, *(signed_response(claim, verifier) for claim in claims for verifier in verifiers))
    await accept(platform, *(reveal(platform, committed, claim) for claim in claims[1:]))

    found = await probe_records_of(platform.store, [agent_id(number) for number in (*verifiers, STRANGER)])
    assert [record.seen for record in found.values()] == [4, 4, 0]


@pytest.mark.parametrize("change", ["salt", "label", "statement", "unknown"])
async def test_a_reveal_that_the_commitment_does_not_have_is_refused(platform: Platform, change: str) -> None:
    committed = await probed(platform)
    other = signed_statement(PROBER, claim="The limit is sixty feet.")
    await accept(platform, other)
    document = {
        "salt": lambda: reveal(platform, committed, salt="b3RoZXJvdGhlcm90aGVyb3RoZXI="),
        "label": lambda: reveal(platform, committed, label=Label.PASS),
        "statement": lambda: reveal(platform, committed, other),
        "unknown": lambda: reveal(platform, other),
    }[change]()

    assert isinstance(await refused(platform, document), TargetError)


async def test_a_reveal_of_what_was_committed_after_the_claim_is_refused(platform: Platform) -> None:
    await settle(platform)
    committed = commitment(platform)
    await accept(platform, signed_registration(PROBER), PROBE, committed, signed_request(PROBE, PROBER))

    error = await refused(platform, reveal(platform, committed))
    assert isinstance(error, TargetError) and "before the commitment" in str(error)


async def test_who_asks_does_not_vote(platform: Platform) -> None:
    committed = await probed(platform)
    other = signed_statement(AUTHOR)
    await accept(platform, other, reveal(platform, committed))

    error = await refused(platform, signed_response(other, PROBER))
    assert isinstance(error, ForbiddenError)


async def test_who_votes_does_not_ask(platform: Platform) -> None:
    committed = await probed(platform)
    other = signed_statement(AUTHOR)
    await accept(platform, other, signed_response(other, PROBER))

    assert isinstance(await refused(platform, reveal(platform, committed)), ConflictError)


async def test_a_rebuilt_graph_knows_the_probes(platform: Platform) -> None:
    committed = await probed(platform)
    await accept(platform, signed_response(PROBE, VERIFIER_A), reveal(platform, committed))
    before = await whole_graph(platform.store)

    await rebuilt(platform)

    assert await whole_graph(platform.store) == before


async def test_before_the_reveal_a_probe_differs_in_nothing_from_another_statement(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    """Two statements by two agents, one of them a probe: everything that can be read of them has the same shape."""
    await settle(platform)
    drawn = signed_node_policy(platform, 2, draw=DrawRules(operators=2, least=2, window=60))
    await accept(platform, drawn, signed_registration(PROBER), signed_registration(32), commitment(platform))
    shapes = []
    for seed in (32, PROBER):
        statement = signed_statement(seed, claim=CLAIM)
        await accept(platform, statement, signed_request(statement, seed))
        shapes.append(await everything_about(platform, client, statement, signed_request(statement, seed), seed))
    assert shapes[0] == shapes[1]


async def everything_about(
    platform: Platform, client: httpx.AsyncClient, statement: bytes, request: bytes, seed: int
) -> list[Any]:
    """Return all that can be read of a statement, its request and its agent, without what names it."""
    found: list[Any] = []
    for kind, name in (("Statement", hash_of(statement)), ("Agent", agent_id(seed))):
        fields = " ".join(_fields(kind))
        query = f"query ($id: ID!) {{ {kind.lower()}(id: $id) {{ {fields} }} }}"
        found.append(await ask(client, query, {"id": name}))
    query = f"query ($id: ID!) {{ statement(id: $id) {{ {DRAWN} }} }}"
    found.append(await ask(client, query, {"id": hash_of(statement)}))
    assert len(found[-1]["statement"]["verificationRequests"]["nodes"][0]["drawn"]) == 2
    for path in (f"/statements/{hash_of(statement)}", f"/statements/{hash_of(statement)}/provenance"):
        for accepted in ("application/json", "application/ld+json", "text/turtle"):
            answer = await client.get(path, headers={"accept": accepted})
            found.append((path.count("/"), answer.status_code, sorted(answer.headers), answer.text))
    entries = await platform.store.read("log_entries_by_hash", hashes=[hash_of(statement), hash_of(request)])
    found.append([sorted(entry) for entry in entries])
    nodes = await run_raw(
        platform.store,
        "MATCH (n)-[r]-(m) WHERE n.signed_hash = $hash OR n.agent_id = $agent "
        "RETURN labels(n)[0] AS node, type(r) AS type, labels(m)[0] AS other, keys(n) AS names",
        hash=hash_of(statement),
        agent=agent_id(seed),
    )
    found.append(sorted(json.dumps({**row, "names": sorted(row["names"])}) for row in nodes))
    return _without_names(json.dumps(found, default=str, indent=1)).splitlines()


def _fields(kind: str) -> list[str]:
    """Return the scalar fields of a type of the schema."""
    sdl = (Path(__file__).parent / "schema.graphql").read_text(encoding="utf-8")
    body = re.search(rf"type {kind}(?: implements [\w &]+)? {{(.*?)\n}}", sdl, re.S)
    assert body is not None
    scalar = r"^  (\w+)(?:\([^)]*\))?: (?:ID|String|Int|Float|Boolean|DateTime|\[String!\])!?$"
    enum = r"^  (\w+): (?:EvidenceState|StatementStatus|KeyTrust)!?$"
    text = re.sub(r'"""(?:.|\n)*?"""', "", body[1])
    return sorted({*re.findall(scalar, text, re.M), *re.findall(enum, text, re.M)})


def _without_names(text: str) -> str:
    text = re.sub(
        r"urn:uuid:[0-9a-f-]{36}|sha256:[0-9a-f]{64}|did:key:\w+|urn:agent:test-\d+(?:#[\w-]+)?", "NAME", text
    )
    text = re.sub(r"Test agent \d+|_:[0-9a-z]+|ni:///[\w;-]+", "NAME", text)
    text = re.sub(r'(?<="globalId": ")[\w-]+', "NAME", text)
    text = re.sub(r'(?<="proof": ")[^"]+', "PROOF", text)
    text = re.sub(r"[A-Za-z0-9+/]{86}==", "SIGNATURE", text)
    text = re.sub(r'(logIndex|log_index)\\*": ?\d+', "PLACE", text)
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME", text)
