"""A judge that aligns the claim with the cited words, character by character.

Words behind "said that" or standing alone, and `quoted` words, must stand in the source unchanged, but for the cuts of
`whole_sentences`: in cited bytes, in consecutive sentences of the named speaker, at the stated time and on the stated
item. They pass if they are whole sentences; any other cut, and a claim in other words than the source's (`wording`),
are left open.
"""

from collections.abc import Sequence

from a2ap.messages.finding import Finding
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verdict import SUFFICIENCY
from a2ap.verifier.findings import failed, passed, undecided
from graph.transcripts.sentences import Sentence
from graph.transcripts.transcript import Transcript
from graph.verifier.claim_form import ClaimForm, read_forms
from graph.verifier.framing import Held, check_frame
from graph.verifier.judging import CONSISTENCY, best_of
from graph.verifier.source_check import check_source
from graph.verifier.verbatim import CUT, LONGEST_ROW, TOO_LONG, Place, cited_sentences, find_places, is_longer
from graph.verifier.wording import judge_wording
from graph.verifier.words import contains_run, words_of

_FEW = 3


class AlignmentJudge:
    """Judges by aligning the words of a claim with the words it cites."""

    name = "word-alignment"
    version = "4"

    def judge(self, statement: ProvenanceStatement, transcript: Transcript) -> tuple[Finding, ...]:
        """Answer source accuracy, evidence sufficiency and logical consistency."""
        return (check_source(statement, transcript), *align(statement, transcript))


def align(statement: ProvenanceStatement, transcript: Transcript) -> tuple[Finding, ...]:
    """Answer evidence sufficiency and logical consistency."""
    cited = cited_sentences(statement.evidence, transcript)
    if not cited:
        told = "the evidence holds no words of this source"
        return undecided(SUFFICIENCY, told), undecided(CONSISTENCY, told)
    forms = read_forms(statement.claim.text)
    judged = [
        _judge_place(place, form, statement, transcript)
        for form in forms
        for place in find_places(form.words, cited, statement.evidence, transcript)
    ]
    if judged:
        return best_of(judged)
    form = forms[0]
    if _is_too_long(form, cited):
        return undecided(SUFFICIENCY, TOO_LONG), undecided(CONSISTENCY, TOO_LONG)
    if form.quoted:
        return _not_there(form, cited)
    return judge_wording(form, statement, cited, transcript)


def _judge_place(
    place: Place, form: ClaimForm, statement: ProvenanceStatement, transcript: Transcript
) -> tuple[Finding, ...]:
    held, why = check_frame(form, place.sentences, statement, transcript)
    count = len(words_of(form.words))
    if not place.cited:
        sufficiency = failed(SUFFICIENCY, "the evidence holds only a part of the words that are claimed")
    elif held is Held.NO:
        sufficiency = failed(SUFFICIENCY, why)
    elif held is Held.OPEN:
        sufficiency = undecided(SUFFICIENCY, why)
    else:
        sufficiency = passed(SUFFICIENCY, f"all {count} words stand in the cited bytes, {why}", 0.98)
    return sufficiency, _judge_cut(place, form)


def _judge_cut(place: Place, form: ClaimForm) -> Finding:
    if form.strange:
        return undecided(CONSISTENCY, "the meaning of the claim for the quoted words is not known")
    if not place.whole:
        return undecided(CONSISTENCY, CUT)
    return passed(CONSISTENCY, "the claim has the words of whole sentences, as they are", 0.96)


def _not_there(form: ClaimForm, cited: Sequence[Sentence]) -> tuple[Finding, ...]:
    if _is_in_few(words_of(form.words), cited):
        told = "the quoted words stand in the cited bytes, with other signs between them"
        return undecided(SUFFICIENCY, told), undecided(CONSISTENCY, told)
    return (
        failed(SUFFICIENCY, "the quoted words do not stand in the cited bytes, one after the other"),
        failed(CONSISTENCY, "the claim quotes words that the cited bytes do not hold", 0.9),
    )


def _is_too_long(form: ClaimForm, cited: Sequence[Sentence]) -> bool:
    if is_longer(form.words, LONGEST_ROW):
        return True
    # Captions without punctuation are cut into sentences that a quotation of them does not show.
    words = words_of(form.words)
    return len(cited) > _FEW and any(contains_run(row, words) for row in _rows(cited)) and not _is_in_few(words, cited)


def _is_in_few(words: Sequence[str], cited: Sequence[Sentence]) -> bool:
    rows = (
        [word for sentence in cited[first : first + _FEW] for word in words_of(sentence.text)]
        for first in range(len(cited))
    )
    return any(contains_run(row, words) for row in rows)


def _rows(cited: Sequence[Sentence]) -> list[list[str]]:
    """Return the words of the cited sentences, one list for each uninterrupted row of them."""
    rows: list[list[str]] = []
    for before, sentence in zip((None, *cited), cited, strict=False):
        if before is None or before.position + 1 < sentence.position:
            rows.append([])
        rows[-1].extend(words_of(sentence.text))
    return rows
