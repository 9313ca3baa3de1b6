"""Keys change hands: proof of possession, several keys, rotation, the recovery key; on both engines."""

import pytest
from builders import (
    agent_id,
    agent_key,
    deactivation_message,
    key_registration_message,
    message_id,
    response_message,
    sign,
    sign_as,
    signed_deactivation,
    signed_key_registration,
    signed_key_revocation,
    signed_registration,
    signed_statement,
    statement_message,
)
from graph_contents import run_raw, whole_graph
from key_world import RECOVERY, by_node, key_rows, registration, size_of, statement_with
from platform_fixture import platform
from scenario import AUTHOR, accept
from test_rebuild import entries_of

from a2ap.errors import SignatureError
from graph.errors import ConflictError, ForbiddenError, KeyNotInUseError, NotRegisteredError, TargetError
from graph.platform import Platform
from graph.submission.rebuild import rebuild

__all__ = ["platform"]

ALIAS = "agent:test-1:pubkey"
LATEST = {"start": -1, "end": 2**40, "sign": -1, "limit": 5}


async def test_a_second_key_speaks_beside_the_first(platform: Platform) -> None:
    await accept(platform, signed_registration(1), signed_key_registration(1, 101))
    await accept(platform, signed_statement(1), statement_with(1, 101, "key-2", "Another claim."))
    keys = await key_rows(platform, 1)
    assert [row["retired_at"] for row in keys.values()] == [None, None]
    assert keys["key-2"]["registered_by"] == f"{agent_id(1)}#key-1"


async def test_a_key_may_be_used_in_the_batch_that_registers_it(platform: Platform) -> None:
    documents = [signed_registration(1), signed_key_registration(1, 101), statement_with(1, 101, "key-2", "At once.")]
    await accept(platform, *documents)
    (row,) = await platform.store.read("statements_by_agent", ids=[agent_id(1)], **LATEST)
    (statement,) = await platform.store.read("statements_by_hash", hashes=[row["signed_hash"]])
    assert statement["key_id"] == f"{agent_id(1)}#key-2"
    assert statement["key_trusted"] is True


@pytest.mark.parametrize("together", [True, False])
async def test_a_replaced_key_is_refused_and_its_messages_stay(platform: Platform, together: bool) -> None:
    first = [
        signed_registration(1),
        signed_statement(1),
        signed_key_registration(1, 101, replaces=[f"{agent_id(1)}#key-1"]),
    ]
    late = signed_statement(1, claim="Too late.")
    if together:
        *accepted, refused = await platform.submit_many([*first, late])
        assert not any(isinstance(outcome, Exception) for outcome in accepted)
        assert isinstance(refused, KeyNotInUseError)
    else:
        await accept(platform, *first)
        with pytest.raises(KeyNotInUseError, match=r"key urn:agent:test-1#key-1 was replaced by entry \d+"):
            await platform.submit(late)
    assert (await platform.submit(signed_statement(1))).created is False
    (row,) = await platform.store.read("statements_by_agent", ids=[agent_id(1)], **LATEST)
    (statement,) = await platform.store.read("statements_by_hash", hashes=[row["signed_hash"]])
    assert statement["key_trusted"] is True


async def test_an_alias_moves_to_the_key_that_replaces(platform: Platform) -> None:
    rotation = signed_key_registration(1, 101, alias=ALIAS, replaces=[f"{agent_id(1)}#key-1"])
    await accept(platform, signed_registration(1, alias=ALIAS), rotation)
    await accept(platform, sign_as(statement_message(1), agent_key(101), ALIAS))
    with pytest.raises(SignatureError, match="is not by"):
        await platform.submit(sign_as(statement_message(1, claim="Another."), agent_key(1), ALIAS))


@pytest.mark.both_engines
async def test_two_keys_of_an_agent_in_use_have_two_aliases(platform: Platform) -> None:
    await accept(platform, signed_registration(1, alias=ALIAS))
    with pytest.raises(ConflictError, match="is the alias of"):
        await platform.submit(signed_key_registration(1, 101, alias=ALIAS))


async def test_who_does_not_hold_the_new_key_cannot_register_it(platform: Platform) -> None:
    await accept(platform, signed_registration(1))
    message = key_registration_message(1, 101)
    message["possession"] = key_registration_message(1, 102)["possession"]
    with pytest.raises(SignatureError, match="is not by"):
        await platform.submit(sign(message, 1))


async def test_nobody_registers_a_key_for_another(platform: Platform) -> None:
    await accept(platform, signed_registration(1), signed_registration(2))
    with pytest.raises(SignatureError):
        await platform.submit(sign_as(key_registration_message(1, 101), agent_key(2), f"{agent_id(1)}#key-1"))
    with pytest.raises(SignatureError, match="belongs to"):
        await platform.submit(sign_as(key_registration_message(1, 101), agent_key(2), f"{agent_id(2)}#key-1"))


