"""Revoked keys: what is refused, what of the past weighs nothing any more, and that a rebuild says the same."""

import random
from datetime import timedelta

import httpx
import pytest
from builders import (
    agent_id,
    agent_key,
    deactivation_message,
    envelope_of,
    key_id,
    key_registration_message,
    key_revocation_message,
    message_id,
    sign,
    sign_as,
    signed_deactivation,
    signed_endorsement,
    signed_key_registration,
    signed_key_revocation,
    signed_statement,
    statement_message,
)
from graph_contents import nodes_with_label, relationships_of_type, run_raw, whole_graph
from key_world import (
    OWNER,
    RECOVERY,
    THIEF,
    key_rows,
    key_world,
    registration,
    response_with,
    revocation_by_node,
    size_of,
    statement_with,
)
from platform_fixture import platform
from scenario import AUTHOR, OPERATOR_A, VERIFIER_A, VERIFIER_B, accept, hash_of, signed_node_policy
from test_rebuild import entries_of

from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.endorsement import build_endorsement
from a2ap.messages.key_events import KeyMessage, key_event_of, recovery_key_of, subject_of
from a2ap.messages.key_history import Authority, KeyEvent, KeyHistory, read_key_history
from a2ap.messages.key_revocation import KeyRevocation, RevocationReason
from a2ap.messages.message import read_message
from a2ap.messages.policy import POLICY_METHODS, ConsensusMethod
from a2ap.messages.verification_response import Verdict
from graph.app import create_app
from graph.errors import ConflictError, ForbiddenError, KeyNotInUseError, NotRegisteredError, TargetError
from graph.keys import trust
from graph.platform import Platform
from graph.scores.on_demand import consensus_of_statements
from graph.scoring.statuses import statuses_of
from graph.submission.rebuild import rebuild

__all__ = ["platform"]


async def statement_row(platform: Platform, document: bytes) -> dict[str, object]:
    (row,) = await platform.store.read("statements_by_hash", hashes=[hash_of(document)])
    return row


async def rebuilt(platform: Platform) -> None:
    """Rebuild the graph and check that it is the same."""
    before, entries = await whole_graph(platform.store), await entries_of(platform.store)
    await run_raw(platform.store, "MATCH (n) DETACH DELETE n")
    async for _ in rebuild(platform.store, platform.content, entries):
        pass
    assert await whole_graph(platform.store) == before


async def test_a_revoked_key_is_refused_at_the_door(platform: Platform) -> None:
    await accept(platform, registration(1), signed_key_revocation(1))
    place = await size_of(platform) - 1
    with pytest.raises(KeyNotInUseError, match=rf"is not trusted since entry {place} \(keyCompromise\)") as refused:
        await platform.submit(signed_statement(1))
    assert refused.value.path == "signature.publicKey"


async def test_a_message_behind_the_revocation_in_one_batch_is_refused(platform: Platform) -> None:
    *accepted, late = await platform.submit_many(
        [registration(1), signed_statement(1), signed_key_revocation(1), signed_statement(1, claim="Late.")]
    )
    assert not any(isinstance(outcome, Exception) for outcome in accepted)
    assert isinstance(late, KeyNotInUseError)


async def test_an_ordinary_revocation_leaves_the_past_alone(platform: Platform) -> None:
    world = await key_world(platform)
    await accept(platform, signed_key_revocation(AUTHOR), signed_key_revocation(VERIFIER_A))
    row = await statement_row(platform, world.statement)
    assert (row["verified"], row["key_trusted"]) == (True, True)


async def test_an_ordinary_key_does_not_reach_into_the_past(platform: Platform) -> None:
    world = await key_world(platform)
    earlier = (await entries_of(platform.store))[3].received_at
    for since in (0, world.size - 1, earlier):
        with pytest.raises(ForbiddenError, match="notTrustedSince") as refused:
            await platform.submit(signed_key_revocation(AUTHOR, not_trusted_since=since))
        assert refused.value.path == "notTrustedSince"
    await accept(platform, signed_key_revocation(AUTHOR, not_trusted_since=world.size))


async def test_nobody_revokes_the_key_of_another(platform: Platform) -> None:
    await accept(platform, registration(1), registration(2))
    with pytest.raises(ForbiddenError, match="for whose keys"):
        await platform.submit(sign(key_revocation_message(1, revoking_agent=agent_id(2)), 2))


