"""The page of the graph: neighbours by relation, paths, pages of long groups, and the data of its script."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from builders import SOURCE, SOURCE_ID, agent_id, signed_source, signed_statement
from export_world import MEMO_ID, SECRET, everything, secrets
from graph_contents import run_raw
from http_client import ask, client
from packs import pack
from page_reader import BROWSER, Parsed, open_page, open_past_page, parsed
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, accept, hash_of, settle, verified_world
from test_pages import HOSTILE
from test_paths import EDGES

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.pack.archive import write_archive
from graph.dictionary.labels import NODE_KEYS
from graph.lineage.links import NEIGHBOURS, Way, steps_of
from graph.lineage.walk import Kind, Relation
from graph.platform import Platform
from graph.web import graph as page_module
from graph.web.relations import KINDS, OF_RECORDS, RELATIONS, relation_words

__all__ = ["client", "platform"]

QUERIES = Path(page_module.__file__).parent / "queries"


def words(page: Parsed) -> str:
    text = page.one("main").text
    for script in page.named("script"):
        text = text.replace(script.text, "") if script.text else text
    return " ".join(text.split())


def headings(page: Parsed) -> list[str]:
    return [" ".join(element.text.split()) for element in page.named("h3")]


def data_of(page: Parsed) -> dict[str, object]:
    (found,) = [element.text for element in page.named("script") if element.attributes.get("id") == "graph-data"]
    data: dict[str, object] = json.loads(found)
    return data


@pytest.mark.both_engines
async def test_bytes_that_are_a_record_lead_to_its_page(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    run = pack()
    for boundary in ("public", "confidential"):
        asked = "{ documents(filter: {registered: true}) { nodes { hash recordKind } } }"
        await accept(
            platform,
            signed_source(
                AUTHOR, source=run.data, source_id="urn:doc:run", title="", boundary=Boundary(boundary), media_type=None
            ),
        )
        if boundary == "public":
            answer = await client.post("/packs?boundary=public", content=write_archive([run]))
            assert answer.status_code in (200, 201), answer.text
            page = await open_page(client, f"/graph?of={agent_id(AUTHOR)}")
            assert f"./records/{run.hash}" in page.links and f"./sources/{run.hash}" not in page.links
            assert f"Pack {run.hash.removeprefix('sha256:')[:12]}…" in words(page)
            assert f"./sources/{sha256_digest(SOURCE)}" in page.links
        kinds = {one["hash"]: one["recordKind"] for one in (await ask(client, asked))["documents"]["nodes"]}
        expected = {sha256_digest(SOURCE): None, run.hash: "Pack" if boundary == "public" else None}
        assert kinds == expected


async def test_the_neighbours_of_a_statement_are_listed_by_relation(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    statement = hash_of(world.statement)
    page = await open_page(client, f"/graph?of={statement}")
    assert headings(page) == [
        "Attributed to: 1 agent prov:wasAttributedTo",
        "Signed with: 1 key sec:verificationMethod",
        "Cites: 1 passage prov:wasDerivedFrom",
        "Judged by: 3 verdicts prov:used",
    ]
    assert "Validated by this node" in words(page) and "Validated by Test agent" in words(page)
    links = set(page.links)
    assert {f"./agents/{agent_id(AUTHOR)}", f"./statements/{statement}"} <= links
    assert {f"./verifications/{hash_of(response)}" for response in world.responses} <= links
    own = {parse_qs(urlsplit(link).query)["of"][0] for link in links if link.startswith("./graph?of=")}
    assert {agent_id(AUTHOR), hash_of(world.responses[0])} <= own
    assert any(link.startswith(f"./sources/{sha256_digest(SOURCE)}?at=") for link in links)


async def test_a_graph_is_found_by_any_name_and_leads_to_the_next(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    for name, heading, first in (
        (agent_id(AUTHOR), "Graph around an agent", "Attributed to it: 1 statement prov:wasAttributedTo"),
        (SOURCE_ID, "Graph around a source", "Registered by: 1 agent a2ap:registeredDocument"),
        (sha256_digest(SOURCE), "Graph around a source", "Quoted from it: 1 passage prov:wasQuotedFrom"),
        (hash_of(world.responses[0]), "Graph around a verdict", "Judges: 1 statement prov:used"),
    ):
        page = await open_page(client, f"/graph?of={name}")
        assert heading in words(page)
        assert first in headings(page)
    key = next(link for link in (await open_page(client, f"/graph?of={agent_id(AUTHOR)}")).links if "%23" in link)
    page = await open_page(client, key.removeprefix("."))
    assert "Controlled by: 1 agent sec:controller" in headings(page)
    assert "Signed with it: 1 statement sec:verificationMethod" in headings(page)


async def test_a_page_of_the_graph_refuses_bad_names_and_choices(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    assert len(list((await open_page(client, "/graph")).named("form"))) == 3
    for address, status, reason in (
        ("/graph?of=urn:none", 404, "nothing that can be shown is named urn:none"),
        (f"/graph?of={SOURCE_ID}&kind=FISH", 400, "kind is 'FISH', not one of KEY, AGENT"),
        (f"/graph?of={SOURCE_ID}&relation=EATS", 400, "relation is 'EATS'"),
        (f"/graph?of={SOURCE_ID}&direction=UP", 400, "direction is 'UP', not one of FORWARD, BACKWARD"),
        (f"/graph?of={SOURCE_ID}&after=x", 400, "after is no cursor"),
        (f"/graph?from={SOURCE_ID}", 400, "the address states one end of a path, not both"),
    ):
        assert reason in words(await open_page(client, address, status)), address


async def test_a_long_group_goes_on_on_pages_of_its_own(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "SHOWN", 2)
    await settle(platform)
    await accept(platform, *(signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(5)))
    address, seen = f"/graph?of={agent_id(AUTHOR)}&relation=GENERATED_BY", []
    while address:
        page = await open_page(client, address)
        assert headings(page) == ["Attributed to it: 5 statements prov:wasAttributedTo"]
        seen += [link for link in page.links if link.startswith("./statements/")]
        following = [element for element in page.named("a") if element.attributes.get("rel") == "next"]
        address = following[0].attributes["href"].removeprefix(".") if following else ""
    assert len(seen) == len(set(seen)) == 5


async def test_paths_between_two_things_are_listed_step_by_step(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    page = await open_page(client, f"/graph?from={agent_id(VERIFIER_A)}&to={sha256_digest(SOURCE)}")
    assert "2 shortest paths of 4 steps." in words(page)  # by the passage, and by the author, who registered the source
    shown = next(text for path in page.named("ol") if "prov:wasQuotedFrom" in (text := " ".join(path.text.split())))
    terms = ("prov:wasAssociatedWith", "prov:used", "prov:wasDerivedFrom", "prov:wasQuotedFrom")
    assert [shown.index(term) for term in terms] == sorted(shown.index(term) for term in terms)
    assert f"./statements/{hash_of(world.statement)}" in page.links
    other = signed_statement(AUTHOR, claim="Another.")
    await accept(platform, other)
    page = await open_page(client, f"/graph?from={platform.node.agent_id}&to={agent_id(21)}")
    assert "No path of visible things leads from one to the other." in words(page)
    await open_page(client, "/graph?from=urn:none&to=urn:none", 404)


async def test_a_withheld_passage_and_its_source_are_not_on_the_page(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    clear, _, _ = await secrets(platform)
    answer = await client.get(f"/graph?of={hash_of(clear)}", headers={"accept": BROWSER})
    page = parsed(answer.text)
    assert "Cites: 1 passage prov:wasDerivedFrom" in headings(page)
    assert SECRET not in answer.text and MEMO_ID not in answer.text
    await open_page(client, f"/graph?of={MEMO_ID}", 404)


async def test_hostile_words_are_text_alone_in_the_list_and_in_the_data(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, claim=HOSTILE)
    await accept(platform, statement)
    answer = await client.get(f"/graph?of={hash_of(statement)}", headers={"accept": BROWSER})
    page = parsed(answer.text)
    assert "<img" not in answer.text and not list(page.named("img"))
    assert "\u202e" not in page.one("h1").text and "U+202E" in page.one("h1").text
    assert {e.attributes.get("type") for e in page.named("script") if "src" not in e.attributes} == {"application/json"}
    found = data_of(page)["neighbours"]
    assert isinstance(found, dict) and found["of"][0]["node"]["claimText"] == HOSTILE


async def test_a_graph_of_the_past_has_no_later_neighbours(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    statement = hash_of(world.statement)
    (row,) = await platform.store.read("statements_by_hash", hashes=[statement])
    page = await open_past_page(client, f"/graph?of={statement}&asOf={row['log_index'] + 1}")
    assert not any("Judged by" in heading for heading in headings(page))
    assert all("asOf=" in link for link in page.links if link.startswith("./graph?of=") and "Graph of" in link)
    assert data_of(page)["asOf"] == {"logSize": row["log_index"] + 1}
    assert f"./graph?of={statement.replace(':', '%3A')}&asOf={row['log_index'] + 1}" in page.links


async def test_the_data_of_the_script_are_the_answers_of_queries_that_programs_may_ask(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    statement = hash_of(world.statement)
    data = data_of(await open_page(client, f"/graph?of={statement}"))
    queries = data["queries"]
    assert isinstance(queries, dict)
    for name, variables in (
        ("neighbours", {"of": statement, "first": 50}),
        ("impact", {"of": statement}),
        ("path", {"from": statement, "to": SOURCE_ID}),
        ("names", {"ids": []}),
    ):
        answer = (await client.post("/graphql", json={"query": queries[name], "variables": variables})).json()
        assert "errors" not in answer, answer
        if name in data:
            assert answer["data"][name] == data[name]


def test_the_queries_of_the_page_name_things_alike() -> None:
    texts = [(QUERIES / f"{name}.graphql").read_text("utf-8") for name in ("graph", "graph_path", "graph_names")]
    assert len({tuple(re.findall(r"\.\.\. on \w+ {.*}", text)) for text in texts}) == 1


def test_every_link_of_neighbours_and_every_step_of_a_blast_radius_has_words() -> None:
    for link in NEIGHBOURS:
        assert relation_words(link.later, link.relation, link.earlier).term
    for step in steps_of(Way.IMPACT):
        for start in step.starts:
            later, relation, earlier = step.end, step.relation, start
            if relation is Relation.JUDGED_BY:
                later, relation, earlier = start, Relation.ABOUT, step.end
            ends = [Kind.AGENT if kind is Kind.VOUCHED_FOR else kind for kind in (later, earlier)]
            if (relation, ends) != (Relation.ENDORSED_BY, [Kind.AGENT, Kind.KEY]):
                assert relation_words(ends[0], relation, ends[1]).term, step
    assert {words.later for words in RELATIONS} | {words.earlier for words in RELATIONS} == KINDS.keys()


def test_the_patterns_of_the_page_are_those_of_the_graph() -> None:
    known = {
        (later, relation, earlier): pattern for later, relation, earlier, pattern in EDGES if "Step" not in pattern
    }
    stated = {(one.later, one.relation, one.earlier): one.pattern for one in RELATIONS}
    assert {ends: stated[ends] for ends in known} == known
    assert {words.label: words.key for words in KINDS.values()}.items() <= NODE_KEYS.items()


@pytest.mark.both_engines
async def test_every_pattern_of_the_page_is_in_a_graph_with_everything(platform: Platform) -> None:
    await everything(platform)
    for one in (*RELATIONS, *OF_RECORDS):
        if one.pattern.startswith("("):
            rows = await run_raw(platform.store, f"MATCH {one.pattern} RETURN count(*) AS count")
            # A pack among the inputs of a pack, and a verdict out of a pack, are not in that world.
            assert rows[0]["count"] or one in OF_RECORDS, one
