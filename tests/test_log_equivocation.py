"""Equivocation: two signed checkpoints that no one tree can have, and pairs that prove nothing."""

import pytest
from builders import agent_key
from hypothesis import given
from hypothesis import strategies as st
from tree_builder import LOG_KEY, ORIGIN, Tree

from a2ap.errors import EquivocationError, LogFormatError
from a2ap.log.equivocation import verify_equivocation
from a2ap.log.log_key import build_succession, follow_successions
from a2ap.log.signed_note import VerifierKey, sign_note

HONEST = Tree(40)
sizes = st.integers(1, 40)


def forked(place: int) -> Tree:
    return Tree([*HONEST.entries[:place], b"another", *HONEST.entries[place + 1 :]])


def test_two_roots_of_one_size_contradict_each_other() -> None:
    verify_equivocation(HONEST.checkpoint(9), forked(3).checkpoint(9), LOG_KEY)


@given(sizes, st.data())
def test_a_fork_is_shown_between_any_two_sizes(size: int, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, size - 1))
    larger = data.draw(st.integers(size, 40))
    fork = forked(place)
    hashes = (fork.root(size), *fork.consistency(size, larger)) if size < larger else ()
    verify_equivocation(HONEST.checkpoint(size), fork.checkpoint(larger), LOG_KEY, hashes)
    verify_equivocation(fork.checkpoint(larger), HONEST.checkpoint(size), LOG_KEY, hashes)


@given(sizes, sizes, st.lists(st.sampled_from([HONEST.root(1), HONEST.root(7), b""]), max_size=2))
def test_an_honest_log_is_never_convicted(a: int, b: int, more: list[bytes]) -> None:
    smaller, larger = sorted((a, b))
    proof = (HONEST.root(smaller), *HONEST.consistency(smaller, larger))
    for hashes in ((), proof, proof[1:], (*more, *proof), (HONEST.root(larger), *proof[1:]), tuple(more)):
        with pytest.raises(EquivocationError):
            verify_equivocation(HONEST.checkpoint(a), HONEST.checkpoint(b), LOG_KEY, hashes)


def test_nobody_is_convicted_by_what_another_signed() -> None:
    honest, fork = HONEST.checkpoint(9), forked(3)
    with pytest.raises(EquivocationError, match=r"not the log's: .* is not signed by"):
        verify_equivocation(honest, fork.checkpoint(9, key=agent_key(1)), LOG_KEY)
    with pytest.raises(EquivocationError, match="not the log's"):
        verify_equivocation(fork.checkpoint(9, origin="urn:agent:another"), honest, LOG_KEY)
    with pytest.raises(EquivocationError, match="not the log's"):
        verify_equivocation(honest, honest.replace("\n9\n", "\n8\n"), LOG_KEY)


def test_hashes_that_lead_elsewhere_show_nothing() -> None:
    fork = forked(3)
    hashes = [fork.root(9), *fork.consistency(9, 20)]
    for wrong in ([], hashes[1:], hashes[:-1], [*hashes, hashes[-1]], [fork.root(8), *hashes[1:]]):
        with pytest.raises(EquivocationError):
            verify_equivocation(HONEST.checkpoint(9), fork.checkpoint(20), LOG_KEY, wrong)
    with pytest.raises(EquivocationError, match="need no hashes"):
        verify_equivocation(HONEST.checkpoint(9), fork.checkpoint(9), LOG_KEY, hashes)


def test_a_note_that_is_no_checkpoint_is_refused() -> None:
    with pytest.raises(LogFormatError):
        verify_equivocation(HONEST.checkpoint(9), sign_note("text\n", ORIGIN, agent_key(90)), LOG_KEY)


def test_a_log_equivocates_across_a_change_of_its_key() -> None:
    successor = agent_key(91)
    keys = follow_successions(
        LOG_KEY, [build_succession(ORIGIN, VerifierKey(ORIGIN, successor.public_key), 9, agent_key(90))]
    )
    fork = forked(3)
    hashes = (fork.root(9), *fork.consistency(9, 20))
    verify_equivocation(HONEST.checkpoint(9), fork.checkpoint(20, key=successor), keys, hashes)
