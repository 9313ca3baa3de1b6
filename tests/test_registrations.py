"""Registrations of agents and sources, endorsements and policies."""

from typing import Any

import pytest
from builders import (
    SOURCE,
    SOURCE_ID,
    TIME,
    agent_id,
    agent_key,
    description,
    envelope_of,
    key_id,
    sign,
    signed_endorsement,
    signed_policy,
    signed_registration,
    signed_source,
    statement_message,
)
from refusals import (
    MISSING,
    NOT_AGENT_IDS,
    NOT_HASHES,
    NOT_IDS,
    NOT_LISTS,
    NOT_OBJECTS,
    NOT_SHARES,
    NOT_TEXTS,
    NOT_TIMES,
    NOT_UUIDS,
    assert_refused,
    with_member,
)

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.errors import FieldError, MessageError, SignatureError
from a2ap.json_text import read_json, write_json
from a2ap.messages.agent_registration import AgentRegistration, verify_possession
from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.message import read_message
from a2ap.messages.policy import ConsensusMethod, Policy
from a2ap.messages.priors import Priors
from a2ap.messages.source_registration import SourceRegistration
from a2ap.rdf.expansion import expand
from a2ap.rdf.provenance import triples
from a2ap.rdf.rdflib_graph import graph_triples
from a2ap.rdf.vocabulary import PROV, RDF
from a2ap.signing.signature import sign_message


def unsigned(data: bytes) -> dict[str, Any]:
    return {name: value for name, value in read_json(data).items() if name != "signature"}


def read_agent(data: bytes) -> AgentRegistration:
    registration = read_message(data)
    assert isinstance(registration, AgentRegistration)
    return registration


AGENT = unsigned(signed_registration(alias="agent:test-1:pubkey", recovery_seed=7))
SOURCE_MESSAGE = unsigned(signed_source())
ENDORSEMENT = unsigned(signed_endorsement(signed_registration()))
LATER = Priors(claim=(1, 1), trusted=(9, 1), endorsed=(4, 1), unknown=(1, 1), family_correlation=0.25)
DRAW = DrawRules(operators=2, least=5, window=3600)
POLICY = unsigned(signed_policy(seeds=[agent_id(8), agent_id(9)], version=2, epoch_length=50, priors=LATER, draw=DRAW))


def test_every_member_of_an_agent_registration_is_read() -> None:
    registration = read_agent(sign(AGENT, 1))
    assert registration.envelope.time == TIME
    assert registration.envelope.agent_id == agent_id(1)
    assert registration.agent == description(1)
    assert registration.key_id == key_id(1)
    assert registration.public_key == agent_key(1).public_key
    assert registration.alias == "agent:test-1:pubkey"
    assert registration.recovery_key_hash == sha256_digest(agent_key(7).public_key.data)


def test_a_key_is_not_its_own_recovery_key() -> None:
    with pytest.raises(FieldError, match="recoveryKeyHash is that of the key that is registered"):
        read_message(signed_registration(1, recovery_seed=1))


def test_alias_and_recovery_key_may_be_left_out() -> None:
    registration = read_agent(signed_registration())
    assert registration.alias is None
    assert registration.recovery_key_hash is None


def test_a_key_in_raw_base64_is_the_same_key() -> None:
    message = with_member(AGENT, "key.publicKey", agent_key(1).public_key.base64)
    assert read_agent(sign(message, 1)).public_key == agent_key(1).public_key


def test_a_registration_signed_with_its_own_key_proves_possession() -> None:
    verify_possession(read_agent(sign(AGENT, 1)))


def test_a_registration_of_somebody_elses_key_proves_nothing() -> None:
    message = with_member(AGENT, "key.publicKey", agent_key(2).public_key.did_key)
    with pytest.raises(SignatureError):
        verify_possession(read_agent(sign(message, 1)))


def test_a_registration_is_signed_in_the_name_of_its_own_key() -> None:
    data = write_json(sign_message(AGENT, agent_key(1), agent_key(1).public_key.did_key))
    with pytest.raises(FieldError, match=r"signature\.publicKey is .*, not urn:agent:test-1#key-1"):
        read_message(data)


def test_an_agent_that_is_named_by_a_key_registers_that_key() -> None:
    did = agent_key(1).public_key.did_key
    assert read_agent(signed_registration(1, agent=description(1, agent_id=did))).agent.agent_id == did
    with pytest.raises(FieldError, match=r"key\.publicKey is .*, and the agent's id is another key"):
        read_message(signed_registration(2, agent=description(1, agent_id=did)))


