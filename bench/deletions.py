"""Deletions: every word, every contiguous span and every frame cut out of whole sentences, and the verdicts on them.

A whole sentence is taken by its form alone: it begins with a capital letter or a figure, ends in a stop, and has three
words. Of a sentence of up to 40 words every contiguous span is deleted; of a longer one every span of up to 12 words,
and every beginning and end. A frame cut puts a frame before or behind a sentence in made captions and claims the
sentence without it; questions are left out. All are counted; each deletion that is validated is listed with the reason
that allows it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verdict import verdict_of
from a2ap.messages.verification_response import Verdict
from bench.utterances import blank_statement, cite_sentences, stated
from graph.transcripts.sentences import Sentence
from graph.transcripts.speakers import attribution
from graph.transcripts.transcript import Transcript
from graph.verifier.alignment import AlignmentJudge
from graph.verifier.judging import Judge
from graph.verifier.search import SearchJudge
from graph.verifier.whole_sentences import ALLOWED_CUTS, doubt_about, is_allowed_cut

SENTENCE_SAMPLE = 500
FORMS = ("quoted", "bare")
_CLOSING = '"” '
_STOPS = ".!" + _CLOSING
_FEWEST_WORDS, _MOST_WORDS, _LONGEST_SPAN = 3, 40, 12
_WHOLE = re.compile(r"[A-Z0-9“\"$].*[.?!][\"”]?", re.DOTALL)
FRAMES = (
    ("They wrongly assume that ", ""),
    ("I am afraid that ", ""),
    ("It is very unlikely that ", ""),
    ("It is not the case that ", ""),
    ("Nobody here has shown that ", ""),
    ("Our opponents claim that ", ""),
    ("I used to believe that ", ""),
    ("I wish I could say that ", ""),
    ("It would be a mistake to think that ", ""),
    ("There is little evidence that ", ""),
    ("The report refutes the idea that ", ""),
    ("The rumor has it that ", ""),
    ("Had we waited, it might be that ", ""),
    ("Unless the state agrees, ", ""),
    ("In the worst case, ", ""),
    ("According to a forged letter, ", ""),
    ("Only in theory, ", ""),
    ("Until last year, ", ""),
    ("Contrary to the facts, they say: ", ""),
    ("Just suppose: ", ""),
    ("", ", or so the flyer says"),
    ("", ", if the state agrees"),
    ("", ", which is a myth"),
    ("", ", unless we act"),
    ("", ", but that is over now"),
    ("", ", in the opinion of a few"),
    ("", " is what they falsely say"),
    ("", ", said no one ever"),
)
"""Words before and behind a sentence that turn, doubt or limit it."""
GOVERNING = (
    ("Some people say the following. ", ""),
    ("Here are three things that are wrong. ", ""),
    ("", ". That is what I used to think"),
    ("", ". No, it is the other way round"),
)
"""Sentences before and behind that govern a whole sentence: a claim of it is a true quotation out of its context."""


@dataclass(slots=True)
class DeletionCounts:
    """The number of claims tried, of those validated by each verifier, and the claims that any has validated."""

    tried: Counter[str] = field(default_factory=Counter)
    validated: Counter[str] = field(default_factory=Counter)
    survivors: dict[tuple[str, str], set[str]] = field(default_factory=dict)

    def as_json(self, name: str) -> dict[str, int]:
        """Return the counts of one verifier."""
        return {"tried": self.tried[name], "validated": self.validated[name]}


def measure_deletions(
    transcript: Transcript, chance: Random, most: int = SENTENCE_SAMPLE, one_in: int = 1
) -> dict[str, Any]:
    """Judge whole sentences, untouched and with every deletion, and frame cuts.

    Up to `most` sentences, drawn by chance, are cut. The search judge looks a claim up in the whole source, which takes
    time: it judges one deletion in so many, drawn by chance, and each that the other one has validated. All
    whole sentences are judged untouched.
    """
    everything = whole_sentences(transcript)
    drawn = sorted(chance.sample(everything, min(most, len(everything))), key=lambda sentence: sentence.position)
    words, search = AlignmentJudge(), SearchJudge()
    blank = blank_statement(transcript)
    counts = {kind: DeletionCounts() for kind in ("word", "span")}
    for sentence in drawn:
        evidence = cite_sentences([sentence], transcript)
        for length, cut in deletions(sentence.text):
            kind = counts["word" if length == 1 else "span"]
            for form in FORMS:
                statement = stated(blank, in_form(form, cut, sentence), evidence)
                kept = _is_validated(words, statement, transcript, kind)
                if kept or chance.randrange(one_in) == 0:
                    kept = _is_validated(search, statement, transcript, kind) or kept
                if kept:
                    kind.survivors.setdefault((sentence.text, cut), set()).add(form)
    panel = (words, search)
    return {
        "whole_sentences": len(everything),
        "cut": len(drawn),
        "untouched": {judge.name: _untouched(judge, everything, transcript) for judge in panel},
        "deletions": {
            kind: {judge.name: counted.as_json(judge.name) for judge in panel} for kind, counted in counts.items()
        },
        "frames": _in_frames(panel, drawn, FRAMES),
        "governed": _in_frames(panel, drawn, GOVERNING),
        "survivors": [
            {"sentence": sentence, "claim": cut, "forms": sorted(forms), "allowed": allowed_by(cut, sentence)}
            for counted in counts.values()
            for (sentence, cut), forms in counted.survivors.items()
        ],
    }


def whole_sentences(transcript: Transcript) -> list[Sentence]:
    """Return the sentences of a source that have the form of a whole one."""
    return [
        sentence
        for sentence in transcript.sentences
        if _WHOLE.fullmatch(sentence.text) and len(sentence.text.split()) >= _FEWEST_WORDS
    ]


def deletions(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number of the words deleted, and the rest, for every span; each rest once."""
    words = text.split()
    seen: set[str] = set()
    for first in range(len(words)):
        for last in range(first + 1, len(words) + 1):
            at_an_edge = first == 0 or last == len(words)
            rest = " ".join([*words[:first], *words[last:]])
            if rest and rest not in seen and (len(words) <= _MOST_WORDS or last - first <= _LONGEST_SPAN or at_an_edge):
                seen.add(rest)
                yield last - first, rest


