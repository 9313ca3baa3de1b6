"""The columns of a waiting verification request: indexes find the open requests by them, however many there were."""

from datetime import datetime
from typing import Any

from a2ap.times import micros_of

FOREVER = 253_402_300_799_999_999
"""`open_until` of a request without a deadline: the last microsecond of the year 9999."""

NOT_OPEN = {"open_until": None, "open_for": None, "answered_by": None}


def open_columns(agent_id: str, deadline: datetime | None) -> dict[str, Any]:
    """Return the time until which a request waits, in microseconds, and a text that sorts by agent and that time."""
    until = FOREVER if deadline is None else micros_of(deadline)
    return {"open_until": until, "open_for": f"{agent_id}|{until:020d}"}


def stretch_of(agent_id: str, now: datetime) -> dict[str, str]:
    """Return the values of `open_for` between which the requests of an agent lie that wait now."""
    # No identifier of an agent has a "|", and "~" comes after all digits.
    return {"start": f"{agent_id}|{micros_of(now):020d}", "end": f"{agent_id}|~"}
