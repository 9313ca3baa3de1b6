"""How reliable each verifier is under each criterion, from the votes so far and what has been observed.

What a vote says of the truth and what it says of its verifier are two things. Verifiers without an operator say
nothing of the truth here: a thousand of them cannot make one another look right. The verifiers of one operator share
one voice on each claim. Everybody is then measured against what is left (design §6).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graph.inference.inference import infer
from graph.inference.label_set import LabelSet, Numbers

FAIL, PASS = 0, 1


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

    trusted: tuple[float, float] = (8.0, 2.0)
    endorsed: tuple[float, float] = (3.0, 1.5)
    unknown: tuple[float, float] = (1.2, 1.0)


PRIORS = VerifierPriors()


@dataclass(frozen=True, slots=True)
class Reliability:
    """A verifier under a criterion: sensitivity P(PASS | right) and specificity P(FAIL | wrong) as Beta(a, b).

    `judged` is how many of its votes were about claims of which something is known; `independence`, from 0 to 1, is
    what is left of its weight where it follows another, `copies`.
    """

    verifier: str
    criterion: str
    sensitivity: tuple[float, float]
    specificity: tuple[float, float]
    judged: float = 0.0
    independence: float = 1.0
    copies: str | None = None


@dataclass(frozen=True, slots=True)
class EpochEstimate:
    """All reliabilities, by verifier and criterion, and the weight that a stated confidence turned out to deserve."""

    reliabilities: tuple[Reliability, ...]
    calibration: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 1.0))


def estimate_reliabilities(
    votes: Sequence[VerdictVote],
    observed: Sequence[ObservedLabel],
    trusted: Collection[str] = (),
    priors: VerifierPriors = PRIORS,
) -> EpochEstimate:
    """Return what the votes that stand say of their verifiers; their order does not matter.

    `trusted` are the seeds. The verifiers' own labels do not count as observed.
    """
    by_criterion: defaultdict[str, list[VerdictVote]] = defaultdict(list)
    for vote in sorted(votes, key=lambda vote: (vote.claim, vote.verifier, vote.log_index)):
        by_criterion[vote.criterion].append(vote)
    known = {(label.claim, label.criterion): label.passes for label in observed}
    found: list[Reliability] = []
    for criterion, own in sorted(by_criterion.items()):
        found += _under_criterion(criterion, own, known, frozenset(trusted), priors)
    return EpochEstimate(tuple(sorted(found, key=lambda entry: (entry.verifier, entry.criterion))))


def _under_criterion(
    criterion: str,
    votes: Sequence[VerdictVote],
    known: Mapping[tuple[str, str], bool],
    trusted: frozenset[str],
    priors: VerifierPriors,
) -> list[Reliability]:
    claims = {name: place for place, name in enumerate(dict.fromkeys(vote.claim for vote in votes))}
    verifiers = {name: place for place, name in enumerate(sorted({vote.verifier for vote in votes}))}
    labels = LabelSet.of(
        [(claims[vote.claim], verifiers[vote.verifier], PASS if vote.passes else FAIL) for vote in votes],
        len(claims),
        len(verifiers),
        2,
    )
    gold = {
        place: PASS if known[name, criterion] else FAIL for name, place in claims.items() if (name, criterion) in known
    }
    weight = _voices(votes)
    estimate = infer(labels, gold=gold, trusted=[verifiers[name] for name in trusted & verifiers.keys()], weight=weight)
    sure = np.abs(2.0 * estimate.posterior[:, PASS] - 1.0)
    answered = np.zeros((len(verifiers), 2, 2))
    for truth in (FAIL, PASS):
        cells = labels.worker * 2 + labels.label
        share = estimate.posterior[labels.item, truth] * sure[labels.item]
        answered[:, truth] = np.bincount(cells, share, len(verifiers) * 2).reshape(-1, 2)
    operators = {vote.verifier: vote.operator for vote in votes}
    return [
        _reliability(name, criterion, answered[place], _prior_of(name, operators[name], trusted, priors))
        for name, place in verifiers.items()
    ]


def _reliability(name: str, criterion: str, answered: Numbers, prior: tuple[float, float]) -> Reliability:
    right, wrong = prior
    return Reliability(
        verifier=name,
        criterion=criterion,
        sensitivity=(right + float(answered[PASS, PASS]), wrong + float(answered[PASS, FAIL])),
        specificity=(right + float(answered[FAIL, FAIL]), wrong + float(answered[FAIL, PASS])),
        judged=float(answered.sum()),
    )


def _prior_of(name: str, operator: str | None, trusted: frozenset[str], priors: VerifierPriors) -> tuple[float, float]:
    if name in trusted:
        return priors.trusted
    return priors.endorsed if operator is not None else priors.unknown


def _voices(votes: Sequence[VerdictVote]) -> Numbers:
    """Return what each vote weighs in the truth: one operator has one voice on a claim, the unseeded have none."""
    sharing: defaultdict[tuple[str, str | None], int] = defaultdict(int)
    for vote in votes:
        sharing[vote.claim, vote.operator] += 1
    return np.array(
        [0.0 if vote.operator is None else 1.0 / sharing[vote.claim, vote.operator] for vote in votes], dtype=np.float64
    )
