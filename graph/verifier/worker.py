"""The worker: it leases requests, judges the statements they are about, and answers each once.

The steps for one lease:

1. A request that has been answered, or waits for approval, is left alone.
2. The statement is fetched and must be the one that the request names; its author's key must have signed it.
3. Its sources are fetched by their hashes.
4. The criteria of the request that this verifier answers are judged.
5. The run is recorded; the verdict is signed and sent, or held for approval.

What cannot be judged here is declined with the reason. What may be otherwise in a minute (no answer from platform or
model) is left: the lease expires, and the request is offered again. A budget that is used up takes no more leases.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.client import Client, ProblemError, UnreachableError
from a2ap.errors import SignatureError
from a2ap.json_text import write_json
from a2ap.lease_request import build_lease_request
from a2ap.times import format_instant
from a2ap.verification_response import FindingStatus, Verdict
from graph.verifier.budget import Budget
from graph.verifier.criteria import Judgement, Panel
from graph.verifier.desk import Desk, passes
from graph.verifier.errors import BudgetError, ModelError, RequesterBudgetError, UnjudgeableError, VerifierError
from graph.verifier.fetching import Fetching
from graph.verifier.judging import confidence_of, failed, reason_of, verdict_of
from graph.verifier.material import Material
from graph.verifier.records import RunRecord, bytes_read
from graph.verifier.source_check import ACCURACY
from graph.verifier.stop import Stop, StoppedError

_PAUSE = 5.0  # seconds before a platform or model that did not answer is tried again
_SPENT_PAUSE = 300.0


@dataclass(frozen=True, slots=True)
class Terms:
    """How a worker leases: how many at once, for how many seconds, and how long it waits where there are none."""

    seconds: int = 300
    most: int = 10
    wait: float = 30.0
    review: bool = False
    method: str = "words"


@dataclass(frozen=True, slots=True)
class Task:
    """A leased request."""

    request_id: str
    request_hash: str
    criteria: tuple[str, ...]
    requester: str
    statement_id: str
    statement_hash: str

    @classmethod
    def of(cls, lease: dict[str, Any]) -> "Task":
        """Return the task of a lease as the platform gives it. Raises VerifierError."""
        try:
            request, statement = lease["request"], lease["statement"]
            return cls(
                request["id"],
                request["hash"],
                tuple(request["criteria"]),
                request["requestingAgent"],
                statement["id"],
                statement["hash"],
            )
        except (LookupError, TypeError) as error:
            raise VerifierError(f"the platform gave a lease that cannot be read: {error}") from error


class Worker:
    """A verifier at work. `say` gets one line about each answer; `new_id` gives ids for messages.

    `left_open` counts the requests that were leased and left, because a model or the budget did not allow an answer.
    """

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
        model: str | None = None,
    ) -> None:
        self._client = client
        self._desk = desk
        self._panel = panel
        self._budget = budget
        self._terms = terms
        self._sign = sign
        self._clock = clock
        self._new_id = new_id
        self._say = say
        self._model = model
        self._fetching = Fetching(client)
        self._node: str | None = None
        self.left_open = 0

    def run(self, stop: Stop) -> None:
        """Work until somebody wants it to stop; what is under way is finished first.

        Raises ProblemError where the platform refuses to give leases.
        """
        while not stop.wanted:
            try:
                self.send_unsent()
                if self.left() == 0:
                    self._say("what may be spent today is spent")
                    stop.pause(_SPENT_PAUSE)
                else:
                    self.work(stop, self._terms.wait)
            except StoppedError:
                return
            except (UnreachableError, ProblemError) as error:
                if isinstance(error, ProblemError) and not passes(error):
                    raise
                self._say(f"{error}; trying again")
                stop.pause(_PAUSE)

    def run_once(self, stop: Stop) -> None:
        """Answer what is open, and return when there is nothing more. Raises where the platform does not answer."""
        self.send_unsent()
        with suppress(StoppedError):
            while not stop.wanted and self.left() != 0:
                if self.work(stop, 0.0) == 0:
                    return

    def send_unsent(self) -> None:
        """Send what an earlier run has signed and not sent."""
        for message in self._desk.unsent():
            self._send(message)

    def left(self) -> int | None:
        """Return how many requests may be taken today; None where there is no limit."""
        if self._model is not None and not self._budget.model_left(self._model):
            return 0
        return self._budget.left()

    def work(self, stop: Stop, wait: float) -> int:
        """Lease requests once and answer them; return how many were leased."""
        left = self.left()
        with stop.waiting():
            leases = self._lease(self._terms.most if left is None else min(left, self._terms.most), wait)
        for task in map(Task.of, leases):
            if stop.wanted or self.left() == 0:
                break
            try:
                self._answer(task)
            except (BudgetError, ModelError) as error:
                self.left_open += 1
                self._say(f"{task.statement_id} is left to others: {error}")
        return len(leases)

    def _lease(self, most: int, wait: float) -> list[dict[str, Any]]:
        message = build_lease_request(
            lease_request_id=self._new_id(),
            requested_at=self._clock(),
            leasing_agent=self._desk.agent_id,
            audience=self._audience(),
            criteria=self._panel.names,
            most=most,
            seconds=self._terms.seconds,
        )
        return self._client.lease(write_json(self._sign(message)), wait)

    def _audience(self) -> str:
        """Return the node that is asked, as it names itself; another could not use what is signed for it."""
        if self._node is None:
            self._node = self._client.node_agent()
        return self._node

    def _answer(self, task: Task) -> None:
        # 1. One answer for each request.
        if self._desk.is_answered(task.request_hash):
            return
        try:
            self._budget.check_requester(task.requester)
            record = self._judge(task)
        except (UnjudgeableError, RequesterBudgetError) as error:
            self._send(self._decline(task, str(error)))
            return
        # 5. Record, then sign or hold.
        self._budget.spend_verdict(task.requester)
        self._desk.records.keep(record)
        if self._terms.review:
            self._desk.held.keep(record)
            self._say(f"{record.verdict} on {task.statement_id} waits for approval: {record.response_id}")
        else:
            self._send(self._desk.sign_verdict(record))

    def _judge(self, task: Task) -> RunRecord:
        # 2. The statement, and who signed it.
        statement = self._fetching.statement(task.statement_id, task.statement_hash)
        wanted = tuple(name for name in self._panel.names if name in task.criteria)
        if not wanted:
            raise UnjudgeableError(f"none of {', '.join(task.criteria)} is judged here")
        try:
            self._fetching.check_signature(statement)
        except SignatureError as error:
            findings = (failed(ACCURACY, str(error), 1.0),)
            return self._record(task, Material(statement, {}), Judgement(findings), Verdict.INVALID_SIGNATURE)
        # 3. and 4.
        material = self._fetching.material(statement)
        judgement = self._panel.judge(material, wanted)
        if all(finding.status is FindingStatus.INCONCLUSIVE for finding in judgement.findings) and not material.sources:
            missing = ", ".join(material.missing) or "a source"
            raise UnjudgeableError(f"{missing} cannot be read here, and nothing can be said without it")
        return self._record(task, material, judgement, verdict_of(judgement.findings))

    def _record(self, task: Task, material: Material, judgement: Judgement, verdict: Verdict) -> RunRecord:
        findings = judgement.findings
        wanted = tuple(finding.criterion for finding in findings)
        return RunRecord(
            response_id=self._new_id(),
            judged_at=format_instant(self._clock()),
            request_id=task.request_id,
            request_hash=task.request_hash,
            requester=task.requester,
            statement_id=task.statement_id,
            statement_hash=task.statement_hash,
            method=self._terms.method,
            criteria=wanted,
            versions=self._panel.versions([name for name in wanted if name in self._panel.criteria]),
            read=bytes_read(material),
            asked=judgement.asked,
            verdict=verdict,
            confidence=confidence_of(findings),
            findings=findings,
            reason=None if verdict is Verdict.VALIDATED else reason_of(findings),
        )

    def _decline(self, task: Task, reason: str) -> dict[str, Any]:
        return self._desk.sign_decline(
            task.request_id, task.request_hash, task.statement_id, task.statement_hash, self._new_id(), reason
        )

    def _send(self, message: dict[str, Any]) -> None:
        answer = self._desk.send(message, self._client)
        what = message.get("verdict", "declined")
        if isinstance(answer, ProblemError):
            self._say(f"{what} on {message['targetStatement']} was refused: {answer}")
        else:
            told = f": {message['reason']}" if what == "declined" else ""
            self._say(f"{what} on {message['targetStatement']} is log entry {answer.log_index}{told}")
