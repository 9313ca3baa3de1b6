"""Decides whether a quota has room for a requested amount, from the amounts counted: no clock and no I/O.

Submissions are counted by the hour. A day is the current hour and the 23 before it, so that an amount counted in an
hour is free again 24 hours after that hour began.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from a2ap.messages.quotas import Quota, Quotas
from graph.errors import QuotaError

HOUR = 3600
DAY = 24 * HOUR
"""Seconds."""


class AccountKind(StrEnum):
    """The kinds of accounts, by the names of their quotas."""

    STRANGER = "stranger"
    ENDORSED = "endorsed"
    OPERATOR = "operator"
    ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class Account:
    """An agent, an operator or an address, with its own count."""

    kind: AccountKind
    name: str

    def quota(self, quotas: Quotas) -> Quota:
        """Return the quota of accounts of this kind."""
        found: Quota = getattr(quotas, self.kind.value)
        return found


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of documents, bytes and agents."""

    documents: int = 0
    bytes: int = 0
    agents: int = 0

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.documents + other.documents, self.bytes + other.bytes, self.agents + other.agents)

    def __neg__(self) -> "Amount":
        return Amount(-self.documents, -self.bytes, -self.agents)


@dataclass(frozen=True, slots=True)
class Part:
    """The amount requested of one account."""

    account: Account
    amount: Amount


@dataclass(frozen=True, slots=True)
class Use:
    """The amount that an account has used within a day, and the largest share of its quota that this is; 1 is all."""

    account: Account
    amount: Amount
    share: float

    @classmethod
    def of(cls, account: Account, amount: Amount, quotas: Quotas) -> "Use":
        """Return the use of an account under these quotas; a used quota of 0 is used whole."""
        limits = account.quota(quotas).members
        shares = (_share(getattr(amount, name), limit) for name, limit in limits.items())
        return cls(account, amount, max(shares, default=0.0))


def _share(used: int, limit: int) -> float:
    return used / limit if limit else float(used > 0)


ByHour = Mapping[int, Amount]
"""The amounts counted for one account, by the number of the hour since 1970."""


def hour_of(now: datetime) -> int:
    """Return the number of an hour since 1970."""
    return int(now.timestamp()) // HOUR


def check_parts(parts: Sequence[Part], quotas: Quotas, counted: Mapping[Account, ByHour], now: datetime) -> None:
    """Raise `QuotaError` unless each account has room for its part."""
    for part in parts:
        _check_part(part, part.account.quota(quotas), counted.get(part.account, {}), now)


def _check_part(part: Part, quota: Quota, counted: ByHour, now: datetime) -> None:
    for name, limit in quota.members.items():
        asked = getattr(part.amount, name)
        spent = {hour: getattr(amount, name) for hour, amount in _within_a_day(counted, now)}
        if asked > 0 and sum(spent.values()) + asked > limit:
            raise _refusal(part.account, name, limit, asked, spent, now)


def _within_a_day(counted: ByHour, now: datetime) -> Iterator[tuple[int, Amount]]:
    oldest = hour_of(now) - DAY // HOUR
    return ((hour, amount) for hour, amount in sorted(counted.items()) if hour > oldest)


def _refusal(
    account: Account, name: str, limit: int, asked: int, spent: Mapping[int, int], now: datetime
) -> QuotaError:
    used, seconds = sum(spent.values()), _seconds_until(asked, limit, spent, now)
    again = f"it may be taken in {seconds} seconds" if asked <= limit else "it is more than is taken within a day"
    return QuotaError(
        f"{_SHOWN[account.kind]} {account.name} has {used} {name} of the last 24 hours, and {asked} more would exceed "
        f"the quota {account.kind}.{name} of {limit}; {again}",
        quota=f"{account.kind}.{name}",
        limit=limit,
        retry_after=seconds,
    )


def _seconds_until(asked: int, limit: int, spent: Mapping[int, int], now: datetime) -> int:
    """Return the seconds until enough of the counted amounts is a day old; a day if that is never enough."""
    used = sum(spent.values())
    for hour, number in spent.items():
        used -= number
        if used + asked <= limit:
            return max(1, hour * HOUR + DAY - int(now.timestamp()))
    return DAY


_SHOWN = {
    AccountKind.STRANGER: "agent",
    AccountKind.ENDORSED: "agent",
    AccountKind.OPERATOR: "the agents of operator",
    AccountKind.ADDRESS: "the strangers of address",
}
