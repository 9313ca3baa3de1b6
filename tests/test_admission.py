"""What makes a message unacceptable: each reason once, with the member at fault, and nothing is changed by asking."""

import copy
import json
from typing import Any, get_args

import pytest
from builders import (
    SOURCE,
    agent_id,
    agent_key,
    description,
    envelope_of,
    key_id,
    message_id,
    reference_to,
    request_message,
    response_message,
    segment,
    sign,
    signed_endorsement,
    signed_policy,
    signed_registration,
    signed_request,
    signed_response,
    signed_source,
    signed_statement,
    statement_message,
)

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.errors import FieldError, SignatureError
from a2ap.json_text import write_json
from a2ap.messages.message import Message, read_message
from a2ap.messages.statement import Reference
from a2ap.signing.signature import sign_message
from graph.errors import ConflictError, ForbiddenError, NotRegisteredError, RefusedError, TargetError
from graph.kinds.admission import check_message
from graph.kinds.recording import record_message
from graph.kinds.registry import KINDS
from graph.kinds.state import KeyRecord, State, StatementRecord

NODE, AUTHOR, VERIFIER, STRANGER = 1, 2, 3, 99
ALIAS = "agent:verifier:pubkey"
STATEMENT = signed_statement(AUTHOR)
UNKNOWN = Reference(message_id("unknown"), "sha256:" + "0" * 64)


@pytest.fixture
def state() -> State:
    """Return what is known after a node, an author and a verifier were registered, and a statement was accepted."""
    state = State(size=0, node_agent=agent_id(NODE))
    for document in (
        signed_registration(NODE),
        signed_registration(AUTHOR),
        signed_registration(VERIFIER, alias=ALIAS),
        signed_source(AUTHOR),
        STATEMENT,
    ):
        check_message(read_message(document), state)
        record_message(read_message(document), state, has_proof=False)
    return state


def refused(
    document: bytes, state: State, kind: type[Exception], words: str, path: str | None = None, **options: Any
) -> None:
    """Assert that the document is refused with these words, at this member, and that the state is as it was."""
    before = copy.deepcopy(state)
    with pytest.raises(kind, match=words) as caught:
        check_message(read_message(document), state, **options)
    assert state == before
    assert (caught.value.path if isinstance(caught.value, RefusedError) else None) == path


def signed_with(message: dict[str, Any], seed: int, reference: str) -> bytes:
    """Sign with an agent's key, in the name of any key reference."""
    return write_json(sign_message(message, agent_key(seed), reference))


@pytest.mark.parametrize(
    "document",
    [
        signed_registration(STRANGER),
        signed_source(VERIFIER),
        signed_statement(AUTHOR, claim="Another claim."),
        signed_statement(
            AUTHOR, claim="It follows.", supports=[reference_to(STATEMENT)], was_revision_of=reference_to(STATEMENT)
        ),
        signed_request(STATEMENT, VERIFIER),
        sign(request_message(STATEMENT, VERIFIER, bound=False), VERIFIER),
        signed_response(STATEMENT, VERIFIER),
        signed_endorsement(signed_registration(VERIFIER, alias=ALIAS), AUTHOR),
        signed_policy(NODE),
        signed_with(response_message(STATEMENT, VERIFIER), VERIFIER, ALIAS),
        signed_with(response_message(STATEMENT, VERIFIER), VERIFIER, agent_key(VERIFIER).public_key.did_key),
    ],
)
def test_what_is_in_order_is_accepted(state: State, document: bytes) -> None:
    before = copy.deepcopy(state)
    check_message(read_message(document), state)
    assert state == before


def test_the_same_id_for_other_bytes_is_a_conflict(state: State) -> None:
    other = signed_statement(AUTHOR, confidence=0.5)
    refused(other, state, ConflictError, f"already stands for other bytes .{envelope_of(STATEMENT).signed_hash}", "@id")


def test_the_id_of_one_message_cannot_be_that_of_another_kind(state: State) -> None:
    request_id = message_id("an id that is taken")
    state.ids[request_id] = "sha256:" + "0" * 64
    document = sign(response_message(STATEMENT, VERIFIER, response_id=request_id), VERIFIER)
    refused(document, state, ConflictError, "already stands for other bytes", "@id")


def test_the_derived_id_of_a_statement_is_for_statements_alone() -> None:
    document = sign(response_message(STATEMENT, VERIFIER, response_id=json.loads(STATEMENT)["@id"]), VERIFIER)
    with pytest.raises(FieldError, match=r"@id is urn:uuid:.*version 4 or 7"):
        read_message(document)


