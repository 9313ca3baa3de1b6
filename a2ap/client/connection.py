"""The connection of an agent's client to a platform: it sends requests, and verifies receipts as they arrive."""

import socket
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from a2ap.client.answers import (
    ProblemError,
    Receipt,
    UnreachableError,
    json_object,
    problem_of,
    public_address,
    read_line,
    read_receipt,
    what_happened,
)
from a2ap.client.documents import SEQUENCE, Document, batches, bytes_of, is_element, path_for, sequence_of
from a2ap.client.receipt_check import stated_log_key, stated_successions, verify_answer
from a2ap.errors import NoteError
from a2ap.json_text import read_json, write_json
from a2ap.log.log_key import LogKeys, follow_successions
from a2ap.log.signed_note import VerifierKey

_WELL_KNOWN = "/.well-known/a2ap"


def is_loopback(url: str) -> bool:
    """Tell whether a URL leads to this machine, for which the environment's proxy is not used."""
    return (urlsplit(url).hostname or "") in ("localhost", "127.0.0.1", "::1")


class Connection:
    """A connection to one platform; `a2ap.client.Client` has a method for each endpoint.

    `keep_log_key` is given the key that the platform states for its log at the first receipt, unless `log_key` is
    known, and returns the key to be trusted.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        log_key: VerifierKey | None = None,
        keep_log_key: Callable[[VerifierKey], VerifierKey] | None = None,
        timeout: float = 120.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.base_url = base_url.rstrip("/")
        self._address = public_address(self.base_url)
        self._log_keys = LogKeys(log_key) if log_key is not None else None
        self._keep_log_key = keep_log_key
        self._sockets: list[socket.socket] = []
        self._http = httpx.Client(
            base_url=self.base_url,
            headers=headers,
            timeout=timeout,
            transport=transport,
            trust_env=not is_loopback(base_url),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def interrupt(self) -> None:
        """Hang up: requests under way in other threads raise `UnreachableError`. Later requests connect anew."""
        while self._sockets:
            with suppress(OSError):  # It is closed already.
                self._sockets.pop().shutdown(socket.SHUT_RDWR)

    def submit_many(self, documents: Sequence[Document]) -> list[Receipt | ProblemError]:
        """Submit many messages of any type in order; one answer for each, and a refusal stops none of the others.

        Up to 1,000 are sent at once, each byte for byte, and are written together.
        """
        answers: list[Receipt | ProblemError] = []
        for batch in batches([bytes_of(document) for document in documents]):
            answers += self._submit_batch(batch) if is_element(batch[0]) else [self._submit_alone(batch[0])]
        return answers

    def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Run a GraphQL operation and return its `data`; raises ProblemError with the first of its errors."""
        body = write_json({"query": query, "variables": dict(variables or {})})
        answer = json_object(self._send("POST", "/graphql", content=body, media_type="application/json"))
        errors = answer.get("errors")
        if errors:
            first = errors[0] if isinstance(errors, list) else errors
            told = first.get("message", first) if isinstance(first, dict) else first
            raise ProblemError(200, "GraphQL error", str(told))
        data = answer.get("data")
        if not isinstance(data, dict):
            raise UnreachableError(f"{self._address} answered a GraphQL query without data")
        return data

    def _post(self, path: str, document: Document) -> Receipt:
        data = bytes_of(document)
        response = self._send("POST", path, content=data, media_type="application/ld+json")
        return self._verified(read_receipt(json_object(response), response.status_code == httpx.codes.CREATED), data)

    def _submit_alone(self, document: bytes) -> Receipt | ProblemError:
        try:
            return self._post(path_for(document), document)
        except ProblemError as problem:
            return problem

    def _submit_batch(self, documents: Sequence[bytes]) -> list[Receipt | ProblemError]:
        response = self._send("POST", "/statements", content=sequence_of(documents), media_type=SEQUENCE)
        lines = [line for line in response.text.split("\n") if line.strip()]
        if len(lines) != len(documents):
            raise UnreachableError(f"{self._address} answered {len(lines)} of {len(documents)} documents")
        answers = map(read_line, lines)
        return [
            self._verified(answer, document) if isinstance(answer, Receipt) else answer
            for answer, document in zip(answers, documents, strict=True)
        ]

    def _verified(self, receipt: Receipt, document: bytes) -> Receipt:
        """Return the receipt after verifying it, if the log's key is known; raises `LogError`."""
        if self._log_keys is None:
            if self._keep_log_key is None:
                return receipt
            self._log_keys = LogKeys(self._keep_log_key(stated_log_key(self._description(), self._address)))
        message = read_json(document)
        try:
            verify_answer(receipt, message, self._log_keys)
        except NoteError:
            # Another key may sign the log by now. That it was handed to that key, the keys before it say.
            self._log_keys = follow_successions(
                self._log_keys.first, stated_successions(self._description(), self._address)
            )
            verify_answer(receipt, message, self._log_keys)
        return receipt

    def _description(self) -> dict[str, Any]:
        return json_object(self._send("GET", _WELL_KNOWN))

    def _send(
        self,
        method: str,
        path: str,
        *,
        content: bytes | Iterable[bytes] | None = None,
        media_type: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        patience = httpx.USE_CLIENT_DEFAULT if timeout is None else timeout
        sent = dict(headers or {}) | ({"content-type": media_type} if media_type else {})
        try:
            response = self._http.request(
                method, path, content=content, headers=sent, timeout=patience, extensions={"trace": self._note_socket}
            )
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UnreachableError(f"{self._address} does not answer: {what_happened(error)}") from error
        if response.is_success:
            return response
        raise problem_of(response)

    def _note_socket(self, event: str, info: Mapping[str, Any]) -> None:
        """Keep the socket of each connection that the transport opens."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            opened = info["return_value"].get_extra_info("socket")
            if opened is not None:
                self._sockets = [one for one in self._sockets if one.fileno() >= 0] + [opened]
