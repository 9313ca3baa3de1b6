"""Sources in bundles: whole where they are short, of a long one what is cited of it."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from builders import QUOTE, SOURCE, segment, signed_statement
from export_world import secrets
from platform_fixture import platform
from scenario import AUTHOR, accept, hash_of, settle
from test_bundle import Members, bundle_of, verified

from a2ap.errors import BundleError
from graph.audit import bundle_sources
from graph.clearance import ANONYMOUS
from graph.platform import Platform

__all__ = ["platform"]

START = SOURCE.index(QUOTE.encode())
PLACE = {"start": START, "end": START + len(QUOTE)}


@pytest.fixture
def long_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the test's source among the long ones, and what is cited of it not."""
    monkeypatch.setattr(bundle_sources, "MAX_SOURCE_BYTES", 2 * len(QUOTE))


async def cited(platform: Platform, *evidence: dict[str, Any]) -> str:
    await settle(platform)
    statement = signed_statement(AUTHOR, evidence=list(evidence))
    await accept(platform, statement)
    return hash_of(statement)


@pytest.mark.usefixtures("long_sources")
async def test_of_a_long_source_a_bundle_has_and_proves_what_is_cited(platform: Platform) -> None:
    statement = await cited(platform, segment(), segment(content_hash=None), segment("forty feet."))
    data = await bundle_of(platform, statement)
    (source,) = json.loads(data)["sources"]
    assert source["content"] is None
    assert source["passages"][0] == {**PLACE, "content": base64.b64encode(QUOTE.encode()).decode()}
    assert [base64.b64decode(one["content"]) for one in source["passages"]] == [QUOTE.encode(), b"forty feet."]
    report = verified(data, platform.log.verifier_key)
    assert not report.sources
    assert [what for what in report.proved if "evidence[" in what] == [
        f"evidence[0] is meant as the {len(QUOTE)} bytes in here",
        "evidence[2] is meant as the 11 bytes in here",
    ]
    why = f"it has more than {2 * len(QUOTE)} bytes"
    assert [what for what in report.not_proved if "evidence[" in what] == [
        f"that evidence[0] stands in the source it names: {why}",
        f"that evidence[1] contains the words that it quotes: {why}",
        f"that evidence[2] stands in the source it names: {why}",
    ]


def _passage(**changes: Any) -> Callable[[Members], None]:
    return lambda members: members["sources"][0]["passages"][0].update(changes)


def _elsewhere(members: Members) -> None:
    members["sources"][0]["documentHash"] = "sha256:" + "0" * 64


def _twice(members: Members) -> None:
    members["sources"][0]["passages"] *= 2


def _whole(members: Members) -> None:
    members["sources"][0]["content"] = base64.b64encode(SOURCE).decode()


EDITS = [
    ("the bytes of a passage", _passage(content=base64.b64encode(QUOTE.upper().encode()).decode()), "have the hash"),
    (
        "how long a passage is",
        _passage(end=START + 3),
        f"bytes {START} to {START + 3} of a source are not {len(QUOTE)}",
    ),
    ("where a passage is", _passage(start=START + 1, end=START + 1 + len(QUOTE)), "does not cite bytes "),
    ("a passage that ends before it starts", _passage(end=0), r"sources\[0\]\.passages\[0\]: .*must come after"),
    ("a passage that is no base64", _passage(content="%"), r"sources\[0\]\.passages\[0\]\.content is not base64"),
    ("a passage without a place", _passage(start=None), r"sources\[0\]\.passages\[0\]: start"),
    ("passages that are no list", lambda members: members["sources"][0].update(passages="x"), "passages is no list"),
    ("a passage twice", _twice, r"sources\[0\]\.passages\[1\]: bytes .* are there twice"),
    ("a source twice", lambda members: members["sources"].extend(members["sources"]), r"sources\[1\]: .* there twice"),
    ("a source and its passages", _whole, r"sources\[0\]: it has its bytes and passages as well"),
    ("passages of another source", _elsewhere, "the statement does not cite sha256:0"),
]


@pytest.mark.usefixtures("long_sources")
async def test_an_edited_passage_is_refused_with_the_place(platform: Platform) -> None:
    data = await bundle_of(platform, await cited(platform, segment()))
    for what, edit, said in EDITS:
        members = json.loads(data)
        edit(members)
        with pytest.raises(BundleError, match=said):
            verified(json.dumps(members).encode(), platform.log.verifier_key)
            pytest.fail(what)


async def test_passages_that_are_more_than_a_short_source_are_left_out(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle_sources, "MAX_SOURCE_BYTES", len(QUOTE) - 1)
    data = await bundle_of(platform, await cited(platform, segment()))
    (source,) = json.loads(data)["sources"]
    assert source["passages"] == []
    assert any(
        "that evidence[0] contains the words that it quotes" in one
        for one in verified(data, platform.log.verifier_key).not_proved
    )


@pytest.mark.usefixtures("long_sources")
async def test_a_reader_gets_no_passage_of_a_source_that_it_may_not_see(platform: Platform) -> None:
    _, _, quiet = await secrets(platform)
    (source,) = json.loads(await bundle_of(platform, hash_of(quiet), ANONYMOUS))["sources"]
    assert "passages" not in source and source["content"] is None
    assert "is confidential" in source["withheld"]
