"""A judge that looks for the claim in the whole source, without looking at the citation, and then compares.

Unlike `alignment` it starts from the source: it finds the sentences that hold the claim's rarest words, and checks
whether these are the cited ones, whether every pair of neighbouring words is there, and whether they are whole
sentences.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

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
from graph.verifier.verbatim import CUT, TOO_LONG, cited_sentences, find_places, is_longer
from graph.verifier.whole_sentences import says_whole
from graph.verifier.wording import strange_figures
from graph.verifier.words import COMMON_WORDS, contains_run, stem, words_of

_CANDIDATES = 12
_COVERED, _FULL_SHARE = 0.7, 0.999
_LONGEST_ROW = 3
_NEARBY = 3


@dataclass(frozen=True, slots=True)
class _Row:
    """Consecutive sentences of one speaker, and the share of the claim that they hold (0..1)."""

    sentences: tuple[Sentence, ...]
    words: tuple[str, ...]
    share: float


class SearchJudge:
    """Judges by finding the claim's words in the source again. Keeps one index for each source."""

    name = "source-search"
    version = "4"

    def __init__(self) -> None:
        self._indexes: dict[str, _Index] = {}

    def judge(self, statement: ProvenanceStatement, transcript: Transcript) -> tuple[Finding, ...]:
        """Answer source accuracy, evidence sufficiency and logical consistency."""
        return (check_source(statement, transcript), *self.answer(statement, transcript))

    def answer(self, statement: ProvenanceStatement, transcript: Transcript) -> tuple[Finding, ...]:
        """Answer evidence sufficiency and logical consistency."""
        if transcript.document_hash not in self._indexes:
            self._indexes[transcript.document_hash] = _Index(transcript.sentences)
        index = self._indexes[transcript.document_hash]
        return best_of([_judge_form(form, index, statement, transcript) for form in read_forms(statement.claim.text)])


def _judge_form(
    form: ClaimForm, index: "_Index", statement: ProvenanceStatement, transcript: Transcript
) -> tuple[Finding, ...]:
    words = words_of(form.words)
    rows = index.find_said(words)
    if rows:
        return _judge_words(form, rows, index, statement, transcript)
    near = index.find(words)
    rows = [
        row for row in near if row.share > _FULL_SHARE and says_whole(form.words, row.sentences, transcript.sentences)
    ]
    if rows or form.quoted:
        return _judge_words(form, rows, index, statement, transcript)
    if _is_too_long(form, index):
        return undecided(SUFFICIENCY, TOO_LONG), undecided(CONSISTENCY, TOO_LONG)
    return _judge_wording(form, near, statement, transcript)


def _is_too_long(form: ClaimForm, index: "_Index") -> bool:
    # Captions without punctuation are cut into sentences that a quotation of them does not show.
    return is_longer(form.words, _LONGEST_ROW) or index.holds_run(words_of(form.words))


def _judge_words(
    form: ClaimForm, rows: Sequence[_Row], index: "_Index", statement: ProvenanceStatement, transcript: Transcript
) -> tuple[Finding, ...]:
    if not rows and _is_too_long(form, index):
        return undecided(SUFFICIENCY, TOO_LONG), undecided(CONSISTENCY, TOO_LONG)
    if not rows:
        told = "these words are nowhere in the source"
        return failed(SUFFICIENCY, told), failed(CONSISTENCY, told, 0.9)
    cited = {sentence.position for sentence in cited_sentences(statement.evidence, transcript)}
    shortest = [row for row in rows if not any(_within(other, row) for other in rows)]
    here = [row for row in shortest if all(sentence.position in cited for sentence in row.sentences)]
    if not here:
        told = "these words are in the source, and not where the statement points"
        return failed(SUFFICIENCY, told), undecided(CONSISTENCY, told)
    frames = [(row, *check_frame(form, row.sentences, statement, transcript)) for row in here]
    held = [row for row, outcome, _ in frames if outcome is Held.YES]
    if not held:
        _, outcome, why = frames[0]
        wrong = failed(SUFFICIENCY, why) if outcome is Held.NO else undecided(SUFFICIENCY, why)
        return wrong, undecided(CONSISTENCY, why)
    found = f"found again among {len(transcript.sentences)} sentences, where it is cited"
    return passed(SUFFICIENCY, found, 0.97), _judge_rows(form, held, statement, transcript)


def _judge_rows(
    form: ClaimForm, rows: Sequence[_Row], statement: ProvenanceStatement, transcript: Transcript
) -> Finding:
    places = [place for row in rows for place in find_places(form.words, row.sentences, statement.evidence, transcript)]
    if not any(place.cited for place in places):
        return undecided(CONSISTENCY, "the sentence found has other signs between the words, or is cited in part")
    if not any(place.whole and place.cited for place in places):
        return undecided(CONSISTENCY, CUT)
    return passed(CONSISTENCY, "the sentences found are the claim, from beginning to end", 0.94)


