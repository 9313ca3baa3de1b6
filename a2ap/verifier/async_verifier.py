"""A verifier for asyncio, with the methods of `a2ap.verifier.verifier.Verifier`."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, TypeVar

from a2ap.verifier.base import VerifierBase
from a2ap.verifier.budget import Limits
from a2ap.verifier.functions import AsyncFunction
from a2ap.verifier.material import Material
from a2ap.verifier.stop import StoppedError
from a2ap.verifier.task import LEASE_SECONDS, MOST, Terms
from a2ap.verifier.worker import Summary

F = TypeVar("F", bound=AsyncFunction)


class AsyncVerifier(VerifierBase):
    """A verifier for asyncio: its criteria may be coroutine functions.

        verifier = AsyncVerifier.load("reader.key", node="http://127.0.0.1:8000")

        @verifier.criterion("source-accuracy")
        async def quoted(material):
            return await ask_a_service(material.claim, [one.text for one in material.evidence])

        await verifier.run()

    Coroutines run in the loop of `run`, other functions in a thread, where they block nothing. Everything else is as
    `Verifier` has it.
    """

    def criterion(self, name: str, *, version: str = "1") -> Callable[[F], F]:
        """Register a function or a coroutine function for a criterion, as a decorator; it stays as it is.

        The version of the function is in the records of runs. Raises `CriterionError` for a criterion that is
        registered already, and a name that is none (`source-accuracy`, `example.org/tone`).
        """
        return self._register(name, version)

    async def run(
        self,
        *,
        once: bool = False,
        per_day: int | None = None,
        per_requester: int | None = None,
        lease_seconds: int = LEASE_SECONDS,
        most: int = MOST,
    ) -> Summary:
        """Answer requests until `stop` is called or SIGINT or SIGTERM comes; with `once`, only those that are open now.

        Arguments and errors are those of `Verifier.run`. If the task is cancelled, a coroutine at work is cancelled
        with it, and its request is given back.
        """
        limits, terms = Limits(per_day, per_requester), Terms(lease_seconds, most)
        with self._stopping() as stop:
            calls = _Calls(asyncio.get_running_loop())
            executor = ThreadPoolExecutor(1, "a2ap-verifier")
            work = asyncio.get_running_loop().run_in_executor(executor, self._work, stop, calls, once, limits, terms)
            executor.shutdown(wait=False)
            try:
                return await asyncio.shield(work)
            except asyncio.CancelledError:
                stop.want()
                calls.cancel()
                await asyncio.wait([work])
                work.exception()  # The cancellation precedes an error of the work.
                raise


class _Calls:
    """The calls of functions by the thread of a run; a coroutine is awaited in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lock = Lock()
        self._current: Future[Any] | None = None
        self._is_cancelled = False

    def __call__(self, function: AsyncFunction, material: Material) -> object:
        answer = function(material)
        if not inspect.isawaitable(answer):
            return answer
        if self._loop.is_closed():
            raise StoppedError
        future = asyncio.run_coroutine_threadsafe(_awaited(answer), self._loop)
        with self._lock:
            self._current = future
            if self._is_cancelled:
                future.cancel()
        try:
            return future.result()
        except CancelledError as error:
            if self._is_cancelled:
                raise StoppedError from error
            raise

    def cancel(self) -> None:
        """Cancel the coroutine that is awaited now, and all later ones."""
        with self._lock:
            self._is_cancelled = True
            if self._current is not None:
                self._current.cancel()


async def _awaited(answer: Awaitable[Any]) -> object:
    return await answer
