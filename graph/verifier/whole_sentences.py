"""Whether the words of a claim are whole sentences of one voice: the only words that pass without being understood.

A deletion can turn any sentence ("I support the end of parking mandates"), and no list of the words that turn one is
complete. So nothing may be left out, but for a closed list of cuts, each with the reason why it is safe:

- Punctuation and case: the case of the first letter of a sentence, and a comma, semicolon, full stop or exclamation
  mark at the end. A question mark is never left out or put in.
- A hesitation ("uh", "um") beside a comma. It has no meaning in English. Within a sentence one comma stays, for "No,
  um, people came" is not "No people came"; and without a comma it may stand for one. "Uh uh", "uh huh" and "um hm" are
  answers, and stay.
- A repeated article, possessive or "and" ("the, the plan"): speakers repeat it by mistake alone. "A, a" stays, for one
  may be a letter. Other words stand twice in a row by grammar: "that that", "had had", "is is", "her her", "in in", "no
  no"; and a repeated "very" is stronger.
- A repeated pronoun that can only be a subject ("we we think") at the beginning of a sentence, or behind "and" or "but"
  there. Elsewhere it may belong to two clauses ("Neither do we we think"), and "I" may be a figure ("World War I I
  think").
- A form of address with a title and no name ("Mr. Chairman,", ", Madam President") at an edge of a sentence, set off by
  a comma. A title without an article and a name is used to address a person, and not to speak of one; "your honor" is
  used for both.

"You know", "I mean", "like", "well", "so", "but", "and" at the beginning, and all else stay: "If you read it, you know,
it fails" and "But for the grant we would close" lose their sense with them.

Where a sentence begins and ends must be certain as well, or "I doubt that" in one caption and "New York needs this." in
another would be a false whole, or two captions would join into a sentence that no speaker said. Captions without the
ends of sentences hold none, unless a claim has everything that the speaker says.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from graph.transcripts.sentences import Sentence
from graph.verifier.words import exact_text, words_of

_BEGIN = r"(?:^|(?<=[.?!] ))"
_INITIAL = re.compile(rf"{_BEGIN}\w")
_TITLE = r"[Mm](?:r\.?|ister|adame?) (?:[Cc]hair(?:man|woman|person)?|[Pp]resident|[Ss]peaker|[Mm]ayor)"
# "Uh uh", "um hm", "huh uh", "nuh uh" and others of two such words are answers.
_NO_ANSWER = r"(?!,? (?:[Uu]n?[hm]|[HhNn]uh|[Oo]h|[Mm]?[Hh]?m+|[Mm])\b)"
_SOUND = ("u[hm]", "unh", "[HhNn]uh", "[Mm]m", "[Hh]m", "mhm", "hmm", "mmm")
_NO_ANSWER_BEFORE = "".join(rf"(?<!\b{sound} )(?<!\b{sound}, )" for sound in _SOUND)
_HESITATION = rf" (?=u[hm]\b){_NO_ANSWER_BEFORE}u[hm]{_NO_ANSWER}"
_Cut = tuple[re.Pattern[str], str]
ALLOWED_CUTS: dict[str, tuple[_Cut, ...]] = {
    "hesitation": (
        (re.compile(rf"{_BEGIN}[Uu][hm]{_NO_ANSWER}, "), ""),
        (re.compile(rf"(?<=,){_HESITATION}(?:,(?= )|(?= ))"), ""),
        (re.compile(rf"{_HESITATION}(?=, )"), ""),
    ),
    "repeated word": (
        (re.compile(r"(?<![-'])\b(the|and|my|our|your|their)(?:,? \1)+\b(?![-'])"), r"\1"),
        (re.compile(r"(?<![-'])\b(an?)(?: \1)+\b(?![-'])"), r"\1"),
        (re.compile(rf"({_BEGIN}(?:(?:and|but) )?)(we|they|he|she)(?: \2)+\b(?![-'])"), r"\1\2"),
        (re.compile(rf"({_BEGIN}(?:(?:and|but) )?)[Ii](?: I)+\b(?![-'])"), r"\1I"),
    ),
    "form of address": (
        (re.compile(rf"{_BEGIN}{_TITLE}, "), ""),
        (re.compile(rf", {_TITLE}(?=[.?!]|$)"), ""),
    ),
}
"""The words that may be left out, with the words that stay in their place, by the name of the reason."""
# An interruption after which a speaker is taken to go on with the same sentence, in sentences.
_INTERRUPTION = 3
_QUOTED_BEFORE = 40
# „Nein“, »nein«: the second mark of each pair closes what the first has opened, and else opens.
_OPENED_BY = {"“": "„", "«": "»"}
_QUOTATION_MARK = re.compile(r"[\"“”„«»]")
_OPENS = re.compile(r"(?:^|[\s(\[—–-])(?:\"|[”»]\w)")


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
    if not row[-1].ended or not all(row[-1].ends_before(other) for other in _neighbours(row[-1], sentences, 1)):
        return "the last sentence has no certain end"
    if row[0].text[:1].islower():
        return "the first sentence begins with a small letter"
    if not all(other.ends_before(row[0]) for other in _neighbours(row[0], sentences, -1)):
        return "the speaker's sentence before has no certain end"
    if any(other.text[:1].islower() for other in _neighbours(row[-1], sentences, 1)):
        return "the speaker's sentence behind begins with a small letter"
    if _is_in_quotation(row, sentences):
        return "the sentences stand in quotation marks, or have a part of a quotation"
    return None


def _neighbours(sentence: Sentence, sentences: Sequence[Sentence], step: int) -> list[Sentence]:
    """Return the speaker's last sentence before, or first one behind, if no more than an interruption is between.

    Two speakers without names may be one, and a speaker without a name any: each such turn within that distance counts.
    """
    near = []
    for at in range(sentence.position + step, sentence.position + step * (_INTERRUPTION + 2), step):
        if 0 <= at < len(sentences) and sentences[at].may_be_voice_of(sentence):
            near.append(sentences[at])
            if sentences[at].is_voice_of(sentence):
                break
    return near


def _is_everything(row: Sequence[Sentence], sentences: Sequence[Sentence]) -> bool:
    """Return whether a speaker says nothing in the source beyond a row of sentences."""
    own = range(row[0].position, row[-1].position + 1)
    return not any(other.may_be_voice_of(row[0]) and other.position not in own for other in sentences)


def _is_in_quotation(row: Sequence[Sentence], sentences: Sequence[Sentence]) -> bool:
    """Return whether a row begins within a quotation that its speaker has opened, or holds a part of one.

    Of speakers without names each turn may hold the beginning.
    """
    opened: dict[str | int, str] = {}
    for other in sentences[max(0, row[0].position - _QUOTED_BEFORE) : row[0].position]:
        if other.may_be_voice_of(row[0]):
            voice = other.speaker or other.parts[0].turn
            opened[voice], _ = _quotation(other.text, opened.get(voice, ""))
    left, closed = _quotation(" ".join(sentence.text for sentence in row), "")
    return any(opened.values()) or left != "" or closed


def _quotation(text: str, opened: str) -> tuple[str, bool]:
    """Return the mark of the quotation that is open behind a text, "" if none, and whether one is closed unopened."""
    unopened = False
    for match in _QUOTATION_MARK.finditer(text):
        mark = match[0]
        if mark in _OPENED_BY:
            opens = opened != _OPENED_BY[mark]
        else:
            opens = mark == "„" or _OPENS.match(text, max(0, match.start() - 1)) is not None
        unopened = unopened or not (opens or opened)
        opened = mark if opens else ""
    return opened, unopened