@pytest.mark.parametrize(
    "value",
    ["urn:agent:test-2#key-1", "urn:agent:test-1", "urn:agent:test-1#", agent_key(1).public_key.did_key, *NOT_IDS],
)
def test_a_key_is_named_after_its_agent(value: Any) -> None:
    assert_refused(AGENT, "key.@id", value, kind=MessageError)


@pytest.mark.parametrize("value", ["abc", "agent:x:pubkey", "did:key:z6Mkx", "A" * 44, "", None, 5])
def test_a_public_key_is_a_key(value: Any) -> None:
    assert_refused(AGENT, "key.publicKey", value)


@pytest.mark.parametrize(
    "value",
    [
        "agent::pubkey",
        "agent:a b:pubkey",
        "agent:a:b:pubkey",
        "agent:a:key",
        "urn:agent:a",
        "",
        None,
        "agent:" + "a" * 600,
    ],
)
def test_an_alias_has_the_form_of_the_specification(value: Any) -> None:
    assert_refused(AGENT, "key.alias", value)


AGENT_WRONG: list[tuple[str, list[Any]]] = [
    ("@id", NOT_UUIDS),
    ("registeredAt", NOT_TIMES),
    ("agent", NOT_OBJECTS),
    ("agent.@id", NOT_AGENT_IDS),
    ("agent.name", NOT_TEXTS),
    ("key", NOT_OBJECTS),
    ("recoveryKeyHash", NOT_HASHES),
]
SOURCE_WRONG: list[tuple[str, list[Any]]] = [
    ("registeredAt", NOT_TIMES),
    ("registeringAgent", NOT_AGENT_IDS),
    ("source", NOT_OBJECTS),
    ("source.@id", NOT_IDS),
    ("source.documentHash", NOT_HASHES),
    ("source.boundary", [None, "secret", "PUBLIC", 1, []]),
    ("source.title", NOT_TEXTS),
    ("source.publisher", NOT_TEXTS),
    ("source.origin", ["javascript:alert(1)", "file:///etc/passwd", "https://", "example.org", "", None, "http:x"]),
    ("source.mediaType", NOT_TEXTS),
    ("source.byteLength", [None, -1, 0.5, "1", True, []]),
]
ENDORSEMENT_WRONG: list[tuple[str, list[Any]]] = [
    ("endorsedAt", NOT_TIMES),
    ("endorsingAgent", NOT_AGENT_IDS),
    ("endorsedAgent", NOT_AGENT_IDS),
    ("targetHash", NOT_HASHES),
]
POLICY_WRONG: list[tuple[str, list[Any]]] = [
    ("issuedAt", NOT_TIMES),
    ("issuingAgent", NOT_AGENT_IDS),
    ("threshold", NOT_SHARES),
    ("quorum", [None, 0, -1, 1.5, "2", True, 1001]),
    ("seeds", [*NOT_LISTS, [agent_id(8), agent_id(8)]]),
    ("seeds[1]", NOT_AGENT_IDS),
    ("method", [None, "majority", "wawa", "A2AP-0.1", 1]),
    ("version", [None, 0, -1, 1.5, "2", True]),
    ("epochLength", [None, 0, 1.5, "100", True]),
    ("priors", [*NOT_OBJECTS]),
    ("priors.claim", [*NOT_LISTS, [1], [0, 1], [1, -1], [1, True], [1, 2, 3], ["1", "1"], [1e9, 1]]),
    ("priors.trusted", [[1, 2]]),
    ("priors.endorsed", [[1, 2]]),
    ("priors.unknown", [[1, 2]]),
    ("priors.familyCorrelation", NOT_SHARES),
    ("criteria", [*NOT_LISTS, [], ["a", "a"]]),
    ("criteria[0]", [*NOT_TEXTS, ""]),
    ("unseededWeight", NOT_SHARES),
]
CASES = [
    (message, seed, path, value)
    for message, seed, wrong in (
        (AGENT, 1, AGENT_WRONG),
        (SOURCE_MESSAGE, 1, SOURCE_WRONG),
        (ENDORSEMENT, 9, ENDORSEMENT_WRONG),
        (POLICY, 9, POLICY_WRONG),
    )
    for path, values in wrong
    for value in values
]


@pytest.mark.parametrize(
    ("message", "seed", "path", "value"), CASES, ids=[f"{case[2]} {case[3]!r:.40}" for case in CASES]
)
def test_a_wrong_value_is_refused_at_its_place(message: dict[str, Any], seed: int, path: str, value: Any) -> None:
    assert_refused(message, path, value, kind=MessageError, seed=seed)


