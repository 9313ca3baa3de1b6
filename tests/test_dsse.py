"""Envelopes that others made: what is none is refused by the declared errors."""

import json
from typing import Any

import pytest
from builders import agent_key

from a2ap.attestation.dsse import open_envelope, seal
from a2ap.errors import SignatureError

TYPE = "application/x"
KEY = agent_key(1)


def test_what_is_sealed_is_opened() -> None:
    assert open_envelope(seal(TYPE, b"{}", KEY, "k"), TYPE, KEY.public_key, "k") == b"{}"


@pytest.mark.parametrize("value", [None, 5, "x", {}, [], [5], [{"keyid": "k"}], [{"keyid": "k", "sig": 5}]])
def test_signatures_of_another_kind_are_no_signatures(value: Any) -> None:
    members = {**json.loads(seal(TYPE, b"{}", KEY, "k")), "signatures": value}
    with pytest.raises(SignatureError):
        open_envelope(json.dumps(members).encode(), TYPE, KEY.public_key, "k")
