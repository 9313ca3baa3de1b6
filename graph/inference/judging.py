"""Judges each verifier's votes under one criterion by the others' votes, after silencing coalitions and copies.

The workers of the joint estimate are the operators: an operator has one voice on a claim, that of most of its verifiers
there, and one record. Verifiers without an operator have no voice, and are judged all the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from graph.inference.anchoring import anchored_shares
from graph.inference.common_error import common_error
from graph.inference.contradiction import known_answers
from graph.inference.copying import Copy, Said, Without, find_copies
from graph.inference.inference import Estimate, answers_given, infer
from graph.inference.label_set import Indices, LabelSet, Numbers
from graph.inference.variational import DEFAULTS, ModelSettings, expected_log
from graph.inference.verdict_vote import VerdictVote

FAIL, PASS = 0, 1


@dataclass(frozen=True, slots=True, eq=False)
class JudgedVotes:
    """The votes under one criterion, and the others' judgement of each: the probability that its claim is right.

    `operators` names the operators with a voice, `trusted` has the places of those of trusted verifiers; `operator` is
    the place of each verifier's operator, -1 without one. `estimate` is the joint estimate, whose workers are these
    operators, and `common_error` the rate at which all err together. `known_answers` counts the answers of each
    operator to claims of known truth, (operators, truths, answers). `anchored` is the share of each vote that counts in
    its verifier's record, `heard` its weight in the voice of its operator. `silenced` is the share of each operator's
    anchored votes that is not heard, as copied or of a coalition, 0 to 1.
    """

    votes: Sequence[VerdictVote]
    verifiers: Sequence[str]
    operators: Sequence[str]
    trusted: frozenset[int]
    labels: LabelSet
    operator: Indices
    estimate: Estimate
    common_error: float
    known_answers: Numbers
    copies: Mapping[int, Copy]
    heard: Numbers
    anchored: Numbers
    others: Numbers
    silenced: Numbers

    @property
    def known(self) -> Numbers:
        """The share of each vote that counts in its verifier's record: the more, the surer the others' judgement is."""
        worth: Numbers = (2.0 * self.others - 1.0) ** 2 * self.anchored
        return worth

    def member(self, place: int) -> float:
        """Return how likely the operator of a verifier is in a coalition that was silenced."""
        operator = int(self.operator[place])
        return float(self.estimate.member[operator]) if operator >= 0 else 0.0

    def independence(self, place: int) -> float:
        """Return the remaining share of the weight of a verifier, by its place in `verifiers`."""
        copy = self.copies.get(place)
        return (1.0 if copy is None else copy.independence) * (1.0 - self.member(place))


def judge(votes: Sequence[VerdictVote], known: Mapping[str, bool], seeds: frozenset[str]) -> JudgedVotes:
    """Return the others' judgement of each vote; `known` are the observed claims, `seeds` the trusted verifiers."""
    ever, votes = votes, [vote for vote in votes if vote.stands]
    claims = _numbered(vote.claim for vote in votes)
    verifiers = _numbered(sorted({vote.verifier for vote in votes}))
    operators = _numbered(sorted({vote.operator for vote in votes if vote.operator is not None}))
    answers = [(claims[vote.claim], verifiers[vote.verifier], PASS if vote.passes else FAIL) for vote in votes]
    labels = LabelSet.of(answers, len(claims), len(verifiers), 2)
    gold = {claims[name]: PASS if passes else FAIL for name, passes in known.items() if name in claims}
    operator = _operators(votes, verifiers, operators)
    voices = _OperatorVoices(
        labels, operator, len(operators), gold, [verifiers[name] for name in seeds & verifiers.keys()]
    )
    said = Said(_since(votes), *_all_said(ever, claims, verifiers))
    found = find_copies(labels, operator, said, voices.parts(), voices.anchored, voices.without)
    copies = {copy.worker: copy for copy in found}
    own = voices.parts(_own_shares(labels, copies))
    spoken, estimate = voices.estimate(own)
    heard = own * (1.0 - np.append(estimate.member, 0.0)[operator[labels.worker]])
    return JudgedVotes(
        votes=votes,
        verifiers=tuple(verifiers),
        operators=tuple(operators),
        trusted=voices.trusted,
        labels=labels,
        operator=operator,
        estimate=estimate,
        common_error=common_error(spoken, estimate.model, gold, estimate.heard),
        known_answers=voices.known_answers(heard),
        copies=copies,
        heard=heard,
        anchored=voices.anchored,
        others=voices.by_others(spoken, estimate),
        silenced=voices.silenced(heard),
    )


