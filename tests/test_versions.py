"""Versions of families: who belongs to one, who does not, and the reputation that confirmed versions share."""

import asyncio
from pathlib import Path

import httpx
import pytest
from builders import (
    TIME,
    agent_id,
    agent_key,
    description,
    envelope_of,
    message_id,
    sign,
    sign_as,
    signed_endorsement,
    signed_key_registration,
    signed_key_revocation,
    signed_registration,
    signed_response,
    signed_statement,
)
from cli_agents import new_agent
from cli_runner import Run, a2ap
from graph_contents import relationships_of_type, run_raw, whole_graph
from http_client import ask_flat as ask
from http_client import client
from hypothesis import example, given
from hypothesis import strategies as st
from platform_fixture import platform
from scenario import (
    AUTHOR,
    OPERATOR_A,
    OPERATOR_B,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    settle,
    signed_node_policy,
)
from served import served

from a2ap.client import Client
from a2ap.json_text import read_json, write_json
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.agent_version import build_agent_version
from a2ap.messages.message import read_message
from a2ap.messages.policy import ConsensusMethod
from a2ap.messages.scoping import scope_message
from a2ap.messages.verification_response import Verdict
from a2ap.signing.signature import sign_message
from graph.errors import ConflictError, ForbiddenError, TargetError
from graph.log.entry import entry_from_row
from graph.platform import Platform
from graph.scoring.pooling import MAX_POOLED, Record, others_of, prior_after
from graph.scoring.reputation import compute_reputation
from graph.submission.rebuild import rebuild
from graph.versions import membership
from graph.versions.membership import Membership, confirmed_members, stated_family

__all__ = ["a2ap", "client", "platform"]

FAMILY = "urn:agent:weigher"
NODE = "urn:agent:a2ap-node:0123456789abcdef"


def version(seed: int, name: str, family: str | None = FAMILY) -> bytes:
    """Return the registration of an agent `urn:agent:test-<seed>` that says what family it is of."""
    return signed_registration(seed, agent=description(seed, version=name, family=family))


def announced(registration: bytes, by: int, family: str = FAMILY, **changes: str) -> bytes:
    target = envelope_of(registration)
    message = build_agent_version(
        announcement_id=message_id("version", by, target.signed_hash, family),
        announced_at=TIME,
        announcing_agent=agent_id(by),
        agent=target.agent_id,
        target_hash=target.signed_hash,
        family=family,
    )
    return sign({**message, **changes}, by)


def signed_family(seed: int = 90) -> bytes:
    """Return the registration of the family itself, an agent with a key of its own."""
    return signed_registration(seed, agent=description(seed, agent_id=FAMILY))


def family_announces(registration: bytes, seed: int = 90) -> bytes:
    target = envelope_of(registration)
    message = build_agent_version(
        announcement_id=message_id("family announces", target.signed_hash),
        announced_at=TIME,
        announcing_agent=FAMILY,
        agent=target.agent_id,
        target_hash=target.signed_hash,
        family=FAMILY,
    )
    return write_json(sign_message(message, agent_key(seed), f"{FAMILY}#key-1"))


async def memberships(platform: Platform, *seeds: int) -> list[tuple[str, bool, bool, str | None]]:
    rows = await platform.store.read("memberships_of", ids=[agent_id(seed) for seed in seeds])
    return [(row["family"], row["founder"], row["confirmed"], row["invited_by"]) for row in rows]


OPERATOR_C = 13


async def settle_three(platform: Platform, *, method: ConsensusMethod = ConsensusMethod.QUORUM) -> None:
    """Settle, with a third operator that endorses agents 31 and 32: what two others agree on labels their verdicts."""
    await settle(platform, method=method)
    await accept(platform, signed_registration(OPERATOR_C), three_seeds(platform, 2, method))


