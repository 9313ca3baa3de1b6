"""The effect of another threshold or quorum is that which the policy has once it is set."""

import pytest
from builders import agent_id, signed_response, signed_statement
from http_client import OPERATOR, ask, client, send
from hypothesis import given
from hypothesis import strategies as st
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, accept, settle, signed_node_policy, verified_world

from a2ap.messages.quotas import DEFAULT_QUOTAS
from graph.platform import Platform
from graph.quotas.decision import Account, AccountKind, Amount, Use
from graph.scores.policy_preview import preview_policy

__all__ = ["client", "platform"]

VERIFIED = "{ statements(filter: { verified: true }, first: 100) { nodes { signedHash } } }"


async def verified(client) -> set[str]:
    return {one["signedHash"] for one in (await ask(client, VERIFIED))["statements"]["nodes"]}


@pytest.mark.both_engines
@pytest.mark.parametrize(("threshold", "quorum"), [(0.999999, None), (None, 3), (0.0, 1)])
async def test_a_preview_is_the_effect_of_the_policy(
    platform: Platform, client, threshold: float | None, quorum: int | None
) -> None:
    await verified_world(platform)
    before = await verified(client)
    found = await preview_policy(platform.store, threshold, quorum)
    assert await verified(client) == before and found.verified == len(before)
    members = {"threshold": threshold, "quorum": quorum}
    stated = {name: value for name, value in members.items() if value is not None}
    await accept(platform, signed_node_policy(platform, 9, **stated))
    await platform.epochs.settled()
    after = await verified(client)
    assert (set(found.gained), set(found.lost)) == (after - before, before - after)
    assert found.is_complete


async def test_a_preview_of_the_newest_statements_alone_says_so(
    platform: Platform, client, monkeypatch: pytest.MonkeyPatch
) -> None:
    await verified_world(platform)
    later = signed_statement(AUTHOR, claim="A later claim.")
    await accept(platform, later, signed_response(later, VERIFIER_A))
    monkeypatch.setattr("graph.scores.policy_preview.MOST", 1)
    status = await ask(client, "{ nodeStatus { policyPreview { statements isComplete } } }", token=OPERATOR)
    assert status["nodeStatus"]["policyPreview"] == {"statements": 1, "isComplete": False}


async def test_the_values_in_force_change_nothing(platform: Platform) -> None:
    await verified_world(platform)
    found = await preview_policy(platform.store)
    assert found.verified and not found.gained and not found.lost


@pytest.mark.parametrize("arguments", ["threshold: 1.5", "threshold: -1", "quorum: 0", "quorum: 1001"])
async def test_a_value_that_no_policy_may_have_is_refused(client, arguments: str) -> None:
    query = f"{{ nodeStatus {{ policyPreview({arguments}) {{ verified }} }} }}"
    (error,) = (await send(client, query, token=OPERATOR))["errors"]
    assert error["extensions"]["code"] == "INVALID_INPUT"


async def test_the_state_of_the_node_is_for_its_operator_alone(client) -> None:
    (error,) = (await send(client, "{ nodeStatus { engine freeBytes } }"))["errors"]
    assert error["extensions"]["code"] == "FORBIDDEN"
    status = (await ask(client, "{ nodeStatus { engine freeBytes failingTasks { name } } }", token=OPERATOR))[
        "nodeStatus"
    ]
    assert status["freeBytes"] > 0 and status["failingTasks"] == []


async def test_the_accounts_that_have_used_most_of_a_quota_come_first(platform: Platform, client) -> None:
    await settle(platform)
    for seed, number in ((AUTHOR, 2), (STRANGER, 1)):
        for claim in range(number):
            statement = signed_statement(seed, claim=f"Claim {claim} of {seed}.")
            assert (await client.post("/statements", content=statement)).status_code == 201
    query = "{ nodeStatus { quotaUses { kind name documents bytes share } } }"
    uses = (await ask(client, query, token=OPERATOR))["nodeStatus"]["quotaUses"]
    counted = {use["name"]: use["documents"] for use in uses}
    assert (counted[agent_id(AUTHOR)], counted[agent_id(STRANGER)]) == (2, 1)
    assert [use["share"] for use in uses] == sorted((use["share"] for use in uses), reverse=True)
    assert all(use["share"] > 0 and use["bytes"] > 0 for use in uses)


@given(st.integers(0, 10**7), st.integers(0, 10**12))
def test_the_share_of_a_quota_is_that_of_its_fullest_limit(documents: int, size: int) -> None:
    quota = DEFAULT_QUOTAS.stranger
    use = Use.of(Account(AccountKind.STRANGER, "urn:agent:one"), Amount(documents, size), DEFAULT_QUOTAS)
    assert use.share == max(documents / quota.documents, size / quota.bytes)
