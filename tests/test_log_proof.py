"""Receipts as C2SP tlog-proof: they read back, hold off-line, and stop holding with any change."""

import dataclasses
import os
import re
import subprocess
from pathlib import Path

import pytest
from builders import agent_key
from hypothesis import given
from hypothesis import strategies as st
from tree_builder import LOG, LOG_KEY, ORIGIN, Tree, witness_key
from vectors_file import load_vectors

from a2ap.errors import LogError, LogFormatError, NoteError, ProofError, WitnessError
from a2ap.log.checkpoint import Checkpoint
from a2ap.log.cosignature import cosign
from a2ap.log.log_key import build_succession, follow_successions
from a2ap.log.log_proof import LogProof, read_log_proof, verify_log_proof
from a2ap.log.merkle import hash_leaf
from a2ap.log.signed_note import VerifierKey, add_signature, sign_note
from a2ap.log.witness_policy import WitnessPolicy

EXAMPLE = load_vectors("c2sp_log.json")["log_proof"]
DOCS = Path(__file__).parent.parent / "docs"
TREE = Tree(40)
PROOF = TREE.proof(7, 40)


def test_the_published_proof_reads_and_is_written_alike() -> None:
    text = EXAMPLE["head"] + "\n" + sign_note(EXAMPLE["checkpoint_text"], "example.com/fancylog", LOG)
    proof = read_log_proof(text)
    assert (proof.log_index, len(proof.hashes)) == (EXAMPLE["log_index"], 5)
    assert proof.extra.startswith(b"age-v1.2.1-darwin-arm64.tar.gz")
    assert proof.text == text


@given(st.integers(1, 40), st.data(), st.binary(max_size=9))
def test_every_receipt_reads_back_and_holds(size: int, data: st.DataObject, extra: bytes) -> None:
    index = data.draw(st.integers(0, size - 1))
    proof = dataclasses.replace(TREE.proof(index, size), extra=extra)
    assert read_log_proof(proof.text) == proof
    assert verify_log_proof(proof, TREE.entries[index], LOG_KEY) == Checkpoint(ORIGIN, size, TREE.root(size))


@given(st.data())
def test_a_changed_byte_of_a_receipt_is_never_believed(data: st.DataObject) -> None:
    encoded = PROOF.text.encode()
    place, bit = data.draw(st.integers(0, len(encoded) - 1)), data.draw(st.integers(0, 7))
    changed = bytes([*encoded[:place], encoded[place] ^ (1 << bit), *encoded[place + 1 :]])
    try:
        text = changed.decode()
    except UnicodeDecodeError:
        return
    with pytest.raises(LogError):
        verify_log_proof(read_log_proof(text), TREE.entries[7], LOG_KEY)


def test_a_receipt_is_of_one_entry_at_one_place() -> None:
    verify_log_proof(PROOF, b"entry 7", LOG_KEY)
    with pytest.raises(ProofError, match="leaf 7 is not in the tree of 40 leaves"):
        verify_log_proof(PROOF, b"entry 8", LOG_KEY)
    with pytest.raises(ProofError, match="leaf 6 is not in the tree"):
        verify_log_proof(dataclasses.replace(PROOF, log_index=6), b"entry 7", LOG_KEY)
    with pytest.raises(ProofError, match="ends below the root"):
        verify_log_proof(dataclasses.replace(PROOF, hashes=PROOF.hashes[:-1]), b"entry 7", LOG_KEY)
    with pytest.raises(ProofError):
        verify_log_proof(dataclasses.replace(PROOF, checkpoint_note=TREE.checkpoint(39)), b"entry 7", LOG_KEY)


def test_a_receipt_of_another_log_is_refused() -> None:
    with pytest.raises(NoteError, match="is not signed by"):
        verify_log_proof(PROOF, b"entry 7", VerifierKey(ORIGIN, agent_key(1).public_key))
    foreign = TREE.proof(7, 40, note=TREE.checkpoint(40, origin="urn:agent:another"))
    with pytest.raises(NoteError, match="is not signed by"):
        verify_log_proof(foreign, b"entry 7", LOG_KEY)


def test_a_receipt_may_have_to_be_witnessed() -> None:
    policy = WitnessPolicy(1, (witness_key(31), witness_key(32)))
    with pytest.raises(WitnessError, match="0 of 2"):
        verify_log_proof(PROOF, b"entry 7", LOG_KEY, policy)
    note = add_signature(PROOF.checkpoint_note, cosign(PROOF.checkpoint_note, "witness.example/32", agent_key(32), 1))
    verify_log_proof(TREE.proof(7, 40, note=note), b"entry 7", LOG_KEY, policy)


