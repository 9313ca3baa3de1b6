"""Signed notes: published ones open, ours read back, and no changed, unknown or misplaced signature is believed."""

import base64
from functools import partial

import pytest
from builders import agent_key
from cost import seconds_of
from hypothesis import given
from hypothesis import strategies as st
from tree_builder import witness_key
from vectors_file import load_vectors

from a2ap.errors import KeyFormatError, LogFormatError, NoteError
from a2ap.log.signed_note import (
    COSIGNATURE,
    MAX_NOTE_BYTES,
    MAX_SIGNATURES,
    Note,
    VerifierKey,
    add_signature,
    open_note,
    read_note,
    sign_note,
)
from a2ap.signing.keys import PublicKey, SigningKey

EXAMPLES = load_vectors("c2sp_log.json")
SIGNER = agent_key(1)
KEY = VerifierKey("example.com/log", SIGNER.public_key)
OTHER = VerifierKey("example.com/other", agent_key(2).public_key)
TEXT = "one line\n\nand another, über alles – 🜚\n"
NOTE = sign_note(TEXT, KEY.name, SIGNER)

texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=[chr(code) for code in range(32)]) | st.just("\n")
)
names = st.text(
    st.characters(exclude_categories=["Cs", "Zs", "Zl", "Zp", "Cc"], exclude_characters="+"), min_size=1, max_size=30
)


def line_of(note: str) -> str:
    return note.rsplit("\n\n", 1)[1]


@pytest.mark.parametrize("example", ["signed_note", "go_note"])
def test_a_published_note_opens_with_its_key(example: str) -> None:
    vector = EXAMPLES[example]
    key = VerifierKey.parse(vector["vkey"])
    assert open_note(vector["note"], [key]) == Note(vector["note"].split("\n\n")[0] + "\n", (key,))
    with pytest.raises(NoteError, match="does not hold"):
        open_note(vector["note"].replace("is", "was", 1), [key])


def test_the_published_verifier_key_says_what_its_parts_are() -> None:
    vector = EXAMPLES["signed_note"]
    key = VerifierKey.parse(vector["vkey"])
    assert key == VerifierKey(vector["name"], PublicKey(bytes.fromhex(vector["public_key"])))
    assert (key.key_id.hex(), key.text) == (vector["key_id"], vector["vkey"])


def test_we_sign_a_note_as_go_does() -> None:
    vector = EXAMPLES["go_note"]
    _, _, name, _, encoded = vector["skey"].split("+", 4)
    signer = SigningKey(base64.b64decode(encoded)[1:])
    assert sign_note(vector["note"].split("\n\n")[0] + "\n", name, signer) == vector["note"]
    assert VerifierKey(name, signer.public_key).text == vector["vkey"]


@given(texts, names)
def test_a_note_reads_back(text: str, name: str) -> None:
    note = sign_note(text + "\n", name, SIGNER)
    key = VerifierKey(name, SIGNER.public_key)
    assert open_note(note, [OTHER, key]) == Note(text + "\n", (key,))
    assert VerifierKey.parse(key.text) == key
    (signature,) = read_note(note).signatures
    assert signature.line == line_of(note)


@given(st.data())
def test_a_changed_byte_of_a_note_is_never_believed(data: st.DataObject) -> None:
    encoded = NOTE.encode()
    place, bit = data.draw(st.integers(0, len(encoded) - 1)), data.draw(st.integers(0, 7))
    changed = bytes([*encoded[:place], encoded[place] ^ (1 << bit), *encoded[place + 1 :]])
    try:
        text = changed.decode()
    except UnicodeDecodeError:
        return
    with pytest.raises((NoteError, LogFormatError)):
        open_note(text, [KEY])


def test_a_note_by_nobody_we_know_is_refused() -> None:
    with pytest.raises(NoteError, match=r"not signed by example\.com/other"):
        open_note(NOTE, [OTHER])
    with pytest.raises(NoteError, match="not signed by any key"):
        open_note(NOTE, [])


def test_a_signature_counts_only_under_its_name_and_id_together() -> None:
    same_name = VerifierKey(KEY.name, OTHER.public_key)
    same_key = VerifierKey(OTHER.name, KEY.public_key)
    for key in (same_name, same_key):
        with pytest.raises(NoteError, match="is not signed"):
            open_note(NOTE, [key])
    # An unknown key may share the name: its line is passed over, whatever is in it.
    stranger = line_of(sign_note("another text\n", KEY.name, agent_key(2)))
    assert open_note(add_signature(NOTE, stranger), [KEY]).verified == (KEY,)


def test_one_false_signature_of_a_known_key_spoils_the_note() -> None:
    false = line_of(sign_note("another text\n", OTHER.name, agent_key(2)))
    note = add_signature(NOTE, false)
    assert open_note(note, [KEY]).verified == (KEY,)
    with pytest.raises(NoteError, match=r"the signature of example\.com/other with key [0-9a-f]{8} does not hold"):
        open_note(note, [KEY, OTHER])


def test_two_keys_sign_one_note() -> None:
    both = add_signature(NOTE, line_of(sign_note(TEXT, OTHER.name, agent_key(2))))
    assert open_note(both, [OTHER, KEY]) == Note(TEXT, (KEY, OTHER))
    assert add_signature(both, line_of(NOTE)) == both