def three_seeds(platform: Platform, number: int, method: ConsensusMethod = ConsensusMethod.QUORUM) -> bytes:
    seeds = tuple(agent_id(seed) for seed in (OPERATOR_A, OPERATOR_B, OPERATOR_C))
    return signed_node_policy(platform, number, seeds=seeds, method=method)


async def endorsed(platform: Platform, *registrations: bytes) -> None:
    await accept(platform, *registrations, *(signed_endorsement(one, OPERATOR_C) for one in registrations))


# Who belongs


def agent(name: str, version: str = "1", family: str | None = None) -> AgentDescription:
    return AgentDescription(name, "A", version, "P", (), family)


def test_a_family_is_what_an_agent_names_or_what_its_id_ends_in() -> None:
    assert stated_family(agent("urn:agent:claude-4.5", "4.5")) == "urn:agent:claude"
    assert stated_family(agent("urn:agent:claude@2025", "2025")) == "urn:agent:claude"
    assert stated_family(agent("urn:agent:claude-4.5", "4")) is None
    assert stated_family(agent("urn:agent:claude-4.5", "4.5", "urn:agent:other")) == "urn:agent:other"


def registration(document: bytes) -> AgentRegistration:
    message = read_message(document)
    assert isinstance(message, AgentRegistration)
    return message


def test_the_family_of_a_peer_s_agent_is_the_peer_s() -> None:
    derived = registration(signed_registration(1, agent=description(1, version="1")))
    assert stated_family(scope_message(derived, NODE).agent) == f"urn:agent:test@{NODE}"
    named = registration(version(2, "2"))
    assert stated_family(scope_message(named, NODE).agent) == f"{FAMILY}@{NODE}"


async def test_the_first_to_name_a_family_founds_it_and_confirms_the_next(platform: Platform) -> None:
    first, second = version(2, "1"), version(3, "2")
    await accept(platform, first, second)
    assert await memberships(platform, 2, 3) == [(FAMILY, True, True, None), (FAMILY, False, False, None)]
    await accept(platform, announced(second, by=2))
    assert await memberships(platform, 2, 3) == [(FAMILY, True, True, None), (FAMILY, False, True, agent_id(2))]


async def test_nobody_joins_a_family_uninvited(platform: Platform) -> None:
    second, third = version(3, "2"), version(4, "3")
    await accept(platform, version(2, "1"), second, third)
    with pytest.raises(ForbiddenError, match="is neither urn:agent:weigher nor a confirmed version"):
        await platform.submit(announced(third, by=3))
    await platform.submit(announced(second, by=3))
    assert await memberships(platform, 3) == [(FAMILY, False, False, None)]


async def test_nobody_is_drafted_into_a_family(platform: Platform) -> None:
    stranger, elsewhere = version(5, "1", None), version(6, "1", "urn:agent:elsewhere")
    await accept(platform, version(2, "1"), stranger, elsewhere)
    with pytest.raises(TargetError, match="does not say that it is a version of"):
        await platform.submit(announced(stranger, by=2))
    with pytest.raises(TargetError, match="does not say that it is a version of"):
        await platform.submit(announced(elsewhere, by=2))
    assert await memberships(platform, 5) == []


async def test_an_agent_says_later_what_it_is_a_version_of_and_says_so_once(platform: Platform) -> None:
    stranger = version(5, "1", None)
    await accept(platform, version(2, "1"), stranger, announced(stranger, by=5), announced(stranger, by=2))
    assert await memberships(platform, 5) == [(FAMILY, False, True, agent_id(2))]
    with pytest.raises(ConflictError, match="is a version of urn:agent:weigher, by its own word"):
        await platform.submit(announced(stranger, by=5, family="urn:agent:other"))


async def test_the_family_s_own_key_confirms_and_leaves_no_room_for_a_founder(platform: Platform) -> None:
    first = version(2, "1")
    await accept(platform, signed_family(), first)
    assert await memberships(platform, 2) == [(FAMILY, False, False, None)]
    await accept(platform, family_announces(first))
    assert await memberships(platform, 2) == [(FAMILY, False, True, FAMILY)]