def test_an_agent_is_registered_once(state: State) -> None:
    other_key = signed_registration(98, agent=description(AUTHOR))
    refused(other_key, state, ConflictError, f"agent {agent_id(AUTHOR)} is already registered", "agent.@id")


def test_a_key_is_registered_once(state: State) -> None:
    state.add_key(KeyRecord(key_id(STRANGER), agent_id(STRANGER), agent_key(STRANGER).public_key, None))
    document = signed_registration(STRANGER)
    refused(document, state, ConflictError, f"key {key_id(STRANGER)} is already registered", "key.@id")


def test_a_registration_is_signed_with_the_key_that_it_registers(state: State) -> None:
    message = json.loads(signed_registration(STRANGER))
    del message["signature"]
    refused(signed_with(message, AUTHOR, key_id(STRANGER)), state, SignatureError, "is not by did:key:")


@pytest.mark.parametrize(
    ("document", "member"),
    [
        (signed_statement(STRANGER), "agent.@id"),
        (signed_request(STATEMENT, STRANGER), "requestingAgent"),
        (signed_response(STATEMENT, STRANGER), "respondingAgent"),
        (signed_source(STRANGER), "registeringAgent"),
        (signed_endorsement(signed_registration(VERIFIER), STRANGER), "endorsingAgent"),
        (signed_policy(STRANGER), "issuingAgent"),
    ],
)
def test_the_agent_that_speaks_is_registered(state: State, document: bytes, member: str) -> None:
    refused(document, state, NotRegisteredError, f"agent {agent_id(STRANGER)} is not registered", member)


def test_a_countersigned_request_is_of_a_registered_agent(state: State) -> None:
    by_node = signed_with(request_message(STATEMENT, STRANGER), NODE, key_id(NODE))
    refused(by_node, state, NotRegisteredError, "is not registered", "requestingAgent", countersigned=True)
    by_node = signed_with(request_message(STATEMENT, VERIFIER), NODE, key_id(NODE))
    check_message(read_message(by_node), state, countersigned=True)
    refused(by_node, state, SignatureError, f"key {key_id(NODE)} belongs to {agent_id(NODE)}, not to")


def test_a_request_is_signed_by_its_agent_or_by_the_node(state: State) -> None:
    document = write_json(request_message(STATEMENT, VERIFIER))
    refused(document, state, SignatureError, "is not signed")


def test_the_key_is_registered(state: State) -> None:
    for reference in (f"{agent_id(AUTHOR)}#key-2", agent_key(STRANGER).public_key.did_key, "agent:nobody:pubkey"):
        document = signed_with(statement_message(AUTHOR, claim="Another."), STRANGER, reference)
        refused(document, state, NotRegisteredError, f"key {reference} is not registered", "signature.publicKey")


def test_the_key_is_the_agent_s_own(state: State) -> None:
    message = statement_message(AUTHOR, claim="Another.")
    for reference in (key_id(VERIFIER), agent_key(VERIFIER).public_key.did_key, ALIAS):
        document = signed_with(message, VERIFIER, reference)
        refused(document, state, SignatureError, f"key {reference} belongs to {agent_id(VERIFIER)}, not to")


def test_two_agents_may_claim_one_alias_and_each_has_its_own_key(state: State) -> None:
    record_message(read_message(signed_registration(98, alias=ALIAS)), state, has_proof=False)
    for seed in (98, VERIFIER):
        check_message(read_message(signed_with(response_message(STATEMENT, seed), seed, ALIAS)), state)
        other = 98 if seed == VERIFIER else VERIFIER
        refused(
            signed_with(response_message(STATEMENT, seed), other, ALIAS), state, SignatureError, "is not by did:key:"
        )


def test_the_signature_is_by_the_key(state: State) -> None:
    document = signed_with(statement_message(AUTHOR, claim="Another."), STRANGER, key_id(AUTHOR))
    refused(document, state, SignatureError, f"in the name of {key_id(AUTHOR)} is not by did:key:")


def test_only_the_node_sets_the_policy(state: State) -> None:
    refused(signed_policy(AUTHOR), state, ForbiddenError, f"only {agent_id(NODE)} sets the policy", "issuingAgent")


def test_nobody_endorses_itself(state: State) -> None:
    document = signed_endorsement(signed_registration(AUTHOR), AUTHOR)
    refused(document, state, TargetError, "endorses itself", "endorsedAgent")


