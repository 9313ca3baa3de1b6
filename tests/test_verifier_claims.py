"""Words that the judges take for the same words, and all others, which they do not validate."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verdict import verdict_of
from a2ap.messages.verification_response import Verdict
from bench.paraphrases import evidence_of, read_paraphrases
from bench.utterances import blank_statement, cite_sentences, stated
from graph.transcripts.transcript import Transcript
from graph.verifier.alignment import AlignmentJudge
from graph.verifier.claim_form import ClaimForm, read_form
from graph.verifier.judging import Judge
from graph.verifier.search import SearchJudge
from graph.verifier.source_check import check_source
from graph.verifier.verbatim import find_places, holds_words
from graph.verifier.wording import Figure, figures_in
from graph.verifier.words import exact_text

CAPTIONS = """WEBVTT

00:00:01.000 --> 00:00:04.000
<v Chair>Item 1 is the bridge. Item 2 is the school.

00:00:04.000 --> 00:00:06.000
<v Chair>Item 3 is the budget.

00:00:06.000 --> 00:00:09.000
<v Treasurer>The reserve is $18.6 million,
which is 4% above the plan.

00:00:09.000 --> 00:00:12.000
<v Treasurer>We will not raise the fee unless the state agrees.

00:00:12.000 --> 00:00:15.000
<v Treasurer>The contract covers 12 bridges, and it runs until May.

00:00:15.000 --> 00:00:18.000
<v Ward 1 Member>Is the old bridge safe? Some people think that the bridge is dangerous.

