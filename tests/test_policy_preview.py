"""The effect of another threshold or quorum is that which the policy has once it is set."""

import pytest
from http_client import OPERATOR, ask, client, send
from hypothesis import given
from hypothesis import strategies as st
from platform_fixture import platform
from scenario import accept, signed_node_policy, verified_world

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


@given(st.integers(0, 10**7), st.integers(0, 10**12))
def test_the_share_of_a_quota_is_that_of_its_fullest_limit(documents: int, size: int) -> None:
    quota = DEFAULT_QUOTAS.stranger
    use = Use.of(Account(AccountKind.STRANGER, "urn:agent:one"), Amount(documents, size), DEFAULT_QUOTAS)
    assert use.share == max(documents / quota.documents, size / quota.bytes)
