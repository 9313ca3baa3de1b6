"""Estimates how reliable each verifier and each operator is under each criterion, from votes and observed labels.

1. A vote's evidence about the truth and its evidence about its verifier are two things. Verifiers without an operator
   have no say about the truth here, so that a thousand of them cannot make one another look right; the verifiers of one
   operator have one voice on each claim; a coalition that gold reveals is not heard (`graph.inference.coalition`).
2. A verifier is measured against the other operators and the observed labels, never against itself
   (`graph.inference.judging`). A vote on a claim of which these leave nothing known measures nothing, and a vote counts
   only as far as it can be traced to known answers (`graph.inference.anchoring`).
3. It begins with its prior and with the record of the others of its family, up to `FAMILY_VOTES` votes of theirs.
4. Its interval is as wide as the uncertainty about the truth and about its kind makes it (`graph.inference.certainty`).
5. A verifier that repeats another's mistakes loses the part of its weight that is not its own
   (`graph.inference.copying`).
6. Scores are made from the records of operators, by level of difficulty, and from the shares of these levels: the last
   step of the joint estimate, which a score repeats (`graph.scoring.posterior`).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from a2ap.messages.epoch import CriterionModel, OperatorRecord, Pair
from graph.inference.calibration import AS_STATED, calibrate
from graph.inference.certainty import certain_counts
from graph.inference.copying import Copy
from graph.inference.judging import FAIL, PASS, JudgedVotes, judge
from graph.inference.label_set import Numbers
from graph.inference.operator_record import criterion_model, operator_records
from graph.inference.verdict_vote import ObservedLabel, VerdictVote

FAMILY_VOTES = 8.0
"""Maximum number of votes, for each truth, that a verifier begins with from the others of its family."""


@dataclass(frozen=True, slots=True)
class VerifierPriors:
    """Beta distributions of sensitivity and specificity before any vote was judged."""

    trusted: Pair = (19.0, 2.0)
    endorsed: Pair = (11.0, 3.0)
    unknown: Pair = (3.0, 2.0)

    def of(self, verifier: str, operator: str | None, trusted: Collection[str], own: Mapping[str, Pair]) -> Pair:
        """Return the prior of a verifier: its own, or that of its kind."""
        if verifier in own:
            return own[verifier]
        if verifier in trusted:
            return self.trusted
        return self.unknown if operator is None else self.endorsed


PRIORS = VerifierPriors()


@dataclass(frozen=True, slots=True)
class Reliability:
    """A verifier under a criterion: sensitivity P(PASS | right) and specificity P(FAIL | wrong) as Beta(a, b).

    `judged` is the number of its votes on claims of which something was known. `independence`, from 0 to 1, is the
    remaining share of its weight; `copies` names the verifier that it repeats, `copied` has the evidence of that,
    `coalition` is how likely it is in one that was silenced.
    """

    verifier: str
    criterion: str
    sensitivity: Pair
    specificity: Pair
    judged: int = 0
    independence: float = 1.0
    copies: str | None = None
    copied: Copy | None = None
    coalition: float = 0.0


@dataclass(frozen=True, slots=True)
class EpochEstimate:
    """All reliabilities, by verifier and criterion, and the calibrated weight of a stated confidence.

    `models` has the model of each criterion, `records` those of the operators by operator and criterion.
    """

    reliabilities: tuple[Reliability, ...]
    calibration: tuple[Pair, ...] = AS_STATED
    models: tuple[CriterionModel, ...] = ()
    records: tuple[OperatorRecord, ...] = ()


def estimate_reliabilities(
    votes: Sequence[VerdictVote],
    observed: Sequence[ObservedLabel],
    trusted: Collection[str] = (),
    priors: VerifierPriors = PRIORS,
    own_priors: Mapping[str, Pair] | None = None,
) -> EpochEstimate:
    """Return the reliabilities that the standing votes give their verifiers; the order of the votes does not matter.

    `trusted` are the seeds; `own_priors` go before those of `priors`.
    """
    by_criterion: defaultdict[str, list[VerdictVote]] = defaultdict(list)
    for vote in sorted(votes, key=lambda vote: (vote.claim, vote.verifier, vote.log_index)):
        by_criterion[vote.criterion].append(vote)
    known: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for label in observed:
        known[label.criterion][label.claim] = label.passes
    seeds = frozenset(trusted)
    judged = {
        name: judge(own, known[name], seeds)
        for name, own in sorted(by_criterion.items())
        if any(vote.stands for vote in own)
    }
    models = {name: criterion_model(name, one) for name, one in judged.items()}
    found = [
        entry
        for name, one in judged.items()
        for entry in _reliabilities(models[name], one, seeds, priors, own_priors or {})
    ]
    records = [
        record
        for name, one in judged.items()
        for record in operator_records(models[name], one, priors.trusted, priors.endorsed)
    ]
    return EpochEstimate(
        tuple(sorted(found, key=lambda entry: (entry.verifier, entry.criterion))),
        _calibration(judged.values()),
        tuple(models.values()),
        tuple(sorted(records, key=lambda record: (record.operator, record.criterion))),
    )


def _reliabilities(
    model: CriterionModel, judged: JudgedVotes, seeds: frozenset[str], priors: VerifierPriors, own: Mapping[str, Pair]
) -> list[Reliability]:
    answered = _answered(judged)
    operators = {vote.verifier: vote.operator for vote in judged.votes}
    begun = _of_family(judged, answered)
    for place, name in enumerate(judged.verifiers):
        right, wrong = priors.of(name, operators[name], seeds, own)
        begun[place] += ((right, wrong), (wrong, right))
    of_the_other = judged.known * judged.others * (1.0 - judged.others)
    mixed = np.bincount(judged.labels.worker, of_the_other, len(judged.verifiers)).astype(np.float64)
    total = certain_counts(answered, begun, mixed, _voice(judged.heard))
    votes = np.bincount(judged.labels.worker, judged.known > 0.01, len(judged.verifiers))
    return [
        Reliability(
            verifier=name,
            criterion=model.criterion,
            sensitivity=(float(total[place, PASS, PASS]), float(total[place, PASS, FAIL])),
            specificity=(float(total[place, FAIL, FAIL]), float(total[place, FAIL, PASS])),
            judged=int(votes[place]),
            independence=judged.independence(place),
            copies=judged.verifiers[judged.copies[place].original] if place in judged.copies else None,
            copied=judged.copies.get(place),
            coalition=judged.member(place),
        )
        for place, name in enumerate(judged.verifiers)
    ]


def _answered(judged: JudgedVotes) -> Numbers:
    """Return the counts of each verifier's answers to each truth, (verifiers, truths, answers), as far as known."""
    labels, cells = judged.labels, judged.labels.worker * 2 + judged.labels.label
    shares = np.stack([1.0 - judged.others, judged.others])
    counts = [np.bincount(cells, share * judged.known, labels.workers * 2).reshape(-1, 2) for share in shares]
    return np.stack(counts, axis=1)


