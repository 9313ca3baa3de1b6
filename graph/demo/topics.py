"""Topics of a meeting: its agenda items or, without an agenda, the themes of its words."""

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

from graph.demo.passages import Passage, find_passages
from graph.transcripts.agenda import AgendaItem, find_agenda
from graph.transcripts.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Topic:
    """One agenda item or theme with its passages, in the order of the file.

    `number` and `call` (the sentence that calls the item) are those of the agenda; a theme has neither.
    """

    title: str
    number: int | None
    call: Sentence | None
    passages: tuple[Passage, ...]

    @property
    def heading(self) -> str:
        """The title as a heading: the number in front, a capital letter at the start."""
        title = re.sub(r"^(?:the|a|an) ", "", self.title)
        title = title[:1].upper() + title[1:]
        return title if self.number is None else f"Item {self.number}: {title}"


_FILLER = """
able accommodate actually address addressing ago ahead ain allow allows alright also applause area areas ask
asked asking bad based begin behalf believe best better big bit bring bye came chair change changes city come
comes coming committee concerned conclude consider consist consists could couldn council councilmember create
creates creating day days did didn different does doesn doing don easy encourage ensure evening excuse fact far
favor feel folks followed following future gavel gets getting give given gives going gone gonna good got gotta
great guys hadn happen happened happening happy hard hasn haven having hear heard hearing hello help helps here
hi hope hour hours idea important including isn issue issues just keep kind know lack large later laughs left
let like likely literally little live lives living ll long longer look looking lot lots love madam make makes
making matter maybe mean means meeting member members million minute minutes moment month months morning move
much name need needed needs new next nice night number numbers office oh ok okay old online opportunity oppose
opposed order panel panelists particularly pass past people percent person place places plan plans please point
position possible president pretty probably problem proposal proposals propose proposed proud provide provides
providing put question questions quite real really reason reasons represent resident residents right room said
sat saying says second see seen sense shouldn simply single sir small soon sort speak speaker speakers speaking
special start started stop strong strongly submit support supporting supports sure take taken takes taking talk
talking tell telling testify testimony text thank thanks thing things think thought time times today together
told tonight true try trying uh um understand urge use used using ve vote voted voting wait wanna want wanted
wants wasn way ways week weekend weeks welcome went weren wish witness won wonderful word words work worked
working worth wouldn written wrong yeah year years yes yesterday york yorker yorkers young
"""
_DULL = ENGLISH_STOP_WORDS | frozenset(_FILLER.split())
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PASSAGES_PER_THEME = 25
_MOST_THEMES = 14
_WEAKEST_SHARE = 0.35
_COMMONEST = (0.12, 0.4, 1.0)
_FEW_PASSAGES = 100
_ENOUGH_TERMS = 40


def find_topics(sentences: Sequence[Sentence]) -> tuple[Topic, ...]:
    """Divide a meeting into topics. The same sentences give the same topics."""
    agenda = find_agenda(sentences)
    if agenda:
        return tuple(_of_item(item) for item in agenda)
    return _themes(find_passages(sentences))


def _of_item(item: AgendaItem) -> Topic:
    passages = tuple(passage for passage in find_passages(item.sentences) if passage.sentences != (item.call,))
    return Topic(item.title, item.number, item.call, passages)


def _themes(passages: Sequence[Passage]) -> tuple[Topic, ...]:
    if not passages:
        return ()
    count = max(1, min(_MOST_THEMES, len(passages) // _PASSAGES_PER_THEME))
    weighed = _weigh([passage.text for passage in passages])
    if weighed is None:
        return (Topic("the meeting", None, None, tuple(passages)),)
    weights, terms = weighed
    if count == 1:
        return (Topic(_label(terms, numpy.asarray(weights.sum(axis=0)).ravel()), None, None, tuple(passages)),)
    model = NMF(n_components=count, init="nndsvda", random_state=0, max_iter=200, tol=1e-3)
    with warnings.catch_warnings():
        # Themes need no more precision than 200 rounds give.
        warnings.simplefilter("ignore", ConvergenceWarning)
        shares = model.fit_transform(weights)
    totals = shares.sum(axis=1)
    best = shares.argmax(axis=1)
    topics = []
    for theme in range(count):
        clear = (best == theme) & (shares[:, theme] >= _WEAKEST_SHARE * totals) & (totals > 0)
        members = tuple(passages[int(index)] for index in numpy.flatnonzero(clear))
        if members:
            topics.append(Topic(_label(terms, model.components_[theme]), None, None, members))
    return tuple(sorted(topics, key=lambda topic: topic.passages[0].position))


def _weigh(texts: Sequence[str]) -> tuple[Any, Sequence[str]] | None:
    """Return the TF-IDF weights of the texts and their terms; None if there is nothing but filler."""
    # Words that nearly everybody says divide nothing; in a short meeting there may be nothing else.
    for share in _COMMONEST if len(texts) > _FEW_PASSAGES else _COMMONEST[-1:]:
        least = min(4, max(1, len(texts) // 100))
        vectorizer = TfidfVectorizer(analyzer=_terms, sublinear_tf=True, min_df=least, max_df=share)
        try:
            weights = vectorizer.fit_transform(texts)
        except ValueError:
            continue
        if weights.shape[1] >= _ENOUGH_TERMS or share == _COMMONEST[-1]:
            return weights, vectorizer.get_feature_names_out()
    return None


def _terms(text: str) -> list[str]:
    """Return the telling words, and the pairs of them that are adjacent in the text."""
    words = _WORD.findall(text.lower())
    telling = [len(word) > 2 and word not in _DULL for word in words]
    pairs = [f"{words[i]} {words[i + 1]}" for i in range(len(words) - 1) if telling[i] and telling[i + 1]]
    return [word for word, tells in zip(words, telling, strict=True) if tells] + pairs


def _label(terms: Sequence[str], weights: numpy.ndarray) -> str:
    """Name a theme by its three strongest terms, a pair of words before either word of it."""
    chosen: list[str] = []
    ranked = [terms[index] for index in numpy.argsort(-weights, kind="stable")[:12]]
    pairs = [term for term in ranked if " " in term]
    for term in ranked:
        longer = next((pair for pair in pairs if term in pair.split()), term)
        if not any(set(longer.split()) & set(other.split()) for other in chosen):
            chosen.append(longer)
    return ", ".join(chosen[:3])
