"""Whether the words of a claim are whole sentences of one voice: the only words that pass without being understood.

A deletion can turn any sentence ("I support the end of parking mandates"), and no list of the words that turn one is
complete. So nothing may be left out, but for a closed list of cuts, each with the reason why it is safe:

- Punctuation and case: the case of the first letter of a sentence, and a comma, semicolon, full stop or exclamation
  mark at the end. A question mark is never left out or put in.
- A hesitation ("uh", "um") at the beginning of a sentence or beside a comma. It has no meaning. One comma stays, for
  "No, um, people came" is not "No people came"; and without a comma it may stand for one. "Uh uh" and "uh huh" are
  answers, and stay.
- A repeated article, possessive or "and" ("the, the plan"), and a repeated pronoun that can only be a subject ("we we
  think"). Such a word never stands twice in a row by grammar. Others do: "that that", "had had", "is is", "her her",
  "in in", "no no"; and a repeated "very" is stronger. "I" behind a name may be a figure ("World War I I think").
- A form of address with a title and no name ("Mr. Chairman,", ", Madam President") at an edge of a sentence, set off by
  a comma. A title without an article and a name is used to address a person, and not to speak of one.

"You know", "I mean", "like", "well", "so", "but", "and" at the beginning, and all else stay: "If you read it, you know,
it fails" and "But for the grant we would close" lose their sense with them.

Where a sentence begins and ends must be certain as well, or "I doubt that" in one caption and "New York needs this." in
another would be a false whole. Captions without the ends of sentences hold none, unless a claim has everything that the
speaker says.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from graph.transcripts.sentences import Sentence
from graph.verifier.words import exact_text, words_of

_BEGIN = r"(?:^|(?<=[.?!] ))"
_INITIAL = re.compile(rf"{_BEGIN}\w")
_TITLE = (
    r"(?:[Mm](?:r\.?|ister|adame?) (?:[Cc]hair(?:man|woman|person)?|[Pp]resident|[Ss]peaker|[Mm]ayor)|[Yy]our [Hh]onor)"
)
_NO_ANSWER = r"(?!,? (?:[Uu][hm]|[Hh]uh|[Oo]h)\b)"
_Cut = tuple[re.Pattern[str], str]
ALLOWED_CUTS: dict[str, tuple[_Cut, ...]] = {
    "hesitation": (
        (re.compile(rf"{_BEGIN}[Uu][hm]{_NO_ANSWER},? "), ""),
        (re.compile(rf"(?<=,)(?<!\bu[hm],) u[hm]{_NO_ANSWER}(?:,(?= )|(?= ))"), ""),
        (re.compile(rf"(?<!\bu[hm]) u[hm]{_NO_ANSWER}(?=, )"), ""),
    ),
    "repeated word": (
        (re.compile(r"(?<![-'])\b(the|an?|and|my|our|your|their)(?:,? \1)+\b(?![-'])"), r"\1"),
        (re.compile(r"(?<![-'])\b(we|they|he|she)(?: \1)+\b(?![-'])"), r"\1"),
        (re.compile(r"(^|(?:^|\s)[^A-Z\s]\S*\s)[Ii](?: I)+\b(?![-'])"), r"\1I"),
    ),
    "form of address": (
        (re.compile(rf"{_BEGIN}{_TITLE}, "), ""),
        (re.compile(rf", {_TITLE}(?=[.?!]|$)"), ""),
    ),
}
"""The words that may be left out, with the words that stay in their place, by the name of the reason."""
# An interruption after which a speaker is taken to go on with the same sentence, in sentences.
_INTERRUPTION = 2
_QUOTED_BEFORE = 40
_OPENS = re.compile(r"(?:^|[\s(\[—–-])[\"“]$")


def says_whole(words: str, row: Sequence[Sentence], sentences: Sequence[Sentence]) -> bool:
    """Return whether some words are those of consecutive whole sentences, but for the cuts that are allowed.

    `sentences` are all of the source.
    """
    text = " ".join(sentence.text for sentence in row)
    return is_allowed_cut(words, text) and doubt_about(row, sentences) is None


def is_allowed_cut(words: str, text: str, allowed: Collection[str] = tuple(ALLOWED_CUTS)) -> bool:
    """Return whether some words are a text, but for cuts allowed for some of the reasons in `ALLOWED_CUTS`."""
    claimed, said = _sentence_case(exact_text(words)), _sentence_case(exact_text(text))
    if claimed == said:
        return True
    # Nothing may be put in, also no hesitation.
    return _tidied(claimed, allowed) == _tidied(said, allowed) and not Counter(words_of(words)) - Counter(
        words_of(text)
    )


def _sentence_case(text: str) -> str:
    return _INITIAL.sub(lambda letter: letter[0].lower(), text.rstrip(" .,;!"))


def _tidied(text: str, allowed: Collection[str]) -> str:
    for cut, kept in (cut for name in allowed for cut in ALLOWED_CUTS[name]):
        text = cut.sub(kept, text)
    return _sentence_case(text)


def doubt_about(row: Sequence[Sentence], sentences: Sequence[Sentence]) -> str | None:
    """Return why it is not certain that a row of sentences begins and ends where its speaker begins and ends one.

    `sentences` are all of the source. Returns None if it is certain.
    """
    if _is_everything(row, sentences):
        return None
    if not row[-1].ended:
        return "the last sentence has no certain end"
    if row[0].text[:1].islower():
        return "the first sentence begins with a small letter"
    if not all(sentence.ended for sentence in _neighbour(row[0], sentences, -1)):
        return "the speaker's sentence before has no certain end"
    if any(sentence.text[:1].islower() for sentence in _neighbour(row[-1], sentences, 1)):
        return "the speaker's sentence behind begins with a small letter"
    if _is_in_quotation(row, sentences):
        return "the sentences stand in quotation marks, or have a part of a quotation"
    return None


def _neighbour(sentence: Sentence, sentences: Sequence[Sentence], step: int) -> list[Sentence]:
    """Return the speaker's last sentence before, or first one behind, if no more than an interruption is between.

    Of speakers without names any one may be the same: each turn that near counts.
    """
    near = []
    for at in range(sentence.position + step, sentence.position + step * (_INTERRUPTION + 2), step):
        if 0 <= at < len(sentences) and sentences[at].speaker == sentence.speaker:
            near.append(sentences[at])
            if sentences[at].is_voice_of(sentence):
                break
    return near


def _is_everything(row: Sequence[Sentence], sentences: Sequence[Sentence]) -> bool:
    """Return whether a speaker says nothing in the source beyond a row of sentences."""
    return sum(other.speaker == row[0].speaker for other in sentences) == len(row)


def _is_in_quotation(row: Sequence[Sentence], sentences: Sequence[Sentence]) -> bool:
    """Return whether a row begins within a quotation that its speaker has opened, or holds a part of one."""
    if exact_text(" ".join(sentence.text for sentence in row)).count('"') % 2:
        return True
    first = row[0].position
    for other in reversed(sentences[max(0, first - _QUOTED_BEFORE) : first]):
        if not other.is_voice_of(row[0]):
            return False
        last = max(other.text.rfind(mark) for mark in '"“”')
        if last >= 0:
            return _OPENS.search(other.text[: last + 1]) is not None
    return False
