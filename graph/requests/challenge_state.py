"""The state of a challenge, worked out anew from the facts: a pure function, with its reason in words.

The first of these rules that applies decides:

1. It is dismissed if its verifier has withdrawn it: retracted, superseded, or signed with a key not trusted.
2. It is upheld if the machine found the evidence wrong, or the operator's gold labels fail a criterion that it faults;
   dismissed if gold labels pass all criteria that it faults.
3. It is upheld if the author has conceded: retracted or revised the statement.
4. It is dismissed if the statement is verified, and upheld if a quorum of operators faults a criterion with it, whose
   score is at most one minus the threshold.
5. It is answered if the author has answered it, and open otherwise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class ChallengeStatus(StrEnum):
    """The states of a challenge."""

    OPEN = "OPEN"
    ANSWERED = "ANSWERED"
    UPHELD = "UPHELD"
    DISMISSED = "DISMISSED"


@dataclass(frozen=True, slots=True)
class ChallengedCriterion:
    """A criterion of the challenged statement: its score, and the number of seeded operators that have faulted it."""

    criterion: str
    score: float
    operators_against: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """The facts about a challenge and its statement.

    `faults` are the criteria that it finds to fail; a challenge that names none faults all. `gold` are the labels in
    force by criterion, true for PASS.
    """

    faults: tuple[str, ...]
    trusted: bool = True
    retracted: bool = False
    superseded: bool = False
    machine_failed: bool = False
    gold: Mapping[str, bool] = field(default_factory=dict)
    statement_retracted: bool = False
    statement_revised: bool = False
    verified: bool = False
    criteria: Sequence[ChallengedCriterion] = ()
    answered: bool = False


@dataclass(frozen=True, slots=True)
class ChallengeState:
    """The state of a challenge and the sentence that gives the reason."""

    status: ChallengeStatus
    reason: str


def state_of(challenge: Challenge, *, threshold: float, quorum: int) -> ChallengeState:
    """Return the state of a challenge under a policy with this threshold and quorum."""
    found = _taken_back(challenge) or _settled(challenge) or _conceded(challenge)
    found = found or _decided(challenge, threshold, max(quorum, 1))
    if found is not None:
        return found
    if challenge.answered:
        return ChallengeState(ChallengeStatus.ANSWERED, "The author has answered it.")
    return ChallengeState(ChallengeStatus.OPEN, "The author has not answered it.")


def _taken_back(challenge: Challenge) -> ChallengeState | None:
    for holds, reason in (
        (not challenge.trusted, "It is signed with a key that is not trusted."),
        (challenge.retracted, "Its verifier has retracted it."),
        (challenge.superseded, "Its verifier has superseded it by another verdict."),
    ):
        if holds:
            return ChallengeState(ChallengeStatus.DISMISSED, reason)
    return None


def _settled(challenge: Challenge) -> ChallengeState | None:
    """Return the state by the machine's check and the gold labels, None if they do not decide."""
    if challenge.machine_failed:
        return ChallengeState(ChallengeStatus.UPHELD, "The machine found that the evidence is not as stated.")
    about = [name for name in challenge.gold if not challenge.faults or name in challenge.faults]
    for criterion in sorted(about):
        if not challenge.gold[criterion]:
            return ChallengeState(ChallengeStatus.UPHELD, f"The operator's gold label says that {criterion} fails.")
    if challenge.faults and set(challenge.faults) <= set(about):
        named = ", ".join(sorted(challenge.faults))
        return ChallengeState(ChallengeStatus.DISMISSED, f"The operator's gold labels say that this passes: {named}.")
    return None


def _conceded(challenge: Challenge) -> ChallengeState | None:
    if challenge.statement_retracted:
        return ChallengeState(ChallengeStatus.UPHELD, "The author has retracted the statement.")
    if challenge.statement_revised:
        return ChallengeState(ChallengeStatus.UPHELD, "The author has revised the statement.")
    return None


def _decided(challenge: Challenge, threshold: float, quorum: int) -> ChallengeState | None:
    if challenge.verified:
        return ChallengeState(ChallengeStatus.DISMISSED, "The statement is verified all the same.")
    for found in challenge.criteria:
        if challenge.faults and found.criterion not in challenge.faults:
            continue
        if found.operators_against >= quorum and found.score <= 1 - threshold:
            return ChallengeState(
                ChallengeStatus.UPHELD,
                f"{found.operators_against} operators fault {found.criterion}, which scores {found.score:.4f}.",
            )
    return None
