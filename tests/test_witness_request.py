"""What is said to a witness and by it: the published request and answer, and bodies that are neither."""

import pytest
from builders import agent_key
from hypothesis import given
from hypothesis import strategies as st
from tree_builder import Tree, witness_key
from vectors_file import load_vectors

from a2ap.errors import LogFormatError, NoteError, WitnessError
from a2ap.log.cosignature import Cosignature, cosign, open_cosignatures
from a2ap.log.line_values import encode_base64
from a2ap.log.merkle import MAX_TREE_SIZE, verify_consistency
from a2ap.log.signed_note import read_signature_line
from a2ap.log.witness_request import AddCheckpoint, add_cosignatures, read_add_checkpoint, read_known_size

EXAMPLE = load_vectors("c2sp_log.json")["witness_request"]
TREE = Tree(9)
CHECKPOINT = TREE.checkpoint(9)
WITNESS = witness_key(31)
LINE = cosign(CHECKPOINT, WITNESS.name, agent_key(31), 1_800_000_000)
STRANGERS_LINE = cosign(CHECKPOINT, "witness.example/32", agent_key(32), 1_800_000_000)


def test_the_published_request_reads_and_is_written_alike() -> None:
    request = read_add_checkpoint(EXAMPLE["body"].encode())
    assert request.old_size == EXAMPLE["old_size"]
    assert [encode_base64(hash_) for hash_ in request.hashes] == EXAMPLE["hashes"]
    assert request.body == EXAMPLE["body"].encode()


def test_the_published_answer_has_three_lines() -> None:
    lines = [read_signature_line(line) for line in EXAMPLE["answer"].splitlines(keepends=True)]
    assert [line.name for line in lines] == ["witness.example/w1", "witness.example/w1", "witness.example/w2"]
    with pytest.raises(WitnessError, match="no cosignature by a witness that is known"):
        add_cosignatures(CHECKPOINT, EXAMPLE["answer"].encode(), [WITNESS])


@given(st.integers(0, MAX_TREE_SIZE), st.lists(st.binary(min_size=32, max_size=32), max_size=63).map(tuple))
def test_a_request_reads_back(old_size: int, hashes: tuple[bytes, ...]) -> None:
    request = AddCheckpoint(old_size, hashes, CHECKPOINT)
    assert read_add_checkpoint(request.body) == request


def test_the_proof_of_a_request_holds() -> None:
    request = read_add_checkpoint(AddCheckpoint(4, TREE.consistency(4, 9), CHECKPOINT).body)
    verify_consistency(request.old_size, 9, TREE.root(4), TREE.root(9), request.hashes)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"old 4\n",
        b"old 4\n\n",
        b"old 4\n" + CHECKPOINT.encode(),
        b"old 04\n\n" + CHECKPOINT.encode(),
        b"old  4\n\n" + CHECKPOINT.encode(),
        b"old -4\n\n" + CHECKPOINT.encode(),
        b"old 9223372036854775808\n\n" + CHECKPOINT.encode(),
        b"new 4\n\n" + CHECKPOINT.encode(),
        b"old 4\nAAAA\n\n" + CHECKPOINT.encode(),
        b"old 4\n" + (encode_base64(bytes(32)).encode() + b"\n") * 64 + b"\n" + CHECKPOINT.encode(),
        b"old 4\n\n" + CHECKPOINT.encode()[:-1],
        b"old 4\r\n\r\n" + CHECKPOINT.encode(),
        b"old 4\n\n\xff" + CHECKPOINT.encode(),
    ],
)
def test_another_body_is_no_request(body: bytes) -> None:
    with pytest.raises(LogFormatError):
        read_add_checkpoint(body)


def test_the_cosignatures_of_known_witnesses_are_added() -> None:
    cosigned = add_cosignatures(CHECKPOINT, (STRANGERS_LINE + LINE).encode(), [WITNESS])
    assert cosigned == CHECKPOINT + LINE
    assert open_cosignatures(cosigned, [WITNESS]) == (Cosignature(WITNESS, 1_800_000_000),)
    assert add_cosignatures(cosigned, LINE.encode(), [WITNESS]) == cosigned


def test_a_cosignature_of_another_checkpoint_is_not_added() -> None:
    other = cosign(TREE.checkpoint(8), WITNESS.name, agent_key(31), 1_800_000_000)
    with pytest.raises(NoteError, match="does not hold"):
        add_cosignatures(CHECKPOINT, other.encode(), [WITNESS])


def test_an_answer_without_cosignatures_is_refused() -> None:
    for body in (b"", b"\n", b"ok\n", LINE.encode() + b"\n", b"\xff"):
        with pytest.raises(LogFormatError):
            add_cosignatures(CHECKPOINT, body, [WITNESS])
    for body in (STRANGERS_LINE.encode(),):
        with pytest.raises(WitnessError):
            add_cosignatures(CHECKPOINT, body, [WITNESS])


def test_an_answer_cut_short_is_refused() -> None:
    for body in (LINE.encode()[:-1], LINE.encode()[:-20]):
        with pytest.raises(LogFormatError):
            add_cosignatures(CHECKPOINT, body, [WITNESS])


def test_the_size_that_a_witness_knows_is_a_line() -> None:
    assert read_known_size(b"20852014\n") == 20852014
    assert read_known_size(b"0\n") == 0
    for body in (
        b"",
        b"\n",
        b"1",
        b"01\n",
        b"1\n\n",
        b"-1\n",
        b"9223372036854775808\n",
        b"9" * 100_000 + b"\n",
        b"\xff\n",
    ):
        with pytest.raises(LogFormatError):
            read_known_size(body)
