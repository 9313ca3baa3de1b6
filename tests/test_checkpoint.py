"""Checkpoints: the published example, one spelling for each, and a signature of the log itself."""

import pytest
from builders import agent_key
from hypothesis import given
from hypothesis import strategies as st
from tree_builder import LOG, LOG_KEY, ORIGIN, Tree
from vectors_file import load_vectors

from a2ap.errors import LogFormatError, NoteError
from a2ap.log.checkpoint import Checkpoint, open_checkpoint, read_checkpoint, sign_checkpoint
from a2ap.log.merkle import EMPTY_ROOT, MAX_TREE_SIZE
from a2ap.log.signed_note import VerifierKey, open_note, read_note, sign_note

EXAMPLES = load_vectors("c2sp_log.json")
ROOT = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="

lines = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40)


def test_the_published_checkpoint_reads_and_is_written_alike() -> None:
    example = EXAMPLES["checkpoint"]
    text = read_note(example["note"]).text
    checkpoint = read_checkpoint(text)
    assert (checkpoint.origin, checkpoint.tree_size) == (example["origin"], example["tree_size"])
    assert checkpoint.text == text


def test_a_checkpoint_of_a_public_log_opens_with_its_key() -> None:
    example = EXAMPLES["cosigned"]
    checkpoint = open_checkpoint(example["note"], VerifierKey.parse(example["log_key"]))
    assert (checkpoint.origin, checkpoint.tree_size) == ("arche2025h1.staging.ct.transparency.dev", 1432088532)


@given(lines, st.integers(1, MAX_TREE_SIZE), st.binary(min_size=32, max_size=32), st.lists(lines, max_size=3))
def test_a_checkpoint_reads_back(origin: str, size: int, root: bytes, extensions: list[str]) -> None:
    checkpoint = Checkpoint(origin, size, root, tuple(extensions))
    assert read_checkpoint(checkpoint.text) == checkpoint


def test_a_signed_checkpoint_opens_with_the_key_of_its_log() -> None:
    tree = Tree(5)
    assert open_checkpoint(tree.checkpoint(5), LOG_KEY) == Checkpoint(ORIGIN, 5, tree.root(5))
    assert open_checkpoint(tree.checkpoint(0), LOG_KEY) == Checkpoint(ORIGIN, 0, EMPTY_ROOT)


@pytest.mark.parametrize(("old", "new"), [(ORIGIN[-4:] + "\n", "0000\n"), ("\n5\n", "\n6\n"), ("=\n\n", "=\next\n\n")])
def test_each_line_of_a_checkpoint_is_signed(old: str, new: str) -> None:
    note = Tree(5).checkpoint(5)
    assert note.count(old) == 1
    with pytest.raises(NoteError, match="does not hold"):
        open_checkpoint(note.replace(old, new), LOG_KEY)


def test_the_root_of_a_checkpoint_is_signed() -> None:
    note, other = Tree(5).checkpoint(5), Tree(6).checkpoint(6)
    with pytest.raises(NoteError, match="does not hold"):
        open_checkpoint(note.replace(note.split("\n")[2], other.split("\n")[2]), LOG_KEY)


def test_a_checkpoint_by_another_key_is_refused() -> None:
    with pytest.raises(NoteError, match="not signed by"):
        open_checkpoint(Tree(5).checkpoint(5, key=agent_key(1)), LOG_KEY)


def test_a_key_does_not_speak_for_another_log() -> None:
    note = sign_note(Checkpoint("urn:agent:another", 1, b"\1" * 32).text, ORIGIN, LOG)
    assert open_note(note, [LOG_KEY]).verified == (LOG_KEY,)
    with pytest.raises(NoteError, match="of the log 'urn:agent:another', not of"):
        open_checkpoint(note, LOG_KEY)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        f"origin\n1\n{ROOT}",
        f"\n1\n{ROOT}\n",
        f"origin\n\n{ROOT}\n",
        "origin\n1\n\n",
        "origin\n1\n",
        f"origin\n01\n{ROOT}\n",
        f"origin\n+1\n{ROOT}\n",
        f"origin\n-1\n{ROOT}\n",
        f"origin\n 1\n{ROOT}\n",
        f"origin\n1.0\n{ROOT}\n",
        f"origin\n١\n{ROOT}\n",
        f"origin\n{2**63}\n{ROOT}\n",
        f"origin\n{'9' * 5000}\n{ROOT}\n",
        f"origin\n1\n{ROOT[:-1]}\n",
        f"origin\n1\n{ROOT[:-2]}J=\n",
        f"origin\n1\n{ROOT[4:]}\n",
        f"origin\n1\n{ROOT} \n",
        f"origin\n1\n{ROOT.replace('+', '-')[:-1]}\n",
        f"origin\n1\n{ROOT}\n\n",
        f"origin\n1\n{ROOT}\n\nextension\n",
        f"origin\n0\n{ROOT}\n",
    ],
)
def test_another_text_is_no_checkpoint(text: str) -> None:
    with pytest.raises(LogFormatError):
        read_checkpoint(text)


def test_a_checkpoint_is_signed_under_its_origin() -> None:
    note = sign_checkpoint(Checkpoint("example.com/log", 1, b"\1" * 32), LOG)
    assert read_note(note).signatures[0].name == "example.com/log"
