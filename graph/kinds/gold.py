"""The operator's knowledge: gold labels, disputes of them, and probes, which commit to labels (docs/how-to/gold.md).

The node alone labels and commits. A label from a peer's log is that peer's word: its commitment, and the disputes that
it answers, are for the peer's log to check.
"""

from a2ap.log.entry import LogEntry
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel, Label
from a2ap.messages.probe import Probe, commit
from a2ap.times import format_instant
from graph.errors import ConflictError, ForbiddenError, TargetError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.signatures import signing_key
from graph.kinds.state import GoldDisputeRecord, GoldRecord, ProbeRecord, State
from graph.kinds.targets import find_statement
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Row, Rows


def _label_names(message: GoldLabel, wanted: WantedNames) -> None:
    wanted.target_ids.add(message.target_statement)
    wanted.gold_disputes.update(message.answers)
    if message.probe is not None:
        wanted.probes.add(message.probe.commitment)
        wanted.revealed.add(message.target_hash)


def _check_label(message: GoldLabel, state: State, terms: Terms) -> None:
    """Raise unless the statement is here, the answered disputes are about it, and the label reveals a probe truly."""
    find_statement(message.target_statement, message.target_hash, state, "targetStatement")
    if terms.origin is not None:
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
        _check_revealed_probe(message, state)


def _record_label(message: GoldLabel, state: State, _has_proof: bool) -> None:
    name, agent_id = message.envelope.signed_hash, message.envelope.agent_id
    if message.probe is not None and agent_id == state.node_agent and message.target_hash in state.probed:
        state.probing.add(state.probed[message.target_hash].agent_id)
    state.gold_labels[name] = GoldRecord(name, message.envelope.id, agent_id, message.target_hash, message.criterion)


def _add_label_rows(rows: Rows, message: GoldLabel, entry: LogEntry, state: State, _content: StoredContent) -> None:
    probe = message.probe
    row = _common(message, entry, state) | {
        "target_hash": message.target_hash,
        "criterion": message.criterion,
        "passes": message.label is Label.PASS,
        "reason": message.reason,
        "answers": list(message.answers),
        "probe": probe is not None,
        "commitment": None if probe is None else probe.commitment,
        "salt": None if probe is None else probe.salt,
        "own": entry.agent == state.node_agent,
    }
    rows.add("write_gold_labels", row)


GOLD_LABEL = Kind(
    GoldLabel,
    agent_member="labellingAgent",
    mutation=(
        "label_gold",
        "Label a statement with a known answer, signed by the node's key (a2ap:GoldLabel); `retract` withdraws it.",
    ),
    from_peers=True,
    node_only="gives gold labels here",
    names=_label_names,
    check=_check_label,
    record=_record_label,
    add_rows=_add_label_rows,
    writes=("write_gold_labels",),
)


def _dispute_names(message: GoldDispute, wanted: WantedNames) -> None:
    wanted.gold.add(message.target_hash)
    wanted.targets.add(message.target_hash)
    wanted.cited.update(message.evidence)


def _check_dispute(message: GoldDispute, state: State, _terms: Terms) -> None:
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


def _record_dispute(message: GoldDispute, state: State, _has_proof: bool) -> None:
    name, agent_id = message.envelope.signed_hash, message.envelope.agent_id
    state.gold_disputes[name] = GoldDisputeRecord(name, message.envelope.id, agent_id, message.target_hash)


def _add_dispute_rows(rows: Rows, message: GoldDispute, entry: LogEntry, state: State, _content: StoredContent) -> None:
    row = _common(message, entry, state) | {
        "label_hash": message.target_hash,
        "statement": state.gold_labels[message.target_hash].statement,
        "reason": message.reason,
        "evidence": list(message.evidence),
    }
    rows.add("write_gold_disputes", row)


GOLD_DISPUTE = Kind(
    GoldDispute,
    agent_member="disputingAgent",
    mutation=("dispute_gold", "Dispute a gold label (a2ap:GoldDispute)."),
    from_peers=True,
    names=_dispute_names,
    check=_check_dispute,
    record=_record_dispute,
    add_rows=_add_dispute_rows,
    writes=("write_gold_disputes",),
)


def _record_probe(message: Probe, state: State, _has_proof: bool) -> None:
    name, agent_id = message.envelope.signed_hash, message.envelope.agent_id
    state.probes[name] = ProbeRecord(agent_id, frozenset(message.commitments), state.place)


def _add_probe_rows(rows: Rows, message: Probe, entry: LogEntry, state: State, _content: StoredContent) -> None:
    rows.add("write_probes", _common(message, entry, state) | {"commitments": list(message.commitments)})


PROBE = Kind(
    Probe,
    agent_member="committingAgent",
    mutation=(
        "commit_probes",
        "Commit to the answers of probes before verifiers see them, signed by the node's key (a2ap:Probe).",
    ),
    moves_scores=False,
    node_only="commits to labels here",
    record=_record_probe,
    add_rows=_add_probe_rows,
    writes=("write_probes",),
)


def _check_revealed_probe(message: GoldLabel, state: State) -> None:
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
            f"{message.target_statement} is by {probed.agent_id}, which has judged others: the author of a probe does "
            "not vote",
            "targetStatement",
        )


def _common(message: GoldLabel | GoldDispute | Probe, entry: LogEntry, state: State) -> Row:
    return {
        "signed_hash": entry.signed_hash,
        "message_id": entry.id,
        "agent_id": entry.agent,
        "at": format_instant(message.envelope.time),
        "key_id": signing_key(message, state),
        "log_index": entry.log_index,
    }
