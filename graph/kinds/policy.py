"""The policies of the node: how statements are scored here, and which agents are admitted."""

import json

from a2ap.log.entry import LogEntry
from a2ap.messages.admission_policy import AdmissionPolicy
from a2ap.messages.policy import Policy
from a2ap.times import format_instant
from graph.errors import TargetError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.state import AdmissionRecord, State
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Rows
from graph.scoring.judgements import PRIOR_NAMES


def _policy_names(message: Policy, wanted: WantedNames) -> None:
    wanted.agents.update(message.seeds)


def _check_seeds(message: Policy, state: State, _terms: Terms) -> None:
    """Raise `TargetError` unless every seed is registered: an agent that took its name later would become a seed."""
    for index, seed in enumerate(message.seeds):
        if seed not in state.agents:
            raise TargetError(
                f"agent {seed} is not registered, and the policy would trust any agent that takes that name",
                f"seeds[{index}]",
            )


def _add_policy_rows(rows: Rows, message: Policy, entry: LogEntry, _state: State, _content: StoredContent) -> None:
    row = {
        "policy_id": entry.id,
        "signed_hash": entry.signed_hash,
        "issued_at": format_instant(message.envelope.time),
        "threshold": message.threshold,
        "quorum": message.quorum,
        "seeds": list(message.seeds),
        "method": message.method,
        "criteria": list(message.criteria),
        "unseeded_weight": message.unseeded_weight,
        "version": message.version,
        "epoch_length": message.epoch_length,
        **{f"prior_{name}": list(getattr(message.priors, name)) for name in PRIOR_NAMES},
        "family_correlation": message.priors.family_correlation,
        "draw_operators": None if message.draw is None else message.draw.operators,
        "draw_from": None if message.draw is None else message.draw.least,
        "draw_window": None if message.draw is None else message.draw.window,
        "log_index": entry.log_index,
    }
    rows.add("write_policies", row)


POLICY = Kind(
    Policy,
    agent_member="issuingAgent",
    mutation=("set_policy", "Set the policy of this node, signed by its key (a2ap:Policy)."),
    node_only="sets the policy here",
    names=_policy_names,
    check=_check_seeds,
    add_rows=_add_policy_rows,
)


def _record_admission_policy(message: AdmissionPolicy, state: State, _has_proof: bool) -> None:
    state.admission = AdmissionRecord(
        message.mode,
        frozenset(message.allowed_agents),
        frozenset(message.invitations),
        state.admission.seeds,
    )


def _add_admission_policy_rows(
    rows: Rows, message: AdmissionPolicy, entry: LogEntry, _state: State, _content: StoredContent
) -> None:
    row = {
        "policy_id": entry.id,
        "signed_hash": entry.signed_hash,
        "issued_at": format_instant(message.envelope.time),
        "mode": message.mode.value,
        "allowed_agents": list(message.allowed_agents),
        "invitations": list(message.invitations),
        # As it was said: a member that it does not name may have another default in another version.
        "quotas": json.dumps(said, sort_keys=True) if (said := message.envelope.document.get("quotas")) else None,
        "log_index": entry.log_index,
    }
    rows.add("write_admission_policies", row)


ADMISSION_POLICY = Kind(
    AdmissionPolicy,
    agent_member="issuingAgent",
    mutation=(
        "set_admission_policy",
        "Set the conditions of admission of agents, signed by the node's key (a2ap:AdmissionPolicy).",
    ),
    node_only="sets the admission policy here",
    record=_record_admission_policy,
    add_rows=_add_admission_policy_rows,
)
