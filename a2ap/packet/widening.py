"""Members of an item that claim more after it is passed on than before (§6-3, §17.1 epistemic drift)."""

from collections.abc import Callable
from typing import Any

from a2ap.packet.vocabulary import Degree, PromotionState

_SURER: dict[str, int] = {degree: rank for rank, degree in enumerate(Degree)}
_MORE_PROMOTED: dict[str, int] = {
    PromotionState.REJECTED: 0,
    PromotionState.SUPERSEDED: 0,
    PromotionState.DERIVED: 1,
    PromotionState.PROPOSED: 1,
    PromotionState.CONFIRMED: 2,
}
_SETTLED = frozenset({"fact", "decision"})


def _lost(old: Any, new: Any) -> bool:
    return isinstance(old, str) and new != old


def _surer(old: Any, new: Any) -> bool:
    ranks = [_SURER.get(one) if isinstance(one, str) else None for one in (old, new)]
    return ranks[0] is not None and ranks[1] is not None and ranks[1] > ranks[0]


def _less_at_stake(old: Any, new: Any) -> bool:
    return isinstance(old, str) and old in _SURER and (not isinstance(new, str) or _surer(new, old))


def _more_settled(old: Any, new: Any) -> bool:
    return isinstance(old, str) and old not in _SETTLED and isinstance(new, str) and new in _SETTLED


def _more_promoted(old: Any, new: Any) -> bool:
    ranks = [_MORE_PROMOTED.get(one, 1) if isinstance(one, str) else 1 for one in (old, new)]
    return ranks[1] > ranks[0]


def _more_canonical(old: Any, new: Any) -> bool:
    return isinstance(old, str) and old != "canonical" and (new is None or new == "canonical")


WIDENED: dict[str, Callable[[Any, Any], bool]] = {
    "confidence": _surer,
    "stakes": _less_at_stake,
    "epistemic_status": _more_settled,
    "promotion_state": _more_promoted,
    "branch_status": _more_canonical,
    "superseded_by": _lost,
}
