"""Whatever is handed to the readers of the log's formats, they return a value or raise an error of ours."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from builders import agent_key
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_builder import LOG, LOG_KEY, ORIGIN, Tree, witness_key

from a2ap.errors import KeyFormatError, LogError
from a2ap.log.checkpoint import open_checkpoint, read_checkpoint
from a2ap.log.cosignature import cosign, open_cosignatures
from a2ap.log.entry import read_entry
from a2ap.log.log_key import build_succession, read_succession
from a2ap.log.log_proof import read_log_proof
from a2ap.log.signed_note import VerifierKey, open_note, read_note
from a2ap.log.tiles import parse_tile_path, read_entry_bundle, read_tile, tile_path, write_entry_bundle
from a2ap.log.witness_request import AddCheckpoint, add_cosignatures, read_add_checkpoint, read_known_size

TREE = Tree(9)
CHECKPOINT = TREE.checkpoint(9)
WITNESS = witness_key(31)
COSIGNATURE = cosign(CHECKPOINT, WITNESS.name, agent_key(31), 1)
SUCCESSION = build_succession(ORIGIN, VerifierKey(ORIGIN, agent_key(91).public_key), 9, LOG)

TEXT_READERS: dict[str, tuple[Callable[[str], Any], str]] = {
    "note": (read_note, CHECKPOINT),
    "open note": (lambda text: open_note(text, [LOG_KEY]), CHECKPOINT),
    "checkpoint": (read_checkpoint, CHECKPOINT.split("\n\n")[0] + "\n"),
    "open checkpoint": (lambda text: open_checkpoint(text, LOG_KEY), CHECKPOINT),
    "cosignatures": (lambda text: open_cosignatures(text, [WITNESS]), CHECKPOINT + COSIGNATURE),
    "log proof": (read_log_proof, TREE.proof(3, 9).text),
    "succession": (read_succession, SUCCESSION),
    "verifier key": (VerifierKey.parse, LOG_KEY.text),
    "tile path": (parse_tile_path, tile_path(0, 1234567, 8)),
}
BYTES_READERS: dict[str, tuple[Callable[[bytes], Any], bytes]] = {
    "entry": (lambda data: read_entry(data, 0), b'{"agent":"a","documentHash":"b"}'),
    "bundle": (read_entry_bundle, write_entry_bundle([b"one", b"two"])),
    "tile": (read_tile, bytes(64)),
    "request": (read_add_checkpoint, AddCheckpoint(4, TREE.consistency(4, 9), CHECKPOINT).body),
    "answer": (lambda data: add_cosignatures(CHECKPOINT, data, [WITNESS]), COSIGNATURE.encode()),
    "known size": (read_known_size, b"20852014\n"),
}

# Surrogates too: they come out of JSON, and are no text that could be encoded.
any_text = st.text(st.characters(exclude_categories=[])) | st.text("\n— +0129ax/=.\x85\u2028\ud800é", max_size=60)


@st.composite
def damaged_text(draw: st.DrawFn, whole: str) -> str:
    start = draw(st.integers(0, len(whole)))
    end = draw(st.integers(start, min(len(whole), start + 10)))
    return whole[:start] + draw(any_text) + whole[end:]


@st.composite
def damaged_bytes(draw: st.DrawFn, whole: bytes) -> bytes:
    start = draw(st.integers(0, len(whole)))
    end = draw(st.integers(start, min(len(whole), start + 10)))
    return whole[:start] + draw(st.binary(max_size=40)) + whole[end:]


@pytest.mark.parametrize("name", TEXT_READERS)
@settings(max_examples=100)
@given(st.data())
def test_a_reader_of_texts_raises_nothing_but_errors_of_ours(name: str, data: st.DataObject) -> None:
    read, whole = TEXT_READERS[name]
    with suppress(LogError, KeyFormatError):
        read(data.draw(any_text | damaged_text(whole)))


@pytest.mark.parametrize("name", BYTES_READERS)
@settings(max_examples=100)
@given(st.data())
def test_a_reader_of_bytes_raises_nothing_but_errors_of_ours(name: str, data: st.DataObject) -> None:
    read, whole = BYTES_READERS[name]
    with suppress(LogError):
        read(data.draw(st.binary(max_size=300) | damaged_bytes(whole)))
