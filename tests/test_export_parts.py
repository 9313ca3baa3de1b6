"""Exports of parts of the graph, to disk, with manifests, under pseudonyms and as tables."""

import csv
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx
import pyarrow.parquet
import pytest
from builders import agent_id, agent_key, envelope_of, signed_statement
from export_fixture import ALL, ExportedWorld, archive_of, exported, snapshot, text_of
from export_world import HOSTILE, SECRET
from http_client import open_client
from hypothesis import given
from hypothesis import strategies as st
from neo4j import GraphDatabase
from neo4j_import import imported, takes_no_write
from scenario import AUTHOR, STRANGER, VERIFIER_A

from a2ap.boundary import Boundary
from a2ap.errors import ExpansionError
from graph.dictionary.labels import NODE_KEYS
from graph.dictionary.term import Kind
from graph.errors import InputError, ManifestError, NotFoundError
from graph.export import FORMATS, ExportFormat, Selection, Wanted, open_reader, paging, parquet, writing
from graph.export import reader as reading
from graph.export.check_manifest import check_export
from graph.export.columns import columns_of_edge, columns_of_node
from graph.export.csv_tables import csv_text
from graph.export.graphml import xml_text
from graph.export.pseudonyms import Pseudonyms
from graph.export.writing import write_export

__all__ = ["exported"]

RESUMABLE = [format for format in ExportFormat if FORMATS[format].resumable]
NAMED = [format for format in ExportFormat if FORMATS[format].why_named is not None]
FIRST = envelope_of(signed_statement(AUTHOR)).signed_hash
_PYTHON = {Kind.TEXT: str, Kind.INTEGER: int, Kind.FLOAT: float, Kind.BOOLEAN: bool}


# --- selections and changes


async def test_a_selection_has_what_belongs_to_a_statement_and_ends_nowhere(exported: ExportedWorld) -> None:
    whole, part = [await snapshot(exported.platform, selection=Selection(statements=names)) for names in ((), (FIRST,))]
    nodes = set(part.nodes)
    assert [key for label, key in nodes if label == "Statement"] == [FIRST]
    agents = {key for label, key in nodes if label == "Agent"}
    assert {agent_id(AUTHOR), agent_id(VERIFIER_A), agent_id(11)} <= agents  # the last endorsed the verifier
    assert {"Chunk", "Document", "Source", "Verification", "VerificationRequest", "Key", "Policy", "LogEntry"} <= {
        label for label, _ in nodes
    }
    for _, start_label, end_label, start, end, _ in part.relationships:
        assert (start_label, start) in nodes and (end_label, end) in nodes
    inside = {one for one in whole.relationships if (one[1], one[3]) in nodes and (one[2], one[4]) in nodes}
    assert set(part.relationships) == inside
    assert part.nodes.items() <= whole.nodes.items() and len(nodes) < len(whole.nodes)
    entries = {key for label, key in nodes if label == "LogEntry"}
    messages = ("Statement", "Verification", "VerificationRequest", "Policy", "Agent", "KeyEvent")
    places = {place_of(text) for (label, _), text in part.nodes.items() if label in messages}
    assert places <= entries


def place_of(properties: str) -> int:
    found = re.search(r"\('log_index', (\d+)\)", properties)
    assert found is not None
    return int(found[1])


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("selection", "found"),
    [
        (Selection(agents=(agent_id(STRANGER),)), {"The map drops the limit.", "The limit is sixty feet."}),
        (Selection(agents=(agent_id(STRANGER),), topic="map"), {"The map drops the limit."}),
        (Selection(topic="memo"), {"There is a memo.", "A memo exists.", "One memo."}),
        (Selection(agents=("urn:agent:nobody",)), set()),
    ],
)
async def test_what_is_asked_of_a_selection_holds_of_every_statement(
    exported: ExportedWorld, selection: Selection, found: set[str]
) -> None:
    graph = json.loads(await text_of(exported.platform, ExportFormat.JSON_LD, selection=selection))["@graph"]
    claims = {one["claim"]["text"] for one in graph if one["@type"] == "a2ap:ProvenanceStatement"}
    assert claims == found


