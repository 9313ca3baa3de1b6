"""The vectors of the desk's messages are those of the builders, and a node takes each of them in."""

import json

import pytest
from desk_messages import DID, FILE, vectors

from a2ap.messages.message import read_message
from a2ap.signing.keys import PublicKey
from a2ap.signing.signature import verify_signature

MESSAGES = json.loads(FILE.read_text(encoding="utf-8"))["messages"]


def test_the_vectors_of_the_desk_are_what_the_builders_give() -> None:
    assert FILE.read_text(encoding="utf-8") == vectors(), "run `python -m desk_messages` in tests"


@pytest.mark.parametrize("name", MESSAGES)
def test_each_message_of_the_desk_reads_as_one_of_its_agent(name: str) -> None:
    envelope = read_message(MESSAGES[name]["document"].encode()).envelope
    assert (envelope.signed_hash, envelope.agent_id) == (MESSAGES[name]["signedHash"], DID)
    assert envelope.signature is not None
    verify_signature(envelope.signature, envelope.signed_bytes, PublicKey.parse(DID))
