"""Data Integrity proofs: W3C's own vector, tampering with every field, and what admission asks of them."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import base58
import pytest
from builders import (
    TIME,
    agent_id,
    agent_key,
    envelope_of,
    key_id,
    response_message,
    segment,
    signed_endorsement,
    signed_registration,
    signed_request,
    signed_source,
    signed_statement,
    statement_message,
)
from cli_agents import Agent, author, written
from cli_runner import Run, a2ap
from hypothesis import given
from hypothesis import strategies as st
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, accept, hash_of, settle
from vectors_file import load_vectors

from a2ap.canonical import canonicalize
from a2ap.errors import ContextError, FieldError, MessageError, SignatureError
from a2ap.json_text import read_json, write_json
from a2ap.messages.message import read_message
from a2ap.signing.data_integrity import (
    MAX_PROOFS,
    add_proof,
    create_proof,
    did_key_method,
    proven_bytes,
    read_proofs,
    verify_proof,
)
from a2ap.signing.disclosure import make_disclosure
from a2ap.signing.keys import PublicKey, SigningKey
from a2ap.signing.signature import sign_message
from a2ap.times import parse_instant
from graph.errors import NotRegisteredError
from graph.platform import Platform

__all__ = ["a2ap", "author", "platform"]

VECTOR = load_vectors("eddsa_jcs_2022.json")
FOREIGN = load_vectors("data_integrity_messages.json")
W3C_KEY = SigningKey(base58.b58decode(VECTOR["keyPair"]["privateKeyMultibase"][1:])[2:])

STATEMENT = read_json(signed_statement())
KEY = agent_key(1)


def proven(document: dict[str, Any] | None = None, seed: int = 1, method: str | None = None) -> dict[str, Any]:
    return add_proof(STATEMENT if document is None else document, agent_key(seed), TIME, method)


def check(document: dict[str, Any], key: PublicKey = KEY.public_key) -> None:
    for proof in read_proofs(document):
        verify_proof(document, proof, key)


def test_the_w3c_vector_is_hashed_byte_for_byte() -> None:
    options = {name: value for name, value in VECTOR["signed"]["proof"].items() if name != "proofValue"}
    assert canonicalize(VECTOR["unsigned"]).decode() == VECTOR["canonicalDocument"]
    assert canonicalize(options).decode() == VECTOR["canonicalOptions"]
    assert proven_bytes(VECTOR["signed"], options).hex() == VECTOR["combinedHash"]
    assert VECTOR["optionsHash"] + VECTOR["documentHash"] == VECTOR["combinedHash"]


def test_the_w3c_vector_is_made_again() -> None:
    created = parse_instant(VECTOR["signed"]["proof"]["created"])
    assert create_proof(VECTOR["unsigned"], W3C_KEY, created) == VECTOR["signed"]["proof"]


def test_the_w3c_vector_holds() -> None:
    (proof,) = read_proofs(VECTOR["signed"])
    assert proof.value.hex() == VECTOR["signature"]
    assert proof.key_reference == W3C_KEY.public_key.did_key
    verify_proof(VECTOR["signed"], proof, PublicKey.from_did_key(proof.key_reference))


@pytest.mark.parametrize("name", FOREIGN)
def test_a_credential_library_makes_the_same_proof_of_a_message(name: str) -> None:
    document = {member: value for member, value in FOREIGN[name].items() if member != "proof"}
    assert create_proof(document, KEY, TIME) == FOREIGN[name]["proof"]
    check(FOREIGN[name])
    read_message(write_json(FOREIGN[name]))


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _places(member, (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places(item, (*path, index))
    else:
        yield path


def _changed(document: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    document = copy.deepcopy(document)
    holder: Any = document
    for step in path[:-1]:
        holder = holder[step]
    value = holder[path[-1]]
    holder[path[-1]] = (value + "x" if isinstance(value, str) else value + 1) if value is not None else 1
    return document


@pytest.mark.parametrize("path", list(_places(VECTOR["signed"])), ids=lambda path: ".".join(map(str, path)))
def test_no_field_of_the_w3c_vector_can_be_changed(path: tuple[Any, ...]) -> None:
    with pytest.raises((FieldError, SignatureError)):
        check(_changed(VECTOR["signed"], path), W3C_KEY.public_key)


@pytest.mark.parametrize("path", list(_places(proven())), ids=lambda path: ".".join(map(str, path)))
def test_no_field_of_a_statement_can_be_changed(path: tuple[Any, ...]) -> None:
    check(proven())
    with pytest.raises((FieldError, SignatureError)):
        check(_changed(proven(), path))


@pytest.mark.parametrize("name", sorted(STATEMENT))
def test_no_member_of_a_statement_can_be_taken_away(name: str) -> None:
    document = proven()
    del document[name]
    with pytest.raises((FieldError, SignatureError)):
        check(document)


def test_nothing_can_be_added_to_a_statement() -> None:
    with pytest.raises(SignatureError, match="the proof in the name of did:key:z6Mk"):
        check({**proven(), "note": "x"})


def test_another_key_did_not_make_the_proof() -> None:
    with pytest.raises(SignatureError, match=f"is not by {agent_key(2).public_key.did_key}"):
        check(proven(), agent_key(2).public_key)


def test_the_order_of_members_does_not_matter() -> None:
    check(dict(reversed(proven().items())))


def test_what_others_fill_in_or_take_away_is_not_proven() -> None:
    disclosure = make_disclosure("It is said.", b"\x01" * 16)
    message = statement_message(
        evidence=[{**segment(), "quoteText": disclosure.reference, "contentHash": segment()["contentHash"]}],
        disclosures=[disclosure],
    )
    document = proven(sign_message(message, KEY, key_id(1)))
    check({name: value for name, value in document.items() if name != "disclosures"})
    check({**document, "verificationStatus": {"verified": True}})
    read_message(write_json({name: value for name, value in document.items() if name != "disclosures"}))


def test_an_empty_verification_status_is_left_out_of_what_is_proven() -> None:
    initial = {"verified": False, "validators": [], "challenges": [], "consensusScore": 0}
    assert "verificationStatus" not in proven({**STATEMENT, "verificationStatus": initial})
    with pytest.raises(FieldError, match="verificationStatus is there beside a proof"):
        read_message(write_json({**proven(), "verificationStatus": initial}))


@given(
    st.dictionaries(
        st.text(max_size=8).filter(lambda name: name not in ("proof", "disclosures", "verificationStatus")),
        st.recursive(
            st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=8),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
            max_leaves=8,
        ),
        max_size=5,
    ),
    st.integers(0, 2**20),
)
def test_what_is_proven_holds_for_its_key_and_for_no_other(document: dict[str, Any], seed: int) -> None:
    document = add_proof(document, agent_key(seed), TIME)
    check(document, agent_key(seed).public_key)
    with pytest.raises(SignatureError):
        check(document, agent_key(seed + 1).public_key)


OPTIONS = proven()["proof"]
BAD_PROOFS: dict[str, tuple[Any, str]] = {
    "no object": ("x", "proof is"),
    "null": (None, "proof is null"),
    "none": ([], "has 0 items"),
    "too many": ([OPTIONS] * (MAX_PROOFS + 1), "has 6 items"),
    "twice": ([OPTIONS, OPTIONS], "twice"),
    "another type": ({**OPTIONS, "type": "Ed25519Signature2020"}, "proof.type is"),
    "another suite": ({**OPTIONS, "cryptosuite": "eddsa-rdfc-2022"}, "proof.cryptosuite is"),
    "another purpose": ({**OPTIONS, "proofPurpose": "authentication"}, "proof.proofPurpose is"),
    "an unknown member": ({**OPTIONS, "expires": "2030-01-01T00:00:00Z"}, "proof.expires is no member"),
    "a chain": ({**OPTIONS, "previousProof": "urn:uuid:x"}, "proof.previousProof is no member"),
    "no context": ({k: v for k, v in OPTIONS.items() if k != "@context"}, "proof.@context is not"),
    "another context": ({**OPTIONS, "@context": "https://www.w3.org/ns/credentials/v2"}, "proof.@context is not"),
    "no time": ({k: v for k, v in OPTIONS.items() if k != "created"}, "proof.created is missing"),
    "a time without a zone": ({**OPTIONS, "created": "2025-10-14T10:30:00"}, "proof.created is"),
    "no method": ({k: v for k, v in OPTIONS.items() if k != "verificationMethod"}, "proof.verificationMethod is"),
    "a method without a key": ({**OPTIONS, "verificationMethod": agent_id(1)}, "proof.verificationMethod is"),
    "no value": ({k: v for k, v in OPTIONS.items() if k != "proofValue"}, "proof.proofValue is missing"),
    "base64": ({**OPTIONS, "proofValue": "u" + OPTIONS["proofValue"][1:]}, "proof.proofValue is not"),
    "not base58": ({**OPTIONS, "proofValue": OPTIONS["proofValue"][:-1] + "0"}, "proof.proofValue is not base58btc"),
    "63 bytes": ({**OPTIONS, "proofValue": "z" + base58.b58encode(b"\x01" * 63).decode()}, "proof.proofValue is not"),
    "a leading 1": ({**OPTIONS, "proofValue": "z1" + OPTIONS["proofValue"][1:]}, "proof.proofValue is not"),
    "very long": ({**OPTIONS, "proofValue": "z" * 100_000}, "proof.proofValue is not"),
}


@pytest.mark.parametrize(("proof", "problem"), BAD_PROOFS.values(), ids=BAD_PROOFS.keys())
def test_what_is_no_such_proof_is_refused_by_name(proof: Any, problem: str) -> None:
    with pytest.raises(FieldError, match=problem):
        read_message(write_json({**STATEMENT, "proof": proof}))


def test_a_keyword_inside_a_proof_is_the_context_alone() -> None:
    with pytest.raises(MessageError, match=r"proof\.@type is no member"):
        read_message(write_json({**STATEMENT, "proof": {**OPTIONS, "@type": "x"}}))
    with pytest.raises(ContextError, match=r"agent\.proof\.@context"):
        read_message(write_json({**STATEMENT, "agent": {**STATEMENT["agent"], "proof": {"@context": "x"}}}))


def test_a_proof_does_not_take_the_place_of_a_signature() -> None:
    request = {name: value for name, value in read_json(signed_request(signed_statement())).items()}
    del request["signature"]
    with pytest.raises(FieldError, match="signature is missing"):
        read_message(write_json(add_proof(request, KEY, TIME)))


def test_signing_again_leaves_out_a_proof_that_covered_the_signature() -> None:
    assert "proof" not in sign_message(proven(), KEY, key_id(1))


def test_the_names_of_a_message_are_the_same_with_and_without_a_proof() -> None:
    bare, secured = envelope_of(write_json(STATEMENT)), envelope_of(write_json(proven()))
    assert (bare.id, bare.signed_hash) == (secured.id, secured.signed_hash)
    assert bare.document_hash != secured.document_hash
    assert bare.proofs == ()


async def test_a_statement_and_a_verdict_with_proofs_are_accepted_and_given_back(platform: Platform) -> None:
    await settle(platform)
    document = write_json(proven())
    verdict = response_message(document, VERIFIER_A)
    signed = add_proof(sign_message(verdict, agent_key(VERIFIER_A), key_id(VERIFIER_A)), agent_key(VERIFIER_A), TIME)
    await accept(platform, document, write_json(signed))
    (row,) = await platform.store.read("log_entries_by_hash", hashes=[hash_of(document)])
    assert await platform.content.get(row["document_hash"]) == document


async def test_every_kind_of_message_may_have_a_proof(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_registration(STRANGER))
    endorsement = signed_endorsement(signed_registration(STRANGER), AUTHOR)
    registration = add_proof(read_json(signed_registration(31)), agent_key(31), TIME, key_id(31))
    for document in (signed_source(AUTHOR), signed_statement(AUTHOR), endorsement):
        await accept(platform, write_json(add_proof(read_json(document), agent_key(AUTHOR), TIME)))
    await accept(platform, write_json(registration))


async def test_a_proof_set_holds_only_as_a_whole(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR))
    both = proven(proven(), method=key_id(1))
    assert isinstance(both["proof"], list)
    spoilt = copy.deepcopy(both)
    spoilt["proof"][1]["created"] = "2025-10-14T10:30:01Z"
    with pytest.raises(SignatureError, match=f"the proof in the name of {key_id(1)}"):
        await platform.submit(write_json(spoilt))
    await platform.submit(write_json(both))


async def test_a_key_of_nobody_and_a_key_of_another_make_no_proof(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_registration(STRANGER))
    with pytest.raises(NotRegisteredError, match="is not registered for urn:agent:test-1"):
        await platform.submit(write_json(proven(seed=77)))
    with pytest.raises(SignatureError, match="belongs to urn:agent:test-21, not to urn:agent:test-1"):
        await platform.submit(write_json(proven(seed=STRANGER)))
    with pytest.raises(SignatureError, match="belongs to urn:agent:test-21"):
        await platform.submit(write_json(proven(seed=STRANGER, method=key_id(STRANGER))))


async def test_a_registration_is_proven_with_the_key_that_it_registers(platform: Platform) -> None:
    document = read_json(signed_registration(31))
    with pytest.raises(SignatureError, match="is registered"):
        await platform.submit(write_json(add_proof(document, agent_key(32), TIME)))
    with pytest.raises(SignatureError, match="is not by"):
        await platform.submit(write_json(add_proof(document, agent_key(32), TIME, key_id(31))))


async def test_a_good_signature_does_not_save_a_bad_proof_nor_the_other_way(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR))
    forged = proven(seed=2, method=key_id(1))
    with pytest.raises(SignatureError, match="the proof in the name of"):
        await platform.submit(write_json(forged))
    unsigned = sign_message(statement_message(1), agent_key(2), key_id(1))
    with pytest.raises(SignatureError, match="the signature in the name of"):
        await platform.submit(write_json(proven(unsigned)))


async def test_a_copy_with_a_spoilt_proof_is_no_copy(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR), write_json(STATEMENT))
    assert not (await platform.submit(write_json(proven()))).created
    with pytest.raises(SignatureError):
        await platform.submit(write_json(proven(seed=2, method=key_id(1))))


def test_the_method_of_a_key_needs_no_registry() -> None:
    did = KEY.public_key.did_key
    assert did_key_method(KEY.public_key) == f"{did}#{did.removeprefix('did:key:')}"


def test_the_command_line_makes_a_proof_and_checks_it(a2ap: Run, author: Agent, tmp_path: Path) -> None:
    document = written(tmp_path / "statement.json", write_json(statement_message(author.seed)))
    signed = a2ap("sign", document, "--key", author.key, "--proof").out.encode()
    check(read_json(signed), agent_key(author.seed).public_key)
    secured = written(tmp_path / "proven.json", signed)
    did = agent_key(author.seed).public_key.did_key
    assert f"holds        proof eddsa-jcs-2022, by {did}" in a2ap("verify", secured, "--key", did).out
    assert "not checked  proof: whether did:key:" in a2ap("verify", secured, status=1).out
    spoilt = read_json(signed)
    spoilt["proof"]["created"] = "2020-01-01T00:00:00Z"
    bad = written(tmp_path / "spoilt.json", write_json(spoilt))
    assert "FAILS        proof: the proof in the name of" in a2ap("verify", bad, "--key", did, status=1).out
    other = written(
        tmp_path / "other.json",
        write_json(
            proven(sign_message(statement_message(author.seed), agent_key(author.seed), key_id(author.seed)), seed=2)
        ),
    )
    assert "FAILS        proof: the proof is by" in a2ap("verify", other, "--key", did, status=1).out
