"""How reliable each verifier is under each criterion, from the votes so far and what has been observed.

1. What a vote says of the truth and what it says of its verifier are two things. Verifiers without an operator say
   nothing of the truth here, so that a thousand of them cannot make one another look right; the verifiers of one
   operator share one voice on each claim; a coalition that gold gives away is not heard (`graph.inference.coalition`).
2. A verifier is measured against what the other operators and the observed labels say, never against itself
   (`graph.inference.cavity`). A vote on a claim of which they leave nothing known measures nothing.
3. It begins with its prior and with what the others of its family were worth, up to `FAMILY_VOTES` votes of theirs.
4. Who repeats another's mistakes loses the part of its weight that is not its own (`graph.inference.copying`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from graph.inference.calibration import AS_STATED, calibrate
from graph.inference.cavity import Evidence
from graph.inference.copying import Copy, find_copies
from graph.inference.inference import Estimate, infer
from graph.inference.label_set import Indices, LabelSet, Numbers

FAIL, PASS = 0, 1

FAMILY_VOTES = 8.0
"""The most votes that the others of its family weigh in what a verifier begins with, for each truth."""

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class VerdictVote:
    """A vote that stands; `operator` is None for the unseeded, `family` for who has none of several."""

    claim: str
    verifier: str
    criterion: str
    passes: bool
    confidence: float
    operator: str | None
    family: str | None = None
    log_index: int = 0


@dataclass(frozen=True, slots=True)
class ObservedLabel:
    """What is known of a claim under a criterion, whatever the votes: the operator's gold, or the machine's FAIL."""

    claim: str
    criterion: str
    passes: bool


@dataclass(frozen=True, slots=True)
class VerifierPriors:
    """Beta distributions of sensitivity and specificity before anything was judged."""

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

    `judged` is the number of its votes on claims of which something was known. `independence`, from 0 to 1, is what is
    left of its weight; `copies` says whom it repeats, `coalition` how likely it is in one that was silenced.
    """

    verifier: str
    criterion: str
    sensitivity: Pair
    specificity: Pair
    judged: int = 0
    independence: float = 1.0
    copies: str | None = None
    coalition: float = 0.0


@dataclass(frozen=True, slots=True)
class EpochEstimate:
    """All reliabilities, by verifier and criterion, and the weight that a stated confidence turned out to deserve."""

    reliabilities: tuple[Reliability, ...]
    calibration: tuple[Pair, ...] = AS_STATED


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """The votes under one criterion, and what the others say of each: the probability that its claim is right."""

    votes: Sequence[VerdictVote]
    verifiers: Sequence[str]
    labels: LabelSet
    member: Numbers
    copies: Mapping[int, Copy]
    others: Numbers

    @property
    def known(self) -> Numbers:
        """How much each vote tells of its verifier, from 0 to 1."""
        worth: Numbers = (2.0 * self.others - 1.0) ** 2
        return worth


def estimate_reliabilities(
    votes: Sequence[VerdictVote],
    observed: Sequence[ObservedLabel],
    trusted: Collection[str] = (),
    priors: VerifierPriors = PRIORS,
    own_priors: Mapping[str, Pair] | None = None,
) -> EpochEstimate:
    """Return what the votes that stand say of their verifiers; their order does not matter.

    `trusted` are the seeds; `own_priors` go before those of `priors`.
    """
    by_criterion: defaultdict[str, list[VerdictVote]] = defaultdict(list)
    for vote in sorted(votes, key=lambda vote: (vote.claim, vote.verifier, vote.log_index)):
        by_criterion[vote.criterion].append(vote)
    known: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for label in observed:
        known[label.criterion][label.claim] = label.passes
    seeds = frozenset(trusted)
    judged = {name: _judge(own, known[name], seeds) for name, own in sorted(by_criterion.items())}
    found = [
        entry for name, one in judged.items() for entry in _reliabilities(name, one, seeds, priors, own_priors or {})
    ]
    return EpochEstimate(
        tuple(sorted(found, key=lambda entry: (entry.verifier, entry.criterion))), _calibration(judged.values())
    )


def _judge(votes: Sequence[VerdictVote], known: Mapping[str, bool], seeds: frozenset[str]) -> _Judged:
    claims = _numbered(vote.claim for vote in votes)
    verifiers = _numbered(sorted({vote.verifier for vote in votes}))
    answers = [(claims[vote.claim], verifiers[vote.verifier], PASS if vote.passes else FAIL) for vote in votes]
    labels = LabelSet.of(answers, len(claims), len(verifiers), 2)
    gold = {claims[name]: PASS if passes else FAIL for name, passes in known.items() if name in claims}
    trusted = [verifiers[name] for name in seeds & verifiers.keys()]
    operator = _operators(votes, verifiers)
    weight = _voices(votes)
    copies = _copies(votes, labels, gold, trusted, operator, weight)
    # What is not a verifier's own is not heard twice.
    weight = weight * np.array([_own_share(copies.get(worker)) for worker in range(labels.workers)])[labels.worker]
    estimate = infer(labels, gold=gold, trusted=trusted, weight=weight)
    evidence = _evidence(labels, estimate, weight, operator, gold)
    return _Judged(votes, tuple(verifiers), labels, estimate.member, copies, evidence.without_own())