def test_the_endorsed_agent_is_registered(state: State) -> None:
    document = signed_endorsement(signed_registration(STRANGER), AUTHOR)
    refused(document, state, TargetError, f"agent {agent_id(STRANGER)} is not registered", "endorsedAgent")


def test_an_endorsement_names_the_registration_that_is_here(state: State) -> None:
    document = signed_endorsement(signed_registration(VERIFIER, alias="agent:other:pubkey"), AUTHOR)
    refused(document, state, TargetError, "here, not sha256:", "targetHash")


def test_a_source_is_not_named_by_a_hash(state: State) -> None:
    by_hash = segment(source_id=sha256_digest(SOURCE), document_hash=None)
    document = signed_statement(AUTHOR, claim="Another.", evidence=[segment(), by_hash])
    refused(document, state, TargetError, "is a hash, which documentHash states", "evidence[1].sourceDocument")
    both = segment(source_id=sha256_digest(SOURCE))
    check_message(read_message(signed_statement(AUTHOR, claim="Another.", evidence=[both])), state)


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"supports": [reference_to(STATEMENT), UNKNOWN]}, "supports[1]"),
        ({"contradicts": [UNKNOWN]}, "contradicts[0]"),
        ({"was_revision_of": UNKNOWN}, "prov:wasRevisionOf"),
    ],
)
def test_what_a_statement_refers_to_is_here(state: State, members: dict[str, Any], path: str) -> None:
    document = signed_statement(AUTHOR, claim="It follows.", **members)
    refused(document, state, TargetError, f"statement {UNKNOWN.id} is not known here", path)


def test_what_a_statement_refers_to_is_what_it_says(state: State) -> None:
    swapped = Reference(reference_to(STATEMENT).id, UNKNOWN.target_hash)
    document = signed_statement(AUTHOR, claim="It follows.", supports=[swapped])
    refused(document, state, TargetError, f"here, not {UNKNOWN.target_hash}", "supports[0]")


def test_a_verdict_says_which_bytes_it_judges(state: State) -> None:
    document = sign(response_message(STATEMENT, VERIFIER, bound=False), VERIFIER)
    refused(document, state, TargetError, "targetHash is missing", "targetHash")
    check_message(read_message(document), state, accept_unbound=True)


@pytest.mark.parametrize("bound", [True, False])
def test_the_target_is_here(state: State, bound: bool) -> None:
    other = signed_statement(AUTHOR, claim="Never handed in.")
    words = f"statement {envelope_of(other).id} is not known here"
    response = sign(response_message(other, VERIFIER, bound=bound), VERIFIER)
    refused(response, state, TargetError, words, "targetStatement", accept_unbound=True)
    request = sign(request_message(other, VERIFIER, bound=bound), VERIFIER)
    refused(request, state, TargetError, words, "targetStatement")


def test_the_target_is_what_the_verdict_says(state: State) -> None:
    message = response_message(STATEMENT, VERIFIER) | {"targetHash": UNKNOWN.target_hash}
    words = f"is {envelope_of(STATEMENT).signed_hash} here, not {UNKNOWN.target_hash}"
    refused(sign(message, VERIFIER), state, TargetError, words, "targetStatement")


def test_an_id_that_stands_for_two_statements_does_not_say_which(state: State) -> None:
    state.add_statement(StatementRecord(UNKNOWN.target_hash, envelope_of(STATEMENT).id, agent_id(AUTHOR)))
    request = sign(request_message(STATEMENT, VERIFIER, bound=False), VERIFIER)
    refused(request, state, TargetError, "stands for 2 statements; targetHash must name one", "targetStatement")
    check_message(read_message(signed_request(STATEMENT, VERIFIER)), state)


def test_later_registrations_of_a_source_only_raise_its_class(state: State) -> None:
    document = state.documents[sha256_digest(SOURCE)]
    assert (document.boundary, document.held) == (Boundary.PUBLIC, False)
    for boundary, expected in [
        (Boundary.CONFIDENTIAL, Boundary.CONFIDENTIAL),
        (Boundary.INTERNAL, Boundary.CONFIDENTIAL),
        (Boundary.PRIVATE, Boundary.PRIVATE),
    ]:
        record_message(read_message(signed_source(VERIFIER, boundary=boundary, title="Mine")), state, has_proof=False)
        raised = state.documents[sha256_digest(SOURCE)]
        assert raised.boundary is expected
        assert raised.registration_hash == envelope_of(signed_source(AUTHOR)).signed_hash


def test_every_message_has_a_kind_in_the_registry() -> None:
    assert set(KINDS) == set(get_args(Message))
