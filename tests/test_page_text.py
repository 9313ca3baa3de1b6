"""Texts, addresses and numbers as pages show them."""

import json
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_reader import parsed

from graph.web.address import address_of, root_of
from graph.web.templates import embedded_data, environment, shown_hash, shown_integer, shown_score
from graph.web.text import brief_text, escaped_json, named_text, shown_text


def test_a_character_that_reorders_text_is_shown_by_its_name() -> None:
    text = shown_text("pay \u202e001 coins")
    shown = parsed(f"<p>{text}</p>")
    (mark,) = shown.named("span")
    assert mark.text == "U+202E" and mark.attributes["title"] == "Right-To-Left Override"


@pytest.mark.parametrize(
    "character",
    ["\u202a", "\u2066", "\u200b", "\u00ad", "\ufeff", "\u2028", "\x00", "\x1b", "\u3164", "\u2800", "\u034f"],
)
def test_no_hidden_character_reaches_a_page(character: str) -> None:
    assert character not in shown_text(f"a{character}b") and f"U+{ord(character):04X}" in shown_text(f"a{character}b")


def test_the_shared_vectors_of_hidden_characters_hold() -> None:
    vectors = json.loads((Path(__file__).parent / "vectors" / "hidden_characters.json").read_text())
    assert [named_text(one["text"]) for one in vectors] == [one["named"] for one in vectors]


def test_the_marks_of_a_stack_are_shown_by_their_codes() -> None:
    assert shown_text("Z" + "\u0301" * 40).count("\u0301") == 4
    assert shown_text("e\u0302\u0323") == "e\u0302\u0323"


def test_a_template_writes_no_hidden_character_but_into_the_field_of_a_form() -> None:
    template = environment().from_string('<a title="{{ text }}">{{ text }}</a><input value="{{ text | exact }}">')
    page = template.render(text="a\u202eb")
    assert page == '<a title="a[U+202E]b">a[U+202E]b</a><input value="a\u202eb">'


def test_line_breaks_and_the_joiners_of_scripts_are_kept() -> None:
    assert shown_text("a\nb\tc \u200d \u200c") == "a\nb\tc \u200d \u200c"


@given(st.text())
def test_any_text_is_text_alone_on_a_page(text: str) -> None:
    shown = parsed(f"<p>{shown_text(text)}</p>")
    assert {element.name for element in shown.elements} <= {"p", "span"}


@given(st.text(min_size=1))
def test_an_address_leads_from_the_root_and_back(name: str) -> None:
    address = address_of("agents", name.encode("utf-8", "replace").decode())
    assert address.isascii() and not set(address) & set(' "<>\\^`{|}?#')
    path = f"/agents/{name}"
    assert root_of(path).count("../") == path.count("/") - 1


def test_the_root_of_a_page_is_as_many_steps_up_as_its_path_has_parts() -> None:
    assert [root_of(path) for path in ("/", "/log", "/log/7", "/agents/a/b")] == ["./", "./", "../", "../../"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1.00"), (0.9999, "> 0.99"), (0.0, "0.00"), (0.0004, "< 0.01"), (0.925, "0.93"), (None, "–")],
)
def test_a_score_is_never_rounded_to_certainty(value: float | None, text: str) -> None:
    assert shown_score(value) == text


def test_counts_and_hashes_are_short_to_read() -> None:
    assert shown_integer(1234567) == "1\u202f234\u202f567"
    assert shown_hash("sha256:" + "0123456789abcdef" * 4) == "0123456789ab…"


@given(
    st.recursive(
        st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_data_in_a_page_ends_no_script(value: object) -> None:
    shown = embedded_data(value)
    assert "<" not in shown and "\u2028" not in shown and "\u202e" not in shown


def test_a_run_of_one_hidden_character_has_one_name_with_their_number() -> None:
    assert named_text("a" + "\x7f" * 1_000_000 + "b") == "a[U+007F] × 1000000b"
    assert named_text("a" + "\u200b" * 3 + "b") == "a[U+200B][U+200B][U+200B]b"


def test_hidden_characters_make_no_page_many_times_as_large_as_its_text() -> None:
    text = "\x7f\x08" * 100_000
    assert len(shown_text(text)) < 100_000
    assert named_text(text).endswith(f" (and {len(text) - 500} more hidden characters)")


def test_the_escapes_of_json_keep_each_character() -> None:
    text = "a\x7f" * 3 + "\u200b" * 20 + "\x08\x7f" * 1_000
    assert json.loads(escaped_json(json.dumps(text, ensure_ascii=False))) == text


def test_a_brief_text_is_the_beginning() -> None:
    assert brief_text("a" * 301) == "a" * 300 + "…" and brief_text("a" * 300) == "a" * 300


@pytest.mark.parametrize("name", ["urn:x/../y", "urn:x/..", "../y", "urn:x/./y", "a/.."])
def test_a_name_with_dots_between_slashes_leads_to_no_other_page(name: str) -> None:
    address = address_of("agents", name)
    assert urljoin("http://node.example/log/7", f"../{address}") == f"http://node.example/{address}"
    assert unquote(address) == f"agents/{name}"
