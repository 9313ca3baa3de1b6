"""The parts that a blocking verifier and an asynchronous one share: criteria, settings, and a run with its files."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Self, TypedDict, TypeVar, Unpack

import httpx

from a2ap.agent.base import DEFAULT_NODE, check_address, fresh_id, utc_now
from a2ap.agent.identity import Identity, load_identity, read_environment
from a2ap.agent.known_logs import KnownLogs
from a2ap.client import Client
from a2ap.errors import MessageError
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.lease_request import MAX_LEASES, MAX_SECONDS, MIN_SECONDS
from a2ap.messages.verification_request import check_criterion
from a2ap.signing.signature import sign_message
from a2ap.verifier.budget import Budget, Limits
from a2ap.verifier.criteria import Panel
from a2ap.verifier.desk import Desk, folder_of_node
from a2ap.verifier.errors import CriterionError
from a2ap.verifier.functions import AsyncFunction, Call, FunctionCriterion, name_of
from a2ap.verifier.parts import Parts
from a2ap.verifier.stop import Stop
from a2ap.verifier.task import Terms
from a2ap.verifier.worker import Summary, Worker

logger = logging.getLogger(__name__)

F = TypeVar("F", bound=AsyncFunction)

_TIMEOUT = 120.0  # seconds


class Settings(TypedDict, total=False):
    """The settings of a verifier's connection and files.

    `token` is a reader's token: sources beyond its clearance are missing. `known_logs` is the file of the log keys that
    the verifier has met, and `log_key` pins the verifier key of the node's log: `name+hash+key`. `timeout` is in
    seconds for each request. `say` gets one line about each answer and each setback, which otherwise goes to the log
    `a2ap.verifier`. `transport` is a transport of httpx in the place of the usual one, and `clock` gives the time.
    """

    token: str | None
    known_logs: Path | None
    log_key: str | None
    timeout: float
    say: Callable[[str], None]
    transport: httpx.BaseTransport | None
    clock: Callable[[], datetime]


class VerifierBase:
    """A verifier at a node: its identity, its criteria, and the settings of its connection.

    `node` is the address of the node, and the files of `folder` last from run to run. `parts` are those that a platform
    adds.
    """

    def __init__(
        self,
        identity: Identity,
        node: str,
        folder: Path,
        *,
        parts: Parts | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        self.id = identity.agent_id
        self.node = node.rstrip("/")
        check_address(self.node)
        log_key = settings.get("log_key")
        self._log_key = None if log_key is None else VerifierKey.parse(log_key)
        self._identity = identity
        self._folder = folder
        self._parts = parts or Parts()
        self._settings = settings
        self._clock = settings.get("clock", utc_now)
        self._functions: dict[str, tuple[AsyncFunction, str]] = {}
        self._stop = self._parts.stop or Stop()

    @classmethod
    def load(
        cls,
        key: str | Path,
        node: str = DEFAULT_NODE,
        *,
        passphrase: str | Callable[[], str] | None = None,
        folder: str | Path | None = None,
        **settings: Unpack[Settings],
    ) -> Self:
        """Return the verifier of a key file; `passphrase` opens a key that is encrypted.

        The node knows the key: `Agent.create` makes one, and `Agent.register` registers it. The `folder` keeps what the
        verifier needs between runs; unless stated it is `reader.key.verifier/HOST-PORT-DIGITS` beside the key, as the
        known logs are in `reader.key.logs.json`. Further settings are `token`, `known_logs`, `log_key`, `timeout`,
        `say`, `transport` and `clock`, as `a2ap.verifier.base.Settings` describes them. Raises `KeyFormatError`, and
        `OSError` if there is no file.
        """
        path = Path(key)
        check_address(node)
        beside = path.with_name(f"{path.name}.verifier") / folder_of_node(node)
        settings.setdefault("known_logs", path.with_name(f"{path.name}.logs.json"))
        return cls(load_identity(path, passphrase), node, Path(folder or beside), **settings)

    @classmethod
    def from_env(cls, node: str | None = None, **settings: Unpack[Settings]) -> Self:
        """Return the verifier of the environment: `A2AP_KEY`, `A2AP_KEY_PASSPHRASE`, `A2AP_URL` and `A2AP_TOKEN`.

        An argument precedes the environment. Raises as `load` does.
        """
        stated = read_environment()
        settings.setdefault("token", stated.token)
        return cls.load(stated.key, node or stated.node or DEFAULT_NODE, passphrase=stated.passphrase, **settings)

    @property
    def criteria(self) -> tuple[str, ...]:
        """The names of the registered criteria, in order."""
        return tuple(self._functions)

    def stop(self) -> None:
        """Stop `run`, from any thread: work under way is finished, and a wait for requests is broken off."""
        self._stop.want()

    @contextmanager
    def _stopping(self) -> Iterator[Stop]:
        """Yield the stop of a run, which signals and `stop` request."""
        if self._parts.stop is not None:
            yield self._parts.stop
            return
        try:
            with self._stop.on_signals():
                yield self._stop
        finally:
            self._stop = Stop()

    def _register(self, name: object, version: str) -> Callable[[F], F]:
        if not isinstance(name, str):
            raise CriterionError(f"@verifier.criterion takes the name of a criterion, not {name_of(name)}")
        try:
            check_criterion(name, "the criterion")
        except MessageError as error:
            raise CriterionError(f"{name!r} is no name of a criterion: {error}") from error

        def register(function: F) -> F:
            if name in self._functions:
                raise CriterionError(f"the criterion {name} is registered twice: {name_of(self._functions[name][0])}")
            self._check_function(name, function)
            self._functions[name] = (function, version)
            return function

        return register

    def _check_function(self, name: str, function: AsyncFunction) -> None:
        """Raise CriterionError for a function that this kind of verifier cannot call."""

    def _work(self, stop: Stop, call: Call, once: bool, limits: Limits, terms: Terms) -> Summary:
        """Answer requests until stopped, or the open requests `once`, at the desk of this verifier."""
        if not self._functions and self._parts.panel is None:
            raise CriterionError('no criterion is registered: @verifier.criterion("…") registers one')
        _check_terms(limits, terms)
        say = self._settings.get("say", logger.info)
        desk = self._desk()
        with closing(desk.lock()):
            budget = Budget(desk.folder / "budget.json", replace(limits, to_model=self._parts.per_model), self._clock)
            panel = self._whole_panel(budget, call)
            with self._client() as client:
                worker = Worker(
                    client,
                    desk,
                    panel,
                    budget,
                    replace(terms, review=self._parts.review, attempts=self._parts.attempts),
                    sign=self._sign,
                    clock=self._clock,
                    new_id=fresh_id,
                    say=say,
                    source_of=self._parts.source_of,
                )
                if once:
                    worker.run_once(stop)
                else:
                    worker.run(stop)
        return worker.summary

    def _whole_panel(self, budget: Budget, call: Call) -> Panel:
        functions = {
            name: FunctionCriterion(name, function, version, call)
            for name, (function, version) in self._functions.items()
        }
        if self._parts.panel is None:
            return Panel(functions)
        shipped = self._parts.panel(budget)
        twice = [name for name in functions if name in shipped.criteria]
        if twice:
            raise CriterionError(f"the criterion {twice[0]} is registered twice")
        return Panel({**shipped.criteria, **functions}, shipped.method, shipped.model, shipped.model_bytes)

    def _desk(self) -> Desk:
        return Desk(self._folder, self.id, self._sign, self._clock, self._parts.packs)

    def _client(self) -> Client:
        known = KnownLogs(self._settings.get("known_logs"))
        return Client(
            self.node,
            self._settings.get("token"),
            log_key=self._log_key or known.find(self.node),
            keep_log_key=lambda key: known.keep(self.node, key),
            timeout=self._settings.get("timeout", _TIMEOUT),
            transport=self._settings.get("transport"),
        )

    def _sign(self, message: Mapping[str, Any]) -> dict[str, Any]:
        return sign_message(message, self._identity.key, self._identity.key_id)


def _check_terms(limits: Limits, terms: Terms) -> None:
    """Raise ValueError for terms that no node takes, and for a budget below zero."""
    if not MIN_SECONDS <= terms.seconds <= MAX_SECONDS:
        raise ValueError(f"lease_seconds is {terms.seconds}, not from {MIN_SECONDS} to {MAX_SECONDS}")
    if not 1 <= terms.most <= MAX_LEASES:
        raise ValueError(f"most is {terms.most}, not from 1 to {MAX_LEASES}")
    for name, limit in (("per_day", limits.verdicts), ("per_requester", limits.for_requester)):
        if limit is not None and limit < 0:
            raise ValueError(f"{name} is {limit}, less than 0")
