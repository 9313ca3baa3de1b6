"""The page of an agent: operators, keys, versions and drift, reliability by epoch, calibration, and its writings."""

import httpx
import pytest
from builders import (
    agent_id,
    agent_key,
    description,
    epoch_message,
    key_revocation_message,
    signed_deactivation,
    signed_endorsement,
    signed_key_registration,
    signed_registration,
    signed_response,
    signed_statement,
)
from http_client import ask, client
from page_reader import BROWSER, Parsed, open_page, open_past_page
from platform_fixture import platform
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
    verified_world,
)

from a2ap.messages.epoch import Estimate
from a2ap.messages.verification_response import Verdict
from graph.log.entry import log_size
from graph.platform import Platform
from graph.scoring.judgements import policy_in_force
from graph.scoring.reading import StoreReader
from graph.web.agent import endorsement_path

__all__ = ["client", "platform"]


def words(page: Parsed) -> str:
    return " ".join(page.one("main").text.split())


async def two_epochs(platform: Platform) -> list[int]:
    """Have the node state two epochs about verifier A; return their sizes of the log."""
    sizes = []
    policy = (await policy_in_force(StoreReader(platform.store))).signed_hash
    for right in (3.0, 11.0):
        sizes.append(await log_size(platform.store))
        estimates = tuple(
            Estimate(agent_id(VERIFIER_A), criterion, (right, 3.0), (right, 3.0), int(right), 1.0)
            for criterion in ("logical-consistency", "source-accuracy")
        )
        message = epoch_message(
            issuing_agent=platform.node.agent_id,
            log_size=sizes[-1],
            policy=policy,
            calibration=((0.0, 0.0), (0.5, 0.25), (1.0, 1.0)),
            estimates=estimates,
            models=(),
            records=(),
        )
        await accept(platform, platform.node.sign(message).envelope.received)
    return sizes


