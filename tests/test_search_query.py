"""The language of search: what a text asks for, what is asked of the indexes, where words stand, how lists are one."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import InputError
from graph.search import matching
from graph.search.expression import All, AnyOf, ByAgent, Expression, Field, SearchQuery, Term, TermKind
from graph.search.fusion import FoundBy, fuse
from graph.search.lucene import lucene_term, lucene_words
from graph.search.matching import MAX_OF_STATEMENT, Allowance, StatementTexts, holds, spans_of
from graph.search.query import MAX_TERMS, parse_query
from graph.search.words import Word, stem, words_of

# Every character that Lucene's classic parser gives a meaning.
LUCENE = set("+-&|!(){}[]^~?:\\/<>=") | {"*", '"'}
QUERIES = st.lists(
    st.one_of(
        st.sampled_from(["AND", "OR", "NOT", "-", "(", ")", '"', "*", "claim:", "title:", "evidence:", "agent:", "+"]),
        st.sampled_from(["zoning", "zon*", '"public hearing"', "the", "it's", "3.5", "\\", "~2", "[a TO b]", "&&"]),
        st.text(max_size=8),
    ),
    max_size=14,
).map(lambda parts: " ".join(parts))


def word(text: str, field: Field | None = None) -> Term:
    return Term(TermKind.WORD, text, field)


def phrase(text: str, field: Field | None = None) -> Term:
    return Term(TermKind.PHRASE, text, field)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("zoning", ("zoning",)),
        ("short-term rentals", ("short", "term", "rentals")),
        ("the council's plan", ("the", "council's", "plan")),
        ("zoning (downtown)", ("zoning", "downtown")),
        ("(zoning) (downtown", ("zoning", "downtown")),
        ("a) zoning b) parking", ("a", "zoning", "b", "parking")),
        ('5" pipe', ("5", "pipe")),
        ("zoning OR", ("zoning",)),
        ("AND", ("AND",)),
        ("ZONING AND NOT HOUSING", ("ZONING", "AND", "NOT", "HOUSING")),
        ("housing - parking", ("housing", "parking")),
        ("section 4:2 of claim: all", ("section", "4", "2", "of", "claim", "all")),
        ("1,000 homes", ("1,000", "homes")),
        ("title:zoning"[6:], ("zoning",)),
        ("*** ~ ^ \\", ()),
        ("", ()),
    ],
)
def test_words_alone_are_plain(text: str, words: tuple[str, ...]) -> None:
    assert parse_query(text) == SearchQuery(words=words)


def test_of_plain_words_the_first_are_looked_for() -> None:
    assert parse_query(" ".join(f"w{number}" for number in range(40))).words == tuple(f"w{n}" for n in range(MAX_TERMS))


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ('"public hearing"', phrase("public hearing")),
        ("“public hearing”", phrase("public hearing")),
        ("zon*", Term(TermKind.PREFIX, "zon")),
        ("claim:zoning", word("zoning", Field.CLAIM)),
        ('evidence:"on Elm" zoning', All((phrase("on Elm", Field.EVIDENCE), word("zoning")))),
        ("elm AND street", All((word("elm"), word("street")))),
        ("elm OR main street", AnyOf((word("elm"), All((word("main"), word("street")))))),
        ("(elm OR main) street", All((AnyOf((word("elm"), word("main"))), word("street")))),
        ("title:(elm OR main)", AnyOf((word("elm", Field.TITLE), word("main", Field.TITLE)))),
        ("zoning -parking", All((word("zoning"),), (word("parking"),))),
        ("zoning NOT NOT parking", All((word("zoning"), word("parking")))),
        ("agent:urn:agent:x", ByAgent("urn:agent:x")),
        ('agent:"urn:agent:x"', ByAgent("urn:agent:x")),
        ("agent:urn:agent:* zoning", All((ByAgent("urn:agent:", begins=True), word("zoning")))),
        ("claim:title:zoning x", All((word("zoning", Field.TITLE), word("x")))),
    ],
)
def test_a_query_that_says_more_is_an_expression(text: str, expression: Expression) -> None:
    assert parse_query(text) == SearchQuery(expression=expression)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("-zoning", "only excludes words"),
        ("elm OR NOT street", "only excludes words"),
        ("zon* " + "claim:x " * 17, "18 parts"),
        ("(" * 9 + "a -b" + ")" * 9, "8 deep"),
    ],
)
def test_what_cannot_be_looked_for_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_query(text)


@given(QUERIES)
def test_any_text_is_a_query_or_an_error_and_never_lucene_by_accident(text: str) -> None:
    try:
        query = parse_query(text)
    except InputError as error:
        assert str(error).startswith("the ")
        return
    asked = [lucene_term(term) for term in query.terms]
    asked += [lucene_words(query.words, operator) for operator in ("AND", "OR")]
    for lucene in filter(None, asked):
        outside = re.sub(r'"[^"]*"', "", lucene)
        assert re.fullmatch(r"(?:\w+\*)?(?: AND | OR )*", outside), lucene
        assert not LUCENE.intersection("".join(re.findall(r'"([^"]*)"', lucene)).replace(":", "")), lucene


@given(st.integers(0, 20_000))
def test_no_depth_of_parentheses_or_fields_is_too_much_to_read(depth: int) -> None:
    for text in ("(" * depth + "a b", "claim:" * depth + "a b", "NOT " * depth + "a b", ")" * depth + "a"):
        with suppress(InputError):
            parse_query(text)


@pytest.mark.parametrize(
    ("term", "lucene"),
    [
        (word("Zoning"), '"Zoning"'),
        (word("the"), None),
        (phrase("The public's hearing!"), '"The public\'s hearing"'),
        (phrase("to be or not to be"), None),
    ],
)
def test_of_the_indexes_quoted_words_are_asked(term: Term, lucene: str | None) -> None:
    assert lucene_term(term) == lucene


@pytest.mark.parametrize(
    ("beginning", "found"),
    [("zon", "zone"), ("zonin", "zoning"), ("polic", "policies"), ("happ", "happy"), ("rezon", "rezoned")],
)
def test_a_beginning_finds_words_whose_stem_is_shorter(beginning: str, found: str) -> None:
    lucene = lucene_term(Term(TermKind.PREFIX, beginning)) or ""
    (stem,) = {one.stem for one in words_of(found)}
    asked = {one.stem for text in re.findall(r'"([^"]*)"', lucene) for one in words_of(text)}
    assert stem.startswith(beginning) or stem in asked


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("Zoning of Elm Street's zones.", "zone", ["Zoning", "zones"]),
        ("The public hearings, the public's hearing", '"public hearing"', ["public hearings", "public's hearing"]),
        ("zoning zones rezoned", "zonin*", ["zoning"]),
        ("Fees are due. Fees!", "fee due", ["Fees", "due", "Fees"]),
        ("cafés and Café", "café", ["cafés", "Café"]),
        ("The end", "the end", ["end"]),
        ("Elm Street", "title:elm street", ["Street"]),
        ("Elm Street", "claim:elm -street", ["Elm"]),
        ("北京市", '"北京"', ["北京"]),
    ],
)
def test_words_are_marked_where_they_stand(text: str, query: str, marked: list[str]) -> None:
    spans = spans_of(text, parse_query(query).terms, Field.CLAIM)
    assert [text[start:end] for start, end in spans] == marked


@given(st.text(max_size=200), QUERIES)
def test_places_are_within_the_text_in_order_and_apart(text: str, query: str) -> None:
    try:
        terms = parse_query(query).terms
    except InputError:
        return
    places = [place for span in spans_of(text, terms, Field.EVIDENCE) for place in span]
    assert places == sorted(places) and len(set(places)) >= len(places) - len(places) // 2
    assert all(0 <= place <= len(text) for place in places)


@given(st.text(max_size=200))
def test_words_of_any_text_are_its_parts_in_order(text: str) -> None:
    words = words_of(text)
    assert all(text[one.start : one.end].lower()[:64] == one.text for one in words)
    assert all(one.end <= other.start for one, other in pairwise(words))


TEXTS = StatementTexts(
    "urn:agent:a", "Elm Street is rezoned.", ("the hearing is public", "parking is scarce"), ("City Council",)
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("claim:elm evidence:parking", True),
        ("claim:parking", False),
        ("title:council AND parking", True),
        ('evidence:"hearing is public"', True),
        ('evidence:"public hearing"', False),
        ('"scarce city"', False),
        ("elm -parking", False),
        ("elm -traffic", True),
        ("elm NOT (parking OR traffic)", False),
        ("agent:urn:agent:a", True),
        ("agent:urn:agent:*", True),
        ("agent:urn:agent:b elm", False),
        ("(agent:urn:agent:b OR street) coun*", True),
    ],
)
def test_a_statement_is_compared_as_a_whole(query: str, expected: bool) -> None:
    expression = parse_query(query).expression
    assert expression is not None and holds(expression, TEXTS) is expected


def test_lists_are_made_one_by_reciprocal_rank() -> None:
    found = fuse({FoundBy.TEXT: ["a", "b", "c"], FoundBy.MEANING: ["c", "d"]}, first=10)
    assert [(one.signed_hash, one.rank) for one in found] == [("c", 1), ("a", 2), ("b", 3), ("d", 4)]
    assert found[0].score == pytest.approx(1 / 63 + 1 / 61)
    assert dict(found[0].places) == {FoundBy.TEXT: 3, FoundBy.MEANING: 1}


@given(st.permutations("abcdef"), st.permutations("defghi"), st.integers(1, 9))
def test_what_is_equal_comes_in_the_order_of_its_name(one: list[str], other: list[str], first: int) -> None:
    found = fuse({FoundBy.TEXT: one, FoundBy.MEANING: other}, first)
    assert len(found) == first
    assert [(-hit.score, hit.signed_hash) for hit in found] == sorted((-hit.score, hit.signed_hash) for hit in found)
    assert fuse({FoundBy.MEANING: other, FoundBy.TEXT: one}, first) == found


def test_each_text_is_cut_into_words_once_for_all_parts_of_a_query(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def counted(text: str) -> tuple[Word, ...]:
        seen.append(text)
        return words_of(text)

    monkeypatch.setattr(matching, "words_of", counted)
    texts = StatementTexts("did:key:z6Mk", "The claim stands.", ("A passage.",), ("A title.",))
    expression = parse_query(" OR ".join(f"absent{number}" for number in range(15))).expression
    assert expression is not None and not holds(expression, texts)
    assert all(seen.count(text) == 1 for text in ("The claim stands.", "A passage.", "A title."))


def test_only_so_much_is_compared_of_a_statement_and_for_a_query() -> None:
    expression = parse_query("claim:zoning AND claim:map").expression
    texts = StatementTexts("did:key:z6Mk", "zoning map " + "x" * MAX_OF_STATEMENT + " zoning")
    allowance = Allowance()
    before = allowance.left
    assert expression is not None and holds(expression, texts, allowance)
    assert before - allowance.left == MAX_OF_STATEMENT
    assert not holds(expression, texts, Allowance(left=5))


def test_threads_that_look_words_up_together_find_the_same_stems() -> None:
    endings = ("", "s", "ing", "ational", "fulness", "iveness")
    words = [
        f"{word}{ending}" for word in ("relation", "zoning", "hopeful", "digitizer", "operator") for ending in endings
    ]
    expected = [stem.__wrapped__(word) for word in words]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(lambda _: [stem.__wrapped__(word) for word in words], range(200)))
    finally:
        sys.setswitchinterval(interval)
    assert all(one == expected for one in found)
