"""Answers to challenges: the author of a statement answers a verdict that challenges it."""

from a2ap.log.entry import LogEntry
from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.reference import Reference
from a2ap.messages.verification_response import Verdict
from a2ap.times import format_instant
from graph.errors import ForbiddenError, TargetError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.signatures import signing_key
from graph.kinds.state import State
from graph.kinds.targets import find_verdict
from graph.kinds.verification import pointer_columns
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Rows


def _names(message: ChallengeAnswer, wanted: WantedNames) -> None:
    wanted.targets.add(message.target_hash)


def _check(message: ChallengeAnswer, state: State, _terms: Terms) -> None:
    """Raise unless the target is a stored challenge of a statement by the answering agent."""
    verdict = find_verdict(Reference(message.target_verification, message.target_hash), "targetVerification", state)
    if verdict.verdict != Verdict.CHALLENGED:
        raise TargetError(
            f"{message.target_verification} is {verdict.verdict}, and a challenge is answered", "targetVerification"
        )
    agent = message.envelope.agent_id
    if verdict.author != agent:
        raise ForbiddenError(
            f"{message.target_verification} challenges a statement of {verdict.author}, and {agent} answers",
            "answeringAgent",
        )


def _add_rows(rows: Rows, message: ChallengeAnswer, entry: LogEntry, state: State, _content: StoredContent) -> None:
    challenge = state.verdicts.get(message.target_hash)
    row = {
        "signed_hash": entry.signed_hash,
        "document_hash": entry.document_hash,
        "answer_id": entry.id,
        "agent_id": entry.agent,
        "target_hash": message.target_hash,
        "statement_hash": None if challenge is None else challenge.statement,
        "text": message.text,
        "answered_at": format_instant(message.envelope.time),
        "received_at": format_instant(entry.received_at),
        "key_id": signing_key(message, state),
        "log_index": entry.log_index,
        **pointer_columns(message.evidence),
    }
    rows.add("write_challenge_answers", row)


CHALLENGE_ANSWER = Kind(
    ChallengeAnswer,
    agent_member="answeringAgent",
    mutation=("answer_challenge", "Answer a challenge of the agent's own statement (a2ap:ChallengeAnswer)."),
    from_peers=True,
    moves_scores=False,
    names=_names,
    check=_check,
    add_rows=_add_rows,
    writes=("write_challenge_answers",),
)
