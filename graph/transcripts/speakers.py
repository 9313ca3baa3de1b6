"""The name of a speaker: the label of the captions, or the name that a numbered speaker gives at the beginning."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.transcripts.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Introduction:
    """The sentence in which a numbered speaker gives a name."""

    name: str
    sentence: Sentence


_NUMBERED = re.compile(r"(?:speaker|voice|spk|person|participant)?[\s_#-]*\d+", re.IGNORECASE)
_WORD = r"[A-Z][\w.’'-]*"
_NAME = rf"({_WORD}(?: (?:de|del|della|der|di|du|la|van|von|bin|al|{_WORD}))* [A-Z][\w’'-]+)"
_TITLE = r"(?:[Cc]ouncil ?[Mm]ember |[Cc]hair |[Rr]everend |[Dd]octor |Dr\.? |[Pp]rofessor |[Ss]enator |[Pp]astor )?"
_MY_NAME = re.compile(rf"\b[Mm]y name(?:'s|’s| is) {_TITLE}{_NAME}")
_I_AM = re.compile(rf"^(?:[\w ,]{{0,30}}[,.] )?I(?:'m|’m| am) {_TITLE}{_NAME}(?=,|\.$| and | with | from | of the )")
_NOT_A_NAME = frozenset(
    [
        "American",
        "Americans",
        "Bronx",
        "Brooklyn",
        "City",
        "Council",
        "Board",
        "Community",
        "Director",
        "District",
        "Hispanic",
        "Jewish",
        "Manhattan",
        "Member",
        "New",
        "Planning",
        "President",
        "Queens",
        "State",
        "Street",
        "Union",
        "Yorker",
        "Yorkers",
    ]
)
_ROLE = re.compile(
    r"\b(?:president|director|officer|chief|clerk|attorney|member|mayor|manager|secretary|treasurer|commissioner|chair|"
    r"chairman|chairwoman|chairperson|planner|engineer|forester|librarian|resident|owner|parent|commuter|housekeeper|moderator|"
    r"interpreter|sergeant|host|speaker|narrator|witness|applicant|tenant|teacher|student)\b",
    re.IGNORECASE,
)
_OPENING_SENTENCES = 8
_LONGEST_INTERRUPTION = 12


def is_numbered(label: str | None) -> bool:
    """Return whether a label is only a number ("Speaker 12")."""
    return label is not None and _NUMBERED.fullmatch(label.strip()) is not None


def find_introductions(sentences: Sequence[Sentence]) -> Mapping[int, Introduction]:
    """Map the position of a sentence to the introduction its speaker gave earlier in the same turn.

    Only for numbered speakers: captions by machine give one number to several people in a long meeting, so that a name
    holds only for the turn in which it is given.
    """
    found: dict[int, Introduction] = {}
    turns: dict[str, tuple[int, int, Introduction | None]] = {}
    for index, sentence in enumerate(sentences):
        label = sentence.speaker
        if label is None or not is_numbered(label):
            continue
        last, spoken, introduction = turns.get(label, (index, 0, None))
        if index - last > _LONGEST_INTERRUPTION:
            spoken, introduction = 0, None
        if spoken < _OPENING_SENTENCES and (name := name_given(sentence.text)):
            introduction = Introduction(name, sentence)
        turns[label] = (index, spoken + 1, introduction)
        if introduction is not None:
            found[sentence.position] = introduction
    return found


def name_given(text: str) -> str | None:
    """Return the name in the speaker's own introduction, None if the sentence has none."""
    for pattern in (_MY_NAME, _I_AM):
        match = pattern.search(text)
        if match is not None and not set(match.group(1).split()) & _NOT_A_NAME and len(match.group(1).split()) <= 4:
            return re.sub(r"['’]s$", "", match.group(1))
    return None


def attribution(label: str | None, introduction: Introduction | None = None) -> str:
    """Name a speaker inside a sentence: "the Planning Director", "Speaker 12", a name, or "a speaker"."""
    if introduction is not None:
        return introduction.name
    if label is None:
        return "a speaker"
    if label.isupper() and len(label) > 3:
        label = label.title()
    return f"the {label}" if _ROLE.search(label) and not is_numbered(label) else label
