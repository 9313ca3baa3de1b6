"""Computes the score of a statement without each of its verifiers, in about the time of scoring it once.

Under each criterion a verifier has at most one vote, and the sums of a method can be corrected for one removed vote:
each `Tally` does so for a method, and its result equals to the last bit the score of the other votes.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from graph.scoring.exact_sum import WeighedOrder, exact_sum
from graph.scoring.posterior import Evidence, Ground, Knowledge, Sums, evidence_of, family_of, hold_back
from graph.scoring.quorum import hold_mean_back, posterior_mean, vote_of_operator, vote_of_strangers
from graph.scoring.unit import unit
from graph.scoring.votes import ConsensusPolicy, Vote


class Tally(Protocol):
    """The votes on one criterion."""

    def without(self, vote: Vote) -> float:
        """Return the score of the criterion without this vote."""


def scores_without_each(
    votes: Sequence[Vote],
    policy: ConsensusPolicy,
    scores: dict[str, float],
    observed: Mapping[str, bool],
    tally: Callable[[Sequence[Vote]], Tally],
) -> dict[str, float]:
    """Return the score of the statement without each verifier: that of its worst criterion, 0.0 if nothing is passed.

    `scores` are those of the criteria with all votes, `observed` the criteria whose answer is known.
    """
    by_criterion: defaultdict[str, list[Vote]] = defaultdict(list)
    by_verifier: defaultdict[str, list[Vote]] = defaultdict(list)
    for vote in votes:
        by_criterion[vote.criterion].append(vote)
        by_verifier[vote.verifier].append(vote)
    tallies = {name: tally(own) for name, own in by_criterion.items() if name not in observed}
    passes = sum(vote.passes for vote in votes)
    known = any(observed.get(name) for name in policy.criteria)
    found = {}
    for verifier, own in by_verifier.items():
        changed = {vote.criterion: tallies[vote.criterion].without(vote) for vote in own if vote.criterion in tallies}
        passed = known or passes > sum(vote.passes for vote in own)
        found[verifier] = min((scores | changed).values()) if passed else 0.0
    return found


class PosteriorTally:
    """Log-odds of a criterion on each level (`graph.scoring.posterior`)."""

    def __init__(self, votes: Sequence[Vote], policy: ConsensusPolicy, knowledge: Knowledge) -> None:
        self._policy = policy
        criterion = votes[0].criterion if votes else ""
        self._ground = Ground.of(criterion, policy, knowledge)
        self._evidence = {vote.verifier: evidence_of(vote, policy, knowledge, self._ground) for vote in votes}
        self._levels = [
            _LevelTally([one.on(cell) for one in self._evidence.values() if one.shifts[cell]], policy)
            for cell in range(2 * self._ground.levels)
        ]
        self._seeded_passes = sum(vote.passes and vote.operator is not None for vote in votes)

    def without(self, vote: Vote) -> float:
        """Return the posterior without this vote."""
        gone = self._evidence[vote.verifier]
        sums = [level.without(gone.on(cell) if gone.shifts[cell] else None) for cell, level in enumerate(self._levels)]
        seeded_pass = self._seeded_passes > (vote.passes and vote.operator is not None)
        return hold_back(self._ground, sums, self._policy, seeded_pass=seeded_pass)


class _LevelTally:
    """The votes on one level: rules 2 to 4 of the posterior."""

    def __init__(self, evidence: Sequence[Evidence], policy: ConsensusPolicy) -> None:
        self._share = unit(policy.unseeded_weight)
        seeded = [one for one in evidence if one.vote.operator is not None]
        strangers = [one for one in evidence if one.vote.operator is None]
        rho = unit(policy.priors.family_correlation)
        self._seeded = {way: _Voices([one for one in seeded if one.vote.passes is way], rho) for way in (True, False)}
        self._strangers = {
            way: _Greatest(o.strength for o in strangers if o.vote.passes is way) for way in (True, False)
        }

    def without(self, gone: Evidence | None) -> Sums:
        """Return the sums without the evidence of this vote."""
        stranger = gone is not None and gone.vote.operator is None
        seeded, unseeded = (None, gone) if stranger else (gone, None)
        return Sums(
            *(
                voices.strength(seeded if seeded and seeded.vote.passes is way else None)
                for way, voices in self._seeded.items()
            ),
            *(
                self._share
                * (greatest.without(unseeded.strength if unseeded and unseeded.vote.passes is way else None) or 0.0)
                for way, greatest in self._strangers.items()
            ),
        )


class QuorumTally:
    """Votes of operators and strangers (`graph.scoring.quorum`)."""

    def __init__(self, votes: Sequence[Vote], policy: ConsensusPolicy) -> None:
        self._policy = policy
        by_operator: defaultdict[str, list[Vote]] = defaultdict(list)
        for vote in votes:
            if vote.operator is not None:
                by_operator[vote.operator].append(vote)
        self._operators = {name: _Sides(own) for name, own in by_operator.items()}
        self._strangers = _Sides([vote for vote in votes if vote.operator is None])
        counted = [vote_of_operator(*sides.without(None)) for sides in self._operators.values()]
        self._parts = exact_sum(part for part, _ in counted)
        self._weights = exact_sum(weight for _, weight in counted)

    def without(self, vote: Vote) -> float:
        """Return the mean without this vote."""
        parts, weights, operators = self._parts, self._weights, len(self._operators)
        sides = self._operators.get(vote.operator or "")
        if sides is not None:
            part, weight = vote_of_operator(*sides.without(None))
            parts, weights, operators = parts - Fraction(part), weights - Fraction(weight), operators - 1
            if sides.number > 1:
                part, weight = vote_of_operator(*sides.without(vote))
                parts, weights, operators = parts + Fraction(part), weights + Fraction(weight), operators + 1
        left = self._strangers.without(vote if sides is None else None)
        support, doubt = vote_of_strangers(*left, self._policy.unseeded_weight)
        alone = posterior_mean(float(parts), float(weights + Fraction(doubt)))
        score = posterior_mean(float(parts + Fraction(support)), float(weights + Fraction(doubt) + Fraction(support)))
        return hold_mean_back(score, alone, self._policy, seeded=operators > 0)


class ShareTally:
    """The share of PASS among verifiers, weighed by skill (`graph.scoring.comparison`)."""

    def __init__(self, votes: Sequence[Vote], skills: Mapping[str, float] | None = None) -> None:
        self._skills = skills
        self._total = exact_sum(self._weight(vote) for vote in votes)
        self._passed = exact_sum(self._weight(vote) for vote in votes if vote.passes)

    def without(self, vote: Vote) -> float:
        """Return the share without this vote."""
        weight = Fraction(self._weight(vote))
        total, passed = self._total - weight, self._passed - weight * vote.passes
        return round(float(passed) / float(total), 9) if total else 0.5

    def _weight(self, vote: Vote) -> float:
        return 1.0 if self._skills is None else self._skills.get(vote.verifier, 0.5)


class _Greatest:
    """The greatest of some numbers, with and without one of them."""

    def __init__(self, terms: Iterable[float]) -> None:
        self._two = sorted(terms, reverse=True)[:2]

    def without(self, term: float | None) -> float | None:
        if term is not None and self._two and term == self._two[0]:
            return self._two[1] if len(self._two) > 1 else None
        return self._two[0] if self._two else None


class _Sides:
    """The sides of some votes: sums of confidences for and against, the number of passes, and the surest fail."""

    def __init__(self, votes: Sequence[Vote]) -> None:
        self.number = len(votes)
        self._passes = exact_sum(vote.confidence for vote in votes if vote.passes)
        self._fails = exact_sum(vote.confidence for vote in votes if not vote.passes)
        self._passing = sum(vote.passes for vote in votes)
        self._surest = _Greatest(vote.confidence for vote in votes if not vote.passes)

    def without(self, vote: Vote | None) -> tuple[float, int, float, float]:
        gone = Fraction(vote.confidence) if vote is not None else Fraction(0)
        passes = vote is not None and vote.passes
        surest = self._surest.without(vote.confidence if vote is not None and not passes else None)
        return (
            float(self._passes - gone * passes),
            self._passing - passes,
            float(self._fails - gone * (not passes)),
            surest or 0.0,
        )


class _Voices:
    """The votes of the seeded in one direction: rules 2 and 3 of the posterior."""

    def __init__(self, evidence: Sequence[Evidence], rho: float) -> None:
        by_operator: defaultdict[str | None, list[float]] = defaultdict(list)
        by_family: defaultdict[tuple[str | None, str | None], defaultdict[str | None, list[float]]]
        by_family = defaultdict(lambda: defaultdict(list))
        for one in evidence:
            by_operator[one.vote.operator].append(one.strength)
            by_family[family_of(one)][one.vote.operator].append(one.strength)
        self._operators = {name: _Greatest(own) for name, own in by_operator.items()}
        self._members = {
            family: {name: _Greatest(own) for name, own in members.items()} for family, members in by_family.items()
        }
        self._families = {
            family: WeighedOrder((own.without(None) or 0.0 for own in members.values()), rho)
            for family, members in self._members.items()
        }
        self._independent = exact_sum(own.without(None) or 0.0 for own in self._operators.values())
        self._correlated = sum((order.total for order in self._families.values()), Fraction(0))

    def strength(self, gone: Evidence | None) -> float:
        """Return the combined strength of the votes, without `gone` if it is given."""
        independent, correlated = self._independent, self._correlated
        if gone is not None:
            voice, family = self._operators[gone.vote.operator], family_of(gone)
            best, left = voice.without(None) or 0.0, voice.without(gone.strength)
            independent += Fraction(left or 0.0) - Fraction(best)
            member, order = self._members[family][gone.vote.operator], self._families[family]
            best, left = member.without(None) or 0.0, member.without(gone.strength)
            if left != best:
                correlated += order.changed(best, left) - order.total
        return min(float(independent), float(correlated))
