"""Messages of nodes: admission policies, log key rotations, peer agreements, peer checkpoints, equivocations."""

from dataclasses import replace
from typing import Any

import pytest
import random_messages
from builders import (
    ESTIMATES,
    MODELS,
    NOTE,
    OTHER_NOTE,
    QUOTA,
    RECORDS,
    admission_policy_message,
    agent_id,
    agent_key,
    epoch_message,
    log_key_rotation_message,
    peer_agreement_message,
    peer_checkpoint_message,
    sign,
    signed_equivocation,
)
from hypothesis import given
from hypothesis import strategies as st
from refusals import (
    MISSING,
    NOT_AGENT_IDS,
    NOT_IDS,
    NOT_LISTS,
    NOT_OBJECTS,
    NOT_TEXTS,
    NOT_TIMES,
    assert_refused,
)

from a2ap.boundary import Boundary
from a2ap.errors import MessageError
from a2ap.json_text import read_json
from a2ap.messages.admission_policy import AdmissionMode, AdmissionPolicy, invitation_hash
from a2ap.messages.epoch import Epoch
from a2ap.messages.equivocation import Equivocation
from a2ap.messages.log_key_rotation import LogKeyRotation
from a2ap.messages.message import read_message
from a2ap.messages.peer_agreement import PeerAgreement
from a2ap.messages.peer_checkpoint import PeerCheckpoint

ADMISSION = admission_policy_message(
    mode=AdmissionMode.ALLOW_LIST, allowed_agents=[agent_id(1), agent_id(2)], invitations=[invitation_hash("secret")]
)
ROTATION = log_key_rotation_message()
AGREEMENT = peer_agreement_message(transport_key=agent_key(5).public_key, suspended=True, private_address=True)
CHECKPOINT = peer_checkpoint_message()
EPOCH = epoch_message()
EQUIVOCATION = {
    name: value
    for name, value in read_json(signed_equivocation(9, consistency_proof=[bytes(32)], successions=[NOTE])).items()
    if name != "signature"
}
NOT_NOTES: list[Any] = [*NOT_TEXTS, "", "text\n", "text\n\nno signature\n", NOTE.rstrip("\n"), "x" * 65536 + NOTE]


def test_every_member_of_an_admission_policy_is_read() -> None:
    policy = read_message(sign(ADMISSION, 9))

    assert isinstance(policy, AdmissionPolicy)
    assert policy.mode is AdmissionMode.ALLOW_LIST
    assert policy.allowed_agents == (agent_id(1), agent_id(2))
    assert policy.invitations == (invitation_hash("secret"),)
    assert "secret" not in str(ADMISSION)


def test_every_member_of_a_log_key_rotation_is_read() -> None:
    rotation = read_message(sign(ROTATION, 9))

    assert isinstance(rotation, LogKeyRotation)
    assert (rotation.origin, rotation.note) == (agent_id(9), NOTE)


def test_every_member_of_a_peer_agreement_is_read() -> None:
    agreement = read_message(sign(AGREEMENT, 9))

    assert isinstance(agreement, PeerAgreement)
    assert agreement.origin == AGREEMENT["origin"]
    assert agreement.url == "https://peer.example.org"
    assert agreement.log_key == AGREEMENT["logKey"]
    assert agreement.transport_key == agent_key(5).public_key
    assert agreement.clearance is Boundary.PUBLIC
    assert agreement.quota == QUOTA
    assert agreement.suspended and agreement.private_address


def test_address_and_transport_key_of_a_peer_may_be_left_out() -> None:
    agreement = read_message(sign(peer_agreement_message(url=None), 9))

    assert isinstance(agreement, PeerAgreement)
    assert (agreement.url, agreement.transport_key, agreement.suspended) == (None, None, False)
    assert not agreement.private_address


def test_every_member_of_a_peer_checkpoint_is_read() -> None:
    message = read_message(sign(CHECKPOINT, 9))

    assert isinstance(message, PeerCheckpoint)
    assert (message.origin, message.checkpoint) == (CHECKPOINT["origin"], NOTE)


def test_every_member_of_an_equivocation_is_read() -> None:
    equivocation = read_message(sign(EQUIVOCATION, 9))

    assert isinstance(equivocation, Equivocation)
    assert equivocation.checkpoints == (NOTE, OTHER_NOTE)
    assert equivocation.consistency_proof == (bytes(32),)
    assert equivocation.successions == (NOTE,)


def test_every_member_of_an_epoch_is_read() -> None:
    epoch = read_message(sign(epoch_message(part=1, parts=2), 9))

    assert isinstance(epoch, Epoch)
    assert (epoch.log_size, epoch.policy, epoch.method.value) == (120, EPOCH["policy"], "a2ap-posterior")
    assert (epoch.part, epoch.parts, epoch.is_last) == (1, 2, True)
    assert epoch.calibration == ((0.0, 0.0), (1.0, 1.0))
    assert epoch.estimates == ESTIMATES
    assert (epoch.models, epoch.records) == (MODELS, RECORDS)