async def test_stretches_of_the_log_and_of_time_cut_the_statements_in_two(exported: ExportedWorld) -> None:
    rows = await exported.platform.store.read("gather_statements_between", start=0, end=10_000)
    places, times = [row["log_index"] for row in rows], sorted(row["received_at"] for row in rows)
    middle, noon = places[len(places) // 2], times[len(times) // 2]

    async def statements(**stated: Any) -> set[str]:
        part = await snapshot(exported.platform, selection=Selection(**stated))
        return {key for label, key in part.nodes if label == "Statement"}

    before, behind = await statements(entries_until=middle), await statements(entries_from=middle)
    assert len(before) == len(places) // 2 and before | behind == {row["signed_hash"] for row in rows}
    earlier, later = await statements(received_until=noon), await statements(received_from=noon)
    assert not earlier & later and earlier | later == before | behind


@pytest.mark.both_engines
async def test_a_source_selects_the_statements_that_cite_it(exported: ExportedWorld) -> None:
    async def statements(**stated: Any) -> set[str]:
        part = await snapshot(exported.platform, selection=Selection(**stated))
        return {key for label, key in part.nodes if label == "Statement"}

    whole = await snapshot(exported.platform)
    everything = {key for label, key in whole.nodes if label == "Statement"}
    assert await statements(verified=False) == everything  # the verdicts of this world verify nothing
    part_of = {(one[3], one[4]) for one in whole.relationships if one[0] == "PART_OF"}
    cites = {(one[3], one[4]) for one in whole.relationships if one[0] == "CITES"}
    documents = {document for _, document in part_of}
    assert len(documents) > 1
    for document in documents:
        chunks = {chunk for chunk, found in part_of if found == document}
        citing = {statement for statement, chunk in cites if chunk in chunks}
        assert await statements(source=document) == citing
        assert await statements(source=document, verified=True) == set()
    with pytest.raises(NotFoundError, match="there is no source urn:doc:none"):
        await statements(source="urn:doc:none")


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(selection=Selection(topic=" ")), "the topic has no words"),
        (Wanted(selection=Selection(entries_from=7, entries_until=7)), "entries 7 to 7 are no stretch of a log"),
        (Wanted(since=3, selection=Selection(topic="zoning")), "changes are those of the whole graph"),
        (Wanted(since=10_000_000), "since is 10000000, and the log has"),
        (Wanted(size=-1), "size is -1"),
    ],
)
async def test_what_cannot_be_had_is_refused(exported: ExportedWorld, wanted: Wanted, said: str) -> None:
    with pytest.raises(InputError, match=said):
        async with open_reader(exported.platform.store, exported.platform.content, wanted):
            pass


async def test_a_statement_that_is_not_there_is_named(exported: ExportedWorld) -> None:
    with pytest.raises(NotFoundError, match="there is no statement urn:uuid:none"):
        await snapshot(exported.platform, selection=Selection(statements=("urn:uuid:none",)))


