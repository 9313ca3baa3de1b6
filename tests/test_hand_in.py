"""Doors ask whether a reader may hand in records that nobody signed for before they read what is handed in."""

import base64
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from builders import admission_policy_message, signed_record
from http_client import client, send
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, accept, settle
from starlette.requests import Request

from a2ap.errors import A2APError
from a2ap.messages.admission_policy import AdmissionMode
from graph.clearance import Reader
from graph.errors import ForbiddenError, InputError, NotRegisteredError
from graph.http.packets import post_packet, post_record
from graph.http.packs import post_packs
from graph.http.passports import post_passports
from graph.platform import Platform
from graph.quotas.caller import Caller

__all__ = ["client", "platform"]

HERE = Caller("192.0.2.1")
DOORS = [post_packs, post_passports, post_packet, post_record]


async def _read(name: str, **_: Any) -> list[dict[str, str]]:
    return [{"mode": "invitation"}]


async def _unread() -> Any:
    raise AssertionError("the body was read")


@pytest.mark.parametrize("door", DOORS)
async def test_a_body_from_a_reader_who_is_not_admitted_is_not_read(door: Any) -> None:
    request = Request({"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b""}, _unread)
    platform = SimpleNamespace(store=SimpleNamespace(read=_read))
    with pytest.raises(ForbiddenError, match="operator's token"):
        await door(request, platform, Reader(), HERE)


async def test_a_body_under_a_registration_that_is_not_taken_is_not_read(platform: Platform) -> None:
    await settle(platform)
    wrong: list[tuple[bytes, type[Exception]]] = [
        (b"####", InputError),
        (base64.b64encode(b"{}"), A2APError),
        (base64.b64encode(signed_record(STRANGER + 50)), NotRegisteredError),
        (base64.b64encode(signed_record(AUTHOR).replace(b"public", b"private")), A2APError),
    ]
    for door in DOORS:
        for header, error in wrong:
            headers = [(b"a2ap-registration", header)]
            scope = {"type": "http", "method": "POST", "path": "/", "headers": headers, "query_string": b""}
            with pytest.raises(error):
                await door(Request(scope, _unread), platform, Reader(), HERE)


async def test_graphql_reads_no_record_of_a_reader_who_is_not_admitted(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    policy = admission_policy_message(platform.node.agent_id, mode=AdmissionMode.INVITATION)
    await accept(platform, platform.node.sign(policy).envelope.received)
    for call in (
        'registerPassport(document: "[") { ... on Problem { code } }',
        'registerPack(manifest: "[", contents: ["####"]) { ... on Problem { code } }',
        'registerPacket(document: "[") { ... on Problem { code } }',
        'registerPacketRecord(document: "[") { ... on Problem { code } }',
    ):
        for registration, code in (("", "FORBIDDEN"), (', registration: "["', "INVALID_JSON")):
            answer = await send(client, "mutation { " + call.replace(")", f"{registration})", 1) + " }")
            assert [problem["code"] for problem in answer["data"].values()] == [code], (call, answer)
