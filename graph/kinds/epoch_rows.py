"""Rows of the graph for parts of epochs: the `$rows` of each write query."""

from collections.abc import Iterator
from typing import Any

from a2ap.log.entry import LogEntry
from a2ap.messages.epoch import Epoch, Estimate
from a2ap.times import format_instant
from graph.scoring.knowledge import reliability_key

Row = dict[str, Any]


def epoch_rows(message: Epoch, entry: LogEntry) -> Iterator[tuple[str, Row]]:
    """Yield the rows of one part, each with its query."""
    yield (
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
            "log_index": entry.log_index,
        },
    )
    for one in message.estimates:
        yield (
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


def _copied(one: Estimate) -> Row:
    found = one.copied
    return {
        "copied_both": None if found is None else found.both,
        "copied_differed": None if found is None else found.differed,
        "copied_expected": None if found is None else found.expected,
    }
