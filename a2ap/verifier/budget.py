"""Limits a verifier's work in a day (UTC): verdicts in all, verdicts for one requester, questions to one model.

Spending is written to a file before it is used, so that a crash gives no extra budget. None means no limit.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from a2ap.durable_files import write_private
from a2ap.verifier.errors import BudgetError, RequesterBudgetError, VerifierError


@dataclass(frozen=True, slots=True)
class Limits:
    """The maximum of each in one day."""

    verdicts: int | None = None
    for_requester: int | None = None
    to_model: int | None = None


class Budget:
    """The budget that is left today."""

    def __init__(self, path: Path, limits: Limits, clock: Callable[[], datetime]) -> None:
        self._path = path
        self._limits = limits
        self._clock = clock
        self._spent = _read(path)

    def left(self) -> int | None:
        """Return the number of verdicts left today; None without a limit."""
        return None if self._limits.verdicts is None else max(0, self._limits.verdicts - self._count("verdicts"))

    def check_requester(self, agent: str) -> None:
        """Raise RequesterBudgetError if an agent has had its verdicts for today."""
        limit = self._limits.for_requester
        if limit is not None and self._count("requesters", agent) >= limit:
            raise RequesterBudgetError(f"{agent} has had {limit} verdict{'' if limit == 1 else 's'} today")

    def model_left(self, model: str) -> bool:
        """Return whether a model may be asked once more today."""
        return self._limits.to_model is None or self._count("models", model) < self._limits.to_model

    def spend_verdict(self, requester: str) -> None:
        """Count a verdict, in all and for its requester."""
        self._spend("verdicts", "all")
        self._spend("requesters", requester)
        self._keep()

    def spend_question(self, model: str) -> None:
        """Count a question to a model. Raises BudgetError if none is left."""
        if not self.model_left(model):
            raise BudgetError(f"{model} has been asked {self._limits.to_model} times today")
        self._spend("models", model)
        self._keep()

    def _count(self, kind: str, name: str = "all") -> int:
        found: int = self._today().get(kind, {}).get(name, 0)
        return found

    def _spend(self, kind: str, name: str) -> None:
        counts = self._today().setdefault(kind, {})
        counts[name] = counts.get(name, 0) + 1

    def _today(self) -> dict[str, Any]:
        today = self._clock().astimezone(UTC).date().isoformat()
        if self._spent.get("day") != today:
            self._spent = {"day": today}
        return self._spent

    def _keep(self) -> None:
        write_private(self._path, json.dumps(self._spent, indent=1) + "\n")


def _read(path: Path) -> dict[str, Any]:
    try:
        spent = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise VerifierError(f"{path} cannot be read: {error}") from error
    if not isinstance(spent, dict):
        raise VerifierError(f"{path} holds no budget")
    return spent