def _voice(heard: Numbers) -> float:
    """Return the average weight of a vote, over all with a weight, each weighted by its own; 1 without any."""
    return float((heard * heard).sum() / heard.sum()) if heard.any() else 1.0


def _of_family(judged: JudgedVotes, answered: Numbers) -> Numbers:
    """Return the answers that each verifier takes over from the others of its family, scaled down."""
    families = {vote.verifier: vote.family for vote in judged.votes}
    members: defaultdict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(judged.verifiers):
        family = families[name]
        if family is not None:
            members[family].append(place)
    found = np.zeros_like(answered)
    for places in members.values():
        others = answered[places].sum(axis=0) - answered[places]
        size = others.sum(axis=2, keepdims=True)
        found[places] = others * np.minimum(1.0, FAMILY_VOTES / np.maximum(size, 1e-9))
    return found


def _calibration(judged: Collection[JudgedVotes]) -> tuple[Pair, ...]:
    votes = [vote for one in judged for vote in one.votes]
    if not votes:
        return AS_STATED
    right = np.concatenate([np.where(one.labels.label == PASS, one.others, 1.0 - one.others) for one in judged])
    confidence = np.array([vote.confidence for vote in votes], dtype=np.float64)
    return calibrate(confidence, right, np.concatenate([one.known * one.heard for one in judged]))