async def test_what_is_revoked_must_be_there_and_trusted(platform: Platform) -> None:
    await accept(platform, registration(1), signed_key_registration(1, 101))
    with pytest.raises(TargetError, match="is not registered"):
        await platform.submit(signed_key_revocation(1, key=f"{agent_id(1)}#key-9"))
    with pytest.raises(NotRegisteredError):
        await platform.submit(revocation_by_node(platform, 55))
    await accept(platform, signed_key_revocation(1, key=f"{agent_id(1)}#key-2"))
    again = signed_key_revocation(1, key=f"{agent_id(1)}#key-2", reason=RevocationReason.SUPERSEDED)
    with pytest.raises(ConflictError, match="is not trusted since"):
        await platform.submit(again)


async def test_a_statement_signed_after_the_point_is_not_verified_and_says_why(platform: Platform) -> None:
    world = await key_world(platform)
    place = (await statement_row(platform, world.statement))["log_index"]
    assert isinstance(place, int)
    await accept(platform, revocation_by_node(platform, AUTHOR, not_trusted_since=place))

    row = await statement_row(platform, world.statement)
    assert (row["verified"], row["key_trusted"]) == (False, False)
    name = hash_of(world.statement)
    consensus = (await consensus_of_statements(platform.store, [name]))[name]
    assert consensus.reasons == ("It is signed with a key that is not trusted where it stands in the log.",)
    assert (await statuses_of(platform.store, [name]))[name].key_trusted is False


async def test_a_statement_signed_before_the_point_stays_verified(platform: Platform) -> None:
    world = await key_world(platform)
    place = (await statement_row(platform, world.statement))["log_index"]
    assert isinstance(place, int)
    later = signed_statement(AUTHOR, claim="Said later.")
    await accept(platform, later)
    await accept(platform, signed_key_revocation(AUTHOR, recovery=AUTHOR + RECOVERY, not_trusted_since=place + 1))
    row, late = await statement_row(platform, world.statement), await statement_row(platform, later)
    assert (row["verified"], row["key_trusted"]) == (True, True)
    assert (late["verified"], late["key_trusted"]) == (False, False)
    await rebuilt(platform)


