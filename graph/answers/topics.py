"""Topics of claims: the items of an agenda that they name, and otherwise the phrases that several of them share.

Rules:

- A claim of the form "On item 3, the zoning map, the Planning Director said: …" has the topic "zoning map".
- From the other claims the phrase of up to three words is taken that most of them share, longer phrases first among
  equals; then the next phrase, counted without the claims that have a topic already. The words of a phrase are compared
  by their stems, and its first and last word carry a meaning.
- A speaker is no topic: the words before the words that a claim attributes are not read.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graph.answers.question import is_telling
from graph.disputes.vocabulary import (
    EXISTENTIAL,
    FUNCTION_WORDS,
    HEDGES,
    LABELS,
    MONTHS,
    MULTIPLIERS,
    ONE_TIME,
    POLES,
    REPORTING,
    SMALL_NUMBERS,
    STATIVE,
    UNITS,
    WEEKDAYS,
    word_set,
)
from graph.search.words import STOP_WORDS, words_of
from graph.verifier.claim_form import read_form
from graph.verifier.claim_kind import speaker_of

_ARTICLES = ("the", "a", "an")
_LONGEST = 3  # words of a phrase
_LEAST = 2  # claims that share a phrase
_MAX_CLAIM = 1_000  # characters that are read of a claim
_WORTH = {1: 2, 2: 5, 3: 6}  # of a claim with a phrase of so many words
_NO_TOPIC = STOP_WORDS | FUNCTION_WORDS | SMALL_NUMBERS.keys() | MONTHS.keys() | WEEKDAYS.keys() | MULTIPLIERS.keys()
# Words that are no topic alone, and may be a part of one: "tree ordinance", "approved budget".
_NO_TOPIC_ALONE = EXISTENTIAL.union(HEDGES, LABELS, ONE_TIME, POLES, REPORTING, STATIVE, UNITS) | word_set(
    "change changes last next use used uses run runs keep keeps old new rise rises today area areas"
)

_Phrase = tuple[str, ...]  # stems


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic by its name, the number of claims that have it, and the article before the name in them, if any."""

    name: str
    claims: int
    article: str = ""

    @property
    def phrase(self) -> str:
        """Return the name with its article, as it stands in a sentence."""
        return f"{self.article} {self.name}".lstrip()


@lru_cache(maxsize=8)
def topics_of(claims: tuple[str, ...]) -> tuple[Topic, ...]:
    """Return the topics of claims, those of most claims first; each claim has one topic or none."""
    titles: dict[str, str] = {}
    articles: dict[str, str] = {}
    counts: Counter[str] = Counter()
    others: list[str] = []
    for claim in claims:
        found_title = title_of(claim[:_MAX_CLAIM])
        if found_title is None:
            others.append(read_form(claim[:_MAX_CLAIM]).words)
        else:
            article, title = found_title
            name = titles.setdefault(title.casefold(), title)
            articles.setdefault(name, article)
            counts[name] += 1
    found = [Topic(name, number, articles[name]) for name, number in counts.items()]
    found += [one for one in _shared_phrases(others) if one.name.casefold() not in titles]
    return tuple(sorted(found, key=lambda topic: -topic.claims))


def title_of(claim: str) -> tuple[str, str] | None:
    """Return the article and the title of the item of an agenda that a claim names; None if it names none."""
    form = read_form(claim)
    if form.item is None or form.frame is None or speaker_of(claim) is None:
        return None
    title = form.frame.rpartition(", ")[0].strip()
    article, _, rest = title.partition(" ")
    found = (article.lower(), rest) if article.lower() in _ARTICLES else ("", title)
    return found if found[1] else None


def _shared_phrases(texts: Sequence[str]) -> Iterator[Topic]:
    """Yield the phrases that texts share, each counted in the texts that have no phrase before it."""
    shown: dict[_Phrase, str] = {}
    holders: defaultdict[_Phrase, list[int]] = defaultdict(list)
    phrases_of: list[set[_Phrase]] = []
    for number, text in enumerate(texts):
        phrases = dict(_phrases(text))
        phrases_of.append(set(phrases))
        for phrase, words in phrases.items():
            shown.setdefault(phrase, words)
            holders[phrase].append(number)
    left = Counter({phrase: len(held) for phrase, held in holders.items() if len(held) >= _LEAST})
    done: set[int] = set()
    while left:
        best = max(left, key=lambda phrase: (left[phrase] * _WORTH[len(phrase)], len(phrase), shown[phrase]))
        yield Topic(shown[best], left[best])
        for number in holders[best]:
            if number not in done:
                done.add(number)
                left.subtract(phrase for phrase in phrases_of[number] if phrase in left)
        left = +Counter({phrase: number for phrase, number in left.items() if number >= _LEAST})


def _phrases(text: str) -> Iterator[tuple[_Phrase, str]]:
    words = words_of(text)
    tells = [_tells(word.text) for word in words]
    for start in range(len(words)):
        for end in range(start, min(start + _LONGEST, len(words))):
            between = text[words[start].start : words[end].end]
            if start == end and words[start].text in _NO_TOPIC_ALONE:
                continue
            if tells[start] and tells[end] and not any(mark in between for mark in '.,;:!?()“”"\n'):
                yield tuple(word.stem for word in words[start : end + 1]), between


def _tells(word: str) -> bool:
    return len(word) > 2 and word.isalpha() and word not in _NO_TOPIC and is_telling(word)
