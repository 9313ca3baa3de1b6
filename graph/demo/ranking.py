"""The order of answers: verified ones on the topic itself first, repetitions of other answers later."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log, sqrt

from graph.demo.claim_words import take_apart
from graph.verifier.words import figures_of, stem, telling_stems, words_of

_TOPIC_IN_WORDS, _TOPIC_IN_FRAME = 1.0, 0.5
_VERIFIED = 1.0
_CENTRAL = 0.8
_FIGURE, _MOST_FIGURES = 0.08, 2
_RIGHT_LENGTH = 0.3
_OTHER_FORM = 0.6
_DECIDED, _ARGUED = 0.3, 0.2
_REPETITION = 0.8
_NOTHING_NEW = 1.5
_ARGUMENT = re.compile(r"\b(?:support|oppose|should|need|would|must|because|cannot|will not|won't|allow|require)s?\b")
_OUTCOME = re.compile(r"\b(?:approved|adopted|authorized|rejected|passes|carries|the vote is)\b")


def rank(topic: str, claims: Sequence[str], verified: Sequence[bool]) -> tuple[int, ...]:
    """Return the places of the claims in the order of display.

    Claims without any word of the topic are left out, unless none has one (the platform may match more than words).
    """
    wanted = words_of(topic)
    parts = [take_apart(claim) for claim in claims]
    spoken = [words_of(part.quote if part.quote is not None else part.frame) for part in parts]
    frames = [words_of(part.frame) if part.quote is not None else () for part in parts]
    stems = [telling_stems(words) for words in spoken]
    speaks = [_share(wanted, words) for words in spoken]
    framed = [_share(wanted, words) for words in frames]
    kept = [place for place in range(len(claims)) if speaks[place] or framed[place]] or list(range(len(claims)))
    rarity = _rarity([stems[place] for place in kept])
    headings = telling_stems(word for place in kept for word in frames[place])
    central = _centrality([stems[place] for place in kept])
    merit = {
        place: _VERIFIED * verified[place]
        + _TOPIC_IN_WORDS * speaks[place]
        + _TOPIC_IN_FRAME * framed[place]
        + _CENTRAL * central[number]
        + _FIGURE * min(_MOST_FIGURES, len(figures_of(spoken[place])))
        + (_RIGHT_LENGTH if 10 <= len(spoken[place]) <= 45 else 0.0)
        + (_DECIDED if _OUTCOME.search(claims[place]) else 0.0)
        + (_ARGUED if _ARGUMENT.search(claims[place]) else 0.0)
        - (_NOTHING_NEW if stems[place] <= headings else 0.0)
        for number, place in enumerate(kept)
    }
    order: list[int] = []
    repeated = dict.fromkeys(kept, 0.0)
    while merit:
        best = min(merit, key=lambda place: (-(merit[place] - _REPETITION * repeated[place]), place))
        order.append(best)
        del merit[best]
        for place in merit:
            repeated[place] = max(repeated[place], _likeness(stems[best], stems[place], rarity))
    return tuple(order)


def _share(wanted: Sequence[str], words: Sequence[str]) -> float:
    """Return the share of the topic in the words; another form of a word ("zones" for "zoning") counts less."""
    stems = {stem(word) for word in words}
    held = sum(1.0 if word in words else _OTHER_FORM if stem(word) in stems else 0.0 for word in wanted)
    return held / len(wanted) if wanted else 0.0


def _centrality(claims: Sequence[frozenset[str]]) -> list[float]:
    """Return how much of each claim the other claims mention too, scaled so that the most central claim is 1."""
    counts = Counter(word for claim in claims for word in claim)
    shared = [sum(counts[word] - 1 for word in claim) / sqrt(len(claim)) if claim else 0.0 for claim in claims]
    most = max(shared, default=0.0)
    return [share / most if most else 0.0 for share in shared]


def _rarity(claims: Sequence[frozenset[str]]) -> dict[str, float]:
    counts = Counter(word for claim in claims for word in claim)
    return {word: log(1 + len(claims) / count) for word, count in counts.items()}


def _likeness(left: frozenset[str], right: frozenset[str], rarity: dict[str, float]) -> float:
    def weight(words: frozenset[str]) -> float:
        return sum(rarity.get(word, 0.0) ** 2 for word in words)

    norm = sqrt(weight(left) * weight(right))
    return weight(left & right) / norm if norm else 0.0
