"""The worker: it leases requests, judges their statements, and answers each request once.

The steps for one lease, which is renewed meanwhile:

1. A request that has been answered, or waits for approval, is given back, and for a while one that could not be
   answered (`RetryError`).
2. The requester's verdicts of the day are compared with the budget.
3. The statement is judged (`a2ap.verifier.run`).
4. The run is recorded; the verdict is signed and sent, or held for approval.

A statement that cannot be judged here is declined with the reason. A request is given back if the node has no answer to
it: the answer was refused, or waits for approval. A request that cannot be answered for now is given back too, tried
again later and then later still, and declined after `ATTEMPTS` failures. In an outage everything is given back, and
nothing is leased for a while. With a spent budget no more leases are taken.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.client import Client, ProblemError, UnreachableError
from a2ap.client.answers import passes
from a2ap.times import format_instant
from a2ap.verifier.budget import Budget
from a2ap.verifier.criteria import Panel
from a2ap.verifier.desk import Desk
from a2ap.verifier.errors import BudgetError, DeclineError, OutageError, RequesterBudgetError, RetryError
from a2ap.verifier.fetching import Fetching
from a2ap.verifier.leasing import Held, Leasing
from a2ap.verifier.material import Source
from a2ap.verifier.run import Bench, run
from a2ap.verifier.setbacks import ATTEMPTS, Setbacks
from a2ap.verifier.stop import Stop, StoppedError
from a2ap.verifier.task import Task, Terms

_PAUSE = 5.0  # seconds before a platform or a method that did not answer is tried again, the first time
_LONGEST_PAUSE = 300.0
_LONGEST_WAIT_ONCE = 30.0
_FIRST_RETRY = 0.5  # seconds before a single run asks a platform again, the first time
_SPENT_PAUSE = 300.0
_SPENT = "the budget of today is spent"


@dataclass(slots=True)
class Summary:
    """The number of requests that were answered with a verdict, declined, held for approval, or left to others.

    `refusals` are the verdicts and declines that the node did not take; they are not sent again.
    """

    verdicts: int = 0
    declines: int = 0
    refusals: int = 0
    held: int = 0
    left: int = 0


class Worker:
    """A running verifier. `say` gets one line about each answer; `new_id` gives ids for messages."""

    def __init__(
        self,
        client: Client,
        desk: Desk,
        panel: Panel,
        budget: Budget,
        terms: Terms,
        *,
        sign: Callable[[dict[str, Any]], dict[str, Any]],
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        say: Callable[[str], None],
        source_of: Callable[[bytes], Source] = Source,
    ) -> None:
        self._client = client
        self._desk = desk
        self._budget = budget
        self._terms = terms
        self._new_id = new_id
        self._say = say
        self._model = panel.model
        self._bench = Bench(Fetching(client, source_of), panel, clock, new_id, desk.packs)
        self._leasing = Leasing(
            client, desk.agent_id, panel.names, terms.seconds, sign=sign, clock=clock, new_id=new_id, say=say
        )
        self._setbacks = Setbacks(desk.folder / "setbacks.json", clock)
        self.summary = Summary()

    def run(self, stop: Stop) -> None:
        """Work until a stop is requested; work under way is finished first.

        Raises ProblemError if the platform refuses to give leases.
        """
        pause = _PAUSE
        while not stop.wanted:
            try:
                self.send_unsent()
                if self.left() == 0:
                    self._say(_SPENT)
                    stop.pause(_SPENT_PAUSE)
                elif self.work(stop, self._terms.wait):
                    pause = _PAUSE
            except StoppedError:
                return
            except (UnreachableError, ProblemError, OutageError) as error:
                if isinstance(error, ProblemError) and not passes(error):
                    raise
                self._say(f"{error}; trying again")
                asked = error.retry_after if isinstance(error, ProblemError) else None
                stop.pause(max(pause, min(asked or 0, _LONGEST_PAUSE)))
                pause = min(2 * pause, _LONGEST_PAUSE)

    def run_once(self, stop: Stop) -> None:
        """Answer all open requests, and return when none is left.

        Raises if the platform does not answer, `attempts` times of the terms, one after the other.
        """
        for attempt in range(1, self._terms.attempts):
            try:
                return self._run_once(stop)
            except (UnreachableError, ProblemError) as error:
                if isinstance(error, ProblemError) and not passes(error):
                    raise
                asked = error.retry_after if isinstance(error, ProblemError) else None
                if (asked or 0) > _LONGEST_WAIT_ONCE:
                    raise
                self._say(f"{error}; trying again")
                stop.pause(max(_FIRST_RETRY * 2 ** (attempt - 1), asked or 0))
        return self._run_once(stop)

    def _run_once(self, stop: Stop) -> None:
        self.send_unsent()
        with suppress(StoppedError, OutageError):
            while not stop.wanted and self.left() != 0:
                if self.work(stop, 0.0) == 0:
                    return
            if self.left() == 0:
                self._say(_SPENT)

    def send_unsent(self) -> None:
        """Send the answers that an earlier run signed and did not send."""
        for message in self._desk.unsent():
            self._send(message)

    def left(self) -> int | None:
        """Return the number of requests that may be taken today; None without a limit."""
        if self._model is not None and not self._budget.model_left(self._model):
            return 0
        return self._budget.left()

    def work(self, stop: Stop, wait: float) -> int:
        """Lease requests once and answer them; return how many were leased. Raises OutageError."""
        left = self.left()
        most = self._terms.most if left is None else min(left, self._terms.most)
        tasks = stop.break_off(lambda: self._leasing.take(most, wait), self._client.interrupt)
        held = Held(tasks)
        try:
            with self._leasing.renewing(held):
                self._work_on(held, stop)
        finally:
            self._leasing.give_back(held.open())
        return len(tasks)

    def _work_on(self, held: Held, stop: Stop) -> None:
        for task in held.upcoming():
            if stop.wanted or self.left() == 0:
                return
            try:
                if self._answer(task):
                    held.done(task)
            except BudgetError as error:
                self._leave(task, error)
            except OutageError as error:
                self._leave(task, error)
                raise
            except RetryError as error:
                if self._is_declined(task, error):
                    held.done(task)

    def _answer(self, task: Task) -> bool:
        """Answer a request; return whether the node took the answer, so that the lease is no longer needed."""
        # 1. One answer for each request.
        if self._desk.is_answered(task.request_hash):
            return False
        if not self._setbacks.may_try(task.request_hash):
            self.summary.left += 1
            return False
        # 2. and 3.
        try:
            self._budget.check_requester(task.requester)
            record = run(task, self._bench)
        except (DeclineError, RequesterBudgetError) as error:
            return self._decline(task, str(error))
        # 4. Record, then sign or hold.
        self._budget.spend_verdict(task.requester)
        self._desk.records.keep(record)
        if self._terms.review:
            self._desk.held.keep(record)
            self.summary.held += 1
            self._say(f"{record.verdict} on {task.statement_id} waits for approval: {record.response_id}")
            is_taken = False
        else:
            is_taken = self._send(self._desk.sign_verdict(record))
        self._setbacks.forget(task.request_hash)
        return is_taken

    def _is_declined(self, task: Task, error: RetryError) -> bool:
        """Record a failure on a request; after `ATTEMPTS` of them, return whether the node took a decline."""
        setback = self._setbacks.note(task.request_hash)
        if setback.failures < ATTEMPTS:
            self._leave(task, f"{error}; it is tried again from {format_instant(setback.again_at)} on")
            return False
        # The part alone is signed: the words of an error may tell secrets of the machine.
        self._say(f"{task.statement_id} is declined after {setback.failures} failures: {error}")
        is_taken = self._decline(task, f"{error.part} failed on it {setback.failures} times")
        self._setbacks.forget(task.request_hash)
        return is_taken

    def _leave(self, task: Task, why: object) -> None:
        self.summary.left += 1
        self._say(f"{task.statement_id} is left to others: {why}")

    def _decline(self, task: Task, reason: str) -> bool:
        return self._send(
            self._desk.sign_decline(
                task.request_id, task.request_hash, task.statement_id, task.statement_hash, self._new_id(), reason
            )
        )

    def _send(self, message: dict[str, Any]) -> bool:
        """Send an answer; return whether the node took it."""
        answer, verdict = self._desk.send(message, self._client), message.get("verdict")
        about = f"{verdict or 'declined'} on {message['targetStatement']}"
        if isinstance(answer, ProblemError):
            self.summary.refusals += 1
            self._say(f"{about} was refused: {answer}")
            return False
        self.summary.verdicts += verdict is not None
        self.summary.declines += verdict is None
        self._say(f"{about} is log entry {answer.log_index}" + ("" if verdict else f": {message['reason']}"))
        return True
