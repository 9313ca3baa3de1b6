"""The parts of the joint estimate that scores are made from: a model of each criterion, and each operator's record.

An operator's record has its rates on each level of difficulty: those of its voice, with a few answers of the prior.

- No rate is better than the upper quartile of the operators with a record (winsorized, after Tukey, 1962): an operator
  that has answered well until now cannot outvote all others on the day it turns. A rate up to the mean of an endorsed
  operator's prior is never lowered. A newcomer is taken to be as good as the lower quartile at most.
- The record of an operator whose voice is silenced in part, as copied or of a coalition, says the less.
- Rates are kept in order: on no level is a PASS more likely of a wrong claim than of a right one on any level, so that
  no PASS speaks against a claim and no FAIL for it. Rates that break this order are cut off at their mean.
"""

import numpy as np
from numpy.typing import NDArray

from a2ap.messages.epoch import CriterionModel, OperatorRecord, Pair
from graph.inference.judging import FAIL, PASS, JudgedVotes
from graph.inference.label_set import Numbers

LEAST_NEWCOMER = 0.65
"""The mean of a newcomer's prior is lowered no further than this: its voice still says something."""

_LEAST_ANSWERS = 4.0  # anchored, to each truth, of an operator that the quartiles are taken from
_STRENGTH = 4.0  # answers to each truth on each level that the prior of a record is worth
_QUARTILES = (0.25, 0.75)


def criterion_model(criterion: str, judged: JudgedVotes) -> CriterionModel:
    """Return the model of a criterion."""
    fit = judged.estimate.model
    shares = (fit.share / fit.share.sum()).reshape(2, -1)
    return CriterionModel(
        criterion,
        tuple(shares[PASS].tolist()),
        tuple(shares[FAIL].tolist()),
        judged.common_error,
        _newcomer(judged),
    )


def operator_records(model: CriterionModel, judged: JudgedVotes, trusted: Pair, endorsed: Pair) -> list[OperatorRecord]:
    """Return the records of the operators of which anything is known; `trusted` and `endorsed` are the priors."""
    own = _own_counts(judged)
    priors = np.stack([_begun(model.prior(endorsed)), _begun(trusted)])
    is_trusted = np.isin(np.arange(len(own)), sorted(judged.trusted))
    counts = own + priors[is_trusted.astype(np.int64)]
    counts = _winsorized(counts, _is_known(own), endorsed[0] / (endorsed[0] + endorsed[1]))
    counts = _muted(counts, judged.silenced)
    return [
        OperatorRecord(
            name, model.criterion, _levels(_ordered(counts[place])), _levels(judged.known_answers[place][:, None])[0]
        )
        for place, name in enumerate(judged.operators)
        if is_trusted[place] or own[place].sum() > 0.0 or judged.silenced[place] > 0.0
    ]


def _own_counts(judged: JudgedVotes) -> Numbers:
    """Return how often each operator gave each answer to claims of each kind: (operators, truths, levels, answers)."""
    fit = judged.estimate.model
    counts: Numbers = fit.counts.reshape(len(judged.operators), 2, fit.levels, 2)
    return counts


def _is_known(counts: Numbers) -> NDArray[np.bool_]:
    """Return whether each operator has a record that tells about others: enough answers to either truth."""
    known: NDArray[np.bool_] = counts.sum(axis=(2, 3)).min(axis=1, initial=np.inf) >= _LEAST_ANSWERS
    return known


def _begun(prior: Pair) -> Numbers:
    """Return the counts of a prior on one level, (truths, 1, answers), scaled to `_STRENGTH`."""
    right, wrong = (_STRENGTH * count / (prior[0] + prior[1]) for count in prior)
    counts = np.empty((2, 1, 2))
    counts[PASS, 0], counts[FAIL, 0] = (wrong, right), (right, wrong)
    return counts


def _newcomer(judged: JudgedVotes) -> float:
    """Return the accuracy that an operator without a record has at most."""
    counts = _own_counts(judged)
    counts = counts[_is_known(counts)].sum(axis=2)
    if not len(counts):
        return 1.0
    right = np.stack([counts[:, FAIL, FAIL], counts[:, PASS, PASS]], axis=1) / counts.sum(axis=2)
    return max(float(np.quantile(right.mean(axis=1), _QUARTILES[0])), LEAST_NEWCOMER)


def _muted(counts: Numbers, silenced: Numbers) -> Numbers:
    """Return counts whose rates of PASS differ between right and wrong claims by the share that is not silenced.

    A new key of an operator that copies, or lies with others, then weighs as little as its old ones.
    """
    number = counts.sum(axis=3)
    rates = counts[:, :, :, PASS] / number
    share = silenced[:, None, None]
    rates = (1.0 - share) * rates + share * rates.mean(axis=(1, 2), keepdims=True)
    return np.stack([number * (1.0 - rates), number * rates], axis=3)


def _winsorized(counts: Numbers, known: NDArray[np.bool_], least: float) -> Numbers:
    """Return counts, (operators, truths, levels, answers), with no rate above the upper quartile of the known ones.

    No rate up to `least` is lowered, so that a few bad operators cannot lower those of all others.
    """
    if not known.any():
        return counts
    number = counts.sum(axis=3)
    right = np.stack([counts[:, FAIL, :, FAIL], counts[:, PASS, :, PASS]], axis=1) / number
    most = np.maximum(np.quantile(right[known], _QUARTILES[1], axis=0), least)
    right = np.minimum(right, most) * number
    wrong = number - right
    return np.stack(
        [
            np.stack([right[:, FAIL], wrong[:, FAIL]], axis=2),
            np.stack([wrong[:, PASS], right[:, PASS]], axis=2),
        ],
        axis=1,
    )


def _ordered(counts: Numbers) -> Numbers:
    """Return counts, (truths, levels, answers), whose rates of PASS are in order, as many as before on each level."""
    number = counts.sum(axis=2)
    rates = counts[:, :, PASS] / number
    least, most = rates[PASS].min(), rates[FAIL].max()
    if least < most:
        broken = np.stack([rates[FAIL] > least, rates[PASS] < most])
        middle = float((counts[:, :, PASS] * broken).sum() / (number * broken).sum())
        rates = np.stack([np.minimum(rates[FAIL], middle), np.maximum(rates[PASS], middle)])
    return np.stack([number * (1.0 - rates), number * rates], axis=2)


def _levels(counts: Numbers) -> tuple[tuple[Pair, Pair], ...]:
    return tuple(
        (
            (float(counts[PASS, level, PASS]), float(counts[PASS, level, FAIL])),
            (float(counts[FAIL, level, FAIL]), float(counts[FAIL, level, PASS])),
        )
        for level in range(counts.shape[1])
    )