async def test_an_agent_shows_its_operators_up_to_the_seed_and_all_that_it_wrote(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    page = await open_page(client, f"/agents/{agent_id(VERIFIER_A)}")
    assert page.one("h1").text == "Test agent 2" and "Endorsements lead from a seed" in words(page)
    assert {f"../agents/{agent_id(OPERATOR_A)}", f"../verifications/{hash_of(world.responses[0])}"} <= set(page.links)
    assert "Test agent 3 1 compare" in words(page)
    author = await open_page(client, f"/agents/{agent_id(AUTHOR)}")
    assert "No endorsements lead from a seed" in words(author)
    assert f"../statements/{hash_of(world.statement)}" in author.links and "Statements (1)" in words(author)
    assert "names the agent as a seed" in words(await open_page(client, f"/agents/{agent_id(OPERATOR_A)}"))
    program = await client.get(f"/agents/{agent_id(AUTHOR)}")
    assert program.headers["content-type"] == "application/json"
    await open_page(client, "/agents/urn:agent:none", 404)


def test_the_path_of_endorsements_is_the_shortest_to_a_seed() -> None:
    seed = {"id": "seed", "endorsedBy": []}
    middle = {"id": "middle", "endorsedBy": [seed]}
    agent = {"id": "agent", "endorsedBy": [{"id": "other", "endorsedBy": [{"id": "far"}]}, middle]}
    assert [one["id"] for one in endorsement_path(agent, ["seed"])] == ["seed", "middle", "agent"]
    assert [one["id"] for one in endorsement_path(agent, ["agent", "seed"])] == ["agent"]
    assert endorsement_path(agent, ["elsewhere"]) == []


async def test_keys_are_shown_with_their_places_in_the_log(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await accept(platform, signed_key_registration(AUTHOR, replaces=[f"{agent_id(AUTHOR)}#key-1"]))
    revocation = key_revocation_message(VERIFIER_A, revoking_agent=platform.node.agent_id, not_trusted_since=0)
    await accept(platform, platform.node.sign(revocation).envelope.received, signed_deactivation(STRANGER))
    page = await open_page(client, f"/agents/{agent_id(AUTHOR)}")
    assert "key-1 retired" in words(page) and "key-2 valid" in words(page) and "by key-1" in words(page)
    titles = {one.attributes.get("title") for one in page.named("code")}
    assert {agent_key(AUTHOR).public_key.did_key, agent_key(101).public_key.did_key} <= titles
    revoked = words(await open_page(client, f"/agents/{agent_id(VERIFIER_A)}"))
    assert "key-1 not trusted keyCompromise" in revoked
    assert "is deactivated since log entry" in words(await open_page(client, f"/agents/{agent_id(STRANGER)}"))


@pytest.mark.both_engines
async def test_the_schema_has_the_reliability_of_each_epoch(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    first, second = await two_epochs(platform)
    query = """query ($id: ID!, $after: String) { agent(id: $id) { reliabilities(first: 1, after: $after) {
      totalCount pageInfo { endCursor } nodes { epoch value judged interval { low high }
      criteria { criterion } } } } }"""
    newest = (await ask(client, query, {"id": agent_id(VERIFIER_A)}))["agent"]["reliabilities"]
    after = {"id": agent_id(VERIFIER_A), "after": newest["pageInfo"]["endCursor"]}
    older = (await ask(client, query, after))["agent"]["reliabilities"]
    assert newest["totalCount"] == 2
    (new,), (old,) = newest["nodes"], older["nodes"]
    assert (new["epoch"], new["value"], new["judged"]) == (second, pytest.approx(11 / 14), 22)
    assert (old["epoch"], old["value"], old["judged"]) == (first, 0.5, 6)
    assert old["interval"]["low"] < 0.5 < old["interval"]["high"]
    assert [one["criterion"] for one in new["criteria"]] == ["logical-consistency", "source-accuracy"]
    none = (await ask(client, query, {"id": agent_id(VERIFIER_B)}))["agent"]["reliabilities"]
    assert none["nodes"] == []


async def test_reliability_and_calibration_are_plotted_beside_their_tables(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    first, second = await two_epochs(platform)
    page = await open_page(client, f"/agents/{agent_id(VERIFIER_A)}")
    plots = [one for one in page.named("svg") if one.attributes.get("role") == "img"]
    assert ["Reliability by epoch" in plots[0].attributes["aria-label"], len(plots)] == [True, 2]
    assert len([one for one in page.named("circle")]) == 2 + 3
    assert f"{second} 0.79" in words(page) and f"{first} 0.50" in words(page) and "0.50 0.25" in words(page)
    plain = await open_page(client, f"/agents/{agent_id(VERIFIER_B)}")
    assert "No epoch has estimated the agent." in words(plain) and "no calibration applies" in words(plain)


async def test_versions_of_a_family_are_compared(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    old, new = (
        signed_registration(seed, agent=description(seed, version=version, family="urn:agent:weigher"))
        for seed, version in ((31, "1.0"), (32, "2.0"))
    )
    statement = signed_statement(AUTHOR)
    await accept(platform, old, new, signed_endorsement(old, OPERATOR_A), signed_endorsement(new, OPERATOR_A))
    verdict = signed_response(statement, 32, verdict=Verdict.CHALLENGED)
    await accept(platform, statement, signed_response(statement, 31), verdict)
    page = await open_page(client, f"/agents/{agent_id(32)}")
    assert "urn:agent:weigher" in words(page) and "not confirmed" in words(page)
    (link,) = {link for link in page.links if "drift" in link}
    compared = await open_page(client, link.removeprefix("..").partition("#")[0])
    assert "Drift from Test agent 31 1.0" in words(compared)
    assert "Both have judged 1 statement, and conclude the same about 0." in words(compared)
    assert "validated, then challenged" in words(compared) and f"../verifications/{hash_of(verdict)}" in compared.links


async def test_writings_come_in_pages(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await accept(platform, *(signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(12)))
    page = await open_page(client, f"/agents/{agent_id(AUTHOR)}")
    assert "Claim 11." in words(page) and "Claim 1." not in words(page)
    (older,) = {link for link in page.links if "statements=" in link}
    rest = await open_page(client, older.removeprefix("..").partition("#")[0])
    assert "Claim 1." in words(rest) and "Claim 11." not in words(rest) and "Newest statements" in words(rest)


async def test_a_hostile_name_is_text_and_flagged(platform: Platform, client: httpx.AsyncClient) -> None:
    name = "<script>alert(1)</script>\u202e p\u0430ypal"
    await accept(platform, signed_registration(41, agent=description(41, name=name, capabilities=("<b>",))))
    answer = await client.get(f"/agents/{agent_id(41)}", headers={"accept": BROWSER})
    assert "<script>alert" not in answer.text and "U+202E" in answer.text and "mixed scripts" in answer.text
    listed = await client.get("/agents", headers={"accept": BROWSER})
    assert "<script>alert" not in listed.text and "mixed scripts" in listed.text


async def test_a_name_of_mixed_scripts_is_flagged_on_each_page_that_shows_it(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    name = "Test \u0430gent"
    await accept(platform, *(signed_registration(one, agent=description(one, name=name)) for one in (41, 42)))
    statement = signed_statement(41)
    response = signed_response(statement, 42)
    await accept(platform, statement, response)
    addresses = [f"/statements/{hash_of(statement)}", f"/verifications/{hash_of(response)}", "/statements", "/log"]
    for address in (*addresses, f"/desk/statements/{hash_of(statement)}"):
        assert "mixed scripts: Cyrillic, Latin" in words(await open_page(client, address)), address


async def test_the_past_of_an_agent_has_the_verdicts_of_its_time(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    size = (await ask(client, "{ log { size } }"))["log"]["size"]
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, signed_response(statement, VERIFIER_A))
    await accept(platform, signed_node_policy(platform, 7))
    address = f"/agents/{agent_id(VERIFIER_A)}"
    assert "Verdicts (1)" in words(await open_page(client, address))
    assert "Verdicts (0)" in words(await open_past_page(client, f"{address}?asOf={size}"))