00:00:18.000 --> 00:00:20.000
<v Speaker 4>My name is Rosa Díaz. The bridge was built by my father in 1962.
"""
TRANSCRIPT = Transcript.read(CAPTIONS.encode())
BLANK = blank_statement(TRANSCRIPT)
JUDGES = (AlignmentJudge(), SearchJudge())


def claiming(claim: str, *cited: str) -> ProvenanceStatement:
    """Return a statement that cites the sentences in which some words stand; all of the captions without any."""
    sentences = [s for s in TRANSCRIPT.sentences if not cited or any(words in s.text for words in cited)]
    return stated(BLANK, claim, cite_sentences(sentences, TRANSCRIPT))


def verdict(claim: str, *cited: str, judge: Judge = JUDGES[0]) -> Verdict:
    return verdict_of(judge.judge(claiming(claim, *cited), TRANSCRIPT))


@pytest.mark.parametrize(
    "claim",
    [
        "The Treasurer said: “The reserve is $18.6 million, which is 4% above the plan.”",
        'the treasurer stated, "the reserve is $18.6 million, which is 4% above the plan"',
        "On item 3, the budget, the Treasurer said: “The reserve is $18.6 million, which is 4% above the plan.”",
        "At 00:00:07, the Treasurer said that the reserve is $18.6 million, which is 4% above the plan.",
        "According to the Treasurer, “The contract covers 12 bridges, and it runs until May.”",
        "“Is the old bridge safe?” said the Ward 1 Member.",
        "The contract covers 12 bridges, and it runs until May.",
        "Rosa Díaz said: “The bridge was built by my father in 1962.”",
        "Rosa Di\u0301az said: “The bridge was built by my father in 1962.”",
    ],
)
@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.name)
def test_the_same_words_in_any_form_are_validated(claim: str, judge: Judge) -> None:
    assert verdict(claim, judge=judge) is Verdict.VALIDATED


@pytest.mark.parametrize(
    "claim",
    [
        "The Treasurer said: “The reserve is $18.6 billion, which is 4% above the plan.”",
        "The Treasurer said: “The reserve is €18.6 million, which is 4% above the plan.”",
        "The Treasurer said: “The reserve is $18.6 million”",
        "The Treasurer said: “The reserve is $18”",
        "The Treasurer said: “The reserve is $18.6 million, which is 4”",
        "The Treasurer said: “The contract covers 12”",
        "The Treasurer said: “The contract covers 1”",
        "The Chair said: “The contract covers 12 bridges, and it runs until May.”",
        "The former Treasurer said: “The contract covers 12 bridges, and it runs until May.”",
        "The Treasurer denied: “The contract covers 12 bridges, and it runs until May.”",
        "The Treasurer never said: “The contract covers 12 bridges, and it runs until May.”",
        "The Treasurer said: “We will raise the fee unless the state agrees.”",
        "The Treasurer said: “We will not raise the fee.”",
        "The Treasurer said: “raise the fee unless the state agrees.”",
        "The Ward 1 Member said: “the bridge is dangerous.”",
        "The Ward 1 Member said: “Is the old bridge safe.”",
        "The Ward 1 Member said: “The old bridge is safe.”",
        "The Treasurer said: “The contract covers 12 bridges, and it runs until Mаy.”",
        "The Treasurer said: “The contract covers １２ bridges, and it runs until May.”",
        "The Treasurer said: “The contract covers 12 bridges; and it runs until May.”",
        "On item 2, the school, the Treasurer said: “The contract covers 12 bridges, and it runs until May.”",
        "On item 3, the bridge, the Treasurer said: “The contract covers 12 bridges, and it runs until May.”",
        "At 00:01:07, the Treasurer said: “The contract covers 12 bridges, and it runs until May.”",
        "The Treasurer said: “The contract covers 12 bridges” and “it runs until May.”",
        "The Treasurer said: “The contract covers 12 bridges, and it runs until May.” The council agreed.",
        "The Treasurer said: “”",
        "Pedro Díaz said: “The bridge was built by my father in 1962.”",
        "",
    ],
)
@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.name)
def test_other_words_another_voice_or_a_cut_are_not(claim: str, judge: Judge) -> None:
    assert verdict(claim, judge=judge) is not Verdict.VALIDATED


def test_words_that_are_said_and_not_cited_are_not_validated() -> None:
    claim = "The Treasurer said: “The contract covers 12 bridges, and it runs until May.”"
    assert verdict(claim, "The reserve is") is Verdict.CHALLENGED

    whole = claiming(claim, "The contract covers")
    half = replace(
        whole,
        evidence=(
            replace(
                whole.evidence[0],
                byte_range=replace(whole.evidence[0].byte_range, end=whole.evidence[0].byte_range.end - 10),
            ),
        ),
    )
    assert verdict_of(AlignmentJudge().judge(half, TRANSCRIPT)) is not Verdict.VALIDATED


def test_a_name_given_earlier_must_be_cited_too() -> None:
    claim = "Rosa Díaz said: “The bridge was built by my father in 1962.”"
    assert verdict(claim, "built by my father") is Verdict.INSUFFICIENT_EVIDENCE
    assert verdict(claim, "built by my father", "My name is") is Verdict.VALIDATED


def test_the_call_of_an_item_must_be_cited_too() -> None:
    claim = "On item 3, the budget, the Treasurer said: “The contract covers 12 bridges, and it runs until May.”"
    assert verdict(claim, "The contract covers") is Verdict.INSUFFICIENT_EVIDENCE
    assert verdict(claim, "The contract covers", "Item 3 is") is Verdict.VALIDATED


@given(st.text(max_size=60))
def test_any_text_is_a_claim_in_some_form(claim: str) -> None:
    form = read_form(claim)
    assert isinstance(form, ClaimForm)
    find_places(form.words, TRANSCRIPT.sentences[:3], claiming("").evidence, TRANSCRIPT)


@given(st.data())
def test_no_text_that_differs_in_a_word_character_is_the_same_text(data: st.DataObject) -> None:
    words = "The contract covers 12 bridges, and it runs until May"
    place = data.draw(st.integers(1, len(words) - 1))
    put = data.draw(st.sampled_from("aex01é"))
    changed = words[:place] + put + words[place + 1 :]
    if words[place].isalnum() and changed != words:
        assert not holds_words(words, changed)
        assert verdict(f"The Treasurer said: “{changed}.”") is not Verdict.VALIDATED


@given(st.lists(st.integers(0, 9), min_size=1, max_size=4))
def test_a_figure_stands_only_where_it_stands_whole(digits: list[int]) -> None:
    figure = "".join(map(str, digits))
    assert holds_words("It costs $18.6 million in 1962.", f"{figure}") == (figure == "1962")


@given(st.text(alphabet=" \t\n’'“”\"–—-abc", max_size=30))
def test_the_form_for_comparison_is_its_own(text: str) -> None:
    assert exact_text(exact_text(text)) == exact_text(text)


def test_figures_have_sign_and_scale() -> None:
    assert figures_in("$18.6 million, 4 percent, 1,900 euros and 7:24") == (
        Figure("18.6", "million", "$"),
        Figure("4", "", "%"),
        Figure("1900", "", "€"),
        Figure("7:24", "", ""),
    )


def source_accuracy(statement: ProvenanceStatement) -> Finding:
    return check_source(statement, TRANSCRIPT)


def test_times_that_are_too_wide_are_open_and_others_fail() -> None:
    statement = claiming("-", "The reserve is")
    (segment, *rest) = statement.evidence
    assert segment.timestamp is not None

    def with_times(start: int, end: int) -> Finding:
        stated_times = replace(segment.timestamp, start_ms=start, end_ms=end)  # type: ignore[type-var]
        return source_accuracy(replace(statement, evidence=(replace(segment, timestamp=stated_times), *rest)))

    assert with_times(6000, 9000).status is FindingStatus.PASS
    assert with_times(5000, 10000).status is FindingStatus.INCONCLUSIVE
    assert with_times(7000, 9000).status is FindingStatus.FAIL
    assert with_times(60000, 90000).status is FindingStatus.FAIL
    untimed = replace(statement, evidence=tuple(replace(one, timestamp=None) for one in statement.evidence))
    assert source_accuracy(untimed).status is FindingStatus.PASS


def test_the_claims_in_other_words_cite_what_the_captions_hold() -> None:
    from bench.utterances import read_meeting

    transcript = read_meeting(None).transcript
    paraphrases = read_paraphrases()

    assert len(paraphrases) >= 200
    assert {paraphrase.true for paraphrase in paraphrases} == {True, False}
    assert len({paraphrase.claim for paraphrase in paraphrases}) == len(paraphrases)
    assert all(evidence_of(paraphrase, transcript) for paraphrase in paraphrases)


def test_the_results_are_those_of_the_page() -> None:
    root = Path(__file__).parent.parent
    results = json.loads((root / "bench" / "results" / "verification.json").read_text())
    page = (root / "docs" / "how-to" / "verification.md").read_text()

    for name, counted in results["deletions"].items():
        for kind in ("word", "span"):
            words, search = counted["deletions"][kind]["word-alignment"], counted["deletions"][kind]["source-search"]
            assert f"{words['tried']:,} | {words['validated']} (" in page, name
            assert f"{search['tried']:,} | {search['validated']} |" in page, name
            assert search["validated"] <= words["validated"] < 0.005 * words["tried"]
        for judge, untouched in counted["untouched"].items():
            assert len(untouched["refused"]) <= 0.01 * untouched["tried"], (name, judge)
            assert all(refused["because"] for refused in untouched["refused"])
        assert {judge: row["validated"] for judge, row in counted["frames"].items()} == dict.fromkeys(
            counted["frames"], 0
        )
        for survivor in counted["survivors"]:
            assert survivor["allowed"]
            assert f"| {survivor['sentence']} | {survivor['claim']} | {survivor['allowed']} |" in page
    for name, answers in results["paraphrases"]["verifiers"].items():
        cells = [str(answers[t][w]) for t in ("true", "false") for w in ("accepted", "refused", "open", "sufficient")]
        assert f"| {name} | {' | '.join(cells)} |" in page
