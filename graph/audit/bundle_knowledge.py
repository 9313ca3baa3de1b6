"""The messages of a bundle beside the verdicts: the last epoch, the verifiers' models, and the operator's gold labels.

A bundle contains the parts of the epoch that its verifiers are in, so that the score is computed from the same numbers.
It does not contain the confirmations of a version's family, which need other agents' messages: if families could matter
to the score, the score is not computed.
"""

from collections import Counter
from collections.abc import Collection

from a2ap.bundle.bundled_message import VerifiedMessages
from a2ap.log.entry import LogEntry
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.epoch import Epoch
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel, Label
from a2ap.messages.retraction import Retraction
from graph.scoring.knowledge import family_name
from graph.scoring.posterior import Knowledge, Observation
from graph.scoring.reliabilities import ReliabilityTable
from graph.versions.membership import stated_family


def knowledge_in(bundle: VerifiedMessages, verifiers: Collection[str]) -> Knowledge | None:
    """Return the bundle's knowledge of these verifiers and the statement; None if families may matter."""
    models = _models(bundle, verifiers)
    if models is None:
        return None
    return Knowledge(table=_table(bundle), families=models, observed=_observed(bundle))


def _table(bundle: VerifiedMessages) -> ReliabilityTable:
    epochs = [one.message for one in bundle.messages if isinstance(one.message, Epoch)]
    complete = [epoch for epoch in epochs if epoch.is_last and epoch.envelope.agent_id == bundle.home]
    if not complete:
        return ReliabilityTable()
    last = max(complete, key=lambda epoch: epoch.log_size)
    parts = [epoch for epoch in epochs if epoch.log_size == last.log_size]
    return ReliabilityTable(
        log_size=last.log_size,
        estimates={(one.agent, one.criterion): one for part in parts for one in part.estimates},
        calibration=last.calibration,
        models={one.criterion: one for one in last.models},
        records={(one.operator, one.criterion): one for part in parts for one in part.records},
    )


def _models(bundle: VerifiedMessages, verifiers: Collection[str]) -> dict[str, str] | None:
    """Return publisher and name of each verifier; None if two of one model, or one model of two, state a family."""
    stated: dict[str, str] = {}
    models: dict[str, str] = {}
    for one in bundle.messages:
        match one.message:
            case AgentRegistration() if one.entry.agent in verifiers:
                agent = one.message.agent
                model = family_name(None, agent.publisher, agent.name)
                if model is not None:
                    models[one.entry.agent] = model
                family = stated_family(agent)
                if family is not None:
                    stated[one.entry.agent] = family
            case AgentVersion() if one.message.agent in verifiers:
                stated[one.message.agent] = one.message.family
            case _:
                pass
    shared = {name for name, count in Counter(models.values()).items() if count > 1}
    together = {name for name, count in Counter(stated.values()).items() if count > 1}
    if together or any(models.get(agent) in shared for agent in stated):
        return None
    return models


def is_false_probe(bundle: VerifiedMessages) -> bool:
    """Return whether a label of the operator reveals that the statement was a probe made to be false."""
    return any(label.probe is not None and label.label is Label.FAIL for _, label in _labels(bundle))


def _observed(bundle: VerifiedMessages) -> dict[str, Observation]:
    """Return the labels in force; a label that the bundle's disputes or retractions name is not."""
    ended = {one.message.target_hash for one in bundle.messages if isinstance(one.message, GoldDispute | Retraction)}
    return {
        label.criterion: Observation(
            label.label is Label.PASS, f"the operator's gold label, log entry {entry.log_index}"
        )
        for entry, label in _labels(bundle)
        if entry.signed_hash not in ended
    }


def _labels(bundle: VerifiedMessages) -> list[tuple[LogEntry, GoldLabel]]:
    target = bundle.statement.entry.signed_hash
    return [
        (one.entry, one.message)
        for one in bundle.messages
        if isinstance(one.message, GoldLabel)
        and one.message.target_hash == target
        and one.entry.agent == bundle.home
        and bundle.trusted.get(one.entry.signed_hash, False)
    ]
