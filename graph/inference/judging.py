"""Judges each verifier's votes under one criterion by the others' votes, after silencing coalitions and copies."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from graph.inference.cavity import Evidence
from graph.inference.copying import Copy, Said, find_copies
from graph.inference.inference import Estimate, infer
from graph.inference.label_set import Indices, LabelSet, Numbers
from graph.inference.verdict_vote import VerdictVote

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
