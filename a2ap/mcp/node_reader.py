"""Reads a node's answers for the tools: GraphQL, and resources by their path. Each is asked for once, within bounds."""

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from a2ap.agent.base import check_address
from a2ap.agent.submitting import segment
from a2ap.client.answers import (
    UnreachableError,
    graphql_data,
    json_object,
    problem_of,
    public_address,
    what_happened,
)
from a2ap.client.connection import is_loopback
from a2ap.json_text import write_json

MAX_BYTES = 32 * 2**20
"""The most bytes of an answer."""

_TIMEOUT = 60.0  # seconds


class NodeReader:
    """A reader of one node, cleared as its token says; `name` is the node's address without a password."""

    def __init__(self, node: str, token: str | None = None) -> None:
        check_address(node)
        self.name = public_address(node.rstrip("/"))
        self._http = httpx.AsyncClient(
            base_url=node.rstrip("/"),
            headers={"authorization": f"Bearer {token}"} if token else {},
            timeout=_TIMEOUT,
            trust_env=not is_loopback(node),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def graphql(self, query: str, **variables: Any) -> dict[str, Any]:
        """Return the `data` of a GraphQL query; raises `ProblemError` with the first of its errors."""
        body = write_json({"query": query, "variables": variables})
        return graphql_data(
            json_object(await self._send("POST", "/graphql", {"content-type": "application/json"}, body))
        )

    async def fetch(self, *path: str, accept: str = "*/*", byte_range: tuple[int, int] | None = None) -> httpx.Response:
        """Return the response at a path, given by its segments; `byte_range` is half-open."""
        headers = {"accept": accept}
        if byte_range is not None:
            headers["range"] = f"bytes={byte_range[0]}-{byte_range[1] - 1}"
        return await self._send("GET", "/" + "/".join(map(segment, path)), headers)

    async def _send(
        self, method: str, path: str, headers: Mapping[str, str], content: bytes | None = None
    ) -> httpx.Response:
        """Return a successful response; raises `ProblemError` if the node refuses, and `UnreachableError`."""
        request = self._http.build_request(method, path, headers=dict(headers), content=content)
        try:
            response = await self._http.send(request, stream=True)
            try:
                received = await self._received(response, path)
            finally:
                await response.aclose()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UnreachableError(f"{self.name} does not answer: {what_happened(error)}") from error
        if not received.is_success:
            raise problem_of(received)
        return received

    async def _received(self, response: httpx.Response, path: str) -> httpx.Response:
        content = bytearray()
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > MAX_BYTES:
                raise UnreachableError(f"{self.name}{path} has more than {MAX_BYTES} bytes")
        kept = [(name, value) for name, value in response.headers.multi_items() if name != "content-encoding"]
        return httpx.Response(response.status_code, headers=kept, content=bytes(content), request=response.request)
