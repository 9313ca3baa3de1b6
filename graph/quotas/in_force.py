"""The quotas in force: those of the admission policy, or the default ones."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta

from a2ap.messages.quotas import DEFAULT_QUOTAS, Quotas
from graph.store import Row, Store

_KEPT = timedelta(seconds=5)


class QuotasInForce:
    """The quotas as one process knows them: another server's policy is seen after some seconds."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self._known: tuple[Quotas, datetime] | None = None

    async def quotas(self) -> Quotas:
        """Return the quotas in force."""
        now = self._clock()
        if self._known is None or not now < self._known[1]:
            rows = await self._store.read("current_admission_policy")
            self._known = (quotas_of_row(rows[0]) if rows else DEFAULT_QUOTAS, now + _KEPT)
        return self._known[0]

    def forget(self) -> None:
        """Forget the quotas, which a new policy may have changed."""
        self._known = None


def quotas_of_row(row: Row) -> Quotas:
    """Return the quotas of a row of `current_admission_policy.cypher`."""
    said = row["quotas"]
    return DEFAULT_QUOTAS if said is None else Quotas.from_members(json.loads(said), "quotas")
