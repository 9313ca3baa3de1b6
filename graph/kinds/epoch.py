"""Parts of epochs: made of entries since the last epoch, not long ago, with a row for each reliability and record."""

from collections.abc import Sequence

from a2ap.log.entry import LogEntry
from a2ap.messages.epoch import CriterionModel, Epoch, Estimate
from a2ap.times import format_instant
from graph.epochs.due import most_behind
from graph.errors import ConflictError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.state import EpochPart, State
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Row, Rows
from graph.scoring.knowledge import reliability_key


def _names(_message: Epoch, wanted: WantedNames) -> None:
    wanted.epochs = True


def _check(message: Epoch, state: State, _terms: Terms) -> None:
    """Raise `ConflictError` for a part that cannot be the next entry of the log.

    An epoch begins no earlier than the last one ended, so that of two made at once only one is accepted. The entries
    since its `logSize` are no more than come during an estimate (`most_behind`). Its parts follow one another.
    """
    place, last = state.place, state.last_epoch_part
    if message.part:
        before = EpochPart(place - 1, message.log_size, message.part - 1, message.parts)
        if last != before:
            raise ConflictError(f"part {message.part} of this epoch does not follow part {before.part}", "part")
        return
    if message.log_size > place:
        raise ConflictError(f"this epoch is of {message.log_size} entries, and the log has {place}", "logSize")
    if last is not None and message.log_size <= last.log_index:
        raise ConflictError(
            f"this epoch is of {message.log_size} entries, and another is at entry {last.log_index}", "logSize"
        )
    if place - message.log_size > most_behind(message.log_size):
        raise ConflictError(f"this epoch is of {message.log_size} entries, and {place} is next", "logSize")


def _record(message: Epoch, state: State, _has_proof: bool) -> None:
    state.last_epoch_part = EpochPart.of(message, state.place)


def _add_rows(rows: Rows, message: Epoch, entry: LogEntry, _state: State, _content: StoredContent) -> None:
    rows.add(
        "write_epochs",
        {
            "signed_hash": entry.signed_hash,
            "epoch_id": entry.id,
            "issued_at": format_instant(message.envelope.time),
            "log_size": message.log_size,
            "policy": message.policy,
            "method": message.method.value,
            "part": message.part,
            "parts": message.parts,
            "last": message.is_last,
            "calibration_confidences": [sure for sure, _ in message.calibration],
            "calibration_weights": [weight for _, weight in message.calibration],
            **_models(message.models),
            "log_index": entry.log_index,
        },
    )
    for record in message.records:
        rows.add(
            "write_operator_records",
            {
                "record_key": reliability_key(message.log_size, record.operator, record.criterion),
                "operator": record.operator,
                "criterion": record.criterion,
                "sensitivities": [count for sensitivity, _ in record.levels for count in sensitivity],
                "specificities": [count for _, specificity in record.levels for count in specificity],
                "known_answers": None if record.known is None else [count for pair in record.known for count in pair],
                "log_size": message.log_size,
                "log_index": entry.log_index,
            },
        )
    for one in message.estimates:
        rows.add(
            "write_reliabilities",
            {
                "reliability_key": reliability_key(message.log_size, one.agent, one.criterion),
                "agent_id": one.agent,
                "criterion": one.criterion,
                "sensitivity": list(one.sensitivity),
                "specificity": list(one.specificity),
                "judged": one.judged,
                "independence": one.independence,
                "copies": one.copies,
                **_copied(one),
                "coalition": one.coalition,
                "log_size": message.log_size,
                "log_index": entry.log_index,
            },
        )


EPOCH = Kind(
    Epoch,
    agent_member="issuingAgent",
    mutation=("record_epoch", "Record estimated reliabilities, signed by the node's key (a2ap:Epoch)."),
    node_only="estimates reliabilities here",
    names=_names,
    check=_check,
    record=_record,
    add_rows=_add_rows,
)


_MODEL_LISTS = (
    "model_criteria",
    "model_levels",
    "model_right",
    "model_wrong",
    "model_common_errors",
    "model_newcomers",
)


def _models(models: Sequence[CriterionModel]) -> Row:
    """Return the models as parallel lists, the shares of all levels one after the other; null lists without models."""
    if not models:
        return dict.fromkeys(_MODEL_LISTS)
    return {
        "model_criteria": [one.criterion for one in models],
        "model_levels": [len(one.right) for one in models],
        "model_right": [share for one in models for share in one.right],
        "model_wrong": [share for one in models for share in one.wrong],
        "model_common_errors": [one.common_error for one in models],
        "model_newcomers": [one.newcomer for one in models],
    }


def _copied(one: Estimate) -> Row:
    found = one.copied
    return {
        "copied_both": None if found is None else found.both,
        "copied_differed": None if found is None else found.differed,
        "copied_expected": None if found is None else found.expected,
    }