async def test_a_version_is_the_registered_one(platform: Platform) -> None:
    first, second = version(2, "1"), version(3, "2")
    await accept(platform, first)
    with pytest.raises(TargetError, match="agent urn:agent:test-3 is not registered"):
        await platform.submit(announced(second, by=2))
    await accept(platform, second)
    with pytest.raises(TargetError, match="the registration of urn:agent:test-3 is sha256:"):
        await platform.submit(announced(second, by=2, targetHash="sha256:" + "0" * 64))


async def test_a_whole_family_in_one_batch_is_as_one_after_the_other(platform: Platform) -> None:
    first, second, third = version(2, "1"), version(3, "2"), version(4, "3")
    await accept(platform, first, second, announced(second, by=2), third, announced(third, by=3))
    assert [row[2:] for row in await memberships(platform, 2, 3, 4)] == [
        (True, None),
        (True, agent_id(2)),
        (True, agent_id(3)),
    ]
    assert len(await relationships_of_type(platform.store, "SPECIALIZATION_OF")) == 3


def member(name: str, by: str | None, at: int | None, *, founder: bool = False) -> Membership:
    return Membership(name, FAMILY, 0, founder=founder, invited_by=by, confirmed_at=at, confirmed=at is not None)


@pytest.mark.parametrize("together", [True, False])
async def test_a_family_has_so_many_confirmed_members_and_no_more(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, together: bool
) -> None:
    monkeypatch.setattr(membership, "MAX_CONFIRMED", 2)
    one, two, three = (version(seed, str(seed)) for seed in (31, 32, 33))
    documents = [one, two, three, announced(two, 31), announced(three, 31)]
    if together:
        answers = await platform.submit_many(documents)
    else:
        answers = [answer for document in documents for answer in await platform.submit_many([document])]
    assert [isinstance(answer, ConflictError) for answer in answers] == [False] * 4 + [True]
    assert "has 2 confirmed versions, as many as it can" in str(answers[-1])
    assert [confirmed for _, _, confirmed, _ in await memberships(platform, 31, 32, 33)] == [True, True, False]
    rows = await platform.store.read("family_members", families=[FAMILY])
    assert [row["agent_id"] for row in rows] == [agent_id(31), agent_id(32)]


def test_who_was_invited_with_a_key_that_is_not_trusted_is_no_member_nor_are_its_guests() -> None:
    everybody = [
        (member("a", None, 0, founder=True), True),
        (member("d", "c", 7), True),
        (member("b", "a", 3), True),
        (member("c", "b", 5), False),
        (member("e", FAMILY, 8), True),
        (member("f", None, None), True),
    ]
    assert confirmed_members(everybody) == {"a", "b", "e"}


# What they share


def test_without_others_a_version_is_like_everybody() -> None:
    assert prior_after(Record()) == (1.0, 1.0)
    assert compute_reputation(3, 1, Record()) == compute_reputation(3, 1)


records = st.builds(Record, st.integers(0, 10_000), st.integers(0, 10_000))


@given(records)
@example(Record(0, 9828))
def test_a_version_starts_exactly_as_good_as_its_family(others: Record) -> None:
    family = compute_reputation(others.right, others.wrong).value
    start = compute_reputation(0, 0, others)
    assert start.value == pytest.approx(family, abs=1e-12)
    low, high = start.interval95 or (0.0, 0.0)
    assert 0.0 <= low <= high <= 1.0
    assert sum(start.prior) <= 2 + MAX_POOLED + 1e-9


@given(records, st.integers(0, 200), st.integers(0, 200))
def test_the_family_weighs_no_more_than_so_many_verdicts(others: Record, right: int, wrong: int) -> None:
    pooled, own = compute_reputation(right, wrong, others).value, compute_reputation(right, wrong).value
    assert abs(pooled - own) <= (2 + MAX_POOLED) / (2 + right + wrong)


