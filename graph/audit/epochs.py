"""Estimates each epoch of a log again, from the entries before it, and compares the table with the published one.

The numbers may differ by 1e-4, because the last bits of a float are not the same on every machine; scores may not,
because they are computed from the published numbers. Evidence of a copy or a coalition that a table leaves out, as
those of earlier nodes do, is no finding (docs/decisions/0030): the remaining weight is still compared. Epochs before
the first one with models were estimated in another way (docs/decisions/0073), and are left out.
"""

from collections.abc import Iterator, Mapping, Sequence

from a2ap.errors import A2APError
from a2ap.log.entry import LogEntry
from a2ap.messages.epoch import CopyEvidence, CriterionModel, Epoch, Estimate, OperatorRecord, Pair
from a2ap.messages.message import MessageType, read_message
from graph.audit.report import AuditReport, FindingKind
from graph.audit.workspace import Workspace
from graph.epochs.estimating import EpochTable, estimate_table
from graph.errors import GraphError
from graph.scoring.judgements import policy_in_force
from graph.scoring.reading import StoreReader
from graph.store import Store

TOLERANCE = 1e-4
# The difference that rounding to four decimals and reading them back may add.
_SLACK = 1e-9


class EpochAudit:
    """Checks the epochs of one workspace's log while its graph is written.

    `places` maps a log size to the log index of its epoch; there is at most one epoch of a size.
    """

    def __init__(self, workspace: Workspace, report: AuditReport) -> None:
        self._workspace = workspace
        self._report = report
        self._has_models = False
        self.places: dict[int, int] = {}

    async def find(self) -> None:
        """Find the epochs in the log."""
        for entry in self._workspace.entries():
            if entry.type == MessageType.EPOCH.value and entry.log_index not in self._workspace.skipped:
                message = await self._part(entry)
                if message is not None and not message.part:
                    self.places.setdefault(message.log_size, entry.log_index)

    async def check(self, store: Store, size: int) -> None:
        """Check the epoch of the first `size` entries, if there is one; the store must have exactly these entries."""
        place = self.places.get(size)
        if place is None:
            return
        parts = await self._parts_at(place)
        if not parts:
            return
        self._has_models = self._has_models or any(part.models for part in parts)
        if self._workspace.run("SELECT 1 FROM skipped WHERE log_index < ? LIMIT 1", size):
            self._report.leave("epochs estimated from entries that are left out")
            return
        if not self._has_models:
            self._report.leave("epochs of an earlier node, estimated without models")
            return
        reader = StoreReader(store)
        policy = await policy_in_force(reader)
        table = await estimate_table(reader, policy, size)
        self._report.checked["epochs"] += 1
        for problem in _problems(parts, table, policy.signed_hash):
            self._report.add(FindingKind.EPOCH, f"log entry {place}", problem, place)

    async def _parts_at(self, place: int) -> list[Epoch]:
        """Return the parts of the epoch that begins at this place, none if it is not complete."""
        found: list[Epoch] = []
        for entry in self._entries_from(place):
            message = await self._part(entry)
            if message is None or message.part != len(found) or message.log_size != (found or [message])[0].log_size:
                break
            found.append(message)
            if message.is_last:
                return found
        # An epoch without its last part is in force nowhere.
        return []

    async def _part(self, entry: LogEntry) -> Epoch | None:
        """Return the epoch part in an entry; None for another message, or one that cannot be read."""
        if entry.type != MessageType.EPOCH.value:
            return None
        try:
            message = read_message(await self._workspace.content.get(entry.document_hash))
        except (A2APError, GraphError):
            return None
        return message if isinstance(message, Epoch) else None

    def _entries_from(self, size: int) -> Iterator[LogEntry]:
        while (entry := self._workspace.entry_at(size)) is not None:
            yield entry
            size += 1


def _problems(parts: Sequence[Epoch], table: EpochTable | None, policy: str) -> Iterator[str]:
    if any(part.policy != policy for part in parts):
        yield f"the epoch names the policy {parts[0].policy}, and {policy} was in force"
    if table is None:
        yield "the epoch estimates verifiers without a verdict that counts"
        return
    stated = {(one.agent, one.criterion): one for part in parts for one in part.estimates}
    found = {(one.agent, one.criterion): one for one in table.estimates}
    for key in sorted(stated.keys() - found.keys()):
        yield f"the epoch estimates {key[0]} under {key[1]}, which the log does not"
    for key in sorted(found.keys() - stated.keys()):
        yield f"the epoch does not estimate {key[0]} under {key[1]}"
    yield from differences(stated, found)
    yield from _differing_models(parts, table)
    if not all(_same_points(part.calibration, table.calibration) for part in parts):
        yield "the epoch's calibration is not that of the verdicts before it"


