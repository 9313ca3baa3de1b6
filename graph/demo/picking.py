"""Selection of passages for claims: central to the topic, full of facts, and without repetition."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

from graph.demo.passages import Passage, stumbles
from graph.demo.topics import Topic

_FIGURE = re.compile(r"\d")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_DECISION = re.compile(
    r"\b(?:motion|moves?|vote[ds]?|pass(?:es|ed)|carries|carried|approved?|adopt(?:ed)?|reject(?:ed)?|recommends?(?:ed)?|opposed?"
    r"|support(?:s|ed)?|requires?|condition(?:s|ed)?|limit(?:s|ed)?|would|costs?|deadline|because|should|must|cannot)\b",
    re.IGNORECASE,
)
_OUTCOME = re.compile(
    r"\b(?:passes|carries|(?:is|are) (?:approved|adopted|rejected|authorized)|the vote is|voted no|\d+ to \d+)\b",
    re.IGNORECASE,
)
_ABOUT_ONESELF = re.compile(r"^(?:(?:And|So|Well|Again),? )?(?:I(?:['’]m|['’]ve| am| live| was| just)|My name)\b")
_PER_ROOT = 2.0
_FEWEST, _MOST = 3, 16
_SAID_ALREADY = 0.6


def pick_passages(topics: Sequence[Topic]) -> tuple[Topic, ...]:
    """Keep the best passages of each topic, from three of a short one to sixteen of a long one, in their order.

    A topic may be left without passages. No two of the selected passages of a meeting have the same text.
    """
    passages = [passage for topic in topics for passage in topic.passages]
    if not passages:
        return tuple(topics)
    vectorizer = TfidfVectorizer(stop_words=sorted(ENGLISH_STOP_WORDS), sublinear_tf=True, token_pattern=r"(?u)\b\w+\b")
    try:
        weights = vectorizer.fit_transform([passage.text for passage in passages])
    except ValueError:  # Nothing but stop words.
        return tuple(replace(topic, passages=()) for topic in topics)
    picked: list[Topic] = []
    seen: set[str] = set()
    first = 0
    for topic in topics:
        rows = weights[first : first + len(topic.passages)]
        first += len(topic.passages)
        picked.append(replace(topic, passages=_pick(topic.passages, rows, seen) if topic.passages else ()))
    return tuple(picked)


def _pick(passages: Sequence[Passage], rows: "numpy.ndarray", seen: set[str]) -> tuple[Passage, ...]:
    centre = numpy.asarray(rows.mean(axis=0)).ravel()
    centrality = rows @ (centre / (numpy.linalg.norm(centre) or 1.0))
    scores = centrality / (centrality.max() or 1.0) + numpy.array([_facts(passage.text) for passage in passages])
    wanted = min(_MOST, max(_FEWEST, round(_PER_ROOT * len(passages) ** 0.5)))
    redundancy = numpy.zeros(len(passages))
    speakers: dict[str | None, int] = {}
    sentences: set[int] = set()
    chosen: list[int] = []
    while len(chosen) < wanted:
        heard = numpy.array([0.06 * speakers.get(passage.speaker, 0) for passage in passages])
        ranking = scores - 0.8 * redundancy - heard
        index = next((int(i) for i in numpy.argsort(-ranking, kind="stable") if numpy.isfinite(ranking[i])), None)
        if index is None:
            break
        scores[index] = -numpy.inf
        passage = passages[index]
        places = {sentence.position for sentence in passage.sentences}
        if passage.text in seen or redundancy[index] > _SAID_ALREADY or places & sentences:
            continue
        chosen.append(index)
        seen.add(passage.text)
        sentences |= places
        speakers[passage.speaker] = speakers.get(passage.speaker, 0) + 1
        redundancy = numpy.maximum(redundancy, (rows @ rows[index].T).toarray().ravel())
    return tuple(passages[index] for index in sorted(chosen))


def _facts(text: str) -> float:
    """Reward figures, names, decisions and reasons, and a length that is neither a fragment nor a speech."""
    words = text.split()
    figures = min(3, sum(_FIGURE.search(word) is not None for word in words))
    names = min(2, len(_NAME.findall(text)))
    decisions = min(2, len(_DECISION.findall(text)))
    length = 0.25 if 12 <= len(words) <= 40 else 0.0
    outcome = 0.6 if _OUTCOME.search(text) else 0.0
    personal = 0.5 if _ABOUT_ONESELF.match(text) else 0.0
    return 0.14 * figures + 0.06 * names + 0.12 * decisions + length + outcome - personal - 0.5 * stumbles(text)