def _within(inner: _Row, outer: _Row) -> bool:
    return len(inner.sentences) < len(outer.sentences) and set(inner.sentences) <= set(outer.sentences)


def _judge_wording(
    form: ClaimForm, rows: Sequence[_Row], statement: ProvenanceStatement, transcript: Transcript
) -> tuple[Finding, ...]:
    cited = {sentence.position for sentence in cited_sentences(statement.evidence, transcript)}
    near = [row for row in rows if any(abs(s.position - place) <= _NEARBY for s in row.sentences for place in cited)]
    if not near:
        told = "the source speaks of this elsewhere than cited, if at all"
        return undecided(SUFFICIENCY, told), undecided(CONSISTENCY, told)
    best = max(near, key=lambda row: row.share)
    told = f"the sentences found hold {best.share:.0%} of the claim, weighed by how rare its words are"
    texts = [f"{sentence.speaker or ''}. {sentence.text}" for row in near for sentence in row.sentences]
    strange = strange_figures(form.words, " ".join(texts))
    if strange:
        return undecided(SUFFICIENCY, told), failed(CONSISTENCY, f"{', '.join(strange)} is not in the sentences found")
    if best.share < _COVERED:
        return undecided(SUFFICIENCY, told), undecided(CONSISTENCY, told)
    held, why = check_frame(form, best.sentences, statement, transcript)
    if held is not Held.YES:
        return undecided(SUFFICIENCY, why), undecided(CONSISTENCY, why)
    return passed(SUFFICIENCY, told, 0.75), undecided(CONSISTENCY, "the claim says it in words of its own")


class _Index:
    """The places of the words and sentences of a source, and the rarity of each word."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self._sentences = sentences
        self._words = [words_of(sentence.text) for sentence in sentences]
        self._places: dict[str, list[int]] = defaultdict(list)
        self._said: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, words in enumerate(self._words):
            self._said[words].append(place)
            for word in {stem(word) for word in words}:
                self._places[word].append(place)

    def find_said(self, words: tuple[str, ...]) -> list[_Row]:
        """Return the sentences of just these words, else the rows that hold all pairs of neighbours among them."""
        if words in self._said:
            return [_Row((self._sentences[place],), words, 1.0) for place in self._said[words]]
        return [_Row(row, held, 1.0) for row, held in self._rows(words) if _holds_pairs(words, held)]

    def holds_run(self, words: Sequence[str]) -> bool:
        """Return whether the words stand in the source one after the other, however many sentences they are."""
        return contains_run([word for said in self._words for word in said], words)

    def find(self, words: Sequence[str]) -> list[_Row]:
        """Return rows of sentences that hold most of the words, best first."""
        rows = [_Row(row, held, self._share(words, held)) for row, held in self._rows(words)]
        return sorted(rows, key=lambda row: (-row.share, len(row.sentences)))

    def _rows(self, words: Sequence[str]) -> Iterator[tuple[tuple[Sentence, ...], tuple[str, ...]]]:
        scores: dict[int, float] = defaultdict(float)
        telling = [word for word in words if word not in COMMON_WORDS]
        for word in {stem(word) for word in telling or words}:
            rarity = self._rarity(word)
            for place in self._places.get(word, ()):
                scores[place] += rarity
        best = sorted(scores, key=lambda place: (-scores[place], place))[:_CANDIDATES]
        spans = {
            (first, last)
            for place in best
            for first in range(max(0, place - _LONGEST_ROW + 1), place + 1)
            for last in range(place + 1, min(len(self._sentences), first + _LONGEST_ROW) + 1)
        }
        for first, last in sorted(spans):
            row = tuple(self._sentences[first:last])
            if len({sentence.speaker for sentence in row}) == 1:
                yield row, tuple(word for said in self._words[first:last] for word in said)

    def _share(self, words: Sequence[str], held: Sequence[str]) -> float:
        weights = {word: self._rarity(word) for word in {stem(word) for word in words}}
        total = sum(weights.values())
        return sum(weights[word] for word in weights.keys() & {stem(word) for word in held}) / total if total else 0.0

    def _rarity(self, word: str) -> float:
        return math.log(1 + len(self._sentences) / (1 + len(self._places.get(word, ()))))


def _holds_pairs(words: Sequence[str], held: Sequence[str]) -> bool:
    """Return whether all neighbouring pairs of words are neighbours in `held` too, as often as they are in `words`."""
    if len(words) < 2:
        return bool(words) and words[0] in held
    return not Counter(pairwise(words)) - Counter(pairwise(held))