def differences(stated: Mapping[tuple[str, str], Estimate], found: Mapping[tuple[str, str], Estimate]) -> Iterator[str]:
    """Yield the differences between stated and found estimates, of the pairs of agent and criterion that both have."""
    for key in sorted(stated.keys() & found.keys()):
        one, other = stated[key], found[key]
        for name, value, expected in (
            ("sensitivity", one.sensitivity, other.sensitivity),
            ("specificity", one.specificity, other.specificity),
            ("independence", (one.independence, 0.0), (other.independence, 0.0)),
        ):
            if not _same(value, expected):
                shown = f"{value[0]:.4f}, {value[1]:.4f}" if name != "independence" else f"{value[0]:.4f}"
                again = f"{expected[0]:.4f}, {expected[1]:.4f}" if name != "independence" else f"{expected[0]:.4f}"
                yield f"the {name} of {key[0]} under {key[1]} is {shown}; the entries before it give {again}"
        if one.copies != other.copies:
            yield f"{key[0]} is said to repeat {one.copies} under {key[1]}, and repeats {other.copies}"
        elif one.copied is not None and not _same_evidence(one.copied, other.copied):
            yield (
                f"{key[0]} is said to differ under {key[1]} from {one.copies} on {_shown(one.copied)}; "
                f"the entries before it give {_shown(other.copied)}"
            )
        if one.coalition is not None and not _same((one.coalition, 0.0), (other.coalition or 0.0, 0.0)):
            yield (
                f"the coalition of {key[0]} under {key[1]} is {one.coalition:.4f}; "
                f"the entries before it give {other.coalition or 0.0:.4f}"
            )
        # A count of verdicts is rounded, and one may be rounded the other way.
        if abs(one.judged - other.judged) > 1:
            yield f"{one.judged} verdicts of {key[0]} under {key[1]} are counted; there are {other.judged}"


def _differing_models(parts: Sequence[Epoch], table: EpochTable) -> Iterator[str]:
    """Yield the differences of models and of operators' records; an epoch must state those that its entries give."""
    for part in parts:
        if len(part.models) != len(table.models) or not all(map(_same_model, part.models, table.models)):
            yield "the epoch's models are not those of the verdicts before it"
            break
    stated = {(one.operator, one.criterion): _counts(one) for part in parts for one in part.records}
    found = {(one.operator, one.criterion): _counts(one) for one in table.records}
    for operator, criterion in sorted(stated.keys() | found.keys()):
        if not _same_points(stated.get((operator, criterion), []), found.get((operator, criterion), [])):
            yield f"the record of {operator} under {criterion} is not that of the verdicts before it"


def _counts(record: OperatorRecord) -> list[Pair]:
    """Return all counts of a record, those of known answers at the end."""
    return [pair for level in (*record.levels, record.known or ()) for pair in level]


def _same_model(one: CriterionModel, other: CriterionModel) -> bool:
    numbers, others = (
        [(number, 0.0) for number in (*model.right, *model.wrong, model.common_error, model.newcomer)]
        for model in (one, other)
    )
    return one.criterion == other.criterion and _same_points(numbers, others)


def _same_evidence(one: CopyEvidence, other: CopyEvidence | None) -> bool:
    if other is None or (one.both, one.differed) != (other.both, other.differed):
        return False
    return _same((one.expected, 0.0), (other.expected, 0.0))


def _shown(found: CopyEvidence | None) -> str:
    if found is None:
        return "nothing"
    return f"{found.differed} of {found.both} claims where {found.expected:.4f} are expected"


def _same_points(one: Sequence[Pair], other: Sequence[Pair]) -> bool:
    return len(one) == len(other) and all(map(_same, one, other))


def _same(one: Pair, other: Pair) -> bool:
    return all(abs(a - b) <= TOLERANCE + _SLACK + 1e-6 * abs(b) for a, b in zip(one, other, strict=True))