def test_an_epoch_of_an_earlier_node_has_neither_models_nor_records() -> None:
    message = epoch_message(models=(), records=())
    assert not {"models", "records"} & message.keys()
    epoch = read_message(sign(message, 9))
    assert isinstance(epoch, Epoch)
    assert not epoch.models
    assert not epoch.records


def test_a_record_has_the_levels_of_the_model_of_its_criterion() -> None:
    short = [replace(RECORDS[0], levels=RECORDS[0].levels[:1])]
    with pytest.raises(MessageError, match=r"records\[0\]\.levels has 1 levels; the model of source-accuracy has 2"):
        read_message(sign(epoch_message(records=short), 9))
    for models in (MODELS[1:], ()):
        with pytest.raises(MessageError, match=r"records\[0\]\.criterion is .source-accuracy., which no model"):
            read_message(sign(epoch_message(models=models, records=RECORDS[:1]), 9))


def test_an_agent_has_one_estimate_under_a_criterion() -> None:
    with pytest.raises(MessageError, match="twice"):
        read_message(sign(epoch_message(estimates=ESTIMATES[:1] * 2), 9))


def test_a_criterion_has_one_model_and_an_operator_one_record_under_it() -> None:
    for doubled in ({"models": MODELS[:1] * 2, "records": ()}, {"records": RECORDS[:1] * 2}):
        with pytest.raises(MessageError, match="twice"):
            read_message(sign(epoch_message(**doubled), 9))


def test_evidence_of_a_copy_is_of_somebody_whom_it_repeats() -> None:
    message = epoch_message()
    del message["estimates"][2]["copies"]
    with pytest.raises(MessageError, match=r"estimates\[2\]\.copied is there without copies"):
        read_message(sign(message, 9))


def test_an_estimate_in_which_nothing_was_found_has_no_member_for_it() -> None:
    first, repeats, _ = epoch_message()["estimates"]
    assert {"copies", "copied", "coalition"} & first.keys() == set()
    assert {"copies", "copied", "coalition"} & repeats.keys() == {"copies"}


NOT_DECIMALS: list[Any] = [None, 0.5, 1, "1", "1.0", "1.00000", "-1.0000", "01.0000", "1e3", "nan", " 1.0000", "١.0000"]