def test_a_receipt_holds_under_the_key_that_the_log_had_at_its_size() -> None:
    successor = agent_key(91)
    new_key = VerifierKey(ORIGIN, successor.public_key)
    keys = follow_successions(LOG_KEY, [build_succession(ORIGIN, new_key, 20, LOG)])
    verify_log_proof(TREE.proof(7, 20), b"entry 7", keys)
    verify_log_proof(TREE.proof(7, 40, note=TREE.checkpoint(40, key=successor)), b"entry 7", keys)
    with pytest.raises(NoteError):
        verify_log_proof(PROOF, b"entry 7", keys)
    with pytest.raises(NoteError):
        verify_log_proof(TREE.proof(7, 20, note=TREE.checkpoint(20, key=successor)), b"entry 7", keys)


def test_a_log_of_one_entry_needs_no_hashes() -> None:
    proof = Tree(1).proof(0, 1)
    assert proof.text.startswith("c2sp.org/tlog-proof@v1\nindex 0\n\nurn:agent:")
    assert read_log_proof(proof.text) == proof
    verify_log_proof(proof, b"entry 0", LOG_KEY)


@pytest.mark.parametrize(
    "text",
    [
        "",
        PROOF.text.replace("@v1", "@v2"),
        PROOF.text.replace("c2sp.org", "C2SP.org"),
        "\n" + PROOF.text,
        PROOF.text.replace("index 7\n", ""),
        PROOF.text.replace("index 7", "index 07"),
        PROOF.text.replace("index 7", "index -7"),
        PROOF.text.replace("index 7", "index 9223372036854775808"),
        PROOF.text.replace("index 7", "index " + "9" * 5000),
        PROOF.text.replace("index 7\n", "index 7\nextra AAAA\n"),
        PROOF.text.replace("index 7\n", "extra \nindex 7\n"),
        PROOF.text.replace("index 7\n", "extra AAA\nindex 7\n"),
        PROOF.text.replace("index 7\n", "extra AAAA\nextra AAAA\nindex 7\n"),
        PROOF.text.replace("index 7\n", "index 7\nAAAA\n"),
        PROOF.text.replace("index 7\n", "index 7\n" + "A" * 43 + "=\n" * 1 + ("A" * 43 + "=\n") * 63),
        PROOF.text.replace("index 7\n", "index 7\n\n"),
        PROOF.text.split("\n\n")[0] + "\n\n",
        PROOF.text.split("\n\n")[0] + "\n",
        PROOF.text[:-1],
        PROOF.text + "\n",
        PROOF.text.replace("\n", "\r\n"),
    ],
)
def test_another_text_is_no_log_proof(text: str) -> None:
    with pytest.raises(LogError):
        verify_log_proof(read_log_proof(text), b"entry 7", LOG_KEY)


def test_the_spelling_of_a_proof_is_checked_when_it_is_read() -> None:
    for text in (PROOF.text.replace("index 7", "index +7"), PROOF.text.replace("=\n", " =\n", 1)):
        with pytest.raises(LogFormatError):
            read_log_proof(text)


def test_the_extra_data_of_a_proof_is_not_vouched_for() -> None:
    proof = LogProof(PROOF.log_index, PROOF.hashes, PROOF.checkpoint_note, b"anything")
    assert verify_log_proof(read_log_proof(proof.text), b"entry 7", LOG_KEY).tree_size == 40


def test_the_documented_check_of_a_receipt_works() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (DOCS / "reference" / "log.md").read_text(encoding="utf-8"), re.DOTALL)
    names = {"proof": PROOF.text, "entry": "entry 7", "log_key": LOG_KEY.text}
    exec(code, names)
    with pytest.raises(ProofError):
        exec(code, {**names, "entry": "entry 8"})


def test_the_documented_hash_of_an_entry_is_that_of_the_leaf() -> None:
    (command,) = re.findall(r"```sh\n(.*?)```", (DOCS / "reference" / "log.md").read_text(encoding="utf-8"), re.DOTALL)
    entry = '{"a":"%s \\\\n \'é\'"}'
    done = subprocess.run(["sh", "-c", command], env={**os.environ, "entry": entry}, capture_output=True, check=True)
    assert done.stdout.split()[0].decode() == hash_leaf(entry.encode()).hex()
