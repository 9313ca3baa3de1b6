"""Scales the counts of a reliability so that its interval holds it: fewer than were counted, with the same mean.

A Beta distribution of all counts tells how far chance puts their mean from the truth, if each were an answer of this
verifier to a claim whose truth is seen. Two more things are unknown:

1. The truth. It is a probability p, and the answer is counted p as one to a right claim and 1 - p as one to a wrong
   one, though it was one of both. Of the counts about either truth, the sum of p (1 - p) is then of the other, and
   shifts the mean towards chance by that share of sensitivity + specificity - 1, if p is calibrated. If the verifiers
   of an operator share a voice, p is too cautious, and the shift less: for v the voice of a vote, its mean square is
   taken to be v (1 + v) / 2 of that, which is between v squared and v.
2. The kind. A prior counts like answers of this verifier, and is the belief about others like it. The distance between
   prior and answers beyond the chance in both moves the mean by the prior's share of the counts.

Both squares are added to the variance, and the counts are scaled to those of the Beta distribution that has the sum,
but to no fewer than the prior's: judging a verifier never makes it less known.
"""

import numpy as np

from graph.inference.judging import FAIL, PASS
from graph.inference.label_set import Numbers


def certain_counts(answered: Numbers, begun: Numbers, mixed: Numbers, voice: float) -> Numbers:
    """Return the sum of answers and priors, (verifiers, truths, answers), scaled to as many counts as are certain.

    `answered` and `begun` have the same shape; `mixed` is, for each verifier, the number of answers about one truth
    that were counted as about the other; `voice`, above 0 to 1, is the weight of a vote in the truth.
    """
    total = answered + begun
    counts, answers, prior = (each.sum(axis=2) for each in (total, answered, begun))
    right, answered_right, begun_right = (_right(each) for each in (total, answered, begun))
    mean = right / counts
    chance = mean * (1.0 - mean)
    informed = np.maximum(mean.sum(axis=1, keepdims=True) - 1.0, 0.0)
    shift = mixed[:, None] / counts * informed
    found = answers > 0.0
    answers = np.where(found, answers, 1.0)
    distance = np.where(found, (answered_right / answers - begun_right / prior) ** 2, 0.0)
    beyond = np.maximum(distance - chance / answers - chance / (prior + 1.0), 0.0)
    blur = shift**2 * voice * (1.0 + voice) / 2.0
    variance = chance / (counts + 1.0) + blur + (prior / counts) ** 2 * beyond
    worth = np.minimum(np.maximum(chance / variance - 1.0, prior), counts)
    scaled: Numbers = total * (worth / counts)[:, :, None]
    return scaled


def _right(counts: Numbers) -> Numbers:
    """Return how often each verifier said FAIL of a wrong claim and PASS of a right one, (verifiers, truths)."""
    return np.stack([counts[:, FAIL, FAIL], counts[:, PASS, PASS]], axis=1)
