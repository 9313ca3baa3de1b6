"""Cosignatures and witness policies: k of n different witnesses, over this checkpoint, at the time they say."""

import base64
import struct

import pytest
from builders import agent_key
from tree_builder import LOG_KEY, ORIGIN, Tree, witness_key
from vectors_file import load_vectors

from a2ap.errors import NoteError, WitnessError
from a2ap.log.checkpoint import open_checkpoint
from a2ap.log.cosignature import MAX_TIMESTAMP, Cosignature, cosign, open_cosignatures
from a2ap.log.signed_note import COSIGNATURE, NoteSignature, VerifierKey, add_signature, read_note
from a2ap.log.witness_policy import WitnessPolicy

EXAMPLES = load_vectors("c2sp_log.json")
CHECKPOINT = Tree(5).checkpoint(5)
TIME = 1_800_000_000
WITNESSES = tuple(witness_key(number) for number in (31, 32, 33))


def cosigned(*numbers: int, note: str = CHECKPOINT, time: int = TIME) -> str:
    for number in numbers:
        note = add_signature(note, cosign(note, witness_key(number).name, agent_key(number), time))
    return note


def test_the_witnesses_of_a_public_log_have_cosigned_its_checkpoint() -> None:
    example = EXAMPLES["cosigned"]
    witnesses = [VerifierKey.parse(text) for text in example["witness_keys"]]
    expected = tuple(Cosignature(witness, example["timestamp"]) for witness in witnesses)
    assert open_cosignatures(example["note"], witnesses) == expected
    with pytest.raises(NoteError, match="does not hold"):
        open_cosignatures(example["note"].replace("1432088532", "1432088533"), witnesses)


def test_the_published_cosignature_is_taken_apart_as_it_is_described() -> None:
    example = EXAMPLES["cosignature"]
    line = read_note(example["note"]).signatures[1]
    assert line.name == example["witness"]
    assert struct.unpack(">Q", line.signature[:8]) == (example["timestamp"],)
    assert len(line.signature) == 72


def test_a_witness_signs_the_published_message() -> None:
    example = EXAMPLES["cosignature"]
    line = cosign(example["note"], "witness.example/31", agent_key(31), example["timestamp"])
    signature = base64.b64decode(line.split()[-1])[12:]
    agent_key(31).public_key.verify(example["signed_message"].encode(), signature)


def test_a_cosigned_checkpoint_is_still_the_logs() -> None:
    note = cosigned(31, 32)
    assert open_checkpoint(note, LOG_KEY).tree_size == 5
    assert open_cosignatures(note, WITNESSES) == tuple(Cosignature(witness, TIME) for witness in WITNESSES[:2])
    assert open_cosignatures(CHECKPOINT, WITNESSES) == ()


def test_a_cosignature_is_no_signature_of_the_text_nor_the_other_way_round() -> None:
    key = agent_key(31)
    plain, witness = VerifierKey("w", key.public_key), VerifierKey("w", key.public_key, COSIGNATURE)
    text = read_note(CHECKPOINT).text
    stamped = struct.pack(">Q", TIME) + key.sign(text.encode())
    with pytest.raises(NoteError, match="the cosignature of w does not hold"):
        open_cosignatures(CHECKPOINT + NoteSignature("w", witness.key_id, stamped).line, [witness])
    line = cosign(CHECKPOINT, "w", key, TIME)
    cosignature = base64.b64decode(line.split()[-1])
    assert cosignature[:4] == witness.key_id != plain.key_id


@pytest.mark.parametrize("place", [0, 7, 8, 40, 71])
def test_a_changed_cosignature_spoils_the_checkpoint(place: int) -> None:
    signature = bytearray(read_note(cosigned(31)).signatures[1].signature)
    signature[place] ^= 1
    line = NoteSignature(WITNESSES[0].name, WITNESSES[0].key_id, bytes(signature)).line
    with pytest.raises(NoteError, match="the cosignature of witness"):
        open_cosignatures(CHECKPOINT + line, WITNESSES)
    # Whoever does not know the witness passes the line over.
    assert open_cosignatures(CHECKPOINT + line, WITNESSES[1:]) == ()


@pytest.mark.parametrize("length", [1, 64, 71, 73])
def test_a_cosignature_has_a_time_and_64_bytes(length: int) -> None:
    line = NoteSignature(WITNESSES[0].name, WITNESSES[0].key_id, bytes(length)).line
    with pytest.raises(NoteError, match=f"has {length} bytes, not a time and 64"):
        open_cosignatures(CHECKPOINT + line, WITNESSES)


def test_a_time_beyond_all_clocks_is_refused() -> None:
    signature = struct.pack(">Q", MAX_TIMESTAMP + 1) + bytes(64)
    line = NoteSignature(WITNESSES[0].name, WITNESSES[0].key_id, signature).line
    with pytest.raises(NoteError, match="beyond 2\\^63 - 1"):
        open_cosignatures(CHECKPOINT + line, WITNESSES)
    for time in (-1, MAX_TIMESTAMP + 1):
        with pytest.raises(ValueError, match="no time of a cosignature"):
            cosign(CHECKPOINT, "w", agent_key(31), time)


def test_the_key_of_a_log_cosigns_nothing() -> None:
    with pytest.raises(ValueError, match="of type 4"):
        open_cosignatures(CHECKPOINT, [LOG_KEY])
    with pytest.raises(ValueError, match="of type 4"):
        WitnessPolicy(1, (LOG_KEY,))


@pytest.mark.parametrize("quorum", [0, 1, 2, 3])
def test_a_policy_asks_for_so_many_of_its_witnesses(quorum: int) -> None:
    policy = WitnessPolicy(quorum, WITNESSES)
    for numbers in ((), (31,), (33, 31), (31, 32, 33)):
        if len(numbers) >= quorum:
            policy.check(cosigned(*numbers))
        else:
            with pytest.raises(WitnessError, match=f"{len(numbers)} of 3 witnesses .* fewer than {quorum}"):
                policy.check(cosigned(*numbers))


def test_a_witness_counts_once_however_often_it_cosigns() -> None:
    note = cosigned(31, note=cosigned(31), time=TIME + 1)
    assert len(open_cosignatures(note, WITNESSES)) == 2
    with pytest.raises(WitnessError, match="1 of 3"):
        WitnessPolicy(2, WITNESSES).check(note)


def test_strangers_do_not_count() -> None:
    with pytest.raises(WitnessError, match="0 of 3"):
        WitnessPolicy(1, WITNESSES).check(cosigned(34, 35))


def test_a_cosignature_of_another_checkpoint_does_not_count() -> None:
    other = read_note(cosigned(31, note=Tree(6).checkpoint(6))).signatures[1].line
    with pytest.raises(NoteError, match="does not hold"):
        WitnessPolicy(1, WITNESSES).check(CHECKPOINT + other)


def test_a_policy_that_nobody_could_meet_is_refused() -> None:
    for quorum in (-1, 4):
        with pytest.raises(ValueError, match=f"{quorum} of 3 witnesses"):
            WitnessPolicy(quorum, WITNESSES)
    twin = VerifierKey("witness.example/twin", WITNESSES[0].public_key, COSIGNATURE)
    with pytest.raises(ValueError, match="the same key"):
        WitnessPolicy(1, (*WITNESSES, twin))


def test_the_log_does_not_witness_itself_by_its_name() -> None:
    witness = VerifierKey(ORIGIN, agent_key(90).public_key, COSIGNATURE)
    with pytest.raises(WitnessError, match="0 of 1"):
        WitnessPolicy(1, (witness,)).check(CHECKPOINT)
