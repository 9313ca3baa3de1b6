"""Gold labels, disputes of them, and probes: what the messages say."""

from typing import Any

import pytest
import random_messages
from builders import (
    TIME,
    agent_id,
    envelope_of,
    gold_label_message,
    probe_message,
    sign,
    signed_gold_dispute,
    signed_retraction,
    signed_statement,
)
from hypothesis import given
from hypothesis import strategies as st
from refusals import MISSING, NOT_AGENT_IDS, NOT_HASHES, NOT_LISTS, NOT_TEXTS, NOT_TIMES, NOT_UUIDS, assert_refused

from a2ap.canonical import sha256_digest
from a2ap.errors import FieldError
from a2ap.json_text import read_json
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel, Label, RevealedProbe
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.probe import Probe, commit
from a2ap.messages.retraction import Retraction

STATEMENT = signed_statement()
HASH = "sha256:" + "a" * 64
SALT = "AAAAAAAAAAAAAAAAAAAAAA=="
LABEL = gold_label_message(STATEMENT, probe=RevealedProbe(HASH, SALT), answers=[HASH])
SIGNED_LABEL = sign(LABEL, 9)
DISPUTE = {
    name: value
    for name, value in read_json(signed_gold_dispute(SIGNED_LABEL, evidence=[HASH])).items()
    if name != "signature"
}
PROBE = probe_message([HASH])


def test_every_member_of_a_gold_label_is_read() -> None:
    label = read_message(SIGNED_LABEL)

    assert isinstance(label, GoldLabel)
    assert (label.envelope.agent_id, label.envelope.time) == (agent_id(9), TIME)
    assert label.target_statement == envelope_of(STATEMENT).id
    assert label.target_hash == envelope_of(STATEMENT).signed_hash
    assert (label.criterion, label.label) == ("source-accuracy", Label.FAIL)
    assert label.reason == "The recording says otherwise."
    assert label.probe == RevealedProbe(HASH, SALT)
    assert label.answers == (HASH,)


def test_a_gold_label_may_say_no_more_than_what_is_so() -> None:
    label = read_message(sign(gold_label_message(STATEMENT, Label.PASS, reason=None), 9))

    assert isinstance(label, GoldLabel)
    assert (label.label, label.reason, label.probe, label.answers) == (Label.PASS, None, None, ())


def test_every_member_of_a_dispute_is_read() -> None:
    dispute = read_message(sign(DISPUTE, 2))

    assert isinstance(dispute, GoldDispute)
    assert (dispute.envelope.agent_id, dispute.envelope.time) == (agent_id(2), TIME)
    assert dispute.target_label == envelope_of(SIGNED_LABEL).id
    assert dispute.target_hash == envelope_of(SIGNED_LABEL).signed_hash
    assert dispute.reason == "The recording says what is claimed."
    assert dispute.evidence == (HASH,)


def test_every_member_of_a_probe_is_read() -> None:
    probe = read_message(sign(PROBE, 9))

    assert isinstance(probe, Probe)
    assert (probe.envelope.agent_id, probe.envelope.time) == (agent_id(9), TIME)
    assert probe.commitments == (HASH,)


@pytest.mark.parametrize(
    ("document", "kind"),
    [(SIGNED_LABEL, MessageType.GOLD_LABEL), (sign(DISPUTE, 2), MessageType.GOLD_DISPUTE)],
)
def test_a_gold_label_and_a_dispute_are_taken_back_by_a_retraction(document: bytes, kind: MessageType) -> None:
    retraction = read_message(signed_retraction(document, 9))

    assert isinstance(retraction, Retraction)
    assert retraction.target_type is kind


CASES: list[tuple[dict[str, Any], str, list[Any]]] = [
    (LABEL, "labelledAt", [MISSING, *NOT_TIMES]),
    (LABEL, "labellingAgent", [MISSING, *NOT_AGENT_IDS]),
    (LABEL, "targetStatement", [MISSING, *NOT_UUIDS]),
    (LABEL, "targetHash", [MISSING, *NOT_HASHES]),
    (LABEL, "criterion", [MISSING, *NOT_TEXTS, ""]),
    (LABEL, "label", [MISSING, None, 1, "pass", "INCONCLUSIVE"]),
    (LABEL, "reason", NOT_TEXTS),
    (LABEL, "probe", [None, 1, "x", []]),
    (LABEL, "probe.commitment", [MISSING, *NOT_HASHES]),
    (LABEL, "probe.salt", [MISSING, *NOT_TEXTS, "", "AAAA", "?" * 24, "A" * 96]),
    (LABEL, "answers", [*NOT_LISTS, [], [HASH, HASH]]),
    (DISPUTE, "disputedAt", [MISSING, *NOT_TIMES]),
    (DISPUTE, "disputingAgent", [MISSING, *NOT_AGENT_IDS]),
    (DISPUTE, "targetLabel", [MISSING, *NOT_UUIDS]),
    (DISPUTE, "targetHash", [MISSING, *NOT_HASHES]),
    (DISPUTE, "reason", [MISSING, *NOT_TEXTS]),
    (DISPUTE, "evidence", [*NOT_LISTS, [], [HASH, HASH]]),
    (PROBE, "committedAt", [MISSING, *NOT_TIMES]),
    (PROBE, "committingAgent", [MISSING, *NOT_AGENT_IDS]),
    (PROBE, "commitments", [MISSING, *NOT_LISTS, [], [HASH, HASH]]),
]


@pytest.mark.parametrize(("message", "path", "values"), CASES, ids=[f"{m['@type']}.{p}" for m, p, _ in CASES])
def test_a_wrong_member_is_named(message: dict[str, Any], path: str, values: list[Any]) -> None:
    for value in values:
        assert_refused(message, path, value)


@pytest.mark.parametrize(("message", "path"), [(LABEL, "answers"), (DISPUTE, "evidence"), (PROBE, "commitments")])
def test_a_hash_in_a_list_is_a_hash(message: dict[str, Any], path: str) -> None:
    for value in ("", "abc", "sha256:" + "A" * 64):
        assert_refused(message, path, [HASH, value], at=f"{path}[1]", kind=FieldError)


@given(st.one_of(random_messages.gold_labels(), random_messages.gold_disputes(), random_messages.probes()))
def test_any_gold_label_dispute_and_probe_that_is_built_is_read(document: bytes) -> None:
    assert read_message(document).envelope.received == document


def test_a_commitment_is_the_digest_of_the_salt_the_claim_the_criterion_and_the_label() -> None:
    text = f'["{SALT}","{HASH}","source-accuracy","FAIL"]'

    assert commit(SALT, HASH, "source-accuracy", Label.FAIL) == sha256_digest(text.encode())


@given(random_messages.salts, random_messages.hashes, st.text(), st.text())
def test_a_commitment_to_anything_else_is_another(salt: str, name: str, criterion: str, label: str) -> None:
    found = commit(salt, name, criterion, label)

    assert found != commit(salt, name, criterion + label, "") or not label
    assert found != commit(salt + "A", name, criterion, label)