REQUIRED = [
    (AGENT, 1, ["@id", "registeredAt", "agent", "key", "key.@id", "key.publicKey"]),
    (SOURCE_MESSAGE, 1, ["source", "source.@id", "source.documentHash", "source.boundary", "source.title"]),
    (ENDORSEMENT, 9, ["endorsingAgent", "endorsedAgent", "endorsedAt", "targetHash"]),
    (POLICY, 9, ["threshold", "quorum", "seeds", "method", "criteria", "unseededWeight", "issuedAt"]),
]


@pytest.mark.parametrize(
    ("message", "seed", "path"), [(message, seed, path) for message, seed, paths in REQUIRED for path in paths]
)
def test_a_missing_member_is_named(message: dict[str, Any], seed: int, path: str) -> None:
    assert_refused(message, path, MISSING, seed=seed)


@pytest.mark.parametrize("message", [AGENT, SOURCE_MESSAGE, ENDORSEMENT, POLICY])
def test_an_unsigned_one_is_refused(message: dict[str, Any]) -> None:
    with pytest.raises(FieldError, match="signature is missing"):
        read_message(write_json(message))


def test_every_member_of_a_source_registration_is_read() -> None:
    source = read_message(signed_source(boundary=Boundary.CONFIDENTIAL))
    assert isinstance(source, SourceRegistration)
    assert source.source_id == SOURCE_ID
    assert source.document_hash == sha256_digest(SOURCE)
    assert source.boundary is Boundary.CONFIDENTIAL
    assert (source.title, source.publisher) == ("City council meeting", "City clerk")
    assert (source.origin, source.media_type) == ("https://example.org/meetings/1", "text/vtt")
    assert source.byte_length == len(SOURCE)


def test_what_is_not_known_of_a_source_may_be_left_out() -> None:
    message = unsigned(signed_source(publisher=None, origin=None, media_type=None))
    source = read_message(sign(with_member(message, "source.byteLength", MISSING), 1))
    assert isinstance(source, SourceRegistration)
    assert (source.publisher, source.origin, source.media_type, source.byte_length) == (None,) * 4


def test_every_member_of_an_endorsement_is_read() -> None:
    endorsement = read_message(signed_endorsement(signed_registration()))
    assert isinstance(endorsement, Endorsement)
    assert endorsement.envelope.agent_id == agent_id(9)
    assert endorsement.endorsed_agent == agent_id(1)
    assert endorsement.target_hash == envelope_of(signed_registration()).signed_hash


def test_every_member_of_a_policy_is_read() -> None:
    policy = read_message(sign(POLICY, 9))
    assert isinstance(policy, Policy)
    assert (policy.threshold, policy.quorum, policy.unseeded_weight) == (0.7, 2, 0.25)
    assert policy.seeds == (agent_id(8), agent_id(9))
    assert policy.method is ConsensusMethod.QUORUM
    assert policy.criteria == ("source-accuracy", "evidence-sufficiency", "logical-consistency")
    assert (policy.version, policy.epoch_length, policy.priors, policy.draw) == (2, 50, LATER, DRAW)
    assert POLICY["draw"] == {"operators": 2, "from": 5, "window": 3600}


def test_a_policy_of_before_has_the_defaults_of_what_came_later() -> None:
    policy = read_message(signed_policy())
    assert isinstance(policy, Policy)
    assert (policy.version, policy.epoch_length, policy.priors, policy.draw) == (1, 100, Priors(), None)


def test_priors_that_a_policy_does_not_name_are_the_defaults() -> None:
    policy = read_message(sign({**POLICY, "priors": {"unknown": [1, 1]}}, 9))
    assert isinstance(policy, Policy)
    assert policy.priors == Priors(unknown=(1.0, 1.0))


def test_the_literal_method_is_named() -> None:
    policy = read_message(signed_policy(method=ConsensusMethod.LITERAL))
    assert isinstance(policy, Policy)
    assert policy.method == "a2ap-0.1"


def test_a_person_registers_as_a_person_and_states_nothing_as_one() -> None:
    person = description(1, person=True)
    registered = signed_registration(agent=person)
    assert unsigned(registered)["agent"]["@type"] == "prov:Person"
    assert read_agent(registered).agent == person
    for found in (triples(read_message(registered)), graph_triples(expand(read_json(registered)))):
        assert (agent_id(1), RDF.TYPE, PROV.PERSON) in found
        assert (agent_id(1), RDF.TYPE, PROV.SOFTWARE_AGENT) not in found
    message = with_member(statement_message(), "agent.@type", "prov:Person")
    with pytest.raises(FieldError, match=r"agent\.@type is .*prov:Person.*, not prov:SoftwareAgent"):
        read_message(sign(message, 1))
