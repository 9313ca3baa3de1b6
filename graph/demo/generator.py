"""The author's work: from the sentences of a meeting to claims, by topic, with or without a language model."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from graph.demo.claims import DraftClaim, quote_claim
from graph.demo.model_claims import write_claims
from graph.demo.passages import Passage
from graph.demo.picking import pick_passages
from graph.demo.topics import Topic, find_topics
from graph.models.chat_model import ChatModel
from graph.models.errors import ModelError
from graph.transcripts.sentences import Sentence
from graph.transcripts.speakers import find_introductions
from graph.verifier.whole_sentences import doubt_about


@dataclass(frozen=True, slots=True)
class TopicClaims:
    """The claims about one topic in the order of the file; with an agenda, the first one opens the item."""

    heading: str
    claims: tuple[DraftClaim, ...]


_CALLS_AT_ONCE = 4


def generate_claims(
    sentences: Sequence[Sentence],
    model: ChatModel | None = None,
    say: Callable[[str], None] = lambda _: None,
    check: Callable[[], None] = lambda: None,
) -> tuple[TopicClaims, ...]:
    """Write the claims of a meeting, no two with the same text.

    With a model, it words the claims and chooses their sentences; a topic for which it fails falls back to quotations,
    and `say` receives one line about it. `check` is called before each topic and may raise to stop.
    """
    topics = [_of_whole_sentences(topic, sentences) for topic in find_topics(sentences)]
    introductions = find_introductions(sentences)

    def draft(topic: Topic, picked: Topic) -> TopicClaims:
        check()
        claims: tuple[DraftClaim, ...] = ()
        if model is not None:
            try:
                claims = write_claims(model, topic, introductions)
            except ModelError as error:
                say(f"{topic.heading}: {error}; quoting instead")
        if not claims:
            claims = tuple(quote_claim(topic, passage, introductions) for passage in picked.passages)
        if topic.call is not None:
            opening = Passage((topic.call,))
            claims = (quote_claim(topic, opening, introductions), *claims)
        return TopicClaims(topic.heading, claims)

    with ThreadPoolExecutor(_CALLS_AT_ONCE if model is not None else 1) as pool:
        drafted = list(pool.map(draft, topics, pick_passages(topics)))
    return _without_repeats(drafted)


def _of_whole_sentences(topic: Topic, sentences: Sequence[Sentence]) -> Topic:
    """Keep the passages that a verifier can pass; all of them if it can pass none, as without punctuation."""
    passages = tuple(passage for passage in topic.passages if doubt_about(passage.sentences, sentences) is None)
    return replace(topic, passages=passages or topic.passages)


def _without_repeats(topics: Sequence[TopicClaims]) -> tuple[TopicClaims, ...]:
    # The id of a statement is derived from its claim (A2AP Appendix A): one text, one statement.
    seen: set[str] = set()
    kept = []
    for topic in topics:
        claims = []
        for claim in topic.claims:
            if claim.text not in seen:
                seen.add(claim.text)
                claims.append(claim)
        if claims:
            kept.append(replace(topic, claims=tuple(claims)))
    return tuple(kept)
