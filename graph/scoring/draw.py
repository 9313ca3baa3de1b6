"""Draws the operators whose verdicts on a statement complete its quorum: a pure function of the policy and the log.

The rules (docs/explanation/drawn-verifiers.md, docs/decisions/0075):

1. Operators are drawn for a statement as soon as the policy has rules for it and enough operators are eligible: seeds
   that are neither its author nor operators of its author.
2. The first request for the verification of a statement fixes the draw: its seed is the hash of the request's leaf in
   the log. Only a request without bounds counts: anybody may answer it, it has no deadline, names all criteria of the
   policy, and wants verdicts of as many operators as are drawn, or of any number. Otherwise its requester could choose
   the verifiers, or have it end before they answer. Later requests change nothing.
3. The order of the eligible operators is that of the hashes of the seed with each of their names.
4. Drawn are the first of them that have not declined this request, as many as the rules say, and one more for each
   window that has passed since the request was received. Times are those of log entries, so that a replay draws the
   same.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from a2ap.messages.draw_rules import DrawRules

NOT_REQUESTED = "not drawn: nobody has requested its verification without bounds"
TOO_EARLY = "not drawn: the verdict came before the first request for verification"

ALL_ENTRIES = 2**53
"""A place in the log behind every entry."""

_TAG = b"a2ap-draw/1\n"
_MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class DrawingRequest:
    """The request that fixes a draw: the hash of its leaf, its place in the log, and its receipt in microseconds."""

    leaf_hash: bytes
    log_index: int
    received: int


@dataclass(frozen=True, slots=True)
class Declined:
    """A decline of the request that fixes a draw: its agent, with the operators that endorsed it."""

    agent: str
    operators: frozenset[str]
    log_index: int
    received: int


@dataclass(frozen=True, slots=True)
class DrawFacts:
    """The log's facts about the draw for one statement: the first request of rule 2, and its declines."""

    request: DrawingRequest | None = None
    declines: tuple[Declined, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawnOperator:
    """A drawn operator, and the times of its draw and of its decline in microseconds."""

    operator: str
    since: int
    declined: int | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """The draw for one statement: all eligible operators in order, none without a request.

    `declined` has the place in the log and the time of the first decline of an operator.
    """

    rules: DrawRules
    request: DrawingRequest | None
    order: tuple[str, ...]
    declined: Mapping[str, tuple[int, int]]

    @classmethod
    def among(
        cls,
        eligible: Collection[str],
        rules: DrawRules,
        request: DrawingRequest | None,
        declines: Iterable[tuple[str, int, int]],
    ) -> "Draw | None":
        """Return the draw among these operators, None if too few are eligible.

        A decline is an operator with a place in the log and a time in microseconds.
        """
        if len(eligible) < rules.least:
            return None
        declined: dict[str, tuple[int, int]] = {}
        for operator, log_index, received in declines:
            declined[operator] = min(declined.get(operator, (log_index, received)), (log_index, received))
        order = () if request is None else order_of(eligible, seed_of(request.leaf_hash))
        return cls(rules, request, order, declined)

    def drawn_at(self, log_index: int, received: int) -> tuple[str, ...]:
        """Return the operators drawn before a place in the log whose entry came at this time, in order."""
        if self.request is None or log_index <= self.request.log_index:
            return ()
        left = [name for name in self.order if name not in self.declined or self.declined[name][0] >= log_index]
        windows = max(received - self.request.received, 0) // (self.rules.window * _MICROS)
        return tuple(left[: self.rules.operators + windows])

    def reason_against(self, operator: str, log_index: int, received: int) -> str:
        """Return the reason why a PASS of this operator completes no quorum, empty if it may."""
        if self.request is None:
            return NOT_REQUESTED
        if log_index <= self.request.log_index:
            return TOO_EARLY
        if operator in self.declined:
            # Whether it declined before its verdict or after it: the decline has drawn another operator.
            return f"not drawn: {operator} has declined"
        drawn = self.drawn_at(log_index, received)
        if operator in drawn:
            return ""
        return f"not drawn: {operator} was not among the {len(drawn)} operators drawn when the verdict came"

    def drawn_until(self, now: int) -> tuple[DrawnOperator, ...]:
        """Return all operators drawn up to a time in microseconds, in order, each with the time of its draw."""
        if self.request is None:
            return ()
        found = []
        begin, window = self.request.received, self.rules.window * _MICROS
        before: list[int] = []  # the times of the declines of the operators before it
        for place, operator in enumerate(self.order):
            lacking = place - self.rules.operators + 1
            since = min(
                max(given, begin + max(lacking - number, 0) * window)
                for number, given in enumerate((begin, *sorted(before)))
            )
            declined = self.declined[operator][1] if operator in self.declined else None
            if since <= now and (declined is None or declined >= since):
                found.append(DrawnOperator(operator, since, declined))
            if declined is not None:
                before.append(declined)
        return tuple(found)


def may_fix_draw(
    rules: DrawRules,
    policy_criteria: Collection[str],
    *,
    criteria: Collection[str],
    wanted_verdicts: int | None,
    deadline: datetime | None,
    eligible_verifiers: Collection[str] | None,
) -> bool:
    """Return whether a request is without bounds, by rule 2, as `drawing_requests.cypher` finds it."""
    enough = wanted_verdicts is None or wanted_verdicts >= rules.operators
    return enough and deadline is None and eligible_verifiers is None and set(policy_criteria) <= set(criteria)


def seed_of(leaf_hash: bytes) -> bytes:
    """Return the seed of the draw that a request fixes, from the RFC 6962 hash of its log entry."""
    return hashlib.sha256(_TAG + leaf_hash).digest()


def order_of(operators: Iterable[str], seed: bytes) -> tuple[str, ...]:
    """Return the operators, each once, in the order in which a seed draws them."""
    return tuple(sorted(set(operators), key=lambda name: (hashlib.sha256(seed + name.encode()).digest(), name)))
