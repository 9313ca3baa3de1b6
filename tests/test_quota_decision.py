"""How a quota is decided: over any counts, what is taken never exceeds a limit within a day, and the wait is right."""

from datetime import UTC, datetime, timedelta

import pytest
from builders import admission_policy_message, sign
from hypothesis import given
from hypothesis import strategies as st
from refusals import NOT_OBJECTS, assert_refused

from a2ap.messages.admission_policy import AdmissionPolicy
from a2ap.messages.message import read_message
from a2ap.messages.quotas import DEFAULT_QUOTAS, Quota, Quotas
from graph.errors import QuotaError
from graph.quotas.decision import DAY, HOUR, Account, AccountKind, Amount, Part, check_parts, hour_of

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
ADDRESS = Account(AccountKind.ADDRESS, "192.0.2.1")
FIVE = Quotas(address=Quota(5, 100, 2))

amounts = st.builds(Amount, st.integers(0, 4), st.integers(0, 60), st.integers(0, 2))
by_hour = st.dictionaries(st.integers(hour_of(NOON) - 40, hour_of(NOON)), amounts, max_size=8)
moments = st.integers(0, 3599).map(lambda seconds: NOON + timedelta(seconds=seconds))


def within_a_day(counted: dict[int, Amount], now: datetime) -> Amount:
    hours = [hour for hour in counted if hour_of(now) - 24 < hour <= hour_of(now)]
    return sum((counted[hour] for hour in hours), Amount())


def fits(amount: Amount, quota: Quota = FIVE.address) -> bool:
    return amount.documents <= quota.documents and amount.bytes <= quota.bytes and amount.agents <= (quota.agents or 0)


def refused(asked: Amount, counted: dict[int, Amount], now: datetime) -> QuotaError | None:
    try:
        check_parts([Part(ADDRESS, asked)], FIVE, {ADDRESS: counted}, now)
    except QuotaError as error:
        return error
    return None


@given(by_hour, amounts, moments)
def test_it_is_taken_if_the_day_has_room_for_each_thing_that_is_asked(
    counted: dict[int, Amount], asked: Amount, now: datetime
) -> None:
    used = within_a_day(counted, now)
    after = Amount(
        *(getattr(used, name) + getattr(asked, name) if getattr(asked, name) else 0 for name in FIVE.address.members)
    )
    assert (refused(asked, counted, now) is None) == fits(after)


@given(by_hour, st.builds(Amount, st.just(1), st.integers(1, 60), st.integers(0, 1)), moments)
def test_after_the_wait_it_is_taken_and_not_a_second_before(
    counted: dict[int, Amount], asked: Amount, now: datetime
) -> None:
    # Several limits may be reached; each refusal names one, so that at most three waits follow each other.
    error, waits = refused(asked, counted, now), 0
    while error is not None:
        assert 1 <= error.retry_after <= DAY and error.quota.startswith("address.")
        name = error.quota.removeprefix("address.")
        almost = now + timedelta(seconds=error.retry_after - 1)
        alone = Amount(**{name: getattr(asked, name)})
        assert error.retry_after == 1 or refused(alone, counted, almost) is not None
        now, waits = now + timedelta(seconds=error.retry_after), waits + 1
        assert refused(alone, counted, now) is None
        error = refused(asked, counted, now)
    assert waits <= 3


@given(st.lists(amounts, max_size=30), st.lists(st.integers(0, 5 * HOUR), min_size=30, max_size=30))
def test_what_is_taken_in_any_order_stays_within_the_day(asked: list[Amount], pauses: list[int]) -> None:
    counted: dict[int, Amount] = {}
    now = NOON
    for amount, pause in zip(asked, pauses, strict=False):
        now += timedelta(seconds=pause)
        if refused(amount, counted, now) is None:
            counted[hour_of(now)] = counted.get(hour_of(now), Amount()) + amount
        assert fits(within_a_day(counted, now))


def test_one_account_without_room_refuses_the_whole() -> None:
    other = Account(AccountKind.STRANGER, "urn:agent:a")
    parts = [Part(other, Amount(documents=1)), Part(ADDRESS, Amount(documents=1))]
    with pytest.raises(QuotaError, match=r"the quota address\.documents of 5; it may be taken in 86400 seconds"):
        check_parts(parts, FIVE, {ADDRESS: {hour_of(NOON): Amount(documents=5)}}, NOON)


def test_more_than_a_day_takes_is_said_to_be_that() -> None:
    with pytest.raises(QuotaError, match=r"address\.bytes of 100; it is more than is taken within a day") as caught:
        check_parts([Part(ADDRESS, Amount(bytes=101))], FIVE, {}, NOON)
    assert (caught.value.limit, caught.value.retry_after) == (100, DAY)


def test_a_policy_names_the_quotas_that_differ_from_the_default() -> None:
    policy = read_message(
        sign(admission_policy_message(quotas={"address": {"agents": 7}, "stranger": {"bytes": 0}}), 9)
    )

    assert isinstance(policy, AdmissionPolicy)
    assert policy.quotas.address == Quota(DEFAULT_QUOTAS.address.documents, DEFAULT_QUOTAS.address.bytes, 7)
    assert policy.quotas.stranger == Quota(DEFAULT_QUOTAS.stranger.documents, 0)
    assert policy.quotas.endorsed == DEFAULT_QUOTAS.endorsed
    without = read_message(sign(admission_policy_message(), 9))
    assert isinstance(without, AdmissionPolicy) and without.quotas == DEFAULT_QUOTAS


@pytest.mark.parametrize("value", [-1, 1.5, "1", True, None])
def test_a_limit_that_is_no_number_of_things_is_refused(value: object) -> None:
    message = admission_policy_message(quotas={"address": {"agents": 7}})
    assert_refused(message, "quotas.address.agents", value, "not an integer from 0", seed=9)


@pytest.mark.parametrize("value", NOT_OBJECTS)
def test_quotas_that_are_no_object_are_refused(value: object) -> None:
    message = admission_policy_message(quotas={"address": {"agents": 7}})
    assert_refused(message, "quotas", value, "not an object", seed=9)
    assert_refused(message, "quotas.address", value, "not an object", seed=9)


def test_a_limit_that_nobody_counts_is_refused_by_its_name() -> None:
    message = admission_policy_message(quotas={"address": {"agents": 7}, "stranger": {}})
    assert_refused(message, "quotas.city", {}, "is none of stranger, endorsed, operator, address", seed=9)
    assert_refused(message, "quotas.stranger.agents", 1, "is none of documents, bytes", seed=9)
    assert_refused(message, "quotas.address.requests", 1, "is none of documents, bytes, agents", seed=9)
