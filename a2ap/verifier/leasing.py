"""Leases requests from one platform: takes them, renews them while they are worked on, and gives them back.

A lease is given back by renewing it for the shortest possible time: a moment later the request is offered to others.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from threading import Event, Lock, Thread
from typing import Any

from a2ap.client import Client, ProblemError, UnreachableError
from a2ap.json_text import write_json
from a2ap.messages.lease_request import MIN_SECONDS, build_lease_request
from a2ap.verifier.errors import VerifierError
from a2ap.verifier.task import Task

_RENEWALS = 3  # in the time of one lease


class Leasing:
    """The leases of one agent for some criteria, `seconds` each."""

    def __init__(
        self,
        client: Client,
        agent_id: str,
        criteria: Sequence[str],
        seconds: int,
        *,
        sign: Callable[[dict[str, Any]], dict[str, Any]],
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        say: Callable[[str], None],
    ) -> None:
        self._client = client
        self._agent_id = agent_id
        self._criteria = tuple(criteria)
        self._seconds = seconds
        self._sign = sign
        self._clock = clock
        self._new_id = new_id
        self._say = say
        self._node: str | None = None

    def take(self, most: int, wait: float) -> list[Task]:
        """Lease up to `most` requests; if there are none, wait for up to `wait` seconds."""
        return self._ask(most, self._seconds, wait=wait)

    @contextmanager
    def renewing(self, held: "Held") -> Iterator[None]:
        """Renew leases in the background while they are needed, until this context is left."""
        ended = Event()
        thread = Thread(target=self._keep, args=(held, ended), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def give_back(self, tasks: Sequence[Task]) -> None:
        """Release leases for other agents; if the platform does not answer, the leases expire by themselves."""
        try:
            if tasks:
                self._ask(len(tasks), MIN_SECONDS, renews=tasks)
        except (UnreachableError, ProblemError, VerifierError) as error:
            self._say(f"{error}; leases that are not worked on end by themselves")

    def _keep(self, held: "Held", ended: Event) -> None:
        while not ended.wait(self._seconds / _RENEWALS):
            tasks = held.open()
            try:
                found = self._ask(len(tasks), self._seconds, renews=tasks) if tasks else []
            except (UnreachableError, ProblemError, VerifierError) as error:
                self._say(f"{error}; leases are not renewed")
                continue
            live = {task.lease_id for task in found}
            held.lose([task for task in tasks if task.lease_id not in live])
            asked = {task.lease_id for task in tasks}
            # In place of an expired lease the platform grants another.
            held.add([task for task in found if task.lease_id not in asked])

    def _ask(self, most: int, seconds: int, *, wait: float = 0.0, renews: Sequence[Task] = ()) -> list[Task]:
        if self._node is None:
            self._node = self._client.node_agent()
        message = build_lease_request(
            lease_request_id=self._new_id(),
            requested_at=self._clock(),
            leasing_agent=self._agent_id,
            audience=self._node,
            criteria=self._criteria,
            most=most,
            seconds=seconds,
            renews=[task.lease_id for task in renews],
        )
        return [Task.of(lease) for lease in self._client.lease(write_json(self._sign(message)), wait)]


class Held:
    """Leased requests that are being worked on, one after the other. Threads may share it."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._open = {task.lease_id: task for task in tasks}
        self._waiting = deque(tasks)
        self._lock = Lock()

    def upcoming(self) -> Iterator[Task]:
        """Yield each leased request once, including requests added meanwhile, without those lost before their turn."""
        while True:
            with self._lock:
                if not self._waiting:
                    return
                task = self._waiting.popleft()
                lost = task.lease_id not in self._open
            if not lost:
                yield task

    def open(self) -> list[Task]:
        """Return the leases that are still needed."""
        with self._lock:
            return list(self._open.values())

    def add(self, tasks: Sequence[Task]) -> None:
        """Record further leased requests."""
        with self._lock:
            self._open.update((task.lease_id, task) for task in tasks)
            self._waiting.extend(tasks)

    def done(self, task: Task) -> None:
        """Record that a lease is no longer needed."""
        with self._lock:
            self._open.pop(task.lease_id, None)

    def lose(self, tasks: Sequence[Task]) -> None:
        """Record that the platform does not renew these leases."""
        with self._lock:
            for task in tasks:
                self._open.pop(task.lease_id, None)
