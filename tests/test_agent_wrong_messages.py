"""An agent that follows a node which answers with wrong messages, or with messages of a later version."""

import base64
import json
from typing import Any

import httpx
import pytest
from builders import signed_statement

from a2ap import Agent
from a2ap.agent import LogMessageError
from a2ap.agent.identity import Identity
from a2ap.canonical import sha256_digest
from a2ap.messages.message import read_message
from a2ap.signing.keys import SigningKey

CLERK = Identity("urn:agent:clerk", "urn:agent:clerk#1", SigningKey(bytes(32)))
STATEMENT = signed_statement()
OTHER = signed_statement(claim="The vote was five to two.")
LATER = STATEMENT.replace(b"a2ap:ProvenanceStatement", b"a2ap:Correction")


def line_of(document: bytes) -> str:
    return json.dumps({"document": base64.b64encode(document).decode(), "redacted": False, "withheld": None})


def following(document: bytes, *lines: str) -> Agent:
    """Return an agent at a node whose log has one document, and which answers with these lines to its hash."""
    name = sha256_digest(document)
    entry = {
        **{"logIndex": 0, "type": "Any", "id": "urn:uuid:1", "agent": "urn:agent:1", "receivedAt": "now"},
        **{"signedHash": read_message(STATEMENT).envelope.signed_hash, "documentHash": name},
    }

    def answered(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/messages/fetch":
            return httpx.Response(200, text="\n".join(lines))
        if "logEntries" in json.loads(request.content)["query"]:
            page: dict[str, Any] = {"nodes": [entry], "pageInfo": {"hasNextPage": False}}
            return httpx.Response(200, json={"data": {"logEntries": page}})
        return httpx.Response(200, json={"data": {"log": {"size": 1, "cursor": "1"}}})

    return Agent(CLERK, transport=httpx.MockTransport(answered))


def test_the_message_of_an_entry_is_given() -> None:
    event = next(following(STATEMENT, line_of(STATEMENT)).follow(after=-1))
    assert event.message is not None and event.message.envelope.received == STATEMENT


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ((line_of(OTHER),), f"{sha256_digest(STATEMENT)} with another document, {sha256_digest(OTHER)}"),
        ((), "answered 0 of 1 messages"),
        ((line_of(STATEMENT), line_of(STATEMENT)), "answered 2 of 1 messages"),
        (("{",), "with a line that has no message"),
        (("[1]",), "with a line that has no message"),
        (("{}",), "with a line that has no message"),
        (('{"document": 7}',), "with a line that has no message"),
    ],
)
def test_a_wrong_message_is_an_error_and_not_asked_for_for_ever(lines: tuple[str, ...], told: str) -> None:
    with pytest.raises(LogMessageError, match=told):
        next(following(STATEMENT, *lines).follow(after=-1))


def test_another_signed_hash_than_the_message_has_is_an_error() -> None:
    with pytest.raises(LogMessageError, match="another signed hash"):
        next(following(OTHER, line_of(OTHER)).follow(after=-1))


def test_a_message_of_a_later_version_is_an_event_without_it() -> None:
    event = next(following(LATER, line_of(LATER)).follow(after=-1))
    assert event.message is None and event.withheld is not None
    assert event.withheld.startswith("this version of a2ap cannot read it: @type is ")
