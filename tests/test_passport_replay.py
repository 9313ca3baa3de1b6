"""Replaying a chain: the state at each record, and what each of the fifteen events does to it."""

from typing import Any

import pytest
from passports import Maker, chain_of, passport_id, spoilt

from a2ap.passport import replay as replaying
from a2ap.passport.building import Event
from a2ap.passport.check_chain import check_chain
from a2ap.passport.errors import PassportError
from a2ap.passport.event_type import EFFECTS, Effect, EventType
from a2ap.passport.finding import FindingCode, Severity, Status
from a2ap.passport.passport import Chain
from a2ap.passport.replay import ReplayStep, replay_chain

ONE = {"output": "one", "memory": {"a": 1, "b": 1}, "variables": {"x": "y"}}
TWO = {"output": "two", "memory": {"b": 2}, "variables": {"z": None}}


def replayed(chain: Chain) -> dict[int, ReplayStep]:
    return {step.passport.position: step for step in replay_chain(chain, check_chain(chain))}


def state(step: ReplayStep) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    return step.state.output, step.state.memory.members(), step.state.variables.members()


BEFORE = ("one", {"a": 1, "b": 1}, {"x": "y"})
AFTER = ("two", {"a": 1, "b": 2}, {"x": "y", "z": None})


@pytest.mark.parametrize("kind", [kind for kind in EventType if EFFECTS[kind] is not Effect.RESTORES])
def test_an_event_applies_its_payload_or_leaves_the_state(kind: EventType):
    maker = Maker()
    maker.root(ONE)
    later = maker.fork(0, "side", TWO) if kind is EventType.FORK else maker.event(0, kind, TWO, target=None)
    found = replayed(maker.chain)[later]
    assert found.effect is EFFECTS[kind]
    if kind is EventType.REDACT:  # without a target it is about its parent
        assert state(found) == (None, {}, {})
    else:
        assert state(found) == (AFTER if EFFECTS[kind] is Effect.APPLIES else BEFORE)


def test_every_type_of_event_has_its_effect_written_down():
    assert set(EFFECTS) == set(EventType)


def test_an_event_of_another_namespace_is_kept_and_does_nothing():
    maker = Maker()
    maker.root(ONE)
    later = maker.event(0, "myorg.paid", TWO)
    found = replayed(maker.chain)[later]
    assert (found.effect, state(found)) == (Effect.OBSERVES, BEFORE)


def test_a_revert_goes_back_to_the_record_that_it_names():
    maker = Maker()
    maker.root(ONE)
    later = maker.commit(maker.commit(0, TWO), {"output": "three"})
    back = maker.event(later, "revert", {"input": "wrong"}, target=0)
    again = maker.commit(back, {"memory": {"c": 3}})
    found = replayed(maker.chain)
    assert state(found[back]) == BEFORE
    assert state(found[again]) == ("one", {"a": 1, "b": 1, "c": 3}, {"x": "y"})


def test_a_revert_as_upstream_writes_it_undoes_the_record_that_it_names():
    maker = Maker()
    maker.root(ONE)
    wrong = maker.commit(0, TWO)
    back = maker.commit(wrong, {"output": {"reverted_record": passport_id(wrong)}}, event=Event("revert"))
    unnamed = maker.event(wrong, "revert", {"input": "the last one"})
    found = replayed(maker.chain)
    assert state(found[back]) == state(found[unnamed]) == BEFORE
    assert "before" in found[back].words


def test_a_revert_to_what_is_not_before_it_restores_nothing():
    maker = Maker()
    maker.root(ONE)
    back = maker.commit(0, {"output": {"reverted_record": "ctx_1_ab"}}, event=Event("revert"))
    found = replayed(maker.chain)[back]
    assert state(found) == BEFORE
    assert found.words.startswith("nothing is restored")


def test_a_revert_to_another_branch_restores_nothing_and_says_so():
    maker = Maker()
    maker.root(ONE)
    side = maker.commit(0, TWO)
    back = maker.event(0, "revert", {"input": "wrong"}, target=side)
    report = check_chain(maker.chain)
    found = {step.passport.position: step for step in replay_chain(maker.chain, report)}[back]
    assert state(found) == BEFORE
    assert found.words.startswith("nothing is restored")
    said = [one for one in report.records[back].findings if one.code is FindingCode.REVERT]
    assert "restores nothing" in said[-1].words and said[-1].severity is Severity.WARNING


def test_a_revert_over_records_that_do_not_hold_restores_nothing():
    maker = Maker()
    maker.root(ONE)
    later = maker.commit(maker.commit(0, TWO), {"output": "three"})
    back = maker.event(later, "revert", {"input": "wrong"}, target=0)
    maker.records[later]["payload"]["output"] = "altered"
    found = replayed(maker.chain)[back]
    assert state(found)[0] == "altered"
    assert found.words.startswith("nothing is restored")