CASES: list[tuple[dict[str, Any], str, list[Any]]] = [
    (ADMISSION, "issuedAt", [MISSING, *NOT_TIMES]),
    (ADMISSION, "issuingAgent", [MISSING, *NOT_AGENT_IDS]),
    (ADMISSION, "mode", [MISSING, None, "closed", ""]),
    (ADMISSION, "allowedAgents", [MISSING, *NOT_LISTS, [agent_id(1), agent_id(1)]]),
    (ADMISSION, "invitations", [MISSING, *NOT_LISTS]),
    (EPOCH, "issuedAt", [MISSING, *NOT_TIMES]),
    (EPOCH, "issuingAgent", [MISSING, *NOT_AGENT_IDS]),
    (EPOCH, "logSize", [MISSING, None, 0, -1, 1.5, "7", True]),
    (EPOCH, "policy", [MISSING, None, "", "sha256:a"]),
    (EPOCH, "method", [MISSING, None, "em", ""]),
    (EPOCH, "part", [MISSING, None, 1, -1, "0"]),
    (EPOCH, "parts", [MISSING, None, 0, "1", 10_001]),
    (EPOCH, "calibration", [MISSING, *NOT_LISTS]),
    (EPOCH, "calibration[0]", [*NOT_LISTS, ["0.0000"], ["0.0000", "1.0001"]]),
    (EPOCH, "calibration[1]", [["0.0000", "1.0000"], ["1.0001", "1.0000"]]),
    (EPOCH, "calibration[1][0]", NOT_DECIMALS),
    (EPOCH, "estimates", [MISSING, *NOT_LISTS]),
    (EPOCH, "estimates[0]", NOT_OBJECTS),
    (EPOCH, "estimates[0].agent", [MISSING, *NOT_AGENT_IDS]),
    (EPOCH, "estimates[0].criterion", [MISSING, *NOT_TEXTS]),
    (EPOCH, "estimates[0].sensitivity", [MISSING, *NOT_LISTS, ["1.0000"]]),
    (EPOCH, "estimates[0].sensitivity[0]", [*NOT_DECIMALS, "0.0000"]),
    (EPOCH, "estimates[0].specificity[1]", [*NOT_DECIMALS, "0.0000"]),
    (EPOCH, "estimates[0].judged", [MISSING, None, -1, 0.5, "1", True]),
    (EPOCH, "estimates[0].independence", [MISSING, *NOT_DECIMALS, "1.0001"]),
    (EPOCH, "models", NOT_LISTS),
    (EPOCH, "models[0]", NOT_OBJECTS),
    (EPOCH, "models[0].criterion", [MISSING, *NOT_TEXTS]),
    (EPOCH, "models[0].right", [MISSING, *NOT_LISTS, [], ["0.1000"] * 9]),
    (EPOCH, "models[0].right[0]", [*NOT_DECIMALS, "0.0000"]),
    (EPOCH, "models[0].wrong", [MISSING, *NOT_LISTS, ["0.1000"]]),
    (EPOCH, "models[0].commonError", [MISSING, *NOT_DECIMALS, "0.5001"]),
    (EPOCH, "models[0].newcomer", [MISSING, *NOT_DECIMALS, "0.0000", "1.0001"]),
    (EPOCH, "records", NOT_LISTS),
    (EPOCH, "records[0]", NOT_OBJECTS),
    (EPOCH, "records[0].operator", [MISSING, *NOT_AGENT_IDS]),
    (EPOCH, "records[0].criterion", [MISSING, *NOT_TEXTS]),
    (EPOCH, "records[0].levels", [MISSING, *NOT_LISTS, []]),
    (EPOCH, "records[0].levels[1]", NOT_OBJECTS),
    (EPOCH, "records[0].levels[1].sensitivity", [MISSING, *NOT_LISTS, ["1.0000"]]),
    (EPOCH, "records[0].known", NOT_OBJECTS),
    (EPOCH, "records[0].known.sensitivity", [MISSING, *NOT_LISTS, ["1.0000"]]),
    (EPOCH, "records[0].known.specificity[0]", NOT_DECIMALS),
    (EPOCH, "records[0].levels[1].specificity[1]", [*NOT_DECIMALS, "0.0000"]),
    (EPOCH, "estimates[1].copies", NOT_AGENT_IDS),
    (EPOCH, "estimates[2].copied", NOT_OBJECTS),
    (EPOCH, "estimates[2].copied.both", [MISSING, None, 0, 1.5, "41", True]),
    (EPOCH, "estimates[2].copied.differed", [MISSING, None, -1, 42, 0.5, "0", True]),
    (EPOCH, "estimates[2].copied.expected", [MISSING, *NOT_DECIMALS, "0.0000"]),
    (EPOCH, "estimates[2].coalition", [*NOT_DECIMALS, "0.0000", "1.0001"]),
    (ROTATION, "origin", [MISSING, *NOT_AGENT_IDS]),
    (ROTATION, "note", [MISSING, *NOT_NOTES]),
    (AGREEMENT, "origin", [MISSING, *NOT_AGENT_IDS]),
    (AGREEMENT, "url", [*NOT_IDS, "ftp://example.org", "javascript:alert(1)"]),
    (AGREEMENT, "logKey", [MISSING, *NOT_TEXTS, "", "a b"]),
    (AGREEMENT, "transportKey", [*NOT_TEXTS, "did:key:z6Mkx", agent_key(5).public_key.base64]),
    (AGREEMENT, "clearance", [MISSING, None, "everything"]),
    (AGREEMENT, "quota", [MISSING, *NOT_OBJECTS]),
    (AGREEMENT, "quota.entriesPerPull", [MISSING, -1, 1.5, "1", True, None]),
    (AGREEMENT, "quota.bytesPerDay", [MISSING, -1, 1.5, "1", True, None]),
    (AGREEMENT, "suspended", [MISSING, None, 0, 1, "false"]),
    (AGREEMENT, "privateAddress", [None, 0, 1, "false"]),
    (CHECKPOINT, "origin", [MISSING, *NOT_AGENT_IDS]),
    (CHECKPOINT, "checkpoint", [MISSING, *NOT_NOTES]),
    (EQUIVOCATION, "origin", [MISSING, *NOT_AGENT_IDS]),
    (EQUIVOCATION, "checkpoints", [MISSING, *NOT_LISTS, [], [NOTE], [NOTE, NOTE], [NOTE, OTHER_NOTE, NOTE]]),
    (EQUIVOCATION, "consistencyProof", NOT_LISTS),
    (EQUIVOCATION, "successions", NOT_LISTS),
]


@pytest.mark.parametrize(("message", "path", "values"), CASES, ids=[f"{m['@type']}.{p}" for m, p, _ in CASES])
def test_a_wrong_member_is_named(message: dict[str, Any], path: str, values: list[Any]) -> None:
    for value in values:
        assert_refused(message, path, value, kind=MessageError, seed=9)


@pytest.mark.parametrize(
    ("message", "name", "value"),
    [
        (ADMISSION, "allowedAgents", "urn:a#b"),
        (ADMISSION, "invitations", "secret"),
        (EQUIVOCATION, "checkpoints", "no note"),
        (EQUIVOCATION, "consistencyProof", "AAAA"),
        (EQUIVOCATION, "successions", "no note"),
        (EQUIVOCATION, "consistencyProof", "no base64"),
    ],
)
def test_a_wrong_item_of_a_list_is_named(message: dict[str, Any], name: str, value: str) -> None:
    assert_refused(message, name, [message[name][0], value], at=f"{name}[1]", seed=9)


@given(
    st.one_of(
        random_messages.admission_policies(),
        random_messages.log_key_rotations(),
        random_messages.peer_agreements(),
        random_messages.peer_checkpoints(),
        random_messages.equivocations(),
    )
)
def test_any_message_of_a_node_that_is_built_is_read(document: bytes) -> None:
    assert read_message(document).envelope.received == document
