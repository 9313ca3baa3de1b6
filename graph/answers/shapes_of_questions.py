"""Shapes of common questions in plain English: the first shape that fits, by the words of the question alone.

A shape names the query that answers it (`cypher/questions/`) and its input: the topic's statements, the agent or the
documents that the question names. Every other question asks for statements about its topic.
"""

import re
from dataclasses import dataclass

_NUMBER = r"\bhow (?:many|often|much)\b|\bnumber of\b|\bcount\b"
_AGREE = r"\b(?:agree|agrees|agreed|agreement|agreements|concur|concurs)\b"
_DISAGREE = r"\b(?:disagree|disagrees|disagreed|disagreement|disagreements|dispute|disputes)\b"
_CONTRADICT = r"\bcontradict(?:s|ed|ing|ion|ions|ory)?\b|\bconflict(?:s|ing)?\b|\binconsisten(?:t|cy|cies)\b"
_RELIABLE = r"\b(?:reliable|reliability|trustworthy|trust|trusted|reputation|accurate|accuracy|track record)\b"
_CHECK = r"\b(?:verif(?:y|ied|ies|ier|iers)|check(?:ed|s)?|judge[ds]?|validate[ds]?|review(?:ed|s)?)\b"
_CHALLENGE = r"\bchallenge[ds]?\b|\bobject(?:ed|s|ion|ions)?\b|\brefuse[ds]?\b"
_SOURCE = r"\b(?:sources?|documents?|evidence|transcripts?|recordings?)\b"
_REST = r"\b(?:rests?|resting|based|cite[ds]?|citing|depends?|comes?|derive[ds]?|uses?)\b"


@dataclass(frozen=True, slots=True)
class Named:
    """The things that a question names: an agent by its id, documents by their keys, and the remaining topic."""

    agent: str | None
    documents: tuple[str, ...]
    topic: str


@dataclass(frozen=True, slots=True)
class QuestionShape:
    """A query by its name in `cypher/questions/`, and whether it needs the statements about the topic."""

    query: str
    about_topic: bool = False


def shape_of_question(question: str, named: Named) -> QuestionShape:
    """Return the shape of a question."""
    text = question.lower()
    if _has(text, _NUMBER):
        return _number(text, named)
    if named.documents:
        return QuestionShape("resting_on")
    if named.agent is not None:
        return _of_agent(text, named)
    return _of_topic(text, named)


def _number(text: str, named: Named) -> QuestionShape:
    if named.agent is not None and not named.documents:
        return QuestionShape("count_statements_by")
    if re.search(r"\b(?:agents|authors|verifiers)\b", text) and not named.topic:
        return QuestionShape("count_agents")
    if re.search(r"\b(?:verdicts|verifications|judgements|checks)\b", text) and not named.topic:
        return QuestionShape("count_verdicts")
    if _has(text, _SOURCE) and not named.topic:
        return QuestionShape("count_sources")
    return QuestionShape("count_statements_of", True) if named.topic else QuestionShape("count_statements")


def _of_agent(text: str, named: Named) -> QuestionShape:
    if _has(text, _RELIABLE):
        return QuestionShape("reliability_of")
    if _has(text, _AGREE):
        return QuestionShape("who_agrees_with")
    if _has(text, _CHECK) or _has(text, _CHALLENGE):
        return QuestionShape("verdicts_by")
    return QuestionShape("said_by_about", True) if named.topic else QuestionShape("said_by")


def _of_topic(text: str, named: Named) -> QuestionShape:
    for pattern, alone, about in _SHAPES:
        if not _has(text, pattern):
            continue
        if named.topic and about:
            return QuestionShape(about, True)
        if alone:
            return QuestionShape(alone)
    return QuestionShape("statements_about", True) if named.topic else QuestionShape("newest")


# The words, the query that answers them where there is no topic, and the query where there is one.
_SHAPES = (
    (_DISAGREE, "who_disagrees", "contradictions_about"),
    (_CONTRADICT, "contradictions", "contradictions_about"),
    (_AGREE, "who_agrees", None),
    (
        r"\b(?:not (?:yet )?(?:verified|accepted|confirmed)|unverified|unconfirmed|unaccepted)\b",
        None,
        "statements_unverified",
    ),
    (r"\bwho\b.*" + f"(?:{_CHECK})", "count_verdicts", "verdicts_on"),
    (_CHALLENGE, "challenged", "challenged_about"),
    (r"\b(?:verified|accepted|confirmed|certain|fact|facts|true)\b", None, "statements_verified"),
    (r"\b(?:retract(?:ed|ion|ions)?|withdr[ae]wn?|take[ns]? back|took back)\b", "retracted", None),
    (r"\b(?:revis(?:e|ed|es|ion|ions)|correct(?:ed|ion|ions)|supersede[ds]?)\b", "revised", None),
    (r"\bsupport(?:s|ed|ing)?\b|\bback(?:s|ed)? up\b|\bcorroborat(?:e|es|ed|ion)\b", None, "support_for"),
    (r"\b(?:most|best|more) " + f"(?:{_RELIABLE})|{_RELIABLE}", "most_reliable", None),
    (r"\bwaiting\b|\bopen requests?\b|\bpending\b|\bstill to be\b", "open_requests", None),
    (r"\bwhen\b|\bwhat (?:time|day|date)\b", None, "when_said"),
    (r"\bwho\b", "agents", "who_said"),
    (
        f"{_SOURCE}.*(?:{_REST})|(?:{_REST}).*{_SOURCE}|\\bwhich {_SOURCE}|\\bwhat {_SOURCE}",
        "most_cited_sources",
        "sources_of",
    ),
    (r"\b(?:agents|authors|verifiers)\b", "agents", None),
    (r"\b(?:latest|newest|recent|recently|last|new)\b", "newest", None),
)


def _has(text: str, pattern: str) -> bool:
    return re.search(pattern, text) is not None
