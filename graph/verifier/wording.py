"""Judges a claim in other words than its source's, which never passes by words.

Words alone cannot tell a paraphrase from a distortion. Errors that words can show fail: a figure or a name that the
evidence does not hold, an added or missing negation, another speaker.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from a2ap.messages.finding import Finding
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verdict import SUFFICIENCY
from a2ap.verifier.findings import failed, passed, undecided
from graph.transcripts.captions import spoken_text
from graph.transcripts.sentences import Sentence
from graph.transcripts.transcript import Transcript
from graph.verifier.claim_form import ClaimForm
from graph.verifier.framing import Held, check_frame
from graph.verifier.judging import CONSISTENCY
from graph.verifier.words import negations_in, stem, telling_stems, words_of

_FIGURE = re.compile(
    r"(?P<currency>[$€£¥])?(?P<value>\d+(?:[.,:]\d+)*)(?P<ordinal>st|nd|rd|th)?"
    r"(?:\s?(?P<percent>%|percent\b|per cent\b))?"
    r"(?:\s(?P<scale>hundred|thousand|million|billion|trillion)\b)?(?:\s(?P<money>dollars?|euros?|pounds?)\b)?",
    re.IGNORECASE,
)
_MONEY = {"dollar": "$", "euro": "€", "pound": "£"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A value as written without thousands separators, with its scale ("million") and its sign ("$", "%", "")."""

    value: str
    scale: str
    sign: str


def figures_in(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text in their order; numbers written in words are left out."""
    return tuple(_figure(match) for match in _FIGURE.finditer(spoken_text(text)))


def _figure(match: re.Match[str]) -> Figure:
    money = (match["money"] or "").lower().rstrip("s")
    sign = match["currency"] or ("%" if match["percent"] else _MONEY.get(money, ""))
    return Figure(re.sub(r",(?=\d{3})", "", match["value"]), (match["scale"] or "").lower(), sign)


_COVERED, _CLOSE_TO_THE_WORDS = 0.75, 0.8
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][\w’'-]+")


def judge_wording(
    form: ClaimForm, statement: ProvenanceStatement, cited: Sequence[Sentence], transcript: Transcript
) -> tuple[Finding, ...]:
    """Answer evidence sufficiency and logical consistency of a claim without a quotation."""
    evidence = " ".join(f"{sentence.speaker or ''}. {sentence.text}" for sentence in cited)
    strange = strange_figures(form.words, evidence)
    if strange:
        told = f"the evidence does not hold {', '.join(strange)}"
        return failed(SUFFICIENCY, told), failed(CONSISTENCY, told)
    words, held = words_of(form.words), words_of(evidence)
    stems = telling_stems(words)
    if not stems:
        told = "the claim says nothing that could be looked for"
        return undecided(SUFFICIENCY, told), undecided(CONSISTENCY, told)
    coverage = len(stems & telling_stems(held)) / len(stems)
    told = f"{coverage:.0%} of the claim's telling words stand in the evidence"
    missing = _missing_names(form.words, held)
    if missing:
        told = f"the evidence does not hold {', '.join(missing)}"
        return failed(SUFFICIENCY, told, 0.85), undecided(CONSISTENCY, told)
    if form.frame is not None:
        framed = [check_frame(form, (sentence,), statement, transcript) for sentence in cited]
        if all(held is Held.NO for held, _ in framed):
            return failed(SUFFICIENCY, framed[0][1]), undecided(CONSISTENCY, told)
    sufficiency = passed(SUFFICIENCY, told, 0.75) if coverage >= _COVERED else undecided(SUFFICIENCY, told)
    if coverage >= _CLOSE_TO_THE_WORDS and bool(negations_in(words)) != bool(negations_in(held)):
        return sufficiency, failed(CONSISTENCY, "claim and evidence differ in a negation", 0.8)
    return sufficiency, undecided(CONSISTENCY, "the claim says it in words of its own")


def strange_figures(claim: str, evidence: str) -> list[str]:
    """Return the values of the figures in a claim that its evidence does not hold with the same scale and sign."""
    held = figures_in(evidence)
    values = {word for word in words_of(evidence) if word[0].isdigit()}
    return [figure.value for figure in figures_in(claim) if not _is_held(figure, held, values)]


def _is_held(figure: Figure, held: Sequence[Figure], values: set[str]) -> bool:
    same = [other for other in held if other.value == figure.value]
    if not same:
        return figure.value in values and not figure.sign  # A small number that the source has in letters.
    return any(
        other.scale == figure.scale and (other.sign == figure.sign or not figure.sign or not other.sign)
        for other in same
    )


def _missing_names(claim: str, held: Sequence[str]) -> list[str]:
    known = {stem(word) for word in held}
    return [name for name in _NAME.findall(claim) if any(stem(word) not in known for word in words_of(name))]