@given(st.dictionaries(st.text(max_size=3), records, min_size=1, max_size=5))
def test_nobody_is_its_own_prior(members: dict[str, Record]) -> None:
    others = others_of(members)
    for name in members:
        without = [record for other, record in members.items() if other != name]
        assert others[name] == sum(without, Record())


async def test_a_liar_s_new_version_starts_no_better_than_its_family(platform: Platform) -> None:
    liar = signed_registration(31, agent=description(31, version="1", family="urn:agent:liar"))
    heir = signed_registration(32, agent=description(32, version="2", family="urn:agent:liar"))
    await settle_three(platform)
    await endorsed(platform, liar, heir)
    await accept(platform, *(signed_statement(AUTHOR, claim=f"Claim {n}.") for n in range(4)))
    for number in range(4):
        statement = signed_statement(AUTHOR, claim=f"Claim {number}.")
        verdicts = [signed_response(statement, seed) for seed in (VERIFIER_A, VERIFIER_B)]
        await accept(platform, *verdicts, signed_response(statement, 31, verdict=Verdict.CHALLENGED))
    before = await reputations(platform, 31, 32)
    assert before[agent_id(31)] < 0.3
    assert before[agent_id(32)] == 0.5
    await accept(platform, announced(heir, by=31, family="urn:agent:liar"))
    after = await reputations(platform, 31, 32)
    assert after[agent_id(32)] == pytest.approx(before[agent_id(31)])
    assert after[agent_id(31)] == before[agent_id(31)]


async def test_what_one_version_learns_the_others_know(platform: Platform) -> None:
    first, second = version(31, "1"), version(32, "2")
    await settle_three(platform)
    await endorsed(platform, first, second)
    await accept(platform, announced(second, by=31))
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, *(signed_response(statement, seed) for seed in (VERIFIER_A, VERIFIER_B, 31)))
    found = await reputations(platform, 31, 32)
    assert found[agent_id(31)] == pytest.approx(2 / 3)
    assert found[agent_id(32)] == pytest.approx(2 / 3)
    challenged = signed_statement(AUTHOR, claim="Another.")
    await accept(
        platform, challenged, *(signed_response(challenged, seed) for seed in (VERIFIER_A, VERIFIER_B)),
        signed_response(challenged, 32, verdict=Verdict.CHALLENGED),
    )  # fmt: skip
    assert (await reputations(platform, 31))[agent_id(31)] == compute_reputation(1, 0, Record(0, 1)).value


async def test_the_literal_method_knows_no_families(platform: Platform) -> None:
    first, second = version(31, "1"), version(32, "2")
    await settle_three(platform, method=ConsensusMethod.LITERAL)
    await endorsed(platform, first, second)
    await accept(platform, announced(second, by=31))
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, *(signed_response(statement, seed) for seed in (VERIFIER_A, 31)))
    assert (await reputations(platform, 32))[agent_id(32)] == 0.5
    await accept(platform, three_seeds(platform, 3))
    assert (await reputations(platform, 32))[agent_id(32)] == 0.5
    await accept(platform, signed_response(statement, VERIFIER_B))
    assert (await reputations(platform, 31, 32))[agent_id(32)] == pytest.approx(2 / 3)


async def test_a_stolen_key_brings_nobody_into_the_family(platform: Platform) -> None:
    """The owner says with the recovery key since when the key is not to be trusted; its guests are out, and theirs."""
    first = signed_registration(31, agent=description(31, version="1", family=FAMILY), recovery_seed=931)
    fake, friend = version(32, "2"), version(33, "3")
    await accept(platform, first, fake, friend)
    (size,) = await platform.store.read("log_size")
    await accept(platform, announced(fake, by=31), announced(friend, by=32))
    assert [row[2] for row in await memberships(platform, 31, 32, 33)] == [True, True, True]
    await accept(platform, signed_key_revocation(31, recovery=931, not_trusted_since=size["size"]))
    assert [row[2] for row in await memberships(platform, 31, 32, 33)] == [True, False, False]