async def test_an_export_in_pages_of_a_few_rows_has_the_same_bytes(
    exported: ExportedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await text_of(exported.platform, ExportFormat.GRAPHML)
    monkeypatch.setattr(paging, "MOST_BYTES", 1_000)
    assert await text_of(exported.platform, ExportFormat.GRAPHML) == whole


# --- on disk


class BrokenOffError(Exception):
    pass


@pytest.mark.parametrize("format", RESUMABLE)
async def test_an_export_that_broke_off_goes_on_to_the_same_bytes(
    exported: ExportedWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: ExportFormat
) -> None:
    platform = exported.platform
    monkeypatch.setattr(writing, "_EVERY", 2_000)
    monkeypatch.setattr(paging, "STRETCH", 40)
    monkeypatch.setattr(reading, "_MESSAGES", 10)
    monkeypatch.setattr(reading, "_ENTRIES", 10)
    wanted = Wanted(ALL)
    whole = await write_export(platform.store, platform.content, format, wanted, tmp_path / "whole", platform.node)
    reports: list[int] = []

    def break_off(part: float, written: int) -> None:
        reports.append(written)
        if part > 0.6:
            raise BrokenOffError

    out = tmp_path / "out"
    with pytest.raises(BrokenOffError):
        await write_export(platform.store, platform.content, format, wanted, out, platform.node, report=break_off)
    assert not out.exists() and json.loads((tmp_path / ".out.progress").read_text())["lengths"]
    again: list[int] = []
    found = await write_export(
        platform.store,
        platform.content,
        format,
        wanted,
        out,
        platform.node,
        resume=True,
        report=lambda part, written: again.append(written),
    )
    assert again[0] > min(reports)  # it did not begin at the beginning
    assert found.size == whole.size
    assert contents(out) == contents(tmp_path / "whole")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def contents(path: Path) -> dict[str, bytes]:
    if path.is_dir():
        return {one.name: one.read_bytes() for one in path.iterdir()}
    return {"": path.read_bytes()}


async def test_another_export_does_not_go_on_with_one(exported: ExportedWorld, tmp_path: Path) -> None:
    platform = exported.platform

    async def write(clearance: Boundary, **options: Any) -> None:
        wanted = Wanted(clearance)
        await write_export(
            platform.store, platform.content, ExportFormat.LOG, wanted, tmp_path / "x", platform.node, **options
        )

    def break_off(part: float, written: int) -> None:
        raise BrokenOffError

    with pytest.raises(InputError, match="nothing was begun"):
        await write(ALL, resume=True)
    with pytest.raises(BrokenOffError):
        await write(ALL, report=break_off)
    with pytest.raises(InputError, match="clearance 'safety-sensitive', and 'public' is asked for"):
        await write(Boundary.PUBLIC, resume=True)


# --- manifests


async def test_a_manifest_proves_its_files_and_who_signed_it(exported: ExportedWorld, tmp_path: Path) -> None:
    platform = exported.platform
    for format, out in ((ExportFormat.LOG, tmp_path / "log.ndjson"), (ExportFormat.CSV, tmp_path / "tables")):
        await write_export(platform.store, platform.content, format, Wanted(ALL), out, platform.node)
        checked = check_export(out, platform.log.verifier_key)
        assert checked.manifest["log"]["origin"] == platform.node.agent_id
        assert [line.partition(":")[0] for line in checked.shown] == ["shown", "shown", "shown", "not shown"]
        assert check_export(out).shown[2].startswith("not shown")
    log, manifest = tmp_path / "log.ndjson", tmp_path / "log.ndjson.manifest.json"
    stated = json.loads(manifest.read_text())
    edits: list[tuple[str, Any]] = [
        ("clearance", "public"),
        ("policy", None),
        ("log", {**stated["log"], "size": stated["log"]["size"] - 1}),
        ("proof", {**stated["proof"], "created": "2020-01-01T00:00:00Z"}),
    ]
    for name, value in edits:
        manifest.write_text(json.dumps({**stated, name: value}))
        with pytest.raises(ManifestError, match="proof does not hold"):
            check_export(log)
    manifest.write_text(json.dumps({name: value for name, value in stated.items() if name != "proof"}))
    with pytest.raises(ManifestError, match="is not signed"):
        check_export(log)
    manifest.write_text(json.dumps(stated))
    log.write_bytes(log.read_bytes() + b"\n")
    with pytest.raises(ManifestError, match="is not the file that was exported"):
        check_export(log)
    (tmp_path / "tables" / "more.csv").write_bytes(b"")
    with pytest.raises(ManifestError, match=r"more\.csv is not of the export"):
        check_export(tmp_path / "tables")


async def test_another_node_cannot_sign_for_this_log(exported: ExportedWorld, tmp_path: Path) -> None:
    from graph.node import node_from_key

    platform, other = exported.platform, node_from_key(agent_key(99))
    await write_export(platform.store, platform.content, ExportFormat.LOG, Wanted(ALL), tmp_path / "log", other)
    with pytest.raises(ManifestError, match=f"signed by {other.agent_id}, and names the log of"):
        check_export(tmp_path / "log")


@pytest.mark.parametrize("format", [ExportFormat.TURTLE, ExportFormat.PARQUET])
async def test_an_archive_has_the_files_and_a_manifest_of_them(
    exported: ExportedWorld, tmp_path: Path, format: ExportFormat
) -> None:
    files = await archive_of(exported.platform, format)
    assert files == await archive_of(exported.platform, format)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    assert list(files)[-1] == "manifest.json"
    assert check_export(tmp_path, exported.platform.log.verifier_key).manifest["format"] == format


# --- over HTTP


async def test_a_broken_download_goes_on_and_what_is_selected_is_named_as_on_the_command_line(
    exported: ExportedWorld, tmp_path: Path
) -> None:
    async with open_client(exported.platform, tmp_path) as client:
        asked = {"format": "graphml", "archive": "true", "statement": FIRST, "query": "limit", "verified": "true"}
        whole = await client.get("/export", params=asked)
        assert whole.status_code == 200 and whole.headers["content-type"] == "application/zip"
        size = whole.headers["a2ap-log-size"]
        rest = await client.get("/export", params={**asked, "size": size, "after": "1234"})
        assert rest.content == whole.content[1234:]
        with zipfile.ZipFile(io.BytesIO(whole.content)) as opened:
            assert opened.namelist() == ["a2ap.graphml", "manifest.json"]
            manifest = json.loads(opened.read("manifest.json"))
            assert SECRET not in opened.read("a2ap.graphml").decode()
        assert manifest["selection"] == {"topic": "limit", "statements": [FIRST], "verified": True}
        assert manifest["clearance"] == "public"
        for refused in (
            {"after": "1"},
            {"after": "1", "size": size, "pseudonymize": "true"},
            {"format": "log", "pseudonymize": "true"},
            {"from": "yesterday"},
            {"since": "1", "agent": agent_id(AUTHOR)},
        ):
            assert (await client.get("/export", params=refused)).status_code == 400
        changed = await client.get("/export", params={"format": "log", "since": str(int(size) - 2)})
        assert len(changed.text.splitlines()) == 2
        hidden = await client.get("/export", params={"pseudonymize": "true"})
        assert agent_id(AUTHOR) not in hidden.text and "p-" in hidden.text


# --- checked triples


@pytest.mark.parametrize("format", [format for format in ExportFormat if FORMATS[format].is_rdf])
@pytest.mark.parametrize("clearance", [Boundary.PUBLIC, ALL])
async def test_a_checked_export_compares_each_message_and_has_the_same_bytes(
    exported: ExportedWorld, tmp_path: Path, format: ExportFormat, clearance: Boundary
) -> None:
    whole = await text_of(exported.platform, format, clearance)
    assert await text_of(exported.platform, format, clearance, is_checked=True) == whole


async def test_a_checked_export_breaks_off_if_the_triples_differ(
    exported: ExportedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("a2ap.rdf.expansion.expanded_triples", lambda document: ())
    with pytest.raises(ExpansionError, match="differ from its JSON-LD expansion"):
        await text_of(exported.platform, ExportFormat.TURTLE, Boundary.PUBLIC, is_checked=True)


async def test_only_formats_with_triples_of_messages_are_checked(exported: ExportedWorld, tmp_path: Path) -> None:
    async with open_client(exported.platform, tmp_path) as client:
        checked = await client.get("/export", params={"format": "turtle", "checked": "true"})
        assert checked.content == (await client.get("/export", params={"format": "turtle"})).content
        refused = await client.get("/export", params={"format": "csv", "checked": "true"})
        assert (refused.status_code, refused.json()["path"]) == (400, "checked")


# --- pseudonyms


@pytest.mark.parametrize("format", [format for format in ExportFormat if format not in NAMED])
async def test_no_name_of_anybody_is_in_an_export_with_pseudonyms(
    exported: ExportedWorld, format: ExportFormat
) -> None:
    platform = exported.platform
    text = await text_of(platform, format, key=b"\x01" * 32)
    names: set[str] = set()
    for row in await platform.store.read("log_entries_from", start=0, first=10_000):
        names |= {row["agent"], row["key"], row["id"], row["signed_hash"], row["document_hash"]}
    for row in await platform.store.read("export_agents", after="", first=1000, size=10_000):
        names |= {row["properties"][name] for name in ("agent_id", "public_key", "name", "publisher", "key_id")}
    for name in names - {"A2AP"}:
        assert name not in text
    assert "The limit is sixty feet." in text
    assert text == await text_of(platform, format, key=b"\x01" * 32)
    assert Pseudonyms(b"\x01" * 32).of(agent_id(AUTHOR)) in text
    assert Pseudonyms(b"\x02" * 32).of(agent_id(AUTHOR)) not in text


@pytest.mark.parametrize("format", NAMED)
async def test_what_was_signed_under_names_is_not_given_under_others(
    exported: ExportedWorld, tmp_path: Path, format: ExportFormat
) -> None:
    platform, wanted = exported.platform, Wanted(pseudonym_key=b"\x01" * 32)
    with pytest.raises(InputError, match=f"{format} cannot have pseudonyms: "):
        await write_export(platform.store, platform.content, format, wanted, tmp_path / "x", platform.node)


# --- tables


async def test_graphml_is_the_graph_to_networkx(exported: ExportedWorld) -> None:
    whole = await snapshot(exported.platform)
    text = await text_of(exported.platform, ExportFormat.GRAPHML)
    keys = re.findall(r'<key id="([^"]+)"', text)
    assert len(keys) == len(set(keys))
    graph = networkx.parse_graphml(text, force_multigraph=True)
    assert set(graph) == {f"{label}/{key}" for label, key in whole.nodes}
    assert graph.number_of_edges() == whole.relationships.total()
    found = graph.nodes[f"Statement/{FIRST}"]
    assert found["labels"] == "Statement" and type(found["confidence"]) is float and type(found["log_index"]) is int
    assert found.get("retracted", False) is False
    assert {data["type"] for _, _, data in graph.edges(data=True)} == {one[0] for one in whole.relationships}


@given(st.text())
def test_every_text_is_a_text_of_xml(text: str) -> None:
    element = ElementTree.fromstring(f'<a b="{xml_text(text)}">{xml_text(text)}</a>')
    read = (element.text or "").replace("\ufffd", "?")
    assert read == re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text).replace("\ufffd", "?")


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\x00")), min_size=1))
def test_every_text_is_a_field_of_csv(texts: list[str]) -> None:
    line = ",".join(map(csv_text, texts)) + "\n"
    assert next(csv.reader(io.StringIO(line, newline=""), strict=True)) == texts


async def test_every_property_of_the_graph_has_a_column_of_its_kind(exported: ExportedWorld) -> None:
    platform = exported.platform
    async with open_reader(platform.store, platform.content, Wanted(ALL)) as reader:
        async for nodes in reader.nodes():
            columns = {column.name: column.kind for column in columns_of_node(nodes.label)}
            assert columns_of_node(nodes.label)[0].name == NODE_KEYS[nodes.label]
            for properties in nodes.properties:
                check_kinds(columns, properties)
        async for edges in reader.edges():
            columns = {column.name: column.kind for column in columns_of_edge(edges.type, edges.start_label)}
            for edge in edges.edges:
                check_kinds(columns, edge.properties)


def check_kinds(columns: dict[str, Kind], properties: dict[str, Any]) -> None:
    for name, value in properties.items():
        kind = columns[name]
        if value is not None and kind in _PYTHON:
            assert type(value) is _PYTHON[kind], name
        assert value is None or kind.is_list is isinstance(value, list), name


async def test_parquet_has_every_value_in_bounded_groups(
    exported: ExportedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROWS", 10)
    whole = await snapshot(exported.platform)
    files = await archive_of(exported.platform, ExportFormat.PARQUET)
    rows: set[tuple[str, Any]] = set()
    edges = 0
    for name, content in files.items():
        if name == "manifest.json":
            continue
        file = pyarrow.parquet.ParquetFile(io.BytesIO(content))
        groups = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
        assert max(groups) <= 10
        label = name.removesuffix(".parquet").split("-")[1]
        table = file.read().to_pylist()
        if name.startswith("nodes-"):
            rows |= {(label, row[NODE_KEYS[label]]) for row in table}
        edges += len(table) if name.startswith("relationships-") else 0
    assert rows == set(whole.nodes) and edges == whole.relationships.total()


async def test_the_admin_tool_imports_the_tables_and_the_copy_takes_no_write(
    exported: ExportedWorld, tmp_path: Path
) -> None:
    platform = exported.platform
    whole = await snapshot(platform)
    out = tmp_path / "tables"
    await write_export(platform.store, platform.content, ExportFormat.CSV, Wanted(ALL), out, platform.node)
    with imported(out, tmp_path / "neo4j") as endpoint:
        auth = (endpoint.user, endpoint.password)
        with GraphDatabase.driver(endpoint.uri, auth=auth, notifications_min_severity="OFF") as driver:
            nodes = driver.execute_query("MATCH (n) RETURN labels(n)[0] AS label, properties(n) AS properties").records
            (edges,) = driver.execute_query("MATCH ()-[r]->() RETURN count(r) AS number").records
        assert takes_no_write(endpoint)
    assert edges["number"] == whole.relationships.total()
    assert {(row["label"], row["properties"][NODE_KEYS[row["label"]]]) for row in nodes} == set(whole.nodes)
    (hostile,) = [row["properties"] for row in nodes if row["properties"].get("claim_text") == HOSTILE]
    assert type(hostile["confidence"]) is float and hostile["generated_at"].to_native().tzinfo is not None
    policy = next(row["properties"] for row in nodes if row["label"] == "Policy")
    assert isinstance(policy["criteria"], list) and isinstance(policy["prior_claim"][0], float)