def in_form(form: str, words: str, sentence: Sentence) -> str:
    """Return a claim of some words, as a quotation of the speaker or alone."""
    speaker = attribution(sentence.speaker)
    return f"{speaker[:1].upper()}{speaker[1:]} said: “{words}”" if form == "quoted" else words


def allowed_by(cut: str, sentence: str) -> str:
    """Return the reason that allows a cut, "" if none does."""
    alone = next((name for name in ALLOWED_CUTS if is_allowed_cut(cut, sentence, [name])), "")
    return alone or ("several" if is_allowed_cut(cut, sentence) else "")


def framed_captions(sentences: Sequence[Sentence], before: str, behind: str) -> Transcript:
    """Return captions of one speaker in which each sentence stands in a frame."""
    lines = []
    for second, sentence in enumerate(sentences):
        framed = f"{before}{sentence.text.rstrip(_STOPS)}{behind}." if behind else f"{before}{sentence.text}"
        start, end = (f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}.000" for at in (second * 2, second * 2 + 2))
        lines.append(f"{start} --> {end}\n<v Chair>{framed}\n")
    return Transcript.read("\n".join(["WEBVTT\n", *lines]).encode())


def _in_frames(
    judges: Sequence[Judge], sentences: Sequence[Sentence], frames: Sequence[tuple[str, str]]
) -> dict[str, dict[str, int]]:
    """Judge each sentence, alone and as a quotation, against captions in which it stands in each frame.

    Questions are left out: in a frame they lose their mark, and are refused for that.
    """
    sentences = [sentence for sentence in sentences if not sentence.text.rstrip(_CLOSING).endswith("?")]
    counted = DeletionCounts()
    for before, behind in frames:
        transcript = framed_captions(sentences, before, behind)
        blank = blank_statement(transcript)
        for sentence in sentences:
            body = sentence.text.rstrip(_STOPS)
            evidence = cite_sentences([one for one in transcript.sentences if body in one.text], transcript)
            assert evidence, f"the captions hold no sentence with {body!r}"
            for judge in judges:
                for claim in (f"The Chair said: “{sentence.text}”", sentence.text):
                    _is_validated(judge, stated(blank, claim, evidence), transcript, counted)
    return {judge.name: counted.as_json(judge.name) for judge in judges}


def _untouched(judge: Judge, sentences: Sequence[Sentence], transcript: Transcript) -> dict[str, Any]:
    blank, refused = blank_statement(transcript), []
    for sentence in sentences:
        statement = stated(blank, sentence.text, cite_sentences([sentence], transcript))
        if verdict_of(judge.judge(statement, transcript)) is not Verdict.VALIDATED:
            refused.append({"sentence": sentence.text, "because": doubt_about([sentence], transcript.sentences)})
    return {"tried": len(sentences), "refused": refused}


def _is_validated(
    judge: Judge, statement: ProvenanceStatement, transcript: Transcript, counted: DeletionCounts
) -> bool:
    validated = verdict_of(judge.judge(statement, transcript)) is Verdict.VALIDATED
    counted.tried[judge.name] += 1
    counted.validated[judge.name] += validated
    return validated