async def test_what_a_stolen_key_says_of_its_own_family_binds_nobody(platform: Platform) -> None:
    """The agent is no founder and no member by that word, its guest is none either, and it says anew whose it is."""
    mine = signed_registration(31, agent=description(31, version="1"), recovery_seed=931)
    guest, other = version(32, "2"), version(33, "3", family="urn:agent:other")
    await accept(platform, mine)
    (size,) = await platform.store.read("log_size")
    await accept(platform, announced(mine, by=31), guest, announced(guest, by=31), other)
    assert [row[:3] for row in await memberships(platform, 31, 32)] == [(FAMILY, True, True), (FAMILY, False, True)]
    await accept(platform, signed_key_revocation(31, recovery=931, not_trusted_since=size["size"]))
    assert [row[2] for row in await memberships(platform, 31, 32)] == [False, False]
    await accept(platform, signed_key_registration(31, 131, recovery=931))
    unsigned = read_json(announced(mine, by=31, family="urn:agent:other"))
    del unsigned["signature"]
    anew = sign_as(unsigned, agent_key(131), f"{agent_id(31)}#key-2")
    await accept(platform, anew, announced(mine, by=33, family="urn:agent:other"))
    assert await memberships(platform, 31) == [("urn:agent:other", False, True, agent_id(33))]
    before = await whole_graph(platform.store)
    entries = [entry_from_row(row) for row in await platform.store.read("log_entries_from", start=0, first=1_000)]
    await run_raw(platform.store, "MATCH (n) DETACH DELETE n")
    assert [made async for made in rebuild(platform.store, platform.content, entries)][-1] == len(entries)
    assert await whole_graph(platform.store) == before


async def test_a_rebuild_gives_the_same_families(platform: Platform) -> None:
    first, second, third = version(31, "1"), version(32, "2"), version(33, "3")
    await settle_three(platform)
    await endorsed(platform, first, second, third)
    statement = signed_statement(AUTHOR)
    await accept(
        platform,
        announced(second, by=31),
        announced(third, by=33),
        statement,
        *(signed_response(statement, seed) for seed in (VERIFIER_A, VERIFIER_B, 31)),
    )
    before = await whole_graph(platform.store)
    entries = [entry_from_row(row) for row in await platform.store.read("log_entries_from", start=0, first=1_000)]
    await run_raw(platform.store, "MATCH (n) DETACH DELETE n")
    assert [size async for size in rebuild(platform.store, platform.content, entries)][-1] == len(entries)
    assert await whole_graph(platform.store) == before


async def reputations(platform: Platform, *seeds: int) -> dict[str, float]:
    rows = await platform.store.read("agents_by_id", ids=[agent_id(seed) for seed in seeds])
    return {row["agent_id"]: row["agent_reputation"] for row in rows}


