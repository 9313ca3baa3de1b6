"""Names that another node vouches for become `id@origin`, on the value alone, and never the name of two agents."""

from dataclasses import fields, replace
from typing import Any

import pytest
from builders import (
    TIME,
    agent_id,
    agent_key,
    description,
    key_id,
    sign,
    signed_endorsement,
    signed_key_registration,
    signed_registration,
    signed_request,
    signed_response,
    signed_source,
    signed_statement,
)
from hypothesis import given
from hypothesis import strategies as st
from random_messages import ids, messages, statements

from a2ap.errors import ScopeError
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.agent_version import AgentVersion, build_agent_version
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.key_registration import KeyRegistration
from a2ap.messages.key_revocation import KeyRevocation, RevocationReason, build_key_revocation
from a2ap.messages.message import read_message
from a2ap.messages.scoping import check_origin, check_own_names, origin_of, scope_agent, scope_key, scope_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.signing.signature import Signature, verify_signature

A = "urn:agent:a2ap-node:aaaaaaaaaaaaaaaa"
B = "urn:agent:a2ap-node:bbbbbbbbbbbbbbbb"
ME = f"{agent_id(1)}@{A}"
origins = st.sampled_from([A, B])
names = st.one_of(ids, st.builds("{}@{}".format, ids, origins), st.just(agent_key(3).public_key.did_key))


def test_names_of_agents_and_keys_get_the_origin() -> None:
    statement = scope_message(read_message(signed_statement()), A)
    assert isinstance(statement, ProvenanceStatement)
    assert statement.envelope.signature is not None
    assert (statement.envelope.agent_id, statement.agent.agent_id) == (ME, ME)
    assert statement.envelope.signature.public_key == f"{ME}#key-1"


def test_a_registration_names_its_key_and_alias_by_the_origin() -> None:
    alias = "agent:one:pubkey"
    registration = scope_message(read_message(signed_registration(alias=alias)), A)
    assert isinstance(registration, AgentRegistration)
    assert (registration.key_id, registration.alias) == (f"{ME}#key-1", f"{alias}@{A}")


def test_what_a_message_says_of_other_agents_is_scoped_too() -> None:
    endorsement = scope_message(read_message(signed_endorsement(signed_registration(2))), A)
    assert isinstance(endorsement, Endorsement)
    assert endorsement.endorsed_agent == f"{agent_id(2)}@{A}"
    version = build_agent_version(
        announcement_id="urn:uuid:00000000-0000-4000-8000-000000000001",
        announced_at=TIME,
        announcing_agent=agent_id(1),
        agent=agent_id(2),
        target_hash="sha256:" + "0" * 64,
        family=f"{agent_id(3)}@{B}",
    )
    scoped = scope_message(read_message(sign(version, 1)), A)
    assert isinstance(scoped, AgentVersion)
    assert (scoped.agent, scoped.family) == (f"{agent_id(2)}@{A}", f"{agent_id(3)}@{B}")


def test_a_revoked_key_is_named_by_its_agent_and_the_origin() -> None:
    message = build_key_revocation(
        revocation_id="urn:uuid:00000000-0000-4000-8000-000000000001",
        revoked_at=TIME,
        revoking_agent=agent_id(1),
        agent=agent_id(2),
        key_id=key_id(2),
        reason=RevocationReason.UNSPECIFIED,
    )
    scoped = scope_message(read_message(sign(message, 1)), A)
    assert isinstance(scoped, KeyRevocation)
    assert (scoped.agent, scoped.key_id) == (f"{agent_id(2)}@{A}", f"{agent_id(2)}@{A}#key-1")


def test_a_name_that_certifies_itself_stays() -> None:
    did = agent_key(1).public_key.did_key
    registration = read_message(
        signed_registration(agent=description(1, agent_id=did), alias="agent:one:pubkey", seed=1)
    )
    assert scope_message(registration, A) == registration


