"""Being told to stop: what waits is broken off, what is under way is finished."""

import signal

import pytest

from graph.verifier.stop import Stop, StoppedError


def test_a_signal_breaks_off_what_waits_and_nothing_else() -> None:
    stop = Stop()
    stop.note(signal.SIGTERM, None)
    assert stop.wanted

    with pytest.raises(StoppedError), stop.waiting():
        raise AssertionError("there is nothing to wait for any more")

    waits = Stop()
    with pytest.raises(StoppedError), waits.waiting():
        waits.note(signal.SIGINT, None)
    assert waits.wanted


def test_the_second_signal_interrupts_what_is_under_way() -> None:
    stop = Stop()
    stop.note(signal.SIGINT, None)

    with pytest.raises(KeyboardInterrupt):
        stop.note(signal.SIGINT, None)


def test_a_pause_ends_when_somebody_wants_it_to() -> None:
    stop = Stop()
    stop.want()
    stop.pause(60.0)
    assert stop.wanted
