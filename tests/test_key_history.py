"""Which key is trusted where, from the order of the log alone."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from a2ap.messages.key_history import (
    REGISTERED_BY_UNTRUSTED_KEY,
    AgentDeactivated,
    Authority,
    KeyAdded,
    KeyEvent,
    KeyHistory,
    KeyRevoked,
    KeyStatus,
    read_key_history,
)

AGENT = "urn:agent:test-1"
KEYS = tuple(f"{AGENT}#{number}" for number in range(1, 6))
FIRST, SECOND, THIRD, *_ = KEYS
LENGTH = 40


def added(
    place: int, key: str, by: str | None = None, *replaces: str, authority: Authority = Authority.KEY
) -> KeyAdded:
    return KeyAdded(place, AGENT, key, by or key, authority, replaces)


def revoked(
    place: int, key: str, by: str = "", since: int | None = None, authority: Authority = Authority.KEY
) -> KeyRevoked:
    return KeyRevoked(place, AGENT, key, by, authority, "keyCompromise", place if since is None else since)


def overruled(place: int, key: str, since: int, authority: Authority = Authority.RECOVERY) -> KeyRevoked:
    return revoked(place, key, "", since, authority)


def status(history: KeyHistory, key: str) -> KeyStatus:
    return history.keys[key]


def test_a_registered_key_speaks_from_the_next_place_on() -> None:
    first = status(read_key_history([added(3, FIRST)]), FIRST)
    assert first == KeyStatus(FIRST, AGENT, 3)
    assert not first.speaks_at(3)
    assert first.speaks_at(4)


def test_a_replaced_key_is_retired_and_what_it_signed_stays_trusted() -> None:
    history = read_key_history([added(0, FIRST), added(5, SECOND, FIRST, FIRST)])
    first = status(history, FIRST)
    assert first.retired_at == 5
    assert first.speaks_at(5)
    assert not first.speaks_at(6)
    assert first.is_trusted_at(99)


def test_a_key_may_be_added_beside_another() -> None:
    history = read_key_history([added(0, FIRST), added(5, SECOND, FIRST)])
    assert status(history, FIRST).speaks_at(9)
    assert status(history, SECOND).speaks_at(9)


def test_an_ordinary_revocation_holds_from_its_own_place() -> None:
    first = status(read_key_history([added(0, FIRST), revoked(5, FIRST, FIRST, since=2)]), FIRST)
    assert (first.not_trusted_since, first.by, first.reason) == (5, FIRST, "keyCompromise")
    assert first.is_trusted_at(4)
    assert not first.is_trusted_at(5)


def test_the_recovery_key_and_the_operator_reach_into_the_past() -> None:
    for authority in (Authority.RECOVERY, Authority.OPERATOR):
        first = status(read_key_history([added(0, FIRST), overruled(9, FIRST, 2, authority)]), FIRST)
        assert (first.not_trusted_since, first.by) == (2, authority.value)


def test_the_revocation_that_reaches_furthest_back_counts() -> None:
    history = read_key_history(
        [
            added(0, FIRST),
            revoked(8, FIRST, FIRST),
            overruled(9, FIRST, 6),
            overruled(10, FIRST, 3),
            overruled(11, FIRST, 4),
        ]
    )
    assert status(history, FIRST).not_trusted_since == 3


def test_a_thief_who_rotates_and_revokes_loses_to_the_recovery_key() -> None:
    theft: list[KeyEvent] = [
        added(0, FIRST),
        added(1, SECOND, FIRST),
        added(5, THIRD, FIRST, FIRST),  # the thief's
        revoked(6, SECOND, THIRD),
        AgentDeactivated(7, AGENT, THIRD, Authority.KEY),
    ]
    before = read_key_history(theft)
    assert not status(before, SECOND).is_trusted_at(7)
    assert before.deactivated_at == {AGENT: 7}

    after = read_key_history([*theft, overruled(8, FIRST, 4)])
    assert status(after, FIRST) == KeyStatus(FIRST, AGENT, 0, None, 4, "keyCompromise", "recovery")
    assert status(after, SECOND).not_trusted_since is None
    assert status(after, THIRD) == KeyStatus(THIRD, AGENT, 5, None, 5, REGISTERED_BY_UNTRUSTED_KEY, FIRST)
    assert after.deactivated_at == {}
    assert after.void == (5, 6, 7)


def test_what_a_key_does_in_the_name_of_another_agent_is_void() -> None:
    other = KeyAdded(1, "urn:agent:other", "urn:agent:other#1", "urn:agent:other#1")
    history = read_key_history([added(0, FIRST), other, revoked(2, FIRST, other.key_id)])
    assert status(history, FIRST).not_trusted_since is None
    assert history.void == (2,)


def test_a_retired_key_registers_nothing() -> None:
    history = read_key_history([added(0, FIRST), added(1, SECOND, FIRST, FIRST), added(2, THIRD, FIRST, SECOND)])
    assert status(history, THIRD).not_trusted_since == 2
    assert status(history, SECOND).retired_at is None


def test_a_deactivation_by_the_operator_stays() -> None:
    events: list[KeyEvent] = [
        added(0, FIRST),
        AgentDeactivated(3, AGENT, "", Authority.OPERATOR),
        overruled(4, FIRST, 0),
    ]
    assert read_key_history(events).deactivated_at == {AGENT: 3}


@st.composite
def histories(draw: st.DrawFn) -> list[KeyEvent]:
    """Return events of one agent at distinct places, signed by any of its keys, its recovery key or the operator."""
    places = draw(st.lists(st.integers(1, LENGTH), unique=True, max_size=12).map(sorted))
    events: list[KeyEvent] = [added(0, FIRST)]
    unused = list(KEYS[1:])
    for place in places:
        key, by = draw(st.sampled_from(KEYS)), draw(st.sampled_from(KEYS))
        authority = draw(st.sampled_from([Authority.KEY, Authority.KEY, Authority.RECOVERY, Authority.OPERATOR]))
        kind = draw(st.sampled_from(["add", "add", "revoke", "deactivate"]))
        if kind == "add" and unused and unused[0] != by:
            replaces = draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=2))
            events.append(added(place, unused.pop(0), by, *replaces, authority=authority))
        elif kind == "deactivate":
            events.append(AgentDeactivated(place, AGENT, by, authority))
        else:
            events.append(revoked(place, key, by, draw(st.integers(0, place)), authority))
    return events


def trusted(history: KeyHistory) -> set[tuple[str, int]]:
    """Return every key and place at which what the key signs is trusted."""
    return {
        (key, place)
        for key, one in history.keys.items()
        for place in range(one.valid_from, LENGTH + 10)
        if one.is_trusted_at(place)
    }


@given(histories().flatmap(lambda events: st.tuples(st.just(events), st.permutations(events))))
def test_only_the_order_of_the_log_counts(both: tuple[list[KeyEvent], Sequence[KeyEvent]]) -> None:
    events, shuffled = both
    assert read_key_history(shuffled) == read_key_history(events)


@given(histories(), st.integers(1, 5), st.integers(0, 100))
def test_wider_gaps_between_the_places_change_no_place_but_in_number(
    events: list[KeyEvent], factor: int, offset: int
) -> None:
    def moved(place: int) -> int:
        return place * factor + offset

    history = read_key_history(events)
    wider = read_key_history(
        replace(event, log_index=moved(event.log_index), not_trusted_since=moved(event.not_trusted_since))
        if isinstance(event, KeyRevoked)
        else replace(event, log_index=moved(event.log_index))
        for event in events
    )
    assert wider.void == tuple(map(moved, history.void))
    for key, one in history.keys.items():
        for name in ("valid_from", "retired_at", "not_trusted_since"):
            place = getattr(one, name)
            assert getattr(wider.keys[key], name) == (None if place is None else moved(place))


@given(histories(), st.sampled_from(KEYS), st.integers(0, LENGTH))
def test_revoking_a_key_never_makes_it_or_what_it_then_registers_more_trusted(
    events: list[KeyEvent], key: str, since: int
) -> None:
    before, after = read_key_history(events), read_key_history([*events, overruled(LENGTH + 1, key, since)])
    heirs = {key}
    for event in events:
        if isinstance(event, KeyAdded) and event.authority is Authority.KEY and event.signed_by in heirs:
            heirs |= {event.key_id} if event.log_index >= since else set()
    assert {pair for pair in trusted(after) if pair[0] in heirs} <= trusted(before)
    assert not any(one == key and place >= since for one, place in trusted(after))


@given(histories(), st.sampled_from(KEYS), st.integers(0, LENGTH))
def test_nothing_changes_before_the_place_that_a_revocation_names(events: list[KeyEvent], key: str, since: int) -> None:
    before, after = read_key_history(events), read_key_history([*events, overruled(LENGTH + 1, key, since)])
    assert {pair for pair in trusted(before) if pair[1] < since} == {pair for pair in trusted(after) if pair[1] < since}
    assert [place for place in before.void if place < since] == [place for place in after.void if place < since]


@given(histories(), st.sampled_from(KEYS), st.sampled_from(KEYS))
def test_a_later_ordinary_revocation_never_makes_anything_more_trusted(
    events: list[KeyEvent], key: str, by: str
) -> None:
    before, after = read_key_history(events), read_key_history([*events, revoked(LENGTH + 1, key, by)])
    assert trusted(after) <= trusted(before)
    assert all(place > LENGTH for _, place in trusted(before) - trusted(after))


@given(histories(), st.lists(st.tuples(st.sampled_from(KEYS), st.integers(0, LENGTH)), max_size=4))
def test_whatever_else_is_said_the_recovery_key_s_revocations_hold(
    events: list[KeyEvent], revocations: list[tuple[str, int]]
) -> None:
    last = [overruled(LENGTH + 1 + number, *one) for number, one in enumerate(revocations)]
    history = read_key_history([*events, *last])
    for key, since in revocations:
        if key in history.keys:
            found = history.keys[key].not_trusted_since
            assert found is not None
            assert found <= max(since, history.keys[key].valid_from)