def _copies(
    votes: Sequence[VerdictVote],
    labels: LabelSet,
    gold: Mapping[int, int],
    trusted: Sequence[int],
    operator: Indices,
    weight: Numbers,
) -> dict[int, Copy]:
    """Return who repeats whom among those that have an operator, by the copier."""

    @cache
    def without(number: int) -> Estimate:
        rest = np.where(operator[labels.worker] == number, 0.0, weight)
        return infer(labels, gold=gold, trusted=trusted, weight=rest)

    place = np.array([vote.log_index for vote in votes], dtype=np.int64)
    return {copy.worker: copy for copy in find_copies(labels, operator, place, weight > 0.0, without)}


def _evidence(
    labels: LabelSet, estimate: Estimate, weight: Numbers, operator: Indices, gold: Mapping[int, int]
) -> Evidence:
    heard = weight * (1.0 - estimate.member[labels.worker])
    return Evidence.of(labels, estimate.confusion, heard, operator, gold)


def _operators(votes: Sequence[VerdictVote], verifiers: Mapping[str, int]) -> Indices:
    """Return a number for each verifier's operator; all without one have the same."""
    numbers = _numbered(vote.operator or "" for vote in votes)
    found = np.zeros(len(verifiers), dtype=np.int64)
    for vote in votes:
        found[verifiers[vote.verifier]] = numbers[vote.operator or ""]
    return found


def _reliabilities(
    criterion: str, judged: _Judged, seeds: frozenset[str], priors: VerifierPriors, own: Mapping[str, Pair]
) -> list[Reliability]:
    answered = _answered(judged)
    operators = {vote.verifier: vote.operator for vote in judged.votes}
    begun = _of_family(judged, answered)
    for place, name in enumerate(judged.verifiers):
        right, wrong = priors.of(name, operators[name], seeds, own)
        begun[place] += ((right, wrong), (wrong, right))
    total = answered + begun
    votes = np.bincount(judged.labels.worker, judged.known > 0.01, len(judged.verifiers))
    return [
        Reliability(
            verifier=name,
            criterion=criterion,
            sensitivity=(float(total[place, PASS, PASS]), float(total[place, PASS, FAIL])),
            specificity=(float(total[place, FAIL, FAIL]), float(total[place, FAIL, PASS])),
            judged=int(votes[place]),
            independence=_own_share(judged.copies.get(place)) * (1.0 - float(judged.member[place])),
            copies=judged.verifiers[judged.copies[place].original] if place in judged.copies else None,
            coalition=float(judged.member[place]),
        )
        for place, name in enumerate(judged.verifiers)
    ]


def _answered(judged: _Judged) -> Numbers:
    """Return how often each verifier said what to each truth, (verifiers, truths, answers), as far as it is known."""
    labels, cells = judged.labels, judged.labels.worker * 2 + judged.labels.label
    shares = np.stack([1.0 - judged.others, judged.others])
    counts = [np.bincount(cells, share * judged.known, labels.workers * 2).reshape(-1, 2) for share in shares]
    return np.stack(counts, axis=1)


def _of_family(judged: _Judged, answered: Numbers) -> Numbers:
    """Return what each verifier takes over from the others of its family: their answers, scaled down."""
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


def _own_share(copy: Copy | None) -> float:
    return 1.0 - copy.share if copy is not None else 1.0


def _calibration(judged: Collection[_Judged]) -> tuple[Pair, ...]:
    votes = [vote for one in judged for vote in one.votes]
    if not votes:
        return AS_STATED
    right = np.concatenate([np.where(one.labels.label == PASS, one.others, 1.0 - one.others) for one in judged])
    confidence = np.array([vote.confidence for vote in votes], dtype=np.float64)
    return calibrate(confidence, right, np.concatenate([one.known for one in judged]))


def _voices(votes: Sequence[VerdictVote]) -> Numbers:
    """Return what each vote weighs in the truth: one operator has one voice on a claim, the unseeded have none."""
    sharing: defaultdict[tuple[str, str | None], int] = defaultdict(int)
    for vote in votes:
        sharing[vote.claim, vote.operator] += 1
    weights = [0.0 if vote.operator is None else 1.0 / sharing[vote.claim, vote.operator] for vote in votes]
    return np.array(weights, dtype=np.float64)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(dict.fromkeys(names))}
