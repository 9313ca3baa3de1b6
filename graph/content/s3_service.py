"""Requests to an S3 service that the library for objects does not make: those about uploads in parts.

They are signed with the keys in the settings (AWS Signature Version 4). If the keys come from elsewhere, for example
from the machine that this runs on, there is no `S3Service`, and the library sends files in its own way.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

import httpx

from graph.errors import ContentError

_REGION = "us-east-1"
_TRIES = 5
_PATIENCE = httpx.Timeout(30)
_PLAIN = "-_.~"


class NoSuchUploadError(ContentError):
    """The service does not know the upload, or no longer does."""


@dataclass(frozen=True, slots=True)
class S3Service:
    """A bucket, and the prefix of the objects in it; `address` is that of the bucket."""

    address: str
    prefix: str
    region: str
    access_key: str
    secret_key: str = field(repr=False)
    token: str | None = field(repr=False)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[S3Session]:
        """Yield a sender of requests, with connections of its own."""
        async with httpx.AsyncClient(timeout=_PATIENCE) as client:
            yield S3Session(self, client)

    def key(self, name: str) -> str:
        """Return the key of an object of that name."""
        return f"{self.prefix}/{name}" if self.prefix else name


def s3_service(url: str, options: Mapping[str, str]) -> S3Service | None:
    """Return the service behind an `s3://bucket/prefix` URL; None if the options have no keys.

    `options` are those of the bucket, in lower case.
    """
    access, secret = options.get("aws_access_key_id"), options.get("aws_secret_access_key")
    if not access or not secret:
        return None
    parts = urlsplit(url)
    region = options.get("aws_region") or _REGION
    endpoint = options.get("aws_endpoint_url", "").rstrip("/")
    # As obstore reads them: with this style the endpoint names the bucket itself.
    if options.get("aws_virtual_hosted_style_request", "").lower() in ("1", "true", "on", "yes", "y"):
        address = endpoint or f"https://{parts.netloc}.s3.{region}.amazonaws.com"
    else:
        address = f"{endpoint or f'https://s3.{region}.amazonaws.com'}/{parts.netloc}"
    return S3Service(address, parts.path.strip("/"), region, access, secret, options.get("aws_session_token"))


class S3Session:
    """Sends signed requests to one bucket."""

    def __init__(self, service: S3Service, client: httpx.AsyncClient) -> None:
        self.service = service
        self._client = client

    async def send(self, method: str, key: str, query: Mapping[str, str], body: bytes = b"") -> httpx.Response:
        """Send one request, and repeat it if the service is busy; `key` is "" for the bucket itself.

        Raises `NoSuchUploadError`, and another ContentError for any other failure of the service.
        """
        why = ""
        for attempt in range(_TRIES):
            if attempt:
                await asyncio.sleep(0.1 * 3**attempt)
            url = f"{self.service.address}/{quote(key, safe=_PLAIN + '/')}?{_written(query)}"
            try:
                headers = self._headers(method, url, query, body)
                answer = await self._client.request(method, url, headers=headers, content=body)
            except httpx.TransportError as error:
                why = f"{type(error).__name__} {error}"
                continue
            # Some services answer 200 before they know whether they can (CompleteMultipartUpload).
            if answer.status_code >= 500 or (answer.is_success and _code(answer)):
                why = f"{answer.status_code} {_code(answer)}"
                continue
            return _checked(answer, key)
        raise ContentError(f"{key or 'the bucket'} cannot be written: {why}")

    def _headers(self, method: str, url: str, query: Mapping[str, str], body: bytes) -> dict[str, str]:
        """Return the headers that sign a request; its host is part of the signed text."""
        now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        where = urlsplit(url)
        headers = {
            "host": where.netloc,
            "x-amz-content-sha256": hashlib.sha256(body).hexdigest(),
            "x-amz-date": now,
        }
        if self.service.token:
            headers["x-amz-security-token"] = self.service.token
        lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
        names = ";".join(headers)
        request = f"{method}\n{where.path}\n{_written(query)}\n{lines}\n{names}\n{headers['x-amz-content-sha256']}"
        scope = f"{now[:8]}/{self.service.region}/s3/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
        key = f"AWS4{self.service.secret_key}".encode()
        for part in (*scope.split("/"), text):
            key = hmac.digest(key, part.encode(), "sha256")
        proof = f"Credential={self.service.access_key}/{scope}, SignedHeaders={names}, Signature={key.hex()}"
        return {**headers, "authorization": f"AWS4-HMAC-SHA256 {proof}"}


def elements(answer: httpx.Response, name: str) -> list[dict[str, str]]:
    """Return the elements of that name in an answer, each as the texts of its members, without namespaces."""
    every = _root(answer).iter()
    return [{_local(member.tag): member.text or "" for member in one} for one in every if _local(one.tag) == name]


def text_of(answer: httpx.Response, name: str) -> str:
    """Return the text of the first element of that name, "" if there is none."""
    return next((one.text or "" for one in _root(answer).iter() if _local(one.tag) == name), "")


def _root(answer: httpx.Response) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(answer.content)
    except ElementTree.ParseError as error:
        raise ContentError(f"the answer of the bucket is not XML: {error}") from error


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _written(query: Mapping[str, str]) -> str:
    """Return parameters as they are sent and signed: in order, with all but unreserved signs encoded."""
    return "&".join(f"{quote(name, safe=_PLAIN)}={quote(query[name], safe=_PLAIN)}" for name in sorted(query))


def _code(answer: httpx.Response) -> str:
    """Return the code of an error, "" if the answer has none."""
    try:
        root = ElementTree.fromstring(answer.content)
    except ElementTree.ParseError:
        return ""
    return (root.findtext("Code") or "") if _local(root.tag) == "Error" else ""


def _checked(answer: httpx.Response, key: str) -> httpx.Response:
    if answer.status_code == 404 and _code(answer) == "NoSuchUpload":
        raise NoSuchUploadError(f"the bucket does not know the upload of {key}")
    if answer.status_code >= 300:
        raise ContentError(f"{key or 'the bucket'} cannot be written: {answer.status_code} {_code(answer)}")
    return answer