async def test_a_key_does_not_come_back_under_another_name(platform: Platform) -> None:
    await accept(platform, signed_registration(1), signed_key_registration(1, 101))
    await accept(platform, signed_key_revocation(1, key=f"{agent_id(1)}#key-2"))
    with pytest.raises(ConflictError, match="is registered as urn:agent:test-1#key-2"):
        await platform.submit(signed_key_registration(1, 101, key_name="key-3"))
    with pytest.raises(ConflictError, match="is already registered"):
        await platform.submit(signed_key_registration(1, 102))


async def test_only_known_keys_are_replaced(platform: Platform) -> None:
    await accept(platform, signed_registration(1))
    with pytest.raises(TargetError, match="is not registered"):
        await platform.submit(signed_key_registration(1, 101, replaces=[f"{agent_id(1)}#key-7"]))


async def test_the_recovery_key_registers_a_key_when_no_other_is_left(platform: Platform) -> None:
    await accept(platform, registration(AUTHOR), signed_key_revocation(AUTHOR))
    with pytest.raises(KeyNotInUseError):
        await platform.submit(signed_key_registration(AUTHOR, 101))
    await accept(platform, signed_key_registration(AUTHOR, 101, recovery=AUTHOR + RECOVERY))
    await accept(platform, statement_with(AUTHOR, 101, "key-2", "Back again."))


async def test_only_the_recovery_key_names_another_recovery_key(platform: Platform) -> None:
    await accept(platform, registration(1))
    with pytest.raises(ForbiddenError, match="recoveryKeyHash") as refused:
        await platform.submit(signed_key_registration(1, 101, recovery_seed=77))
    assert refused.value.path == "recoveryKeyHash"
    await accept(platform, signed_key_registration(1, 101, recovery=1 + RECOVERY, recovery_seed=77))
    with pytest.raises(NotRegisteredError):
        await platform.submit(signed_key_revocation(1, recovery=1 + RECOVERY))
    await accept(platform, signed_key_revocation(1, recovery=77))


async def test_the_recovery_key_signs_nothing_else(platform: Platform) -> None:
    await accept(platform, registration(1))
    with pytest.raises(NotRegisteredError):
        await platform.submit(sign_as(statement_message(1), agent_key(1 + RECOVERY)))
    with pytest.raises(ForbiddenError, match="recovery key"):
        await platform.submit(signed_key_registration(1, 1 + RECOVERY))


async def test_a_recovery_key_is_nobody_s_where_none_was_committed_to(platform: Platform) -> None:
    await accept(platform, signed_registration(1))
    with pytest.raises(NotRegisteredError):
        await platform.submit(signed_key_revocation(1, recovery=1 + RECOVERY))


async def test_nothing_more_is_taken_from_an_agent_that_is_deactivated(platform: Platform) -> None:
    await accept(platform, registration(1), registration(2), signed_statement(1), signed_deactivation(1))
    place = await size_of(platform) - 1
    with pytest.raises(ForbiddenError, match=f"agent {agent_id(1)} was deactivated by entry {place}") as refused:
        await platform.submit(signed_statement(1, claim="Still here."))
    assert refused.value.path == "agent.@id"
    for document in (signed_key_registration(1, 101), signed_key_registration(1, 101, recovery=1 + RECOVERY)):
        with pytest.raises(ForbiddenError, match="was deactivated"):
            await platform.submit(document)
    (row,) = await platform.store.read("statements_by_agent", ids=[agent_id(1)], **LATEST)
    (statement,) = await platform.store.read("statements_by_hash", hashes=[row["signed_hash"]])
    assert statement["key_trusted"] is True
    await accept(platform, sign(response_message(signed_statement(1), 2), 2))


async def test_the_node_deactivates_an_agent_and_nobody_another(platform: Platform) -> None:
    await accept(platform, registration(1), registration(2))
    with pytest.raises(ForbiddenError, match="for whose keys"):
        await platform.submit(sign(deactivation_message(1, deactivating_agent=agent_id(2)), 2))
    await accept(platform, by_node(platform, deactivation_message(1, deactivating_agent=platform.node.agent_id)))
    with pytest.raises(ForbiddenError, match="was deactivated"):
        await platform.submit(signed_statement(1))


async def test_the_node_s_own_key_does_not_change_hands(platform: Platform) -> None:
    node = platform.node.agent_id
    message = key_registration_message(1, 101, agent=node)
    with pytest.raises(ForbiddenError, match="whose own key does not change"):
        await platform.submit(by_node(platform, message))


async def test_rotations_are_rebuilt(platform: Platform) -> None:
    await accept(
        platform,
        registration(1),
        signed_statement(1),
        signed_key_registration(1, 101, replaces=[f"{agent_id(1)}#key-1"]),
        statement_with(1, 101, "key-2", "With the second."),
        signed_key_registration(1, 102, key_name="key-3", recovery=1 + RECOVERY, recovery_seed=78),
        statement_with(1, 102, "key-3", "With the third."),
        registration(2),
        signed_deactivation(2, reason=message_id("why")),
    )
    before, entries = await whole_graph(platform.store), await entries_of(platform.store)
    await run_raw(platform.store, "MATCH (n) DETACH DELETE n")
    async for _ in rebuild(platform.store, platform.content, entries):
        pass
    assert await whole_graph(platform.store) == before
