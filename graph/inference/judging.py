"""Judges each verifier's votes under one criterion by the others' votes, after silencing coalitions and copies."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import sparse

from graph.inference.copying import Copy, Said, find_copies
from graph.inference.inference import Estimate, infer
from graph.inference.label_set import Indices, LabelSet, Numbers
from graph.inference.variational import expected_log
from graph.inference.verdict_vote import VerdictVote

_MOST = 30.0  # log-odds


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The log-odds that each answer adds to the truth of its item being 1, for two labels.

    `total` is the sum for each item, `of_operator` that of each operator, (operators, items); `operator` is that of
    each worker, and `known` the truth of each item, NaN if it was not observed. Before any answer both truths are
    equally likely, for the rate of right claims is known from the answers alone.
    """

    labels: LabelSet
    operator: Indices
    total: Numbers
    of_operator: sparse.csr_array
    known: Numbers

    @classmethod
    def of(
        cls, labels: LabelSet, confusion: Numbers, weight: Numbers, operator: Indices, gold: Mapping[int, int]
    ) -> "Evidence":
        """Add up the evidence of all answers; `confusion` is (workers, 2, 2), `operator` a number for each worker."""
        said = expected_log(confusion)
        added = weight * (said[labels.worker, 1, labels.label] - said[labels.worker, 0, labels.label])
        shape = (int(operator.max(initial=-1)) + 1, labels.items)
        of_operator = sparse.csr_array((added, (operator[labels.worker], labels.item)), shape=shape)
        known = np.full(labels.items, np.nan)
        known[list(gold)] = list(gold.values())
        total = np.bincount(labels.item, added, labels.items).astype(np.float64)
        return cls(labels, operator, total, of_operator, known)

    def without_own(self) -> Numbers:
        """Return, for each answer, the probability of 1 by the answers of other operators."""
        item, operator = self.labels.item, self.operator[self.labels.worker]
        own = np.asarray(self.of_operator[operator, item]).ravel() if item.size else np.zeros(0)
        return self._probability(item, self.total[item] - own)

    def _probability(self, items: Indices, odds: Numbers) -> Numbers:
        others: Numbers = 1.0 / (1.0 + np.exp(-np.clip(odds, -_MOST, _MOST)))
        known = self.known[items]
        return np.where(np.isnan(known), others, known)


FAIL, PASS = 0, 1


@dataclass(frozen=True, slots=True, eq=False)
class JudgedVotes:
    """The votes under one criterion, and the others' judgement of each: the probability that its claim is right.

    `heard` is the weight of each vote, shared within its operator and reduced for copies; 0 for the unseeded.
    """

    votes: Sequence[VerdictVote]
    verifiers: Sequence[str]
    labels: LabelSet
    member: Numbers
    copies: Mapping[int, Copy]
    heard: Numbers
    others: Numbers

    @property
    def known(self) -> Numbers:
        """How much each vote tells about its verifier, from 0 to 1."""
        worth: Numbers = (2.0 * self.others - 1.0) ** 2
        return worth

    def independence(self, place: int) -> float:
        """Return the remaining share of the weight of a verifier, by its place in `verifiers`."""
        return _own_share(self.copies.get(place)) * (1.0 - float(self.member[place]))


def judge(votes: Sequence[VerdictVote], known: Mapping[str, bool], seeds: frozenset[str]) -> JudgedVotes:
    """Return the others' judgement of each vote; `known` are the observed claims, `seeds` the trusted verifiers."""
    ever, votes = votes, [vote for vote in votes if vote.stands]
    claims = _numbered(vote.claim for vote in votes)
    verifiers = _numbered(sorted({vote.verifier for vote in votes}))
    answers = [(claims[vote.claim], verifiers[vote.verifier], PASS if vote.passes else FAIL) for vote in votes]
    labels = LabelSet.of(answers, len(claims), len(verifiers), 2)
    gold = {claims[name]: PASS if passes else FAIL for name, passes in known.items() if name in claims}
    trusted = [verifiers[name] for name in seeds & verifiers.keys()]
    operator = _operators(votes, verifiers)
    weight = _voices(votes)
    said = Said(_since(votes), *_all_said(ever, claims, verifiers))
    copies = _copies(said, labels, gold, trusted, operator, weight)
    # A copied answer is not heard twice.
    weight = weight * np.array([_own_share(copies.get(worker)) for worker in range(labels.workers)])[labels.worker]
    estimate = infer(labels, gold=gold, trusted=trusted, weight=weight)
    evidence = _evidence(labels, estimate, weight, operator, gold)
    return JudgedVotes(votes, tuple(verifiers), labels, estimate.member, copies, weight, evidence.without_own())


def _since(votes: Iterable[VerdictVote]) -> Indices:
    return np.array([vote.log_index for vote in votes], dtype=np.int64)


def _all_said(
    votes: Iterable[VerdictVote], claims: Mapping[str, int], verifiers: Mapping[str, int]
) -> tuple[LabelSet, Indices]:
    """Return all conclusions of the verifiers with standing votes on these claims, and their log indices."""
    said = [
        (claims[vote.claim], verifiers[vote.verifier], PASS if passes else FAIL, place)
        for vote in votes
        if vote.claim in claims and vote.verifier in verifiers
        for place, passes in vote.ever or ((vote.log_index, vote.passes),)
    ]
    answers = LabelSet.of([one[:3] for one in said], len(claims), len(verifiers), 2)
    return answers, np.array([one[3] for one in said], dtype=np.int64)


def _copies(
    said: Said,
    labels: LabelSet,
    gold: Mapping[int, int],
    trusted: Sequence[int],
    operator: Indices,
    weight: Numbers,
) -> dict[int, Copy]:
    """Return the copies among the verifiers that have an operator, by the copier."""

    @cache
    def without(numbers: frozenset[int]) -> Estimate:
        rest = np.where(np.isin(operator[labels.worker], list(numbers)), 0.0, weight)
        return infer(labels, gold=gold, trusted=trusted, weight=rest)

    return {copy.worker: copy for copy in find_copies(labels, operator, said, weight, without)}


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


def _own_share(copy: Copy | None) -> float:
    return 1.0 - copy.share if copy is not None else 1.0


def _voices(votes: Sequence[VerdictVote]) -> Numbers:
    """Return the weight of each vote in the truth: one operator has one voice on a claim, the unseeded have none."""
    sharing: defaultdict[tuple[str, str | None], int] = defaultdict(int)
    for vote in votes:
        sharing[vote.claim, vote.operator] += 1
    weights = [0.0 if vote.operator is None else 1.0 / sharing[vote.claim, vote.operator] for vote in votes]
    return np.array(weights, dtype=np.float64)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(dict.fromkeys(names))}
