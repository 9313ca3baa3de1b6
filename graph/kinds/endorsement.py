"""Endorsements: a registered agent vouches for another, named by its registration."""

from a2ap.log.entry import LogEntry
from a2ap.messages.endorsement import Endorsement
from a2ap.times import format_instant
from graph.errors import TargetError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.signatures import signing_key
from graph.kinds.state import State
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Rows


def _names(message: Endorsement, wanted: WantedNames) -> None:
    wanted.agents.add(message.endorsed_agent)


def _check(message: Endorsement, state: State, _terms: Terms) -> None:
    """Raise `TargetError` unless another agent is endorsed, by the hash of its registration."""
    if message.endorsed_agent == message.envelope.agent_id:
        raise TargetError(f"{message.endorsed_agent} endorses itself", "endorsedAgent")
    registration = state.agents.get(message.endorsed_agent)
    if registration is None:
        raise TargetError(f"agent {message.endorsed_agent} is not registered", "endorsedAgent")
    if message.target_hash != registration:
        raise TargetError(
            f"the registration of {message.endorsed_agent} is {registration} here, not {message.target_hash}",
            "targetHash",
        )


def _record(message: Endorsement, state: State, _has_proof: bool) -> None:
    state.endorsers.setdefault(message.endorsed_agent, set()).add(message.envelope.agent_id)


def _add_rows(rows: Rows, message: Endorsement, entry: LogEntry, state: State, _content: StoredContent) -> None:
    row = {
        "key_id": signing_key(message, state),
        "endorsing_agent": entry.agent,
        "endorsed_agent": message.endorsed_agent,
        "endorsement_id": entry.id,
        "signed_hash": entry.signed_hash,
        "endorsed_at": format_instant(message.envelope.time),
        "log_index": entry.log_index,
    }
    rows.add("write_endorsements", row)


ENDORSEMENT = Kind(
    Endorsement,
    agent_member="endorsingAgent",
    mutation=("endorse", "Endorse an agent (a2ap:Endorsement)."),
    from_peers=True,
    names=_names,
    check=_check,
    record=_record,
    add_rows=_add_rows,
)
