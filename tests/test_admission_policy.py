"""Who may join a node and who may speak there, on both engines."""

from collections.abc import Sequence

import pytest
from builders import (
    admission_policy_message,
    agent_id,
    sign,
    signed_deactivation,
    signed_endorsement,
    signed_key_registration,
    signed_key_revocation,
    signed_registration,
    signed_statement,
)
from graph_contents import run_raw, whole_graph
from key_world import RECOVERY, by_node, registration
from platform_fixture import platform
from scenario import OPERATOR_A, accept, signed_node_policy
from test_rebuild import entries_of

from a2ap.messages.admission_policy import AdmissionMode, invitation_hash
from graph.errors import ForbiddenError
from graph.platform import Platform
from graph.submission.rebuild import rebuild

__all__ = ["platform"]


def admission(
    platform: Platform, mode: AdmissionMode, *, allowed: Sequence[int] = (), secrets: Sequence[str] = ()
) -> bytes:
    """Return the node's policy on who may join."""
    message = admission_policy_message(
        platform.node.agent_id,
        mode=mode,
        allowed_agents=[agent_id(number) for number in allowed],
        invitations=[invitation_hash(secret) for secret in secrets],
    )
    return by_node(platform, message)


async def test_a_new_node_is_open(platform: Platform) -> None:
    await accept(platform, signed_registration(1), signed_statement(1))
    await accept(platform, admission(platform, AdmissionMode.ALLOW_LIST), admission(platform, AdmissionMode.OPEN))
    await accept(platform, signed_registration(2))


async def test_only_the_node_says_who_is_admitted(platform: Platform) -> None:
    await accept(platform, signed_registration(9))
    with pytest.raises(ForbiddenError, match="sets the admission policy here") as refused:
        await platform.submit(sign(admission_policy_message(agent_id(9)), 9))
    assert refused.value.path == "issuingAgent"


async def test_a_list_admits_those_on_it_and_keeps_those_that_are_here(platform: Platform) -> None:
    await accept(platform, signed_registration(1), admission(platform, AdmissionMode.ALLOW_LIST, allowed=[2]))
    await accept(platform, signed_registration(2), signed_statement(2), signed_statement(1, claim="I was here before."))
    with pytest.raises(ForbiddenError, match="urn:agent:test-3 is not on this node's list") as refused:
        await platform.submit(signed_registration(3))
    assert refused.value.path == "agent.@id"


async def test_an_invitation_is_good_for_one_agent(platform: Platform) -> None:
    await accept(platform, admission(platform, AdmissionMode.INVITATION, secrets=["come-in", "you-too"]))
    for refused, problem in (
        (signed_registration(1), "is missing"),
        (signed_registration(1, invitation="let-me-in"), "none of this node's"),
    ):
        with pytest.raises(ForbiddenError, match=problem) as error:
            await platform.submit(refused)
        assert error.value.path == "invitation"
    first = signed_registration(1, invitation="come-in")
    await accept(platform, first)
    assert (await platform.submit(first)).created is False
    with pytest.raises(ForbiddenError, match="was used by another agent"):
        await platform.submit(signed_registration(2, invitation="come-in"))
    await accept(platform, signed_registration(2, invitation="you-too"), signed_statement(2))


async def test_an_invitation_is_good_for_one_agent_of_a_batch(platform: Platform) -> None:
    outcomes = await platform.submit_many(
        [
            admission(platform, AdmissionMode.INVITATION, secrets=["come-in"]),
            *(signed_registration(number, invitation="come-in") for number in (1, 2, 3)),
        ]
    )
    assert [isinstance(outcome, ForbiddenError) for outcome in outcomes] == [False, False, True, True]


async def test_a_used_invitation_stays_used_when_the_policy_is_set_again(platform: Platform) -> None:
    await accept(platform, admission(platform, AdmissionMode.INVITATION, secrets=["come-in"]))
    await accept(platform, signed_registration(1, invitation="come-in"))
    await accept(platform, admission(platform, AdmissionMode.INVITATION, secrets=["come-in", "another"]))
    with pytest.raises(ForbiddenError, match="was used"):
        await platform.submit(signed_registration(2, invitation="come-in"))


@pytest.mark.parametrize("together", [True, False])
async def test_whom_no_seed_endorsed_may_only_register(platform: Platform, together: bool) -> None:
    await accept(
        platform,
        registration(OPERATOR_A),
        registration(5),
        signed_node_policy(platform, seeds=(agent_id(OPERATOR_A),)),
        admission(platform, AdmissionMode.ENDORSED),
    )
    registered, statement = registration(1), signed_statement(1)
    await accept(platform, registered)
    with pytest.raises(ForbiddenError, match="urn:agent:test-1 is not endorsed by a seed"):
        await platform.submit(statement)
    with pytest.raises(ForbiddenError, match="urn:agent:test-5 is not endorsed by a seed"):
        await platform.submit(signed_endorsement(registered, 5))
    # Its keys are its own affair.
    await accept(platform, signed_key_registration(1, 101), signed_key_revocation(1, key=f"{agent_id(1)}#key-2"))
    if together:
        await accept(platform, signed_endorsement(registered, OPERATOR_A), statement)
    else:
        await accept(platform, signed_endorsement(registered, OPERATOR_A))
        await accept(platform, statement)


async def test_an_endorsement_that_is_not_trusted_admits_nobody(platform: Platform) -> None:
    await accept(
        platform,
        registration(OPERATOR_A),
        registration(1),
        signed_node_policy(platform, seeds=(agent_id(OPERATOR_A),)),
        admission(platform, AdmissionMode.ENDORSED),
        signed_endorsement(registration(1), OPERATOR_A),
        signed_statement(1),
    )
    await accept(platform, signed_key_revocation(OPERATOR_A, recovery=OPERATOR_A + RECOVERY, not_trusted_since=0))
    with pytest.raises(ForbiddenError, match="is not endorsed by a seed"):
        await platform.submit(signed_statement(1, claim="And on."))
    await accept(platform, signed_deactivation(1))


async def test_every_change_is_an_entry_and_is_rebuilt(platform: Platform) -> None:
    await accept(
        platform,
        admission(platform, AdmissionMode.INVITATION, secrets=["come-in"]),
        signed_registration(1, invitation="come-in"),
        admission(platform, AdmissionMode.ALLOW_LIST, allowed=[2, 3]),
    )
    entries = await entries_of(platform.store)
    assert [entry.type for entry in entries][2:] == ["AdmissionPolicy", "AgentRegistration", "AdmissionPolicy"]
    (row,) = await platform.store.read("current_admission_policy")
    assert (row["mode"], row["allowed_agents"]) == ("allow-list", [agent_id(2), agent_id(3)])
    before = await whole_graph(platform.store)
    await run_raw(platform.store, "MATCH (n) DETACH DELETE n")
    async for _ in rebuild(platform.store, platform.content, entries):
        pass
    assert await whole_graph(platform.store) == before
