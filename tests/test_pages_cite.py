"""Citations and dossiers: BibTeX, CSL-JSON and Markdown with the state of the log, and pages of both."""

import base64
import json
import re
from urllib.parse import urlsplit

import httpx
import pytest
from builders import signed_retraction, signed_statement
from http_client import client
from page_reader import BROWSER, open_page, open_past_page
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, accept, hash_of, signed_node_source, verified_world

from a2ap.boundary import Boundary
from graph.platform import Platform
from graph.web.citation import _tex
from graph.web.dossier import stated_names
from graph.web.dossier_markdown import escaped

__all__ = ["client", "platform"]

HOSTILE = "1. <script>alert(1)</script> [link](https://evil.example) 100% {brace} \u202egnp.exe\nnext # line"


async def test_a_citation_names_the_author_the_claim_and_the_state_of_the_log(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    signed_hash = hash_of(world.statement)
    (item,) = (await client.get(f"/cite/{signed_hash}")).json()
    checkpoint = platform.log.checkpoint
    root = base64.b64encode(checkpoint.root_hash).decode()
    assert item["URL"] == f"http://a2ap.test/statements/{signed_hash}?asOf={checkpoint.tree_size}"
    assert root in item["note"] and platform.log.origin in item["note"] and signed_hash in item["note"]
    assert item["version"] == f"log size {checkpoint.tree_size}" and item["author"] == [{"literal": "Test agent 1"}]
    bibtex = (await client.get(f"/cite/{signed_hash}", headers={"accept": "application/x-bibtex"})).text
    assert bibtex.startswith(f"@misc{{{item['id']},\n") and root in bibtex
    assert bibtex.count("{") == bibtex.count("}")
    page = await open_page(client, f"/cite/{signed_hash}")
    shown = [e.text for e in page.named("pre")]
    assert shown == [bibtex, json.dumps([item], ensure_ascii=False, indent=2) + "\n"]


async def test_a_citation_of_an_earlier_size_has_its_root_and_score(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    size = platform.log.checkpoint.tree_size - 2
    page = await open_past_page(client, f"/cite/{hash_of(world.statement)}?asOf={size}")
    assert base64.b64encode(await platform.log.root_at(size)).decode() in page.one("main").text
    assert "no score yet" in page.one("main").text and f"asOf={size}" in page.one("main").text


async def test_a_citation_in_another_form_or_of_nothing_is_an_error(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    refused = await client.get(f"/cite/{hash_of(world.statement)}", headers={"accept": "image/png"})
    assert (refused.status_code, refused.json()["code"]) == (406, "NOT_ACCEPTABLE")
    await open_page(client, "/cite/urn:uuid:none", 404)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("50% & more_", r"50\% \& more\_"),
        ("a{b", r"a\textbraceleft{}b"),
        ("\\x^~", r"\textbackslash{}x\textasciicircum{}\textasciitilde{}"),
    ],
)
def test_characters_of_tex_are_escaped_with_balanced_braces(text: str, written: str) -> None:
    assert _tex(text) == written and _tex(text).count("{") == _tex(text).count("}")


async def test_a_dossier_has_its_statements_in_the_order_of_the_address(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    other = signed_statement(STRANGER, claim="The library opens on Sundays.")
    await accept(platform, other)
    first, second = hash_of(other), hash_of(world.statement)
    page = await open_page(client, f"/dossier?statement={first}&statement={second}&statement={first}")
    assert [e.attributes["href"] for e in page.named("a") if "/statements/" in e.attributes["href"]] == [
        f"./statements/{first}",
        f"./statements/{second}",
    ]
    text = " ".join(page.one("main").text.split())
    assert (
        "2 validated" in text
        and "none" in text
        and base64.b64encode(platform.log.checkpoint.root_hash).decode() in text
    )
    hidden = [e.attributes["value"] for e in page.named("input") if e.attributes.get("type") == "hidden"]
    assert hidden == [first, second]
    removing = [link for link in page.links if link.startswith("./dossier?") and "asOf" not in link]
    assert [link.count("statement=") for link in removing] == [1, 1]
    statement = await open_page(client, f"/statements/{second}")
    assert f"../dossier?statement={second.replace(':', '%3A')}" in statement.links
    assert f"../cite/{second}" in statement.links


async def test_a_dossier_is_given_as_markdown_that_escapes_the_texts_of_agents(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    hostile = signed_statement(STRANGER, claim=HOSTILE)
    await accept(platform, hostile)
    page = await open_page(client, f"/dossier?statement={hash_of(hostile)}")
    assert not any("alert" in e.text for e in page.named("script")) and "U+202E" in page.one("main").text
    (link,) = [link for link in page.links if "_mediatype" in link]
    answer = await client.get(link.removeprefix("."), headers={"accept": BROWSER})
    assert answer.headers["content-type"].startswith("text/markdown")
    (heading,) = [line for line in answer.text.splitlines() if line.startswith("## 1")]
    link = r"\[link\](https://evil.example)"
    assert heading == (
        rf"## 1\. 1\. \<script\>alert(1)\</script\> {link} 100% \{{brace\}} \[U+202E\]gnp.exe next \# line"
    )
    assert platform.log.checkpoint_note.splitlines()[-1] in answer.text
    assert re.search(r"^- Score: no score yet", answer.text, re.M) and "^> " not in answer.text


async def test_a_dossier_withholds_quotes_that_its_reader_may_not_have(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_node_source(platform, boundary=Boundary.CONFIDENTIAL))
    query = f"/dossier?statement={hash_of(world.statement)}"
    page, markdown = await open_page(client, query), await client.get(query)
    assert "withheld" in page.one("main").text and "The quote is withheld" in markdown.text


async def test_a_retracted_statement_is_marked_in_a_dossier(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_retraction(world.statement, AUTHOR))
    query = f"/dossier?statement={hash_of(world.statement)}"
    page, markdown = await open_page(client, query), await client.get(query)
    assert "retracted the statement" in page.one("main").text and "**Retracted by the author" in markdown.text


async def test_an_earlier_dossier_has_the_scores_of_that_size(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    size = platform.log.checkpoint.tree_size - 2
    page = await open_past_page(client, f"/dossier?statement={hash_of(world.statement)}&asOf={size}")
    assert "none" in page.one("main").text and f"log size {size}" in page.one("main").text


async def test_names_that_no_statement_has_are_listed(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    page = await open_page(client, "/dossier?statement=urn:uuid:none")
    assert "No statement has these names: urn:uuid:none" in page.one("main").text
    empty = await open_page(client, "/dossier")
    assert "no statement yet" in empty.one("main").text
    many = "&".join(f"statement=s{number}" for number in range(31))
    await open_page(client, f"/dossier?{many}", 400)


def test_a_field_takes_ids_hashes_and_addresses_of_pages() -> None:
    address = "https://node.example/a2ap/statements/sha256%3Aab?asOf=7"
    assert stated_names(["", " urn:uuid:1  sha256:ab", address]) == ["urn:uuid:1", "sha256:ab"]
    assert urlsplit(address).path.endswith("ab")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("- a", r"\- a"),
        ("12) a", r"12\) a"),
        ("a_b *c* `d`", r"a\_b \*c\* \`d\`"),
        ("# a\n> b", r"\# a \> b"),
        (None, ""),
    ],
)
def test_markup_in_texts_is_escaped(text: str | None, written: str) -> None:
    assert escaped(text) == written
