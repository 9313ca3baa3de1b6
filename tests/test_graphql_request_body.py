"""What the body of a GraphQL request may hold: JSON, and only numbers that JSON has."""

import json
from typing import Any

import pytest

from graph.http.graphql_requests import JSON, MAX_VALUES, RequestError, read_body


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_a_number_that_json_does_not_have_is_refused(number: str) -> None:
    with pytest.raises(RequestError, match="not JSON"):
        read_body(b'{"query": "{x}", "variables": {"x": %b}}' % number.encode(), JSON)


def test_a_decimal_is_read() -> None:
    assert read_body(b'{"query": "{x}", "variables": {"x": 1.5e3}}', JSON).variables == {"x": 1500.0}


def with_variable(value: bytes) -> bytes:
    return b'{"query": "{x}", "variables": {"x": %b}}' % value


@pytest.mark.parametrize("value", [b"[]", b'""', b"{}", b"1.0", b'{"a": []}', b'"\\"", 1'])
def test_more_values_than_can_be_read_at_once_are_not_read(value: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*arguments: Any, **named: Any) -> None:
        raise AssertionError("it is read")

    monkeypatch.setattr(json, "loads", read)
    with pytest.raises(RequestError, match=f"the body has more than {MAX_VALUES} values") as error:
        read_body(with_variable(b"[" + (value + b",") * (2 * MAX_VALUES) + b"1]"), JSON)
    assert (error.value.status, error.value.code) == (413, "TOO_LARGE")


def test_long_documents_with_any_punctuation_are_texts() -> None:
    document = json.dumps({"evidence": [{"a": [1, 2, {"b": 'He said "yes, [no]".'}]}] * 5_000})
    body = json.dumps({"query": "{x}", "variables": {"x": [document] * 6}}).encode()
    assert body.count(b",") > MAX_VALUES
    assert read_body(body, JSON).variables == {"x": [document] * 6}