def test_the_last_empty_line_ends_the_text() -> None:
    inner = sign_note(TEXT, KEY.name, SIGNER)
    outer = sign_note(inner, OTHER.name, agent_key(2))
    assert open_note(outer, [OTHER]).text == inner
    with pytest.raises(NoteError):
        open_note(outer, [KEY])


@pytest.mark.parametrize(
    ("note", "problem"),
    [
        ("", "an empty line and signature lines"),
        (TEXT, "is not a signature line"),
        ("text\n", "an empty line and signature lines"),
        ("text\n\n", "an empty line and signature lines"),
        (NOTE.removesuffix("\n"), "an empty line and signature lines"),
        (NOTE + "\n", "an empty line and signature lines"),
        (NOTE.replace("line", "li\tne"), "control character"),
        (NOTE.replace("line", "li\rne"), "control character"),
        (NOTE.replace("line", "li\x00ne"), "control character"),
        (NOTE.replace("line", "li\ud800ne"), "lone surrogate"),
        (NOTE.replace("\n— ", "\n-- "), "not a signature line"),
        (NOTE.replace("\n— ", "\n—  "), "not a signature line"),
        (NOTE.replace(KEY.name, "a+b"), "not a signature line"),
        (NOTE.replace(KEY.name, "a\u2028b"), "not a signature line"),
        (NOTE.replace(KEY.name, "a\x85b"), "not a signature line"),
        (NOTE.replace(KEY.name, ""), "not a signature line"),
        (NOTE.removesuffix("\n") + " \n", "no signature in padded standard base64"),
        (NOTE.removesuffix("=\n") + "\n", "no signature in padded standard base64"),
        (TEXT + "\n— name \n", "no signature in padded standard base64"),
        (TEXT + "\n— name AAAAAA==\n", "no signature in padded standard base64"),
        (TEXT + "\n— name AAAAAAB=\n", "no signature in padded standard base64"),
        (TEXT + "\n" + line_of(NOTE) * (MAX_SIGNATURES + 1), "more than 100"),
        ("x" * MAX_NOTE_BYTES + NOTE, "more than 1000000"),
    ],
)
def test_what_is_not_a_note_is_refused(note: str, problem: str) -> None:
    with pytest.raises(LogFormatError, match=problem):
        open_note(note, [KEY])


def test_sixteen_signatures_and_more_are_read() -> None:
    lines = [line_of(sign_note(TEXT, f"key-{n}", SIGNER)) for n in range(MAX_SIGNATURES - 1)]
    assert open_note(NOTE + "".join(lines), [KEY]).verified == (KEY,)


def test_a_note_of_empty_lines_takes_no_time() -> None:
    for note in ("\n" * (MAX_NOTE_BYTES - 1), "\n\n— " * 200_000, "— a AAAA\n" * 100_000):
        assert seconds_of(partial(refuse, note)) < 5


def refuse(note: str) -> None:
    with pytest.raises(LogFormatError):
        read_note(note)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        KEY.text.rsplit("+", 1)[0],
        KEY.text.replace(KEY.key_id.hex(), KEY.key_id.hex().upper() + "0"),
        KEY.text.replace(KEY.key_id.hex(), "00000000"),
        KEY.text + "=",
        KEY.text[:-4],
        KEY.text + "\n",
        " " + KEY.text,
        KEY.text.replace("example", "exam ple"),
        KEY.text.replace("example", ""),
        "name+00000000+" + base64.b64encode(b"\x02" + bytes(32)).decode(),
        "name+00000000+" + base64.b64encode(b"\x01" + bytes(32)).decode(),
        "name+00000000+" + base64.b64encode(b"\x01" + bytes(31)).decode(),
        "name+00000000+AQ==",
        "name+00000000+",
    ],
)
def test_what_is_not_a_verifier_key_is_refused(text: str) -> None:
    if text == KEY.text.replace("example", ""):
        text = "+" + text.partition("+")[2]
    with pytest.raises(KeyFormatError):
        VerifierKey.parse(text)


def test_a_key_may_have_plus_signs_in_its_base64() -> None:
    seeds = (VerifierKey("a", agent_key(seed).public_key) for seed in range(1, 200))
    key = next(key for key in seeds if key.text.count("+") > 2)
    assert VerifierKey.parse(key.text) == key


def test_the_key_of_a_witness_opens_no_note() -> None:
    witness = witness_key(3)
    assert VerifierKey.parse(witness.text) == witness
    assert witness.key_id != VerifierKey(witness.name, witness.public_key).key_id
    with pytest.raises(ValueError, match="signs no note text"):
        open_note(NOTE, [witness])


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u00a0b", "a\nb", "a\x00b"])
def test_a_name_that_no_note_could_carry_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="the key name"):
        VerifierKey(name, SIGNER.public_key, COSIGNATURE)


@pytest.mark.parametrize("text", ["", "no newline", "a\tb\n", "\ud800\n"])
def test_a_text_that_no_note_could_carry_is_not_signed(text: str) -> None:
    with pytest.raises(ValueError, match="the text of a note"):
        sign_note(text, KEY.name, SIGNER)


def test_a_signature_type_that_we_do_not_make_is_refused() -> None:
    with pytest.raises(ValueError, match="type 2"):
        VerifierKey("name", SIGNER.public_key, 2)
