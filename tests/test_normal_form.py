"""Normal forms of words with any number of marks, and that all of the platform takes them from one place."""

import re
import unicodedata
from pathlib import Path
from typing import Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from a2ap.normal_form import _MARKS, GRAPHEME_JOINER, MOST_MARKS, _is_mark, normal_form
from a2ap.packet.imperative import is_imperative
from graph.disputes.keys import claim_key
from graph.disputes.words import tokens_of
from graph.evidence.pdf_words import letters_of
from graph.evidence.quotes import compare_quote
from graph.evidence.shown_text import Page, Shown
from graph.models.word_pieces import encode
from graph.verifier.words import exact_text

FOLDER = Path(__file__).parents[1]
Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
FORMS: tuple[Form, ...] = get_args(Form)
PILED = "a" + "\u0315\u0301" * 2_000
MARKS = st.sampled_from("\u0301\u0315\u0327\u0344\u0f73\uff9e\u3099")


def longest_run(text: str) -> int:
    """Return how many marks stand in a row, of those that a normal form puts in order."""
    most = run = 0
    for sign in text:
        run = run + 1 if _is_mark(sign) else 0
        most = max(most, run)
    return most


@given(st.text(st.characters(codec="utf-8") | MARKS), st.sampled_from(FORMS))
def test_a_text_of_few_marks_in_a_row_has_its_own_normal_form(text: str, form: Form) -> None:
    if longest_run(text) <= MOST_MARKS:
        assert normal_form(form, text) == unicodedata.normalize(form, text)


@given(st.text(MARKS, min_size=25, max_size=35), st.sampled_from(FORMS))
def test_thirty_marks_are_left_as_they_are_and_more_are_broken(marks: str, form: Form) -> None:
    found = normal_form(form, "a" + marks)
    assert (GRAPHEME_JOINER in found) is (len(marks) > MOST_MARKS)
    assert all(longest_run(part) <= MOST_MARKS for part in found.split(GRAPHEME_JOINER)[1:])


def test_whatever_is_put_in_order_is_seen_as_a_mark() -> None:
    signs = (chr(number) for number in range(0x110000) if not 0xD800 <= number < 0xE000)
    marks = [sign for sign in signs if not sign.isascii() and _is_mark(sign)]
    assert len(marks) > 800
    assert not [sign for sign in marks if _MARKS.fullmatch(sign * (MOST_MARKS + 1)) is None]


def test_nothing_is_ever_put_in_order_with_many_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    normalize = unicodedata.normalize

    def measured(form: Form, text: str) -> str:
        if len(text) > 1:
            runs.append(longest_run(text))
        return normalize(form, text)

    # `_is_mark` asks for single signs, which are let through unmeasured.
    monkeypatch.setattr(unicodedata, "normalize", measured)
    shown = Shown("pdf/1", PILED, pages=(Page(1, PILED, letters_of(PILED), None, "", ""),))
    compare_quote(PILED + "b", shown, b"")
    encode(PILED, {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}, 9)
    for reads in (claim_key, tokens_of, exact_text, is_imperative):
        reads(PILED)
    assert len(runs) >= 4 and max(runs) <= MOST_MARKS


def test_words_with_many_marks_are_compared_in_the_same_way_on_both_sides() -> None:
    assert claim_key(PILED + " rose") == claim_key(PILED.upper() + " rose,") != claim_key("b rose")
    assert exact_text(PILED + "’s") == exact_text(PILED + "'s") != exact_text(PILED[:-1] + "'s")


def test_normal_forms_are_taken_from_one_place() -> None:
    found = [
        str(path.relative_to(FOLDER))
        for folder in ("a2ap", "graph")
        for path in sorted((FOLDER / folder).rglob("*.py"))
        if re.search(r"unicodedata\.normalize|from unicodedata", path.read_text())
    ]
    assert found == ["a2ap/normal_form.py"]
