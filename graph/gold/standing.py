"""Decides which gold labels stand, as a function of the labels, retractions and disputes in the log.

The rules:

1. A label of another node is shown, and is observed only at that node; a label signed with a key that is not trusted at
   its log index is treated as if it had not been given.
2. Of the labels of this node on one statement and criterion the last one decides. It takes the place of those before it
   for good: if it is withdrawn, none is in force.
3. A dispute by an agent of a seeded operator suspends the label that it names, and later labels on the same statement
   and criterion, until one of these answers it. A dispute that is retracted, or whose key is not trusted, suspends
   nothing; nor does a dispute by any other agent, which is still shown.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    """The standing of a gold label; only a label that is IN_FORCE is an observed truth."""

    IN_FORCE = "IN_FORCE"
    SUSPENDED = "SUSPENDED"
    WITHDRAWN = "WITHDRAWN"
    REPLACED = "REPLACED"
    UNTRUSTED = "UNTRUSTED"
    FOREIGN = "FOREIGN"


@dataclass(frozen=True, slots=True)
class LabelRecord:
    """A gold label; `own` means that it is this node's, `trusted` that its key is trusted at its log index."""

    signed_hash: str
    statement: str
    criterion: str
    log_index: int
    own: bool = True
    trusted: bool = True
    withdrawn: bool = False
    answers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DisputeRecord:
    """A dispute of the label with the hash `label`; `seeded` means that its agent is of a seeded operator."""

    signed_hash: str
    label: str
    log_index: int
    seeded: bool
    stands: bool = True


def standings(labels: Iterable[LabelRecord], disputes: Iterable[DisputeRecord]) -> dict[str, Standing]:
    """Return the standing of each label, by its hash; the order of the arguments does not matter."""
    found: dict[str, Standing] = {}
    counted: defaultdict[tuple[str, str], list[LabelRecord]] = defaultdict(list)
    for label in sorted(labels, key=lambda one: one.log_index):
        if not label.own:
            found[label.signed_hash] = Standing.FOREIGN
        elif not label.trusted:
            found[label.signed_hash] = Standing.UNTRUSTED
        else:
            counted[label.statement, label.criterion].append(label)
    suspending = [dispute for dispute in disputes if dispute.seeded and dispute.stands]
    for same in counted.values():
        for label in same[:-1]:
            found[label.signed_hash] = Standing.WITHDRAWN if label.withdrawn else Standing.REPLACED
        found[same[-1].signed_hash] = _of_the_last(same, suspending)
    return found


def _of_the_last(same: Sequence[LabelRecord], suspending: Sequence[DisputeRecord]) -> Standing:
    if same[-1].withdrawn:
        return Standing.WITHDRAWN
    names = {label.signed_hash for label in same}
    suspended = any(dispute.label in names and not _is_answered(dispute, same) for dispute in suspending)
    return Standing.SUSPENDED if suspended else Standing.IN_FORCE


def _is_answered(dispute: DisputeRecord, labels: Sequence[LabelRecord]) -> bool:
    return any(dispute.signed_hash in label.answers and label.log_index > dispute.log_index for label in labels)
