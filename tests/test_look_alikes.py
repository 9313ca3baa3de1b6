"""Names that look alike: skeletons of names, and the agents whose names resemble an earlier name."""

import asyncio

import httpx
import pytest
from builders import (
    agent_id,
    description,
    signed_deactivation,
    signed_endorsement,
    signed_registration,
    signed_response,
    signed_statement,
)
from http_client import client, send
from hypothesis import given
from hypothesis import strategies as st
from page_reader import open_page, open_past_page
from platform_fixture import platform
from scenario import OPERATOR_A, accept, hash_of, settle
from test_versions import FAMILY, announced

from graph.log.entry import log_size
from graph.names.agent_names import AgentNames, NamedAgent
from graph.names.confusables import mixed_scripts, skeletons
from graph.platform import Platform

__all__ = ["client", "platform"]

NAME = "Council Clerk"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("paypal", "p\u0430ypal"),  # Cyrillic a
        ("modern", "rnodern"),
        ("Ida", "lda"),
        ("Clerk 0", "Clerk O"),
        ("Clerk", "C1erk"),
        ("CLERK", "clerk"),
        ("Clerk  of\tCourt", "Clerk of Court"),
        ("Clerk", "Cl\u200berk"),  # zero-width space
        ("Clerk", "Cle\u3164rk"),  # Hangul filler
        ("M", "\u216f"),  # Roman numeral one thousand
        ("fine", "\ufb01ne"),  # ligature
        ("caf\u00e9", "cafe\u0301"),
        ("Clerk", "\uff23lerk"),  # full width
        ("\u05c0", "l"),  # Hebrew paseq, which the table writes between marks of direction
        ("Council Clerk", "Council\u200a Cl\u200aerk"),  # hair spaces
        ("Council Clerk", "Council\u2800Clerk"),  # blank of Braille
        ("Council Clerk", "CouncilClerk"),
        ("Clerk", "Clerk\ufe0f"),  # form of an emoji
        ("Clerk", "Clerk\x00"),
        ("Clerk", "Cl\U0001d159erk"),  # musical null notehead
        ("Council", "C0uncil"),
        ("Council", "C\u0b66uncil"),  # Oriya digit zero
        ("GPT-4o", "GPT-40"),
        ("Clerk", "\uff23\uff2c\uff25\uff32\uff2b"),  # full width
        ("Clerk", "\u24b8lerk"),  # in a circle
    ],
)
def test_two_names_that_look_the_same_have_a_skeleton_in_common(name: str, other: str) -> None:
    assert skeletons(name) & skeletons(other)


@pytest.mark.parametrize(
    ("name", "other"), [("Clerk", "Clark"), ("Clerk 1", "Clerk 2"), ("cafe", "caf\u00e9"), ("a", "")]
)
def test_two_names_that_look_different_have_no_skeleton_in_common(name: str, other: str) -> None:
    assert not skeletons(name) & skeletons(other)


@pytest.mark.parametrize("name", ["", " ", "\u200b\u3164"])
def test_a_name_that_is_not_seen_looks_like_none(name: str) -> None:
    assert skeletons(name) == frozenset()


@given(st.text(alphabet="abcdefghjkmnopqrstuvwxyz 0123456789-"))  # i and l differ: I looks like l
def test_a_name_looks_like_itself_in_capitals(name: str) -> None:
    assert skeletons(name) & skeletons(name.upper()) or not skeletons(name)


@pytest.mark.parametrize("name", ["a" + "\u0301\u0316" * 100_000, "\ufdfa" * 300_000, "\x7f" * 1_000_000 + "a"])
def test_the_skeleton_of_a_long_name_is_that_of_its_beginning(name: str) -> None:
    assert sum(map(len, skeletons(name))) < 10_000


@given(st.text(max_size=150), st.text(max_size=50, alphabet="\u200b\u2060\u3164\u202e", min_size=1))
def test_characters_that_are_not_seen_change_no_skeleton(name: str, unseen: str) -> None:
    assert skeletons(name + unseen) == skeletons(name)


@pytest.mark.parametrize(
    ("name", "scripts"),
    [
        ("Council Scribe", []),
        ("\u0421ouncil Scribe", ["Cyrillic", "Latin"]),
        ("C\u03bfuncil", ["Greek", "Latin"]),
        ("Дума", []),
        ("東京 Tokyo テスト", []),
        ("한국 Korea", []),
        ("Agent 007 ①", []),
        ("佐々木", []),
        ("ﾃｽﾄ日本", []),
        ("Nº 1, Sala 2ª", []),
        ("µ-Agent", []),
        ("ℕ-Agent", []),
        (None, []),
    ],
)
def test_a_name_that_mixes_scripts_names_them(name: str | None, scripts: list[str]) -> None:
    assert mixed_scripts(name) == scripts


