"""Bounds the evidence about a verifier by the known answers that it can be traced to.

Verifiers that agree with each other may both be right, or be of one mind. Only a known answer tells these apart: gold,
a probe, or the verdict of a verifier that the policy trusts. An answer to a claim therefore counts in the record of its
verifier by its *anchored* share, from 0 to 1:

1. If the truth of the claim is known, the answer counts in full.
2. Otherwise the claim is known through the other operators that judged it, each to an equal part. One operator vouches
   for another with no more answers, over all claims, than it has itself on claims of known truth; a trusted verifier
   adds those that its prior is worth. Beyond that, each answer counts by the quotient.
3. A claim that no other operator judged, or only operators without an answer to a known claim, counts nothing.

A group of operators that agree on claims of their own thus gains at most one answer for each that its members gave
where the truth was known, times the number of the other members: evidence passes one step, as trust does in EigenTrust
(Kamvar, Schlosser and Garcia-Molina, 2003), with the known answers as its pre-trusted peers.
"""

from collections.abc import Collection, Mapping

import numpy as np
from scipy import sparse

from graph.inference.label_set import Indices, LabelSet, Numbers

TRUSTED_ANSWERS = 19.0
"""The number of known answers that a trusted verifier vouches with before it has given any."""


def anchored_shares(
    labels: LabelSet, operator: Indices, weight: Numbers, gold: Mapping[int, int], trusted: Collection[int]
) -> Numbers:
    """Return the anchored share of each answer, 0 to 1.

    `operator` is a number for each worker. Answers with `weight` 0 vouch for no other, and have anchored shares all the
    same.
    """
    operators = int(operator.max(initial=-1)) + 1
    known = np.zeros(labels.items, dtype=np.bool_)
    known[list(gold)] = True
    heard = weight > 0.0
    judged = _incidence(labels.item[heard], operator[labels.worker[heard]], labels.items, operators)
    masses = judged[known].sum(axis=0).ravel().astype(np.float64)
    for number in {int(operator[worker]) for worker in trusted}:
        masses[number] += TRUSTED_ANSWERS
    unknown = judged.multiply(~known[:, None]).tocsr()
    own = _incidence(labels.item, operator[labels.worker], labels.items, operators).multiply(~known[:, None]).tocsr()
    return np.where(known[labels.item], 1.0, _vouched(labels, operator, unknown, own, masses))


def _vouched(
    labels: LabelSet, operator: Indices, judged: sparse.csr_array, own: sparse.csr_array, masses: Numbers
) -> Numbers:
    """Return, for each answer, the share of its claim that the other operators vouch for."""
    cells = own.tocoo()
    others = _others(judged, cells)
    part = np.where(others > 0.0, 1.0 / np.maximum(others, 1.0), 0.0)
    vouching = (judged * (masses > 0.0)).tocsr()
    vouching.eliminate_zeros()
    flow = (vouching.T @ sparse.csr_array((part, (cells.row, cells.col)), shape=own.shape)).tocoo()
    lacking = 1.0 - np.minimum(masses[flow.row] / np.maximum(flow.data, 1e-12), 1.0)
    beyond = (lacking > 0.0) & (flow.row != flow.col)  # an operator never vouches for itself
    missing = sparse.csr_array((lacking[beyond], (flow.row[beyond], flow.col[beyond])), shape=flow.shape)
    missed = np.asarray((vouching @ missing)[cells.row, cells.col]).ravel()
    vouched = part * (_others(vouching, cells) - missed)
    share = sparse.csr_array((vouched, (cells.row, cells.col)), shape=own.shape)
    found: Numbers = np.clip(np.asarray(share[labels.item, operator[labels.worker]]).ravel(), 0.0, 1.0)
    return found


def _others(judged: sparse.csr_array, cells: sparse.coo_array) -> Numbers:
    """Return, for each cell of an item and an operator, the number of other operators that judged the item."""
    number = judged.sum(axis=1).ravel().astype(np.float64)
    found: Numbers = number[cells.row] - np.asarray(judged[cells.row, cells.col]).ravel()
    return found


def _incidence(item: Indices, operator: Indices, items: int, operators: int) -> sparse.csr_array:
    """Return 1.0 for each item that an operator judged, (items, operators)."""
    found = sparse.csr_array((np.ones(item.size), (item, operator)), shape=(items, operators))
    found.data[:] = 1.0
    return found
