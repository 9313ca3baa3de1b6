"""Altering one member of a message and reading it again, to see it refused at that place."""

import copy
import re
from collections.abc import Mapping
from typing import Any

import pytest
from builders import sign

from a2ap.errors import FieldError, MessageError
from a2ap.messages.message import read_message

MISSING = object()


def with_member(message: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a copy of a message with another value at a path like `evidence[0].quoteText`."""
    altered = copy.deepcopy(dict(message))
    steps = [int(step) if step.isdigit() else step for step in re.findall(r"[^.\[\]]+", path)]
    holder: Any = altered
    for step in steps[:-1]:
        holder = holder[step]
    if value is MISSING:
        del holder[steps[-1]]
    else:
        holder[steps[-1]] = value
    return altered


def assert_refused(
    message: Mapping[str, Any],
    path: str,
    value: Any,
    problem: str = "",
    *,
    at: str | None = None,
    kind: type[MessageError] = FieldError,
    seed: int = 1,
) -> None:
    """Assert that the message with `value` at `path` is refused with an error at that place (or `at`)."""
    altered = with_member(message, path, value)
    with pytest.raises(kind) as caught:
        read_message(sign(altered, seed))
    assert caught.value.path == (path if at is None else at)
    assert ("is missing" if value is MISSING else problem) in caught.value.problem


NOT_TEXTS: list[Any] = [None, 1, True, [], {}, ["x"]]
NOT_OBJECTS: list[Any] = [None, 1, True, [], "x", [{}]]
NOT_LISTS: list[Any] = [None, 1, True, {}, "x"]
NOT_SHARES: list[Any] = [None, True, False, "0.5", -0.1, 1.2, 2, 1e300, [0.5], {}]
NOT_IDS: list[Any] = [None, 1, "", "no iri", "urn:a b", "urn:" + "x" * 509, "urn:<a>", ["urn:a"]]
NOT_AGENT_IDS: list[Any] = [*NOT_IDS, "urn:a|b", "urn:a#b"]
NOT_HASHES: list[Any] = [None, 1, "", "abc", "sha256:abc123...", "sha256:" + "A" * 64, "sha512:" + "a" * 64, "a" * 64]
NOT_UUIDS: list[Any] = [None, 1, "", "urn:uuid:...", "urn:doc:x", "550e8400-e29b-41d4-a716-446655440000"]
NOT_TIMES: list[Any] = [None, 1, "", "2025-10-14", "2025-10-14T10:30:00", "2025-13-14T10:30:00Z", "yesterday"]