@pytest.mark.both_engines
async def test_graphql_shows_a_family_and_its_versions(platform: Platform, client: httpx.AsyncClient) -> None:
    first, second, third = version(31, "1"), version(32, "2"), version(33, "3")
    await settle_three(platform)
    await endorsed(platform, first, second, third)
    await accept(platform, announced(second, by=31))
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, *(signed_response(statement, seed) for seed in (VERIFIER_A, VERIFIER_B, 31)))
    answer = await ask(
        client,
        """query ($family: ID!, $agent: ID!) {
          agentFamily(id: $family) {
            id reputation { value right wrong logSize
              contributions { totalCount nodes { ...P verification { ...G } } } }
            versions { nodes { agent { id } confirmed founder invitedBy { id } announcementHash } }
          }
          agent(id: $agent) { reputation membership { confirmed family { id } } }
          first: agent(id: "urn:agent:test-31") { reputationDetails { value contributions { nodes { ...P } } } }
          computeReputation(agentId: $agent) { value right wrong interval95 { low high } reason
            contributions { nodes { right } } }
          nobody: agentFamily(id: "urn:agent:nobody") { id }
        }
        fragment P on ReputationContribution { criterion judged right without difference }
        fragment G on Verification { agent { id } label }""",
        {"family": FAMILY, "agent": agent_id(32)},
    )
    family = answer["agentFamily"]
    whole = family["reputation"]
    assert (whole["value"], whole["right"], whole["wrong"]) == (pytest.approx(2 / 3), 1, 0)
    assert (whole["logSize"], whole["contributions"]["totalCount"]) == (platform.log.size, 1)
    (part,) = whole["contributions"]["nodes"]
    assert part.pop("verification") == {"agent": {"id": agent_id(31)}, "label": "RIGHT"}
    assert answer["first"]["reputationDetails"]["contributions"] == [part]
    assert (part["criterion"], part["judged"], part["right"]) == (None, 1, True)
    assert (part["without"], part["difference"]) == (0.5, pytest.approx(1 / 6))
    assert [(one["agent"]["id"], one["confirmed"], one["founder"]) for one in family["versions"]] == [
        (agent_id(31), True, True),
        (agent_id(32), True, False),
        (agent_id(33), False, False),
    ]
    assert family["versions"][1]["invitedBy"] == {"id": agent_id(31)}
    assert family["versions"][1]["announcementHash"] == hash_of(announced(second, by=31))
    assert answer["agent"] == {
        "reputation": pytest.approx(2 / 3),
        "membership": {"confirmed": True, "family": {"id": FAMILY}},
    }
    computed = answer["computeReputation"]
    assert (computed["value"], computed["right"], computed["contributions"]) == (pytest.approx(2 / 3), 0, [])
    assert "The other versions of its family were right 1 times and wrong 0 times." in computed["reason"]
    assert answer["nobody"] is None


async def test_the_versions_of_a_family_come_in_pages(platform: Platform, client: httpx.AsyncClient) -> None:
    await accept(platform, version(31, "1"), version(32, "2"), version(33, "3"))
    query = """query ($id: ID!, $after: String) { agentFamily(id: $id) { versions(first: 2, after: $after) {
      nodes { statedAt } totalCount pageInfo { endCursor } } } }"""
    page = (await ask(client, query, {"id": FAMILY}))["agentFamily"]["versions"]
    assert (len(page["nodes"]), page["totalCount"]) == (2, 3)
    after = page["pageInfo"]["endCursor"]
    rest = (await ask(client, query, {"id": FAMILY, "after": after}))["agentFamily"]["versions"]
    assert len(rest["nodes"]) == 1 and rest["nodes"][0]["statedAt"] > page["nodes"][-1]["statedAt"]


async def test_versions_are_announced_on_the_command_line(platform: Platform, a2ap: Run, tmp_path: Path) -> None:
    first, second = new_agent(tmp_path), new_agent(tmp_path)
    about = ("--name", "Weigher", "--publisher", "P", "--family", FAMILY)

    def run(*arguments: object) -> str:
        return a2ap(*arguments).out

    async with served(platform) as url:
        for number, agent in enumerate((first, second), start=1):
            await asyncio.to_thread(run, "register", "--key", agent.key, "--version", str(number), *about, "--url", url)
        said = await asyncio.to_thread(run, "announce", second.id, "--family", FAMILY, "--key", first.key, "--url", url)
        with Client(url) as client:
            assert (await asyncio.to_thread(client.node))["node"] == platform.node.agent_id
    assert " is log entry " in said
    rows = await platform.store.read("memberships_of", ids=[first.id, second.id])
    assert [(row["confirmed"], row["invited_by"]) for row in rows] == [(True, None), (True, first.id)]
