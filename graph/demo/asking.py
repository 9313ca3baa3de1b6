"""Questions to the platform: its responses are read as answers, the most relevant first."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from a2ap.client import Client
from graph.answers.question import topic_of
from graph.demo.answer import Answer, Quotation, VerdictGiven
from graph.demo.ranking import rank
from graph.scoring.standing import ClaimKind, read_grounds

MAX_ANSWERS = 100

STATEMENT_READ = """
fragment StatementRead on Statement {
  id
  claimText
  claimKind
  standing
  confidence
  consensusScore
  verified
  machineCheck
  status
  retraction { retractedAt reason }
  supersededBy { id }
  generatedBy { id name }
  citations {
    sourceDocument
    byteRange { start end }
    quote
    withheld
    relevanceScore
    timestamp { start end startMilliseconds }
    chunk { document { hash title mediaType byteLength } }
  }
  verifications {
    verdict
    confidence
    verifiedAt
    machine
    binds
    retraction { id }
    reason
    agent { id name endorsedBy { id name } }
    findings { criterion status evidence confidence }
  }
  consensus { reasons interval { low high } operators ignored { verifier } }
}
"""
"""The GraphQL fields of a statement that is read as an answer."""

_QUERY = f"""
query StatementsAbout($topic: String!, $first: Int!) {{
  statementsAbout(topic: $topic, first: $first) {{ ...StatementRead }}
}}
{STATEMENT_READ}"""


def ask(client: Client, question: str, first: int = MAX_ANSWERS) -> tuple[Answer, ...]:
    """Return the statements about the topic of a question, the best answer first; reads up to `first` statements."""
    topic = topic_of(question)
    if not topic:
        return ()
    data = client.graphql(_QUERY, {"topic": topic, "first": first})
    answers = [
        read_answer(row, accepted=_is_fact(row), missing=row["consensus"]["reasons"]) for row in data["statementsAbout"]
    ]
    return tuple(answers[place] for place in _order(topic, answers))


def answers_of(found: dict[str, Any]) -> tuple[Answer, ...]:
    """Return the statements behind the platform's answer to a question, in its order: the accepted ones first."""
    return tuple(
        read_answer(sentence["statement"], accepted=accepted, missing=sentence["missing"])
        for accepted, sentences in ((True, found["accepted"]), (False, found["notYetAccepted"]))
        for sentence in sentences
    )


def best_first(question: str, answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """Return all answers, those most relevant to the topic of a question first."""
    topic = topic_of(question)
    order = _order(topic, answers) if topic else ()
    others = [place for place in range(len(answers)) if place not in order]
    return tuple(answers[place] for place in (*order, *others))


def read_answer(row: dict[str, Any], *, accepted: bool, missing: Sequence[str]) -> Answer:
    """Return a statement with the fields of `STATEMENT_READ` as an answer."""
    interval, operators = read_grounds(row["consensus"])
    return Answer(
        statement=row["id"],
        claim=row["claimText"],
        confidence=row["confidence"],
        consensus_score=row["consensusScore"],
        verified=row["verified"],
        machine_check=row["machineCheck"],
        agent=row["generatedBy"]["id"],
        agent_name=row["generatedBy"]["name"],
        claim_kind=None if row["claimKind"] is None else ClaimKind(row["claimKind"]),
        interval=interval,
        operators=operators,
        evidence=tuple(_read_quotation(citation) for citation in row["citations"]),
        verifications=_read_verdicts(row["verifications"], [one["verifier"] for one in row["consensus"]["ignored"]]),
        status=row["status"],
        retracted_because=row["retraction"]["reason"] if row["retraction"] else None,
        superseded_by=row["supersededBy"]["id"] if row["supersededBy"] else None,
        accepted=accepted,
        missing=tuple(missing),
    )


def _is_fact(row: dict[str, Any]) -> bool:
    return bool(row["verified"]) and row["status"] == "CURRENT"


def _order(topic: str, answers: Sequence[Answer]) -> tuple[int, ...]:
    return rank(topic, [answer.claim for answer in answers], [answer.verified for answer in answers])


def _read_quotation(row: dict[str, Any]) -> Quotation:
    timestamp, document = row["timestamp"], row["chunk"]["document"]
    return Quotation(
        document=row["sourceDocument"],
        document_hash=document["hash"],
        title=document["title"],
        start=row["byteRange"]["start"],
        end=row["byteRange"]["end"],
        timestamp=None if timestamp is None else (timestamp["start"], timestamp["end"]),
        start_ms=None if timestamp is None else timestamp["startMilliseconds"],
        quote=row["quote"],
        relevance=1.0 if row["relevanceScore"] is None else row["relevanceScore"],
        media_type=document["mediaType"],
        byte_length=document["byteLength"],
        withheld=row["withheld"] is not None,
    )


def _read_verdicts(rows: Sequence[dict[str, Any]], ignored: Sequence[str]) -> tuple[VerdictGiven, ...]:
    """Return the verdicts in their order; `ignored` names an agent once for each of its ignored verdicts."""
    left = Counter(ignored)
    without = set()
    # Of one agent's verdicts the retracted ones are ignored, those that bind to nothing, then the oldest ones; rows are
    # oldest first.
    for place in sorted(range(len(rows)), key=lambda place: (rows[place]["retraction"] is None, rows[place]["binds"])):
        agent = rows[place]["agent"]["id"]
        if left[agent] > 0:
            left[agent] -= 1
            without.add(place)
    return tuple(_read_verdict(row, counts=place not in without) for place, row in enumerate(rows))


def _read_verdict(row: dict[str, Any], *, counts: bool) -> VerdictGiven:
    return VerdictGiven(
        agent=row["agent"]["id"],
        name=row["agent"]["name"],
        operators=tuple(operator["name"] for operator in row["agent"]["endorsedBy"]),
        verdict=row["verdict"],
        confidence=row["confidence"],
        findings=tuple(dict(finding) for finding in row["findings"]),
        responded_at=row["verifiedAt"],
        machine=row["machine"],
        reason=row["reason"],
        counts=counts,
    )
