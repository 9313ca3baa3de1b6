"""Being told to stop: what waits is broken off, what is under way is finished."""

import signal
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Timer

import pytest

from a2ap.verifier.stop import Stop, StoppedError


def test_a_signal_breaks_off_what_waits_and_nothing_else() -> None:
    stop, go_on = Stop(), Event()
    stop.note(signal.SIGTERM, None)
    assert stop.wanted

    with pytest.raises(StoppedError):
        stop.break_off(lambda: pytest.fail("there is nothing to wait for any more"), go_on.set)

    waits = Stop()
    Timer(0.05, lambda: waits.note(signal.SIGINT, None)).start()
    with pytest.raises(StoppedError):
        waits.break_off(lambda: _cut(go_on), go_on.set)
    assert waits.wanted and go_on.is_set()


def _cut(line: Event) -> None:
    line.wait(30)
    raise OSError("the line was cut")


def test_a_call_that_ends_as_the_stop_is_requested_keeps_its_result() -> None:
    stop, go_on = Stop(), Event()
    Timer(0.05, stop.want).start()
    assert stop.break_off(lambda: go_on.wait(30), go_on.set)


def test_a_call_that_connects_only_after_the_stop_is_broken_off_then() -> None:
    stop, connected, line = Stop(), Event(), Event()

    def hang_up() -> None:
        if connected.is_set():
            line.set()

    def connect_and_wait() -> None:
        assert not connected.wait(0.3)
        connected.set()
        _cut(line)

    Timer(0.05, stop.want).start()
    with pytest.raises(StoppedError) as stopped:
        stop.break_off(connect_and_wait, hang_up)
    assert isinstance(stopped.value.__cause__, OSError)


def test_a_call_that_is_not_broken_off_returns_or_raises() -> None:
    assert Stop().break_off(lambda: 5, lambda: None) == 5
    with pytest.raises(ZeroDivisionError):
        Stop().break_off(lambda: 1 // 0, lambda: None)


def test_signals_are_handled_in_the_main_thread_while_the_work_lasts() -> None:
    stop, before = Stop(), signal.getsignal(signal.SIGTERM)
    with stop.on_signals():
        signal.raise_signal(signal.SIGTERM)
    assert stop.wanted and signal.getsignal(signal.SIGTERM) == before
    with ThreadPoolExecutor() as others, Stop().on_signals():
        assert others.submit(lambda: Stop().on_signals().__enter__()).result() is None


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
