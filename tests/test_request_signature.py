"""Requests that peers sign: what is covered, and that nothing of it can be changed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from builders import agent_key

from graph.errors import UnauthenticatedError
from graph.federation.request_signature import MAX_AGE, ReceivedRequest, sign_request, verify_request

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
KEY = agent_key(1)
BODY = b'{"hashes": []}'


def signed(body: bytes = BODY) -> ReceivedRequest:
    request = httpx.Request("POST", "http://node.example:8000/messages/fetch?a=1", content=body)
    sign_request(request, body, KEY, NOW)
    return ReceivedRequest("POST", str(request.url), dict(request.headers))


def test_a_signed_request_is_by_its_key() -> None:
    assert verify_request(signed(), BODY, NOW) == KEY.public_key


def test_a_request_without_a_body_has_no_digest() -> None:
    request = signed(b"")
    assert "content-digest" not in request.headers
    assert verify_request(request, b"", NOW) == KEY.public_key


def test_nobody_signs_in_the_name_of_another_key() -> None:
    request = signed()
    other = agent_key(2).public_key.did_key
    named = request.headers["signature-input"].replace(KEY.public_key.did_key, other)
    with pytest.raises(UnauthenticatedError):
        verify_request(replace(request, headers={**request.headers, "signature-input": named}), BODY, NOW)


@pytest.mark.parametrize(
    "changes",
    [
        {"method": "GET"},
        {"url": "http://other.example:8000/messages/fetch?a=1"},
        {"url": "http://node.example:8000/messages/other?a=1"},
        {"url": "http://node.example:8000/messages/fetch?a=2"},
    ],
)
def test_what_is_covered_cannot_be_changed(changes: dict[str, Any]) -> None:
    with pytest.raises(UnauthenticatedError):
        verify_request(replace(signed(), **changes), BODY, NOW)


def test_the_body_cannot_be_changed() -> None:
    with pytest.raises(UnauthenticatedError):
        verify_request(signed(), BODY + b" ", NOW)


@pytest.mark.parametrize("name", ["signature", "signature-input", "content-digest"])
def test_no_header_of_the_signature_can_be_left_out(name: str) -> None:
    request = signed()
    headers = {header: value for header, value in request.headers.items() if header != name}
    with pytest.raises(UnauthenticatedError):
        verify_request(replace(request, headers=headers), BODY, NOW)


@pytest.mark.parametrize("parameter", ["created=", 'keyid="did', 'tag="a2ap', 'alg="ed'])
def test_no_parameter_of_the_signature_can_be_changed(parameter: str) -> None:
    request = signed()
    headers = dict(request.headers)
    headers["signature-input"] = headers["signature-input"].replace(parameter, parameter.replace("=", "x="), 1)
    assert headers != request.headers
    with pytest.raises(UnauthenticatedError):
        verify_request(replace(request, headers=headers), BODY, NOW)


@pytest.mark.parametrize("late", [MAX_AGE + timedelta(seconds=1), -MAX_AGE - timedelta(seconds=1)])
def test_an_old_signature_is_not_taken_again(late: timedelta) -> None:
    with pytest.raises(UnauthenticatedError):
        verify_request(signed(), BODY, NOW + late)
