"""Messages about agents and their keys: key registrations, revocations, deactivations, versions."""

from typing import Any

import pytest
import random_messages
from builders import (
    TIME,
    agent_id,
    agent_key,
    deactivation_message,
    description,
    envelope_of,
    key_id,
    key_registration_message,
    key_revocation_message,
    sign,
    signed_agent_version,
    signed_key_registration,
    signed_key_revocation,
    signed_registration,
)
from hypothesis import given
from refusals import (
    MISSING,
    NOT_AGENT_IDS,
    NOT_HASHES,
    NOT_IDS,
    NOT_OBJECTS,
    NOT_TEXTS,
    NOT_TIMES,
    NOT_UUIDS,
    assert_refused,
    with_member,
)

from a2ap.canonical import sha256_digest
from a2ap.errors import FieldError, MessageError, SignatureError
from a2ap.json_text import read_json
from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.key_registration import KeyRegistration, verify_possession
from a2ap.messages.key_revocation import KeyRevocation, RevocationReason
from a2ap.messages.message import read_message
from a2ap.signing.signature import sign_message, verify_signature

KEY = key_registration_message(alias="agent:test-1:pubkey", replaces=[key_id(1)], recovery_seed=7)
REVOCATION = key_revocation_message(not_trusted_since=12)
DEACTIVATION = deactivation_message(reason="no longer needed")
VERSION = {
    name: value
    for name, value in read_json(signed_agent_version(signed_registration(2), family="urn:agent:test")).items()
    if name != "signature"
}


def read_key(data: bytes) -> KeyRegistration:
    registration = read_message(data)
    assert isinstance(registration, KeyRegistration)
    return registration


def test_every_member_of_a_key_registration_is_read() -> None:
    registration = read_key(sign(KEY, 1))

    assert registration.envelope.time == TIME
    assert registration.envelope.agent_id == agent_id(1)
    assert registration.key_id == f"{agent_id(1)}#key-2"
    assert registration.public_key == agent_key(101).public_key
    assert registration.alias == "agent:test-1:pubkey"
    assert registration.replaces == (key_id(1),)
    assert registration.recovery_key_hash == sha256_digest(agent_key(7).public_key.data)


def test_a_key_registration_without_the_optional_members_is_read() -> None:
    registration = read_key(signed_key_registration())

    assert (registration.alias, registration.replaces, registration.recovery_key_hash) == (None, (), None)


def test_possession_holds_and_the_agents_own_signature_covers_it() -> None:
    registration = read_key(sign(KEY, 1))

    verify_possession(registration)
    assert registration.envelope.signature is not None
    verify_signature(registration.envelope.signature, registration.envelope.signed_bytes, agent_key(1).public_key)
    assert b"possession" in registration.envelope.signed_bytes
    assert b"possession" not in registration.possession_bytes


def test_the_recovery_key_signs_under_its_did_key() -> None:
    registration = read_key(signed_key_registration(recovery=7))

    assert registration.envelope.signature is not None
    assert registration.envelope.signature.public_key == agent_key(7).public_key.did_key


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("@id", "urn:uuid:0a1b2c3d-0000-4000-8000-000000000001"),
        ("registeredAt", "2025-10-14T10:31:00Z"),
        ("key.publicKey", agent_key(102).public_key.did_key),
        ("key.alias", "agent:other:pubkey"),
        ("replaces", [f"{agent_id(1)}#key-3"]),
        ("recoveryKeyHash", "sha256:" + "0" * 64),
    ],
)
def test_possession_does_not_hold_where_a_member_that_it_covers_is_another(path: str, value: Any) -> None:
    registration = read_key(sign(with_member(KEY, path, value), 1))

    with pytest.raises(SignatureError):
        verify_possession(registration)


def test_possession_is_by_the_new_key_and_no_other() -> None:
    unproven = {name: value for name, value in KEY.items() if name != "possession"}
    by_old_key = sign_message(unproven, agent_key(1), f"{agent_id(1)}#key-2")["signature"]

    with pytest.raises(SignatureError):
        verify_possession(read_key(sign({**KEY, "possession": by_old_key}, 1)))


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("@id", [MISSING, *NOT_UUIDS]),
        ("registeredAt", [MISSING, *NOT_TIMES]),
        ("registeringAgent", [MISSING, *NOT_AGENT_IDS]),
        ("key", [MISSING, *NOT_OBJECTS]),
        ("key.@id", [MISSING, *NOT_IDS, f"{agent_id(2)}#key-2", agent_id(1), f"{agent_id(1)}#"]),
        ("key.publicKey", [MISSING, *NOT_TEXTS, "did:key:z6Mkx"]),
        ("key.alias", [*NOT_TEXTS, "pubkey"]),
        ("recoveryKeyHash", NOT_HASHES),
        ("possession", [MISSING, *NOT_OBJECTS]),
        ("possession.algorithm", [MISSING, "rsa", None]),
        ("possession.publicKey", [MISSING, key_id(1), agent_key(101).public_key.did_key]),
        ("possession.value", [MISSING, "AAAA", None]),
    ],
)
def test_a_wrong_member_of_a_key_registration_is_named(path: str, values: list[Any]) -> None:
    for value in values:
        assert_refused(KEY, path, value, kind=MessageError)