@pytest.mark.parametrize("twin_first", [False, True])
def test_a_revert_takes_its_own_ancestor_wherever_another_of_that_id_stands(twin_first: bool):
    maker, other = Maker(), Maker()
    maker.root(ONE)
    back = maker.event(maker.commit(0, TWO), "revert", {"input": "wrong"}, target=0)
    other.root({"output": "of somebody else"})
    records = [*other.records, *maker.records] if twin_first else [*maker.records, *other.records]
    found = replayed(chain_of(records))[back + twin_first]
    assert state(found) == BEFORE


def test_a_redacted_payload_is_in_no_state_and_every_state_says_so():
    maker = Maker()
    maker.root(ONE)
    hidden = maker.commit(0, TWO)
    after = maker.commit(hidden, {"variables": {"q": 1}})
    last = maker.event(after, "redact", {"input": "asked to"}, target=hidden)
    found = replayed(maker.chain)
    assert state(found[hidden]) == BEFORE
    assert state(found[last]) == state(found[after]) == ("one", {"a": 1, "b": 1}, {"x": "y", "q": 1})
    for at in (hidden, after, last):
        assert list(found[at].state.lacks.members()) == [passport_id(hidden)]
    assert list(found[0].state.lacks.members()) == []
    assert "hashes are kept" in found[hidden].words


def test_a_redaction_that_does_not_come_from_a_record_hides_nothing_of_it():
    maker = Maker()
    maker.root(ONE)
    shown = maker.commit(0, TWO)
    maker.event(0, "redact", {"input": "nobody asked"}, target=shown)
    found = replayed(maker.chain)
    assert state(found[shown])[0] == "two"
    assert list(found[shown].state.lacks.members()) == []
    assert found[max(found)].words.startswith("nothing is hidden")


def test_a_redaction_as_upstream_writes_it_is_about_the_record_that_it_names():
    maker = Maker()
    maker.root(ONE)
    later = maker.commit(0, TWO)
    maker.commit(later, {"output": {"target_record": passport_id(0)}}, event=Event("redact"))
    found = replayed(maker.chain)
    assert state(found[later]) == ("two", {"b": 2}, {"z": None})


def test_a_merge_takes_what_its_first_parent_has_not_and_names_where_they_disagree():
    maker = Maker()
    maker.root(ONE)
    side = maker.fork(0, "side", {"memory": {"b": 5, "side": True}})
    main = maker.commit(0, {"memory": {"b": 7}})
    joined = maker.commit(main, {"output": "joined"}, merged=(side,))
    found = replayed(maker.chain)[joined]
    assert state(found) == ("joined", {"a": 1, "b": 7, "side": True}, {"x": "y"})
    assert found.conflicts == ("memory.b",)


def test_a_branch_does_not_see_what_another_does():
    maker = Maker()
    maker.root(ONE)
    side = maker.fork(0, "side", {"memory": {"side": True}})
    main = maker.commit(0, {"memory": {"main": True}})
    found = replayed(maker.chain)
    assert found[side].state.memory.members() == {"a": 1, "b": 1, "side": True}
    assert found[main].state.memory.members() == {"a": 1, "b": 1, "main": True}


def test_what_is_missing_before_it_is_said():
    maker = Maker()
    maker.root(ONE)
    maker.commit(0, TWO)
    report = spoilt(lambda records: records[1:], maker.records)
    (step,) = replay_chain(Chain(b"", tuple(record.passport for record in report.records)), report)
    assert step.status is Status.UNVERIFIED
    assert list(step.state.lacks.members()) == [passport_id(0)]


def test_a_broken_record_is_replayed_with_its_status():
    maker = Maker()
    maker.root(ONE)
    report = spoilt(lambda records: records[0]["payload"].update(output="changed"), maker.records)
    (step,) = replay_chain(Chain(b"", tuple(record.passport for record in report.records)), report)
    assert (step.status, step.state.output) == (Status.BROKEN, "changed")


def test_a_long_chain_is_replayed_and_endless_merging_is_refused(monkeypatch: pytest.MonkeyPatch):
    maker = Maker()
    at = maker.root(ONE)
    side = maker.fork(0, "side", TWO)
    for _ in range(3):
        at = maker.commit(at, merged=(side,))
    assert len(replayed(maker.chain)) == 5
    monkeypatch.setattr(replaying, "MAX_JOINED", 20)
    with pytest.raises(PassportError, match="not replayed"):
        replayed(maker.chain)
