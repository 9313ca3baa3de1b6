"""Reads the knowledge besides the verdicts on some statements: the last epoch, families of verifiers, gold in force.

All of it is looked up by names from the statements, so that the cost depends on them and not on the size of the graph.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from a2ap.messages.epoch import CopyEvidence, CriterionModel, Estimate, OperatorRecord
from graph.scoring.accuracy import accuracy_of
from graph.scoring.posterior import Knowledge, Observation
from graph.scoring.reliabilities import ReliabilityTable

Row = dict[str, Any]


class Reader(Protocol):
    """A runner of named queries: a transaction, or a store through `graph.scoring.reading`."""

    async def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a named query and return its rows."""


async def knowledge_of(
    reader: Reader, verdicts: Mapping[str, Collection[str]], operators: Collection[str], criteria: Sequence[str]
) -> dict[str, Knowledge]:
    """Return the knowledge about each statement, by its hash.

    `verdicts` names the verifiers of each, `operators` the operators of all of them.
    """
    verifiers = sorted({name for own in verdicts.values() for name in own})
    table = await table_of(reader, verifiers, criteria, sorted(operators))
    families = await families_of(reader, verifiers)
    observed = await observations_on(reader, list(verdicts))
    return {
        statement: Knowledge(
            table=table,
            families={name: families[name] for name in own if name in families},
            observed=observed.get(statement, {}),
        )
        for statement, own in verdicts.items()
    }


async def table_of(
    reader: Reader, verifiers: Sequence[str], criteria: Sequence[str], operators: Sequence[str] = ()
) -> ReliabilityTable:
    """Return the last complete epoch's estimates of these verifiers, and its models and records of these operators.

    The table is empty before the first epoch.
    """
    epochs = await reader.run("current_epoch")
    if not epochs:
        return ReliabilityTable()
    epoch = epochs[0]
    models = models_of(epoch)
    keys, of_operators = (
        [reliability_key(epoch["log_size"], agent, criterion) for agent in agents for criterion in criteria]
        for agents in (verifiers, operators if models else ())
    )
    rows = await reader.run("reliabilities_by_key", keys=keys) if keys else []
    records = await reader.run("operator_records_by_key", keys=of_operators) if of_operators else []
    points = zip(epoch["calibration_confidences"], epoch["calibration_weights"], strict=True)
    return ReliabilityTable(
        log_size=epoch["log_size"],
        estimates={(row["agent_id"], row["criterion"]): estimate_of(row) for row in rows},
        calibration=tuple(points),
        models=models,
        records={(row["operator"], row["criterion"]): _record_of(row) for row in records},
    )


def models_of(epoch: Row) -> dict[str, CriterionModel]:
    """Return the models of an epoch by criterion; those of earlier nodes have none."""
    found: dict[str, CriterionModel] = {}
    start = 0
    for place, criterion in enumerate(epoch["model_criteria"] or ()):
        levels = slice(start, start + epoch["model_levels"][place])
        found[criterion] = CriterionModel(
            criterion,
            tuple(epoch["model_right"][levels]),
            tuple(epoch["model_wrong"][levels]),
            epoch["model_common_errors"][place],
            epoch["model_newcomers"][place],
        )
        start = levels.stop
    return found


def _record_of(row: Row) -> OperatorRecord:
    sides = ([*zip(counts[::2], counts[1::2], strict=True)] for counts in (row["sensitivities"], row["specificities"]))
    answers = row["known_answers"]
    known = None if answers is None else ((answers[0], answers[1]), (answers[2], answers[3]))
    return OperatorRecord(row["operator"], row["criterion"], tuple(zip(*sides, strict=True)), known)


async def accuracies_of(reader: Reader, agents: Sequence[str], criteria: Sequence[str]) -> dict[str, float]:
    """Return the accuracies of those of these agents that the last epoch has estimated."""
    table = await table_of(reader, agents, criteria)
    by_agent: defaultdict[str, list[Estimate]] = defaultdict(list)
    for one in table.estimates.values():
        by_agent[one.agent].append(one)
    return {agent: accuracy_of(own).value for agent, own in by_agent.items()}


def estimate_of(row: Row) -> Estimate:
    """Return the estimate of a row of `reliabilities_by_key`."""
    return Estimate(
        agent=row["agent_id"],
        criterion=row["criterion"],
        sensitivity=(row["sensitivity"][0], row["sensitivity"][1]),
        specificity=(row["specificity"][0], row["specificity"][1]),
        judged=row["judged"],
        independence=row["independence"],
        copies=row["copies"],
        copied=_copied_of(row),
        coalition=row["coalition"],
    )


def _copied_of(row: Row) -> CopyEvidence | None:
    if row["copied_both"] is None:
        return None
    return CopyEvidence(row["copied_both"], row["copied_differed"], row["copied_expected"])


def reliability_key(log_size: int, agent: str, criterion: str) -> str:
    """Return the identifier of an estimate or of an operator's record in the graph; ids of agents have no `|`."""
    return f"{log_size}|{agent}|{criterion}"


async def families_of(reader: Reader, verifiers: Sequence[str]) -> dict[str, str]:
    """Return the model family of each verifier: the one it is a confirmed version of, or publisher and name."""
    rows = await reader.run("families_of_verifiers", ids=list(verifiers)) if verifiers else []
    found = {row["agent_id"]: family_name(row["family"], row["publisher"], row["name"]) for row in rows}
    return {agent: family for agent, family in found.items() if family is not None}


def family_name(family: str | None, publisher: str | None, name: str | None) -> str | None:
    """Return the common name of verifiers of one model; None if neither a family nor publisher and name are given."""
    if family is not None:
        return family
    return f"{publisher}|{name}" if publisher and name else None


def confirmed_family(family: str | None) -> str | None:
    """Return a family that both sides confirm; None for one that only the publisher and name suggest.

    Any agent can give itself a publisher and a name: they make it resemble others, and give it nothing of their record.
    """
    return family if family is not None and "|" not in family else None  # ids of agents have no `|`


async def observations_on(reader: Reader, statements: Sequence[str]) -> dict[str, dict[str, Observation]]:
    """Return the gold in force on these statements, by statement and criterion."""
    found: defaultdict[str, dict[str, Observation]] = defaultdict(dict)
    for row in await reader.run("observed_labels", hashes=list(statements)) if statements else []:
        source = f"the operator's gold label, log entry {row['log_index']}"
        found[row["statement"]][row["criterion"]] = Observation(row["passes"], source)
    return dict(found)
