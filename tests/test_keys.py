"""Ed25519: the published signatures and key encodings, all of them."""

import base64
from dataclasses import FrozenInstanceError

import pytest
from builders import agent_key
from vectors_file import load_vectors

from a2ap.errors import KeyFormatError, SignatureError
from a2ap.signing.keys import PublicKey, SigningKey

DID_KEYS = load_vectors("did_key_ed25519.json")
WYCHEPROOF = load_vectors("wycheproof_ed25519.json")


@pytest.mark.parametrize("vector", WYCHEPROOF, ids=[str(vector["tcId"]) for vector in WYCHEPROOF])
def test_a_wycheproof_signature_holds_or_not_as_it_says(vector: dict[str, str]) -> None:
    key = PublicKey(bytes.fromhex(vector["pk"]))
    message, signature = bytes.fromhex(vector["msg"]), bytes.fromhex(vector["sig"])
    if vector["result"] == "valid":
        key.verify(message, signature)
    else:
        with pytest.raises(SignatureError):
            key.verify(message, signature)


def test_there_are_151_wycheproof_signatures() -> None:
    assert len(WYCHEPROOF) == 151


@pytest.mark.parametrize("vector", DID_KEYS, ids=[vector["seed"][-2:] for vector in DID_KEYS])
def test_a_seed_gives_the_published_did_key_and_back(vector: dict[str, str]) -> None:
    key = SigningKey.generate(bytes.fromhex(vector["seed"])).public_key
    assert key.did_key == vector["did"]
    assert PublicKey.from_did_key(vector["did"]) == key
    if vector["publicKeyX"] is not None:
        assert base64.urlsafe_b64encode(key.data).rstrip(b"=").decode() == vector["publicKeyX"]


def test_a_public_key_is_read_in_both_forms() -> None:
    key = agent_key(1).public_key
    assert PublicKey.parse(key.did_key) == PublicKey.parse(key.base64) == key


GOOD = agent_key(1).public_key
BAD_KEYS = {
    "empty": "",
    "a name": "agent:claude-4.5:pubkey",
    "no multibase": GOOD.did_key.replace("key:z", "key:"),
    "another multibase": GOOD.did_key.replace("key:z", "key:m"),
    "not base58": GOOD.did_key[:-1] + "0",
    "truncated": GOOD.did_key[:-1],
    "a fragment": GOOD.did_key + "#key-1",
    "a space": GOOD.did_key + " ",
    "an X25519 key": "did:key:z6LShs9GGnqk85isEBzzshkuVWrVKsRp24GnDuHk8QWkARMW",
    "a P-256 key": "did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169",
    "very long": "did:key:z" + "6" * 100_000,
    "not ASCII": "did:key:zä",
    "another did": "did:web:example.org",
    "unpadded base64": GOOD.base64.rstrip("="),
    "base64url": base64.urlsafe_b64encode(b"\xff" * 32).decode(),
    "a newline in base64": GOOD.base64[:-1] + "\n",
    "spare bits in base64": GOOD.base64[:-2] + chr(ord(GOOD.base64[-2]) + 1) + "=",
    "hexadecimal": GOOD.data.hex(),
    "31 bytes": base64.b64encode(GOOD.data[:31]).decode(),
    # Order 1, 2 and 8: such a key has a signature that holds for every message.
    "the neutral element": base64.b64encode(b"\x01" + b"\x00" * 31).decode(),
    "order 2": base64.b64encode(b"\xec" + b"\xff" * 30 + b"\x7f").decode(),
    "order 8": base64.b64encode(
        bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
    ).decode(),
    "not on the curve": base64.b64encode(b"\x02" + b"\x00" * 31).decode(),
}


@pytest.mark.parametrize("text", BAD_KEYS.values(), ids=BAD_KEYS.keys())
def test_what_is_no_key_or_another_spelling_is_refused(text: str) -> None:
    with pytest.raises(KeyFormatError):
        PublicKey.parse(text)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_keys_of_another_length_are_a_programming_error(length: int) -> None:
    with pytest.raises(ValueError):
        PublicKey(b"\x00" * length)
    with pytest.raises(ValueError):
        SigningKey(b"\x00" * length)


@pytest.mark.parametrize("length", [0, 63, 65, 128])
def test_signatures_of_another_length_do_not_hold(length: int) -> None:
    with pytest.raises(SignatureError):
        GOOD.verify(b"message", b"\x00" * length)


def test_a_signing_key_does_not_show_its_seed() -> None:
    key = SigningKey.generate(b"\x5a" * 32)
    assert "5a" not in repr(key).lower() and "Z" not in repr(key).removeprefix("SigningKey")


def test_keys_are_values() -> None:
    assert agent_key(1) == agent_key(1) != agent_key(2)
    with pytest.raises(FrozenInstanceError):
        GOOD.data = b""  # type: ignore[misc]
