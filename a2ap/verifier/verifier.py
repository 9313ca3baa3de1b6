"""A verifier that blocks while it works."""

import inspect
from collections.abc import Callable
from typing import TypeVar

from a2ap.verifier.base import VerifierBase
from a2ap.verifier.budget import Limits
from a2ap.verifier.errors import CriterionError
from a2ap.verifier.functions import AsyncFunction, Function
from a2ap.verifier.material import Material
from a2ap.verifier.task import LEASE_SECONDS, MOST, Terms
from a2ap.verifier.worker import Summary

F = TypeVar("F", bound=Function)


class Verifier(VerifierBase):
    """A verifier: it answers the requests of a node by functions, one for each criterion.

        verifier = Verifier.load("reader.key", node="http://127.0.0.1:8000")

        @verifier.criterion("source-accuracy")
        def quoted(material):
            return all(one.quote is None or one.quote in (one.text or "") for one in material.evidence)

        verifier.run()

    A function is called with the `Material` of a statement, whose signature it has already checked, and returns True,
    False, None (INCONCLUSIVE), one of these in a pair with the reason, or a `Finding`. The verdict follows from the
    findings (A2AP §4.2). A function that raises an exception leaves its criterion INCONCLUSIVE; it raises
    `DeclineError` to decline the request, and `RetryError` to leave it for later.
    """

    def criterion(self, name: str, *, version: str = "1") -> Callable[[F], F]:
        """Register a function for a criterion, as a decorator; the function stays as it is.

        The version of the function is in the records of runs. Raises `CriterionError` for a criterion that is
        registered already, a name that is none (`source-accuracy`, `example.org/tone`), and a coroutine function.
        """
        return self._register(name, version)

    def run(
        self,
        *,
        once: bool = False,
        per_day: int | None = None,
        per_requester: int | None = None,
        lease_seconds: int = LEASE_SECONDS,
        most: int = MOST,
    ) -> Summary:
        """Answer requests until `stop` is called or SIGINT or SIGTERM comes; with `once`, only those that are open now.

        Up to `most` requests (1 to 100) are leased at once, for `lease_seconds` each (10 to 3,600), and the leases are
        renewed while functions work. `per_day` and `per_requester` bound the verdicts, and the verdicts for one
        requesting agent, in a day (UTC); None means no limit. Each request is answered once: an answer that was signed
        and not sent is sent by the next run. While the node does not answer, the verifier waits for it; with `once`, it
        asks five times in all. Signals are handled in the main thread alone; the second one interrupts work under way.

        Raises `CriterionError` if no criterion is registered or a function returns no finding, `ValueError` for a
        number out of its range, `VerifierError` if another process works in the folder, `ProblemError` if the node
        refuses (an agent that is not registered, a spent quota with `once`), `UnreachableError` with `once`, and
        `LogError` for a receipt that does not hold.
        """
        limits, terms = Limits(per_day, per_requester), Terms(lease_seconds, most)
        with self._stopping() as stop:
            return self._work(stop, _call, once, limits, terms)

    def _check_function(self, name: str, function: AsyncFunction) -> None:
        if inspect.iscoroutinefunction(function):
            raise CriterionError(f"the function of {name} is a coroutine function: AsyncVerifier calls those")


def _call(function: AsyncFunction, material: Material) -> object:
    return function(material)
