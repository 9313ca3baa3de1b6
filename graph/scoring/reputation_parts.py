"""Computes a reputation without one of its parts: a verdict, or a criterion of an epoch."""

from graph.scoring.accuracy import accuracy_of
from graph.scoring.reputation import Reputation, ReputationMethod


def without_verdict(found: Reputation, *, right: bool) -> float | None:
    """Return the reputation without one verdict that was right, or wrong.

    Returns None if it cannot be computed: an epoch estimates all verdicts together, and A2AP §6.3 gives nothing without
    an accurate one.
    """
    rights, wrongs = found.right - right, found.wrong - (not right)
    if min(rights, wrongs) < 0 or found.method is ReputationMethod.RELIABILITY:
        return None
    if found.method is ReputationMethod.LITERAL:
        return rights / (rights + wrongs) if rights else None
    a, b = found.prior
    return (a + rights) / (a + b + rights + wrongs)


def without_criterion(found: Reputation, criterion: str) -> float | None:
    """Return a reputation that an epoch estimates without one criterion; None if there is no other criterion."""
    others = [one for one in found.estimates if one.criterion != criterion]
    return accuracy_of(others).value if others else None
