"""Signatures: one that holds, and one that does not for every member that it covers."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from builders import (
    agent_id,
    agent_key,
    description,
    key_id,
    message_id,
    reference_to,
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

from a2ap.errors import FieldError, SignatureError
from a2ap.json_text import read_json, write_json
from a2ap.messages.message import read_message
from a2ap.signing.signature import (
    read_signature,
    sign_message,
    signed_bytes,
    signed_hash,
    verify_signature,
)

Path = tuple[str | int, ...]

# Written out again, so that a member that the code forgets to sign is found here.
UNSIGNED_MEMBERS = {"signature", "proof", "verificationStatus", "disclosures"}

STATEMENT = signed_statement(
    evidence=[segment(), segment("We heard from café owners on Elm Street", start_ms=139_000, end_ms=144_250)],
    supports=[reference_to(signed_statement(2))],
    contradicts=[reference_to(signed_statement(3))],
    was_revision_of=reference_to(signed_statement(1, claim="An earlier claim.")),
)
MESSAGES = {
    "statement": STATEMENT,
    "request": signed_request(STATEMENT),
    "response": signed_response(STATEMENT, reason="All three criteria hold."),
    "agent registration": signed_registration(alias="agent:test-1:pubkey", recovery_seed=7),
    "source registration": signed_source(),
    "endorsement": signed_endorsement(signed_registration()),
    "policy": signed_policy(seeds=[agent_id(9)]),
}
SIGNERS = {"response": 2, "endorsement": 9, "policy": 9}


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every scalar that is signed."""
    if isinstance(value, dict):
        for name, member in value.items():
            if path or name not in UNSIGNED_MEMBERS:
                yield from leaves(member, (*path, name))
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from leaves(member, (*path, index))
    else:
        yield path


def altered(value: Any) -> Any:
    return value + 1 if isinstance(value, int | float) else value + "x"


CASES = [(name, path) for name, data in MESSAGES.items() for path in leaves(read_json(data))]


@pytest.mark.parametrize("name", MESSAGES)
def test_a_signature_holds(name: str) -> None:
    envelope = read_message(MESSAGES[name]).envelope
    assert envelope.signature is not None
    verify_signature(envelope.signature, envelope.signed_bytes, agent_key(SIGNERS.get(name, 1)).public_key)


@pytest.mark.parametrize(("name", "path"), CASES, ids=[f"{name} {'.'.join(map(str, path))}" for name, path in CASES])
def test_a_signature_does_not_hold_once_a_member_is_altered(name: str, path: Path) -> None:
    document = read_json(MESSAGES[name])
    holder = document
    for step in path[:-1]:
        holder = holder[step]  # type: ignore[index]
    holder[path[-1]] = altered(holder[path[-1]])  # type: ignore[index]
    with pytest.raises(SignatureError):
        verify_signature(
            read_signature(document["signature"]), signed_bytes(document), agent_key(SIGNERS.get(name, 1)).public_key
        )


@pytest.mark.parametrize("name", MESSAGES)
def test_a_signature_does_not_hold_once_a_member_is_added_or_taken_away(name: str) -> None:
    document = read_json(MESSAGES[name])
    signature = read_signature(document["signature"])
    key = agent_key(SIGNERS.get(name, 1)).public_key
    with pytest.raises(SignatureError):
        verify_signature(signature, signed_bytes({**document, "note": "added"}), key)
    for member in document.keys() - UNSIGNED_MEMBERS:
        rest = {other: value for other, value in document.items() if other != member}
        with pytest.raises(SignatureError):
            verify_signature(signature, signed_bytes(rest), key)


def test_the_evidence_is_signed_in_its_order() -> None:
    document = read_json(STATEMENT)
    document["evidence"].reverse()
    with pytest.raises(SignatureError):
        verify_signature(read_signature(document["signature"]), signed_bytes(document), agent_key(1).public_key)


def test_a_signature_holds_for_the_same_document_written_otherwise() -> None:
    document = read_json(STATEMENT)
    rewritten = read_json(write_json(dict(reversed(document.items()))).replace(b'"confidence":', b'"confidence" :\n'))
    verify_signature(read_signature(rewritten["signature"]), signed_bytes(rewritten), agent_key(1).public_key)


def test_a_signature_of_another_agent_does_not_hold() -> None:
    envelope = read_message(STATEMENT).envelope
    assert envelope.signature is not None
    with pytest.raises(SignatureError, match=f"in the name of {key_id(1)} is not by did:key:z6Mk"):
        verify_signature(envelope.signature, envelope.signed_bytes, agent_key(2).public_key)


def test_a_signature_of_another_document_does_not_hold() -> None:
    signature = read_message(signed_statement(claim="Another claim.")).envelope.signature
    assert signature is not None
    with pytest.raises(SignatureError):
        verify_signature(signature, read_message(STATEMENT).envelope.signed_bytes, agent_key(1).public_key)