def test_a_name_scoped_by_the_reader_is_its_own() -> None:
    registration = read_message(signed_registration(agent=description(2), seed=2))
    endorsement = read_message(signed_endorsement(signed_registration(2)))
    assert isinstance(endorsement, Endorsement)
    named = replace(endorsement, endorsed_agent=f"{agent_id(2)}@{B}")
    assert scope_message(named, A, home=B).endorsed_agent == registration.envelope.agent_id
    assert scope_message(named, A).endorsed_agent == f"{agent_id(2)}@{B}"


@given(statements() | messages, origins)
def test_only_names_change(document: bytes, origin: str) -> None:
    message = read_message(document)
    scoped = scope_message(message, origin)
    for name in ("received", "document_hash", "signed_bytes", "signed_hash", "id", "type", "time", "document"):
        assert getattr(scoped.envelope, name) is getattr(message.envelope, name)
    if message.envelope.signature is not None and scoped.envelope.signature is not None:
        assert scoped.envelope.signature == replace(
            message.envelope.signature, public_key=scoped.envelope.signature.public_key
        )
    changed = {field.name for field in fields(message) if getattr(message, field.name) != getattr(scoped, field.name)}
    assert changed <= {
        *("envelope", "agent", "family", "key_id", "alias", "replaces", "endorsed_agent", "eligible_verifiers"),
        "retain_until",  # how long a peer keeps its sources is no order to us
    }


@given(statements() | messages, origins, origins)
def test_scoping_again_changes_nothing(document: bytes, origin: str, other: str) -> None:
    scoped = scope_message(read_message(document), origin)
    assert scope_message(scoped, origin) == scoped
    assert scope_message(scoped, other) == scoped


@given(st.sets(st.tuples(ids, origins | st.none()), min_size=2))
def test_no_two_agents_of_different_origins_get_one_name(agents: set[tuple[str, str | None]]) -> None:
    # None: an agent of ours, whose name admission keeps from being a scoped one.
    called = [name if origin is None else scope_agent(name, origin) for name, origin in agents]
    assert len(set(called)) == len(agents)
    assert {(name, origin_of(scoped)) for (name, _), scoped in zip(agents, called, strict=True)} == agents


@given(names, st.text(min_size=1, max_size=5), names, origins)
def test_a_key_stays_the_key_of_its_agent(agent: str, key: str, other: str, origin: str) -> None:
    assert scope_key(f"{agent}#{key}", other, origin) == f"{scope_agent(agent, origin)}#{key}"


@pytest.mark.parametrize("make", [signed_statement, signed_registration, signed_source])
def test_nobody_writes_in_a_scoped_name(make: Any) -> None:
    message = read_message(make())
    check_own_names(message)
    with pytest.raises(ScopeError, match="an agent of another node"):
        check_own_names(scope_message(message, A))


def test_nobody_signs_with_a_scoped_key() -> None:
    message = read_message(signed_statement())
    assert message.envelope.signature is not None
    signature: Signature = replace(message.envelope.signature, public_key=f"{ME}#key-1")
    with pytest.raises(ScopeError, match="key-1"):
        check_own_names(replace(message, envelope=replace(message.envelope, signature=signature)))


def test_the_signature_still_holds() -> None:
    statement = signed_statement()
    for document in (statement, signed_request(statement), signed_response(statement, 1)):
        envelope = scope_message(read_message(document), A).envelope
        assert envelope.signature is not None
        verify_signature(envelope.signature, envelope.signed_bytes, agent_key(1).public_key)


@pytest.mark.parametrize("origin", ["urn:agent:a2ap-node:AAAA", "urn:agent:other", f"{A}\n", f"x@{A}", "", A + "a"])
def test_only_a_node_is_an_origin(origin: str) -> None:
    check_origin(A)
    with pytest.raises(ScopeError):
        check_origin(origin)


def test_a_key_registration_names_its_keys_by_the_origin() -> None:
    document = signed_key_registration(1, 2, alias="agent:one:pubkey", replaces=[key_id(1)])
    scoped = scope_message(read_message(document), A)
    assert isinstance(scoped, KeyRegistration)
    assert (scoped.key_id, scoped.alias) == (f"{ME}#key-2", f"agent:one:pubkey@{A}")
    assert scoped.replaces == (f"{ME}#key-1",)