@pytest.mark.parametrize("value", [key_id(2), "urn:agent:test-1", f"{agent_id(1)}#", f"{agent_id(1)}#key-2", "", "x"])
def test_a_key_replaces_keys_of_its_own_agent_and_not_itself(value: str) -> None:
    assert_refused(KEY, "replaces", [key_id(1), value], at="replaces[1]")


def test_a_key_is_replaced_once() -> None:
    assert_refused(KEY, "replaces", [key_id(1), key_id(1)], "twice")


@given(random_messages.key_registrations())
def test_any_key_registration_that_is_built_is_read(document: bytes) -> None:
    verify_possession(read_key(document))


def test_every_member_of_a_revocation_is_read() -> None:
    revocation = read_message(sign(REVOCATION, 1))

    assert isinstance(revocation, KeyRevocation)
    assert revocation.agent == agent_id(1)
    assert revocation.key_id == key_id(1)
    assert revocation.reason is RevocationReason.KEY_COMPROMISE
    assert (revocation.not_trusted_since_index, revocation.not_trusted_since_time) == (12, None)


def test_a_revocation_may_name_a_time_or_nothing() -> None:
    by_time = read_message(signed_key_revocation(not_trusted_since=TIME))
    plain = read_message(signed_key_revocation())

    assert isinstance(by_time, KeyRevocation) and isinstance(plain, KeyRevocation)
    assert (by_time.not_trusted_since_index, by_time.not_trusted_since_time) == (None, TIME)
    assert (plain.not_trusted_since_index, plain.not_trusted_since_time) == (None, None)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("revokedAt", [MISSING, *NOT_TIMES]),
        ("revokingAgent", [MISSING, *NOT_AGENT_IDS]),
        ("agent", [MISSING, *NOT_AGENT_IDS]),
        ("key", [MISSING, *NOT_IDS, key_id(2), agent_id(1)]),
        ("reason", [MISSING, "", "stolen", None]),
        ("notTrustedSince", [*NOT_OBJECTS, {"logIndex": 1, "receivedAt": "2025-10-14T10:30:00Z"}, {"time": 1}]),
        ("notTrustedSince.logIndex", [-1, 1.5, True, "1", None]),
    ],
)
def test_a_wrong_member_of_a_revocation_is_named(path: str, values: list[Any]) -> None:
    for value in values:
        assert_refused(REVOCATION, path, value, kind=MessageError)


@pytest.mark.parametrize("value", NOT_TIMES)
def test_the_time_since_which_a_key_is_not_trusted_is_a_time(value: Any) -> None:
    message = {**REVOCATION, "notTrustedSince": {"receivedAt": value}}
    with pytest.raises(FieldError, match=r"notTrustedSince\.receivedAt"):
        read_message(sign(message, 1))


def test_every_member_of_a_deactivation_is_read() -> None:
    deactivation = read_message(sign(DEACTIVATION, 1))

    assert isinstance(deactivation, AgentDeactivation)
    assert (deactivation.agent, deactivation.reason) == (agent_id(1), "no longer needed")


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("deactivatedAt", [MISSING, *NOT_TIMES]),
        ("deactivatingAgent", [MISSING, *NOT_AGENT_IDS]),
        ("agent", [MISSING, *NOT_AGENT_IDS]),
        ("reason", NOT_TEXTS),
    ],
)
def test_a_wrong_member_of_a_deactivation_is_named(path: str, values: list[Any]) -> None:
    for value in values:
        assert_refused(DEACTIVATION, path, value, kind=MessageError)


def test_every_member_of_a_version_is_read() -> None:
    version = read_message(sign(VERSION, 1))

    assert isinstance(version, AgentVersion)
    assert version.agent == agent_id(2)
    assert version.target_hash == envelope_of(signed_registration(2)).signed_hash
    assert version.family == "urn:agent:test"


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("announcedAt", [MISSING, *NOT_TIMES]),
        ("announcingAgent", [MISSING, *NOT_AGENT_IDS]),
        ("agent", [MISSING, *NOT_AGENT_IDS]),
        ("targetHash", [MISSING, *NOT_HASHES]),
        ("family", [MISSING, *NOT_AGENT_IDS, agent_id(2)]),
    ],
)
def test_a_wrong_member_of_a_version_is_named(path: str, values: list[Any]) -> None:
    for value in values:
        assert_refused(VERSION, path, value, kind=MessageError)


def test_an_agent_says_itself_of_which_family_it_is() -> None:
    registration = read_message(signed_registration(agent=description(1, family="urn:agent:test")))

    assert isinstance(registration, AgentRegistration)
    assert registration.agent.family == "urn:agent:test"


@pytest.mark.parametrize("value", [*NOT_OBJECTS, {}, {"@id": "urn:a|b"}, {"@id": agent_id(1)}])
def test_the_family_of_an_agent_is_another_agents_id(value: Any) -> None:
    message = {name: member for name, member in read_json(signed_registration()).items() if name != "signature"}
    message["agent"]["prov:specializationOf"] = value
    with pytest.raises(MessageError, match=r"agent\.prov:specializationOf"):
        read_message(sign(message, 1))


@pytest.mark.parametrize("name", ["logKey", "invitation"])
@pytest.mark.parametrize("value", [*NOT_TEXTS, "", "a b", "a\nb", "x" * 513])
def test_log_key_and_invitation_of_a_registration_are_one_word(name: str, value: Any) -> None:
    message = {name: member for name, member in read_json(signed_registration()).items() if name != "signature"}
    assert_refused({**message, name: "word"}, name, value)