class _OperatorVoices:
    """The voices of operators on claims, made of the answers of their verifiers, and the joint estimate from them.

    Each answer belongs to a pair of an operator and a claim, those of verifiers without an operator to pairs without a
    voice.
    """

    def __init__(
        self, labels: LabelSet, operator: Indices, operators: int, gold: Mapping[int, int], trusted: Sequence[int]
    ) -> None:
        self._answers, self._operator, self._operators, self._gold = labels, operator, operators, gold
        of_answer = operator[labels.worker]
        self._seeded = of_answer >= 0
        self._pairs, self._pair = np.unique(of_answer * labels.items + labels.item, return_inverse=True)
        trusted = [worker for worker in trusted if operator[worker] >= 0]
        self.trusted = frozenset(int(operator[worker]) for worker in trusted)
        # A verifier without an operator vouches for no other and is measured alone: it has a number of its own.
        numbers = np.where(operator >= 0, operator, operators + np.arange(operator.size))
        self.anchored = anchored_shares(labels, numbers, self._seeded.astype(np.float64), gold, trusted)

    def parts(self, own: Numbers | None = None) -> Numbers:
        """Return the part of its operator's voice that each answer is; `own` is the share of it that is not copied."""
        number = np.bincount(self._pair, minlength=self._pairs.size)
        found: Numbers = np.where(self._seeded, 1.0 / number[self._pair], 0.0) * (1.0 if own is None else own)
        return found

    def silenced(self, heard: Numbers) -> Numbers:
        """Return the share of each operator's anchored votes that is not `heard`."""
        operator = self._operator[self._answers.worker][self._seeded]
        spoken, left = (
            np.bincount(operator, (self.anchored * part)[self._seeded], self._operators)
            for part in (self.parts(), heard)
        )
        found: Numbers = np.clip(1.0 - left / np.maximum(spoken, 1e-9), 0.0, 1.0)
        return np.where(spoken > 0.0, found, 0.0)

    def estimate(self, heard: Numbers, settings: ModelSettings = DEFAULTS) -> tuple[LabelSet, Estimate]:
        """Return the voices, and the joint estimate; `heard` is the weight of each answer in its operator's voice."""
        spoken, weight = self._voices(heard)
        anchored = np.zeros(self._pairs.size)
        anchored[self._pair] = self.anchored
        return spoken, infer(
            spoken,
            gold=self._gold,
            trusted=sorted(self.trusted),
            weight=weight,
            anchored=anchored[self._pairs >= 0],
            settings=settings,
        )

    def known_answers(self, heard: Numbers) -> Numbers:
        """Return how often each operator gave each answer to claims of known truth, (operators, truths, answers)."""
        spoken, weight = self._voices(heard)
        return known_answers(spoken, self._gold, weight)

    def _voices(self, heard: Numbers) -> tuple[LabelSet, Numbers]:
        """Return the voices with their weights; `heard` is the weight of each answer in its operator's voice.

        An operator says on a claim what most of its verifiers say there, and the less the more they are divided.
        """
        passed = self._answers.label == PASS
        refused, accepted = (np.bincount(self._pair, heard * side, self._pairs.size) for side in (~passed, passed))
        voiced = self._pairs >= 0
        operator, item = np.divmod(self._pairs[voiced], self._answers.items)
        label = np.where(accepted > refused, PASS, FAIL)[voiced]
        spoken = LabelSet(self._answers.items, self._operators, 2, item, operator, label)
        return spoken, np.abs(accepted - refused)[voiced]

    @property
    def without(self) -> Without:
        """Return the estimate of truths and of verifiers without the answers of some operators, as a function."""

        @cache
        def rated(numbers: frozenset[int]) -> tuple[Numbers, Numbers]:
            rest = np.where(np.isin(self._operator[self._answers.worker], list(numbers)), 0.0, self.parts())
            posterior = self.estimate(rest, _WITH_COPIES)[1].posterior
            return posterior, _rates(self._answers, posterior)

        return rated

    def by_others(self, spoken: LabelSet, estimate: Estimate) -> Numbers:
        """Return, for each answer, the probability that its claim is right by the voices of the other operators."""
        model, item = estimate.model, self._answers.item
        said = expected_log(model.counts + model.prior)[spoken.worker, :, spoken.label] * estimate.heard[:, None]
        total = np.stack([np.bincount(spoken.item, cell, spoken.items) for cell in said.T], axis=1).astype(np.float64)
        own = np.zeros((self._pairs.size, said.shape[1]))
        own[self._pairs >= 0] = said
        odds = total[item] + model.log_share - own[self._pair]
        shares = np.exp(odds - odds.max(axis=1, keepdims=True))
        right = shares[:, model.levels :].sum(axis=1) / shares.sum(axis=1)
        known = np.full(spoken.items, np.nan)
        known[list(self._gold)] = list(self._gold.values())
        return np.where(np.isnan(known[item]), right, known[item])


_WITH_COPIES = ModelSettings(most_contradicted=1.0)  # copies contradict each other's gold by their number
_SHARED = 4.0  # answers to each truth at the accuracy of all


def _rates(labels: LabelSet, posterior: Numbers) -> Numbers:
    """Return the rate at which each worker is right about each truth, (workers, truths)."""
    given, _ = answers_given(labels, posterior)
    right = given.diagonal(axis1=1, axis2=2)
    accuracy = (right.sum() + 3.0) / (given.sum() + 4.0)
    found: Numbers = (right + _SHARED * accuracy) / (given.sum(axis=2) + _SHARED)
    return found


def _own_shares(labels: LabelSet, copies: Mapping[int, Copy]) -> Numbers:
    """Return the share of each answer that is its verifier's own: less on claims that the original answered as well."""
    own = np.ones(labels.item.size)
    for worker, copy in copies.items():
        theirs = labels.item[labels.worker == copy.original]
        own[(labels.worker == worker) & np.isin(labels.item, theirs)] = 1.0 - copy.share
    return own


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


def _operators(votes: Sequence[VerdictVote], verifiers: Mapping[str, int], operators: Mapping[str, int]) -> Indices:
    """Return the number of each verifier's operator, -1 without one."""
    found = np.full(len(verifiers), -1, dtype=np.int64)
    for vote in votes:
        if vote.operator is not None:
            found[verifiers[vote.verifier]] = operators[vote.operator]
    return found


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(dict.fromkeys(names))}