def test_what_others_write_later_is_not_signed() -> None:
    message = statement_message()
    later = {"signature": {}, "proof": {}, "verificationStatus": {"verified": True}, "disclosures": {}}
    assert signed_bytes({**message, **later}) == signed_bytes(message)
    assert signed_hash({**message, **later}) == signed_hash(message)


def test_members_of_those_names_below_the_top_are_signed() -> None:
    message = statement_message()
    message["claim"]["proof"] = "x"
    assert signed_bytes(message) != signed_bytes(statement_message())


def test_signing_changes_neither_the_message_nor_its_other_members() -> None:
    message = statement_message()
    before = copy.deepcopy(message)
    signed = sign_message(message, agent_key(1), key_id(1))
    assert message == before
    assert {name: value for name, value in signed.items() if name != "signature"} == before
    assert signed["signature"]["publicKey"] == key_id(1)


def test_signing_twice_gives_the_same_bytes() -> None:
    message = statement_message()
    assert sign(read_json(sign(message, 1)), 1) == sign(message, 1)


WIRE = sign_message(statement_message(), agent_key(1), key_id(1))["signature"]
BAD_SIGNATURES: dict[str, tuple[Any, str, str]] = {
    "not an object": ("abc", "signature", 'is "abc", not an object'),
    "null": (None, "signature", "is null, not an object"),
    "another algorithm": ({**WIRE, "algorithm": "Ed25519"}, "signature.algorithm", 'is "Ed25519", not ed25519'),
    "no algorithm at all": ({**WIRE, "algorithm": "none"}, "signature.algorithm", 'is "none", not ed25519'),
    "an unknown member": ({**WIRE, "created": "now"}, "signature.created", "is no member of a signature"),
    "an @id": ({**WIRE, "@id": "urn:x:y"}, "signature.@id", "is no member of a signature"),
    "another type": ({**WIRE, "@type": "a2ap:Proof"}, "signature.@type", 'is "a2ap:Proof", not a2ap:Crypt'),
    "no key": ({**WIRE, "publicKey": ""}, "signature.publicKey", "not an absolute IRI"),
    "an over-long key": ({**WIRE, "publicKey": "urn:" + "k" * 600}, "signature.publicKey", "more than 512 bytes"),
    "an empty value": ({**WIRE, "value": ""}, "signature.value", "is not 64 bytes"),
    "unpadded": ({**WIRE, "value": WIRE["value"].rstrip("=")}, "signature.value", "is not 64 bytes"),
    "over-padded": ({**WIRE, "value": WIRE["value"] + "="}, "signature.value", "is not 64 bytes"),
    "base64url": ({**WIRE, "value": "-_" + WIRE["value"][2:]}, "signature.value", "is not padded standard base64"),
    "a newline": ({**WIRE, "value": WIRE["value"][:-3] + "\n=="}, "signature.value", "is not padded"),
    "spare bits": ({**WIRE, "value": "A" * 85 + "B=="}, "signature.value", "is not 64 bytes in padded standard base64"),
    "63 bytes": ({**WIRE, "value": "A" * 84}, "signature.value", "is not 64 bytes"),
    "65 bytes": ({**WIRE, "value": "A" * 87 + "="}, "signature.value", "is not 64 bytes"),
    "hexadecimal": ({**WIRE, "value": "ab" * 64}, "signature.value", "is not 64 bytes"),
    "not ASCII": ({**WIRE, "value": "ä" * 88}, "signature.value", "is not padded standard base64"),
    "a list of bytes": ({**WIRE, "value": [1, 2]}, "signature.value", "is [1, 2], not a text"),
}


@pytest.mark.parametrize(("value", "path", "problem"), BAD_SIGNATURES.values(), ids=BAD_SIGNATURES.keys())
def test_a_signature_that_is_not_exactly_of_the_form_is_refused(value: Any, path: str, problem: str) -> None:
    with pytest.raises(FieldError) as caught:
        read_signature(value)
    assert caught.value.path == path
    assert problem in caught.value.problem


@pytest.mark.parametrize("member", ["algorithm", "publicKey", "value"])
def test_no_member_of_a_signature_but_the_type_may_be_missing(member: str) -> None:
    with pytest.raises(FieldError, match=f"signature.{member} is missing"):
        read_signature({name: value for name, value in WIRE.items() if name != member})
    assert read_signature({name: value for name, value in WIRE.items() if name != "@type"}).text == WIRE["value"]


def test_message_ids_of_the_builders_are_free_ones() -> None:
    assert message_id("a", 1) == message_id("a", 1) != message_id("a", 2)
    assert description(1).agent_id == agent_id(1)