def registered(seed: int, name: str, **changes: str) -> bytes:
    return signed_registration(seed, agent=description(seed, name=name, **changes))


async def similar(client: httpx.AsyncClient, seed: int, arguments: str = "", as_of: int | None = None) -> list[str]:
    """Return the ids of the look-alikes of an agent; a graph of the past is waited for."""
    moment = f", asOf: {{ logSize: {as_of} }}" if as_of else ""
    query = f'{{ agent(id: "{agent_id(seed)}"{moment}) {{ lookAlikes{arguments} {{ id }} }} }}'
    answer = await send(client, query)
    while answer.get("errors", [{}])[0].get("extensions", {}).get("code") == "NOT_READY":
        await asyncio.sleep(0.2)
        answer = await send(client, query)
    return [one["id"] for one in answer["data"]["agent"]["lookAlikes"]]


async def test_an_agent_knows_the_agents_whose_names_look_like_its_own(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await accept(platform, registered(41, NAME), registered(42, "Council C1erk"), registered(43, "Council Scribe"))
    size = await log_size(platform.store)
    assert await similar(client, 41) == [agent_id(42)]
    assert await similar(client, 42) == [agent_id(41)]
    assert await similar(client, 43) == []
    await accept(platform, registered(44, NAME))
    assert await similar(client, 42) == [agent_id(41), agent_id(44)]
    assert await similar(client, 42, "(first: 1)") == [agent_id(41)]
    assert await similar(client, 42, "(precedingOnly: true)") == [agent_id(41)]
    assert await similar(client, 41, "(precedingOnly: true)") == []
    assert await similar(client, 42, as_of=size) == [agent_id(41)]


async def test_no_name_is_taken_from_an_endorsed_agent_by_registering_first(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    second = registered(42, NAME)
    await accept(platform, registered(41, NAME), second, signed_endorsement(second, OPERATOR_A))
    assert await similar(client, 41, "(precedingOnly: true)") == [agent_id(42)]
    assert await similar(client, 42, "(precedingOnly: true)") == []
    third = registered(43, NAME)
    await accept(platform, third, signed_endorsement(third, OPERATOR_A))
    assert await similar(client, 43, "(precedingOnly: true)") == [agent_id(42)]


async def test_a_deactivated_agent_keeps_no_name_from_another(platform: Platform, client: httpx.AsyncClient) -> None:
    await accept(platform, registered(41, NAME), signed_deactivation(41), registered(42, NAME))
    assert await similar(client, 42, "(precedingOnly: true)") == []
    assert await similar(client, 42) == [agent_id(41)]


async def test_versions_of_a_family_may_share_a_name(platform: Platform, client: httpx.AsyncClient) -> None:
    founder, version = registered(41, NAME, family=FAMILY), registered(42, NAME, version="2", family=FAMILY)
    await accept(platform, founder, version)
    assert await similar(client, 42) == [agent_id(41)]
    await accept(platform, announced(founder, 41), announced(version, 41))
    assert await similar(client, 42) == []


async def test_the_index_of_names_reads_each_registration_once(platform: Platform) -> None:
    await accept(platform, registered(41, NAME), registered(42, NAME))
    names, reads = AgentNames(platform.store), []
    platform.store.observe = lambda query, *_: reads.append(query)
    both = [agent_id(41), agent_id(42)]
    try:
        agents = [NamedAgent(one, NAME) for one in both]
        assert [[one.agent_id for one in found] for found in await names.look_alikes(agents)] == [both, both]
        assert await names.look_alikes(agents) == await names.look_alikes(agents)
    finally:
        platform.store.observe = None
    assert len(reads) == 3


async def test_a_name_like_an_earlier_one_is_flagged_on_each_page_that_shows_it(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await accept(platform, registered(41, NAME))
    size = await log_size(platform.store)
    await accept(platform, registered(42, "Council C1erk"), registered(43, "council  clerk"))
    statement = signed_statement(42)
    response = signed_response(statement, 43)
    await accept(platform, statement, response)
    addresses = [f"/statements/{hash_of(statement)}", f"/verifications/{hash_of(response)}", "/statements", "/log"]
    flag = f"looks like {NAME}"
    for address in (*addresses, "/agents", f"/agents/{agent_id(42)}", f"/desk/statements/{hash_of(statement)}"):
        assert flag in " ".join((await open_page(client, address)).one("main").text.split()), address
    around = await open_page(client, f"/graph?of={hash_of(statement)}")
    assert f"Council C1erk (looks like {NAME})" in " ".join(around.one("main").text.split())
    first = " ".join((await open_page(client, f"/agents/{agent_id(41)}")).one("main").text.split())
    assert flag not in first and f"Council C1erk, registered later: {agent_id(42)}" in first
    before = await open_past_page(client, f"/agents/{agent_id(41)}?asOf={size}")
    assert "registered later" not in before.one("main").text
