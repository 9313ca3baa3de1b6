"""Checks whether gold labels, disputes of them and probes can be accepted.

`graph.kinds.admission` checks that the node alone labels and commits. A label from a peer's log is that peer's word:
its commitment, and the disputes that it answers, are for the peer's log to check.
"""

from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel
from a2ap.messages.probe import commit
from a2ap.messages.verification_response import VerificationResponse
from graph.errors import ConflictError, ForbiddenError, TargetError
from graph.kinds.state import State
from graph.kinds.targets import find_statement


def check_gold_label(message: GoldLabel, state: State, origin: str | None) -> None:
    """Raise unless the statement is here, the answered disputes are about it, and the label reveals a probe truly."""
    find_statement(message.target_statement, message.target_hash, state, "targetStatement")
    if origin is not None:
        return
    for index, name in enumerate(message.answers):
        dispute = state.gold_disputes.get(name)
        label = None if dispute is None else state.gold_labels.get(dispute.label)
        if label is None or (label.statement, label.criterion) != (message.target_hash, message.criterion):
            raise TargetError(
                f"{name} is no dispute of a gold label of {message.target_statement} under {message.criterion}",
                f"answers[{index}]",
            )
    if message.probe is not None:
        _check_probe(message, state)


def check_gold_dispute(message: GoldDispute, state: State) -> None:
    """Raise unless the label is here and not withdrawn, and another agent disputes it for the first time."""
    agent, name = message.envelope.agent_id, message.target_hash
    label = state.gold_labels.get(name)
    if label is None or label.label_id != message.target_label:
        raise TargetError(f"no gold label {message.target_label} with the hash {name} is here", "targetLabel")
    if label.agent_id == agent:
        raise ForbiddenError(f"{agent} disputes its own label, which a retraction withdraws", "disputingAgent")
    if name in state.retracted:
        raise ConflictError(f"{message.target_label} is already withdrawn, by {state.retracted[name]}", "targetLabel")
    for dispute in state.gold_disputes.values():
        if (dispute.label, dispute.agent_id) == (name, agent):
            raise ConflictError(
                f"{agent} already disputes {message.target_label}, in {dispute.dispute_id}", "disputingAgent"
            )
    for index, statement in enumerate(message.evidence):
        if statement not in state.statements:
            raise TargetError(f"no statement with the hash {statement} is here", f"evidence[{index}]")


def check_no_prober(message: VerificationResponse, state: State) -> None:
    """Raise `ForbiddenError` if the agent of a verdict has put probes to others, and so is the operator's."""
    agent = message.envelope.agent_id
    if agent in state.probing:
        raise ForbiddenError(
            f"{agent} has put probes to verifiers for the operator, and does not vote", "respondingAgent"
        )


def _check_probe(message: GoldLabel, state: State) -> None:
    """Raise unless the node was bound to this label before the statement came, and the statement's agent judges none.

    Before the statement was logged no agent could be asked about it, and only its author could commit to it.
    """
    assert message.probe is not None
    name = message.probe.commitment
    probe = state.probes.get(name)
    if probe is None or probe.agent_id != message.envelope.agent_id:
        raise TargetError(f"no probe of {message.envelope.agent_id} with the hash {name} is here", "probe.commitment")
    if commit(message.probe.salt, message.target_hash, message.criterion, message.label) not in probe.commitments:
        raise TargetError(f"{name} has no commitment to this label under this salt", "probe.salt")
    probed = state.probed[message.target_hash]
    if probe.log_index > probed.log_index:
        raise TargetError(
            f"{message.target_statement} is entry {probed.log_index}, before the commitment of entry {probe.log_index}",
            "probe.commitment",
        )
    if probed.judges or probed.agent_id in state.judging:
        raise ConflictError(
            f"{message.target_statement} is by {probed.agent_id}, which has judged others: whoever asks does not vote",
            "targetStatement",
        )
