"""A judge that lays the claim over the cited words, word by word.

Quoted words must stand in the source without a gap, in sentences whose negations are all in the quotation, spoken by
the person named. What stands before the quotation must be in the evidence too. A claim in other words than the source's
is measured by how many of its telling words and figures the evidence holds.
"""

from collections.abc import Sequence

from a2ap.statement import ProvenanceStatement
from a2ap.verification_response import Finding
from graph.transcripts.sentences import Sentence
from graph.transcripts.transcript import Transcript
from graph.verifier.judging import CONSISTENCY, SUFFICIENCY, failed, passed, undecided
from graph.verifier.source_check import check_source
from graph.verifier.words import (
    COMMON_WORDS,
    contains_run,
    figures_of,
    negations_in,
    take_apart,
    telling_stems,
    words_of,
)

_COVERED, _HALF_COVERED = 0.75, 0.5
_CLOSE_TO_THE_WORDS = 0.8


class AlignmentJudge:
    """Judges by aligning the words of a claim with the words it cites."""

    def judge(self, statement: ProvenanceStatement, transcript: Transcript) -> tuple[Finding, ...]:
        """Answer source accuracy, evidence sufficiency and logical consistency."""
        cited = cited_sentences(statement, transcript)
        claim = take_apart(statement.claim.text)
        if not cited:
            judgement: tuple[Finding, ...] = (undecided(SUFFICIENCY, "the evidence holds no words of this source"),)
        elif claim.quote is None:
            judgement = _judge_wording(claim.frame, cited)
        else:
            judgement = _judge_quotation(claim.frame, claim.quote, statement, cited, transcript)
        return (check_source(statement, transcript), *judgement)


def cited_sentences(statement: ProvenanceStatement, transcript: Transcript) -> tuple[Sentence, ...]:
    """Return the sentences of the source that the evidence touches, in the order of the source."""
    touched = {
        sentence.position: sentence
        for segment in statement.evidence
        if segment.document_hash == transcript.document_hash
        for sentence in transcript.sentences_in(segment.byte_range.start, segment.byte_range.end)
    }
    return tuple(touched[position] for position in sorted(touched))


def _judge_quotation(
    frame: str, quote: str, statement: ProvenanceStatement, cited: Sequence[Sentence], transcript: Transcript
) -> tuple[Finding, ...]:
    words = words_of(quote)
    cited_words = [word for text in _cited_texts(statement, transcript) for word in words_of(text)]
    spoken = _spoken_by_one(words, cited) if words else None
    if not contains_run(cited_words, words) or spoken is None:
        return (
            failed(SUFFICIENCY, "the quoted words do not stand in the cited bytes, one after the other"),
            undecided(CONSISTENCY, "there are no spoken words to compare with"),
        )
    full = [word for sentence in spoken for word in words_of(sentence.text)]
    if negations_in(full) != negations_in(words):
        consistency = failed(CONSISTENCY, "the quotation leaves out a negation of the sentence that it is cut from")
    else:
        consistency = passed(CONSISTENCY, "the quotation has the figures and negations of the sentence", 0.96)
    return _judge_frame(frame, spoken[0], cited, transcript, len(words)), consistency


def _judge_frame(
    frame: str, spoken: Sentence, cited: Sequence[Sentence], transcript: Transcript, length: int
) -> Finding:
    names = [name for name in transcript.names_of(spoken) if frame.lower().endswith(name)]
    if not names:
        return failed(SUFFICIENCY, f"the words are spoken by {spoken.speaker or 'somebody not named'}, not as claimed")
    name = max(names, key=len)
    introduction = transcript.introductions.get(spoken.position)
    if introduction is not None and name == introduction.name.lower() and introduction.sentence not in cited:
        return failed(SUFFICIENCY, f"nothing in the evidence says that the speaker is {introduction.name}")
    evidence = {word for sentence in cited for word in words_of(sentence.text)}
    rest = [word for word in words_of(frame[: len(frame) - len(name)]) if word not in COMMON_WORDS]
    missing = [word for word in rest if word not in evidence]
    if missing:
        return failed(SUFFICIENCY, f"the evidence does not hold {', '.join(missing)}")
    return passed(SUFFICIENCY, f"all {length} quoted words stand in the cited bytes, spoken by the one named", 0.98)


def _judge_wording(claim: str, cited: Sequence[Sentence]) -> tuple[Finding, ...]:
    words = words_of(claim)
    evidence = [word for sentence in cited for word in words_of(f"{sentence.speaker or ''} {sentence.text}")]
    strange = [figure for figure in figures_of(words) if figure not in evidence]
    if strange:
        told = f"the evidence does not hold {', '.join(strange)}"
        return failed(SUFFICIENCY, told), failed(CONSISTENCY, told)
    stems, held = telling_stems(words), telling_stems(evidence)
    coverage = len(stems & held) / len(stems) if stems else 0.0
    told = f"{coverage:.0%} of the claim's telling words stand in the evidence"
    if coverage < _HALF_COVERED:
        return failed(SUFFICIENCY, told, 0.9), undecided(CONSISTENCY, told)
    turned = bool(negations_in(words)) != bool(negations_in(evidence))
    if turned and coverage >= _CLOSE_TO_THE_WORDS:
        return passed(SUFFICIENCY, told, coverage), failed(CONSISTENCY, "claim and evidence differ in a negation")
    sufficiency = passed(SUFFICIENCY, told, coverage) if coverage >= _COVERED else undecided(SUFFICIENCY, told)
    if turned or coverage < _COVERED:
        return sufficiency, undecided(CONSISTENCY, "the wording is too far from the evidence to tell")
    return sufficiency, passed(CONSISTENCY, "figures and negations are those of the evidence", 0.85)


def _cited_texts(statement: ProvenanceStatement, transcript: Transcript) -> list[str]:
    ranges = sorted({(segment.byte_range.start, segment.byte_range.end) for segment in statement.evidence})
    return [transcript.data[start:end].decode(errors="replace") for start, end in ranges]


def _spoken_by_one(words: Sequence[str], cited: Sequence[Sentence]) -> tuple[Sentence, ...] | None:
    """Find the quoted words in one cited sentence, or in several that one speaker says in a row."""
    for length in (1, 2, 3):
        for first in range(len(cited) - length + 1):
            row = tuple(cited[first : first + length])
            in_a_row = row[-1].position - row[0].position == length - 1
            one_voice = len({sentence.speaker for sentence in row}) == 1
            if in_a_row and one_voice and contains_run([w for s in row for w in words_of(s.text)], words):
                return row
    return None