async def test_however_much_a_key_signed_all_of_it_is_marked(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await key_world(platform)
    more = [signed_statement(AUTHOR, claim=f"Said as number {number}.") for number in range(5)]
    await accept(platform, *more)
    monkeypatch.setattr(trust, "_PAGE", 2)
    for seed in (AUTHOR, VERIFIER_A):
        await accept(platform, revocation_by_node(platform, seed, not_trusted_since=0))
    rows = [await statement_row(platform, document) for document in (world.statement, *more)]
    assert not any(row["key_trusted"] for row in rows)
    verdicts = await nodes_with_label(platform.store, "Verification")
    assert {verdict["key_trusted"] for verdict in verdicts if verdict["key_id"] == key_id(VERIFIER_A)} == {False}


@pytest.mark.parametrize("method", POLICY_METHODS)
async def test_verdicts_signed_after_the_point_weigh_nothing(platform: Platform, method: ConsensusMethod) -> None:
    world = await key_world(platform)
    await accept(platform, signed_node_policy(platform, 2, method=method))
    before = await statement_row(platform, world.statement)
    await accept(platform, signed_key_revocation(VERIFIER_A, recovery=VERIFIER_A + RECOVERY, not_trusted_since=0))

    row = await statement_row(platform, world.statement)
    assert row["key_trusted"] is True
    name = hash_of(world.statement)
    consensus = (await consensus_of_statements(platform.store, [name]))[name]
    assert consensus.counted == (agent_id(VERIFIER_B),)
    assert (agent_id(VERIFIER_A), "signed with a key that is not trusted") in consensus.ignored
    assert (row["consensus_score"], row["verified"]) == (consensus.score, consensus.verified)
    assert (await statuses_of(platform.store, [name]))[name].validators == (agent_id(VERIFIER_B),)
    if method is ConsensusMethod.QUORUM:
        assert before["verified"] is True
        assert row["verified"] is False
    await rebuilt(platform)


async def test_an_endorsement_signed_after_the_point_has_no_effect(platform: Platform) -> None:
    world = await key_world(platform)
    await accept(platform, signed_key_revocation(OPERATOR_A, recovery=OPERATOR_A + RECOVERY, not_trusted_since=0))
    row = await statement_row(platform, world.statement)
    assert row["verified"] is False
    assert [edge["key_trusted"] for edge in await relationships_of_type(platform.store, "ENDORSED")].count(False) == 1
    # The operator comes back with another key, and vouches for the verifier again.
    endorsement = signed_endorsement(registration(VERIFIER_A), OPERATOR_A, endorsement_id=message_id("again"))
    with pytest.raises(KeyNotInUseError):
        await platform.submit(endorsement)

    target = envelope_of(registration(VERIFIER_A))
    again = build_endorsement(
        endorsement_id=message_id("again"),
        endorsed_at=target.time,
        endorsing_agent=agent_id(OPERATOR_A),
        endorsed_agent=target.agent_id,
        target_hash=target.signed_hash,
    )
    await accept(platform, signed_key_registration(OPERATOR_A, OWNER, recovery=OPERATOR_A + RECOVERY))
    await accept(platform, sign_as(again, agent_key(OWNER), f"{agent_id(OPERATOR_A)}#key-2"))
    assert (await statement_row(platform, world.statement))["verified"] is True
    await rebuilt(platform)


async def test_a_point_may_be_given_as_a_time_of_receipt(platform: Platform) -> None:
    world = await key_world(platform)
    entries = await entries_of(platform.store)
    place = (await statement_row(platform, world.statement))["log_index"]
    assert isinstance(place, int)
    first = next(entry for entry in entries if entry.received_at >= entries[place].received_at)
    await accept(platform, revocation_by_node(platform, AUTHOR, not_trusted_since=entries[place].received_at))
    assert (await key_rows(platform, AUTHOR))["key-1"]["not_trusted_since"] == first.log_index
    assert (await statement_row(platform, world.statement))["key_trusted"] is False
    await rebuilt(platform)


async def test_a_time_or_place_to_come_is_the_revocation_s_own(platform: Platform) -> None:
    await key_world(platform)
    later = (await entries_of(platform.store))[-1].received_at + timedelta(days=400)
    await accept(platform, revocation_by_node(platform, AUTHOR, not_trusted_since=later))
    await accept(platform, revocation_by_node(platform, VERIFIER_A, not_trusted_since=10**6))
    size = await size_of(platform)
    assert (await key_rows(platform, AUTHOR))["key-1"]["not_trusted_since"] == size - 2
    assert (await key_rows(platform, VERIFIER_A))["key-1"]["not_trusted_since"] == size - 1
    await rebuilt(platform)


async def test_reputation_is_not_earned_with_a_key_that_is_not_trusted(platform: Platform) -> None:
    world = await key_world(platform)
    await accept(platform, signed_node_policy(platform, 2, quorum=1, threshold=0.6))
    before = await platform.store.read("counters_of", ids=[agent_id(VERIFIER_A), agent_id(VERIFIER_B)])
    assert [row["verdicts_right"] for row in before] == [1, 1]
    await accept(platform, revocation_by_node(platform, VERIFIER_A, not_trusted_since=world.size - 2))
    after = await platform.store.read("counters_of", ids=[agent_id(VERIFIER_A), agent_id(VERIFIER_B)])
    assert [row["verdicts_right"] for row in after] == [0, 0]
    await rebuilt(platform)


@pytest.mark.both_engines
async def test_a_stolen_key_rotates_and_revokes_and_the_recovery_key_wins(platform: Platform) -> None:
    world = await key_world(platform)
    first, second = (f"{agent_id(VERIFIER_A)}#{name}" for name in ("key-1", "key-2"))
    await accept(platform, signed_key_registration(VERIFIER_A, 103, key_name="key-2"))
    stolen_at = await size_of(platform)
    # The thief takes the first key: rotates to one of its own, locks the owner out, judges, claims, and ends the agent.
    await accept(
        platform,
        signed_key_registration(VERIFIER_A, THIEF, key_name="key-3", replaces=[first]),
        _revocation_with(THIEF, "key-3", second),
    )
    claim = statement_with(VERIFIER_A, THIEF, "key-3", "The map drops the limit.")
    challenge = response_with(world.statement, VERIFIER_A, THIEF, "key-3", verdict=Verdict.CHALLENGED)
    await accept(platform, claim, challenge)
    assert (await statement_row(platform, world.statement))["verified"] is False
    await accept(platform, _deactivation_with(THIEF, "key-3"))
    with pytest.raises(ForbiddenError, match="was deactivated"):
        await platform.submit(response_with(world.statement, VERIFIER_A, 103, "key-2"))

    await accept(
        platform, signed_key_revocation(VERIFIER_A, recovery=VERIFIER_A + RECOVERY, not_trusted_since=stolen_at)
    )

    keys = await key_rows(platform, VERIFIER_A)
    assert (keys["key-1"]["retired_at"], keys["key-1"]["not_trusted_since"]) == (None, stolen_at)
    assert (keys["key-1"]["revoked_by"], keys["key-1"]["revoked_reason"]) == ("recovery", "keyCompromise")
    assert keys["key-2"]["not_trusted_since"] is None
    assert keys["key-3"]["not_trusted_since"] == stolen_at
    assert keys["key-3"]["revoked_reason"] == "registeredByUntrustedKey"
    assert keys["key-1"]["deactivated_at"] is None
    void = [event["type"] for event in await nodes_with_label(platform.store, "KeyEvent") if event["void"]]
    assert sorted(void) == ["AgentDeactivation", "KeyRegistration", "KeyRevocation"]
    assert (await statement_row(platform, claim))["key_trusted"] is False
    # The verdict that the owner gave before the theft stands again, and the owner goes on with the key that is left.
    assert (await statement_row(platform, world.statement))["verified"] is True
    await accept(platform, response_with(claim, VERIFIER_A, 103, "key-2", verdict=Verdict.CHALLENGED))
    for number, name in ((THIEF, "key-3"), (VERIFIER_A, "key-1")):
        with pytest.raises(KeyNotInUseError):
            await platform.submit(statement_with(VERIFIER_A, number, name, f"Again with {name}."))
    await rebuilt(platform)


async def test_the_thief_cannot_answer_the_recovery_key(platform: Platform) -> None:
    await accept(platform, registration(1))
    stolen_at = await size_of(platform)
    await accept(platform, signed_key_registration(1, THIEF, key_name="key-3", replaces=[f"{agent_id(1)}#key-1"]))
    await accept(platform, signed_key_registration(1, OWNER, recovery=1 + RECOVERY))
    await accept(platform, signed_key_revocation(1, recovery=1 + RECOVERY, not_trusted_since=stolen_at))
    with pytest.raises(KeyNotInUseError):
        await platform.submit(_revocation_with(THIEF, "key-3", f"{agent_id(1)}#key-2", number=1))
    await accept(platform, statement_with(1, OWNER, "key-2", "The owner speaks."))
    await rebuilt(platform)


@pytest.mark.both_engines
async def test_an_agent_that_its_owner_deactivated_stays_so(platform: Platform) -> None:
    await accept(platform, registration(1), signed_statement(1), signed_deactivation(1, recovery=1 + RECOVERY))
    await accept(platform, signed_key_revocation(1, recovery=1 + RECOVERY, not_trusted_since=0))
    with pytest.raises(ForbiddenError, match="was deactivated"):
        await platform.submit(signed_statement(1, claim="Back."))
    await rebuilt(platform)


def _revocation_with(key: int, name: str, revoked: str, number: int = VERIFIER_A) -> bytes:

    return sign_as(key_revocation_message(number, key=revoked), agent_key(key), f"{agent_id(number)}#{name}")


def _deactivation_with(key: int, name: str, number: int = VERIFIER_A) -> bytes:

    return sign_as(deactivation_message(number), agent_key(key), f"{agent_id(number)}#{name}")


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_whatever_is_said_about_keys_the_graph_has_what_the_log_says(platform: Platform, seed: int) -> None:
    chance = random.Random(seed)
    agents = (1, 2)
    await accept(platform, *(registration(number) for number in agents))
    names = {number: ["key-1"] for number in agents}
    for step in range(40):
        number = chance.choice(agents)
        signer = chance.choice(names[number])
        document = _said_about_keys(platform, chance, step, number, names[number], signer)
        (outcome,) = await platform.submit_many([document])
        if not isinstance(outcome, Exception) and outcome.entry.type == "KeyRegistration":
            names[number].append(f"key-{step + 10}")
    history = await _history_from_the_log(platform)
    for number in agents:
        for row in (await key_rows(platform, number)).values():
            status = history.keys[row["key_id"]]
            assert (row["retired_at"], row["not_trusted_since"]) == (status.retired_at, status.not_trusted_since)
            assert (row["revoked_reason"], row["revoked_by"]) == (status.reason, status.by)
            assert row["deactivated_at"] == history.deactivated_at.get(agent_id(number))
    for node in await nodes_with_label(platform.store, "Statement"):
        assert node["key_trusted"] == history.keys[node["key_id"]].is_trusted_at(node["log_index"])
    assert {event["log_index"] for event in await nodes_with_label(platform.store, "KeyEvent") if event["void"]} == set(
        history.void
    )
    await rebuilt(platform)


def _said_about_keys(
    platform: Platform, chance: random.Random, step: int, number: int, names: list[str], signer: str
) -> bytes:
    """Return something that an agent might say with one of its keys, its recovery key or the node's, right or wrong."""

    def key_of(name: str) -> int:
        return number if name == "key-1" else 1000 * number + int(name.removeprefix("key-"))

    reference, other = f"{agent_id(number)}#{signer}", f"{agent_id(number)}#{chance.choice(names)}"
    recovered, key = chance.random() < 0.25, agent_key(key_of(signer))
    match chance.choice(["say", "say", "add", "rotate", "revoke", "revoke", "overrule", "deactivate"]):
        case "say":
            return sign_as(statement_message(number, claim=f"Step {step}."), key, reference)
        case "add" | "rotate" as kind:
            message = key_registration_message(
                number,
                1000 * number + step + 10,
                key_name=f"key-{step + 10}",
                replaces=[other] if kind == "rotate" else [],
            )
        case "revoke":
            message = key_revocation_message(number, key=other)
        case "overrule":
            message = key_revocation_message(number, key=other, not_trusted_since=chance.randrange(step + 5))
            if chance.random() < 0.5:
                return revocation_by_node(platform, number, key=other, not_trusted_since=chance.randrange(step + 5))
            recovered = True
        case _:
            message = deactivation_message(number, reason=f"Step {step}.")
    return sign_as(message, agent_key(number + RECOVERY)) if recovered else sign_as(message, key, reference)


async def _history_from_the_log(platform: Platform) -> KeyHistory:
    """Read what became of the keys out of entries and documents alone, as a stranger would."""
    events: list[KeyEvent | None] = []
    recovery_hashes: dict[str, str | None] = {}
    for entry in await entries_of(platform.store):
        message = read_message(await platform.content.get(entry.document_hash))
        if isinstance(message, AgentRegistration):
            recovery_hashes[entry.agent] = message.recovery_key_hash
        authority = Authority.KEY
        if isinstance(message, KeyMessage):
            if entry.agent != subject_of(message):
                authority = Authority.OPERATOR
            elif recovery_key_of(message, recovery_hashes[entry.agent]) is not None:
                authority = Authority.RECOVERY
        since = message.not_trusted_since_index if isinstance(message, KeyRevocation) else None
        events.append(key_event_of(message, entry.log_index, signed_by=entry.key, authority=authority, since=since))
    return read_key_history(event for event in events if event is not None)


async def test_every_door_shows_what_is_not_trusted(platform: Platform) -> None:
    world = await key_world(platform)
    await accept(platform, revocation_by_node(platform, AUTHOR, not_trusted_since=0))
    await accept(platform, revocation_by_node(platform, VERIFIER_A, not_trusted_since=world.size - 2))
    query = """query ($id: ID!) { statement(id: $id) {
        keyId keyStatus verified consensus { reasons ignored { reason } }
        generatedBy { deactivatedAt keys { id status notTrustedSince revokedReason revokedBy retiredAt } }
        verifications { keyId keyStatus machine } } }"""
    transport = httpx.ASGITransport(create_app(platform, platform.settings))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        name = hash_of(world.statement)
        answer = (await client.post("/graphql", json={"query": query, "variables": {"id": name}})).json()
        linked = (await client.get(f"/statements/{name}", headers={"accept": "application/ld+json"})).json()
    statement = answer["data"]["statement"]
    assert (statement["keyStatus"], statement["verified"]) == ("NOT_TRUSTED", False)
    assert statement["keyId"] == f"{agent_id(AUTHOR)}#key-1"
    assert statement["generatedBy"]["keys"] == [
        {
            "id": f"{agent_id(AUTHOR)}#key-1",
            "status": "NOT_TRUSTED",
            "notTrustedSince": 0,
            "revokedReason": "keyCompromise",
            "revokedBy": "operator",
            "retiredAt": None,
        }
    ]
    assert statement["generatedBy"]["deactivatedAt"] is None
    statuses = {one["keyId"]: one["keyStatus"] for one in statement["verifications"] if not one["machine"]}
    assert statuses == {f"{agent_id(VERIFIER_A)}#key-1": "NOT_TRUSTED", f"{agent_id(VERIFIER_B)}#key-1": "TRUSTED"}
    assert linked["verificationStatus"]["keyTrusted"] is False
    assert linked["verificationStatus"]["verified"] is False
