"""Context Packs in the graph: a run with what it used and generated, each content a document, and their bytes kept."""

import base64
import io
import json
import tarfile
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import (
    envelope_of,
    message_id,
    segment,
    signed_record,
    signed_source,
    signed_statement,
    source_redaction_message,
)
from graph_contents import count_everything, nodes_with_label, run_raw
from http_client import READERS, bearer, client, send
from http_client import ask_flat as ask
from hypothesis import assume, given
from hypothesis import strategies as st
from packs import LOG, STEPS, held, pack
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import AUTHOR, VERIFIER_A, accept, settle, signed_node_source
from test_records import rows_of
from test_redaction import hidden, redaction_of, statement_with

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.generated_by import activity_iri
from a2ap.messages.message import read_message
from a2ap.messages.record_registration import RecordFormat
from a2ap.pack.archive import write_archive
from a2ap.pack.check_pack import check_pack
from a2ap.pack.errors import PackError
from a2ap.pack.execution_log import LogContent
from a2ap.pack.manifest import Manifest, ManifestForm, hash_content, write_manifest
from a2ap.pack.packing import Pack
from a2ap.pack.read_manifest import ReadManifest, read_manifest
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Triple, document_iri
from a2ap.rdf.vocabulary import PROV, RDF, XSD
from graph.content.pack_archive import MAX_ENTRIES, read_archive
from graph.content.pack_folder import PackFolder
from graph.errors import InputError, TargetError, TooLargeError
from graph.export.pack_triples import packs
from graph.graphql import loaders
from graph.platform import Platform
from graph.records import packs as packs_module
from graph.records.formats import READERS as READERS_OF_RECORDS
from graph.records.packs import held_content, read_handed_in
from graph.submission.submission import Submission

__all__ = ["client", "platform"]

PARENT = pack()
CHILD = pack("2026-02-01T00:00:00.123456789Z", PARENT.hash, steps=STEPS[1:])
INPUT = PARENT.manifest.inputs[0].content_ref
NOWHERE = "sha256:" + "0" * 64
WRITTEN = write_archive([PARENT, CHILD])


async def post(client: httpx.AsyncClient, *packs: Pack, boundary: str = "public", **more: Any) -> httpx.Response:
    return await client.post(f"/packs?boundary={boundary}", content=write_archive(packs), **more)


def tar(**files: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


async def test_packs_are_registered_by_the_node_and_given_back_byte_for_byte(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    answer = await post(client, CHILD, PARENT)
    assert answer.status_code == 201, answer.text
    assert [one["recordHash"] for one in answer.json()["records"]] == [PARENT.hash, CHILD.hash]
    assert (await client.get(f"/packs/{PARENT.hash}")).content == PARENT.data
    for name, content in PARENT.blobs.items():
        given = await client.get(f"/packs/{PARENT.hash}/content/{name}")
        assert (given.content, given.headers["content-type"]) == (content, "application/octet-stream")
    assert (await client.get(f"/packs/{PARENT.hash}/content/{NOWHERE}")).status_code == 404
    before = await count_everything(platform.store)
    assert (await post(client, PARENT)).status_code == 200
    assert await count_everything(platform.store) == before


async def test_the_data_folder_is_a_store_of_contextsubstrate(platform: Platform, client: httpx.AsyncClient) -> None:
    await post(client, PARENT, CHILD)
    folder = PackFolder(Path(platform.settings.data))
    assert sorted(folder.names()) == sorted([PARENT.hash, CHILD.hash])
    for one in (PARENT, CHILD):
        assert await folder.manifest(one.hash) == one.data
        found = check_pack(one.hash, one.data, await folder.held(one.manifest.blobs), known=folder.names())
        assert found.holds and found.manifest is not None


async def test_a_run_used_prompts_and_inputs_and_generated_outputs_in_steps(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await post(client, PARENT)
    used = await run_raw(
        platform.store,
        "MATCH (n:Pack)-[u:USED]->(d:Document) RETURN u.part AS part, u.position AS at, u.role AS role, "
        "d.document_key AS hash ORDER BY part, at",
    )
    manifest = PARENT.manifest
    assert [(row["part"], row["at"], row["role"], row["hash"]) for row in used] == [
        ("input", 0, None, INPUT),
        ("prompt", 0, "user", manifest.prompts[0].content_ref),
        ("prompt", 1, "assistant", manifest.prompts[1].content_ref),
        ("system_prompt", 0, "system", manifest.system_prompt),
    ]
    made = await run_raw(
        platform.store, "MATCH (n:Pack)-[g:GENERATED]->(d:Document) RETURN d.document_key AS hash ORDER BY g.position"
    )
    assert [row["hash"] for row in made] == [output.content_ref for output in manifest.outputs]
    steps = await run_raw(
        platform.store,
        "MATCH (:Pack)-[:HAS_STEP]->(s:Step)-[:GENERATED]->(d:Document) RETURN s.tool AS tool, s.type AS type, "
        "s.deterministic AS claim, s.timestamp AS at, d.document_key AS hash ORDER BY s.position",
    )
    assert [(row["tool"], row["type"], row["claim"], row["at"], row["hash"]) for row in steps] == [
        (one.tool, one.type, one.deterministic, one.timestamp, one.output_ref) for one in manifest.steps
    ]
    (node,) = await nodes_with_label(platform.store, "Pack")
    assert (node["created"], node["model"], node["os"], node["form"]) == (
        manifest.created,
        "gpt-4",
        "linux",
        "canonical",
    )
    said = json.dumps([*await nodes_with_label(platform.store, "Step"), node], default=str)
    assert "readme.md" not in said and "Hello" not in said


@pytest.mark.parametrize("order", [(PARENT, CHILD), (CHILD, PARENT)])
async def test_a_pack_is_informed_by_its_parent_whichever_comes_first(
    platform: Platform, client: httpx.AsyncClient, order: tuple[Pack, Pack]
) -> None:
    for one in order:
        await post(client, one)
    rows = await run_raw(
        platform.store, "MATCH (c:Pack)-[:INFORMED_BY]->(p:Pack) RETURN c.record_hash AS child, p.record_hash AS parent"
    )
    assert rows == [{"child": CHILD.hash, "parent": PARENT.hash}]


async def test_a_source_that_is_cited_and_an_input_are_one_document(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    source = PARENT.blobs[INPUT]
    await post(client, PARENT)
    await accept(platform, signed_source(AUTHOR, source=source, boundary=Boundary.PUBLIC))
    await client.put(f"/sources/{INPUT}", content=source)
    await accept(
        platform, signed_statement(AUTHOR, evidence=[segment("Hello", source=source)], generated_by=[PARENT.hash])
    )
    rows = await run_raw(
        platform.store,
        "MATCH (s:Statement)-[:CITES]->(:Chunk)-[:PART_OF]->(d:Document)<-[:USED]-(n:Pack) "
        "MATCH (s)-[:GENERATED_BY]->(:Document)<-[:RECORD_OF]-(n) RETURN d.held AS held, n.record_hash AS pack",
    )
    assert rows == [{"held": True, "pack": PARENT.hash}]
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before


async def test_content_is_given_within_the_clearance_for_the_pack_and_for_itself(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await post(client, PARENT, boundary="internal")
    address = f"/packs/{PARENT.hash}/content/{INPUT}"
    assert (await client.get(address)).status_code == 403
    assert (await client.get(f"/packs/{PARENT.hash}")).status_code == 403
    assert (await client.get(address, headers=bearer(READERS["internal"]))).content == PARENT.blobs[INPUT]
    await settle(platform)
    await accept(platform, signed_source(VERIFIER_A, source=PARENT.blobs[INPUT], boundary=Boundary.CONFIDENTIAL))
    assert (await client.get(address, headers=bearer(READERS["internal"]))).status_code == 403
    assert (await client.get(address, headers=bearer(READERS["confidential"]))).status_code == 200


async def test_the_length_of_content_is_shown_to_readers_of_the_content(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await post(client, PARENT)
    query = "query ($hash: ID!) { pack(hash: $hash) { contents { contentHash byteLength } } }"

    async def lengths() -> dict[str, int | None]:
        found = await ask(client, query, {"hash": PARENT.hash})
        return {one["contentHash"]: one["byteLength"] for one in found["pack"]["contents"]}

    whole = {name: len(content) for name, content in PARENT.blobs.items()}
    shown = await lengths()
    assert shown == {name: whole[name] for name in shown} and INPUT in shown
    await accept(platform, signed_node_source(platform, PARENT.blobs[INPUT], boundary=Boundary.CONFIDENTIAL))
    assert await lengths() == {**shown, INPUT: None}
    await post(client, CHILD, boundary="confidential")
    hidden_from_us = await ask(client, query, {"hash": CHILD.hash})
    assert {one["byteLength"] for one in hidden_from_us["pack"]["contents"]} == {None}


async def test_naming_the_content_of_others_gives_nobody_their_bytes(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await post(client, PARENT, boundary="confidential")
    thief = pack("2026-03-01T00:00:00Z")
    empty = Pack(thief.manifest, thief.data, thief.hash, {})
    answer = await post(client, empty)
    assert (answer.status_code, "did not come with it" in answer.text) == (404, True), answer.text
    await accept(platform, signed_source(AUTHOR, source=PARENT.blobs[INPUT], boundary=Boundary.PUBLIC))
    assert (await client.get(f"/sources/{INPUT}")).status_code == 404
    await rebuilt(platform)
    assert (await client.get(f"/sources/{INPUT}")).status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        PARENT.data,
        write_archive([])[:700],
        tar(**{"packs/" + "0" * 64: b""}),
        tar(**{f"objects/{PARENT.hash[7:9]}/{PARENT.hash[9:]}": PARENT.data + b" "}),
        write_archive([Pack(PARENT.manifest, b"{}", hash_content(b"{}"), {})]),
    ],
    ids=range(7),
)
async def test_what_is_no_pack_is_refused_and_changes_nothing(
    platform: Platform, client: httpx.AsyncClient, body: bytes
) -> None:
    before = await count_everything(platform.store)
    answer = await client.post("/packs", content=body)
    assert answer.status_code == 400, answer.text
    assert await count_everything(platform.store) == before


async def test_an_agent_registers_its_own_pack_and_only_with_all_of_it(platform: Platform) -> None:
    await settle(platform)
    registration = read_message(signed_record(AUTHOR, content=PARENT.data, format=RecordFormat.PACK))
    for blobs in ((PARENT.data,), (PARENT.data, *PARENT.blobs.values(), b"more")):
        (outcome,) = await platform.append([Submission(registration, blobs=blobs)])
        assert isinstance(outcome, TargetError)
    (outcome,) = await platform.append([Submission(registration, blobs=(PARENT.data, *PARENT.blobs.values()))])
    assert not isinstance(outcome, Exception)


async def test_rebuild_makes_the_same_graph_of_packs_and_of_forks_of_others(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    data = write_manifest(CHILD.manifest, ManifestForm.UPSTREAM_FORK)
    fork = Pack(CHILD.manifest, data, hash_content(data), CHILD.blobs)
    await post(client, fork, PARENT)
    await post(client, CHILD)
    await post(client, PARENT, boundary="internal")
    assert {node["form"] for node in await nodes_with_label(platform.store, "Pack")} == {"canonical", "upstream-fork"}
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before


async def test_content_that_was_erased_is_given_by_no_pack(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await post(client, PARENT)
    await post(client, CHILD)
    message = {**source_redaction_message(INPUT), "redactingAgent": platform.node.agent_id}
    redaction = platform.node.sign({**message, "@id": message_id("redaction of content")})
    await accept(platform, redaction.envelope.received)
    assert not await platform.content.has(INPUT)
    for one in (PARENT, CHILD):
        assert (await client.get(f"/packs/{one.hash}/content/{INPUT}")).status_code == 410
        assert (await client.get(f"/packs/{one.hash}")).content == one.data
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before


async def test_bytes_that_were_erased_do_not_come_back_as_content_of_a_pack(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    await accept(platform, statement, redaction_of(platform, statement, disclosure))
    await post(client, PARENT)
    message = {**source_redaction_message(INPUT), "redactingAgent": platform.node.agent_id}
    await accept(platform, platform.node.sign({**message, "@id": message_id("erased input")}).envelope.received)
    with_message = pack(inputs=(LogContent("statement.json", statement.decode()),), steps=())
    before = await count_everything(platform.store)
    for one, erased in ((CHILD, INPUT), (with_message, sha256_digest(statement))):
        answer = await post(client, one)
        assert (answer.status_code, answer.json()["code"]) == (410, "REDACTED"), answer.text
        registration = signed_record(AUTHOR, content=one.data, format=RecordFormat.PACK)
        headers = {"A2AP-Registration": base64.b64encode(registration).decode()}
        assert (await post(client, one, headers=headers)).status_code == 410
        assert not await platform.content.has(erased)
    assert await count_everything(platform.store) == before
    assert (await post(client, PARENT)).status_code == 200, "what is here is here, and nothing is written"


def test_an_archive_is_no_longer_than_it_is() -> None:
    sparse = tarfile.TarInfo(f"objects/{'0' * 2}/{'0' * 62}")
    sparse.size = 2**40
    header = bytearray(sparse.tobuf(tarfile.GNU_FORMAT))
    with pytest.raises(InputError):
        read_archive(bytes(header) + bytes(1024))
    header[156:157] = tarfile.GNUTYPE_SPARSE
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    with pytest.raises(InputError):
        read_archive(bytes(header) + bytes(1024))


def header(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    entry = tarfile.TarInfo(name)
    entry.size, entry.type = size, kind
    return entry.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, b"Z"])
@pytest.mark.parametrize("size", [-512, -1024, -(2**62), 2**62])
def test_no_header_sends_the_reader_of_an_archive_back(size: int, kind: bytes) -> None:
    # CVE-2025-8194: tarfile goes back to a header before it, and comes by again for ever.
    with pytest.raises(InputError, match="longer than the archive, or shorter than nothing"):
        read_archive(header("folder", 0) + header("x", size, kind) + bytes(1024))


def test_an_archive_of_headers_alone_ends() -> None:
    for kind in (tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.XGLTYPE):
        with pytest.raises(InputError, match="entries"):
            read_archive(header("x", 0, kind) * (MAX_ENTRIES + 1))


def test_a_pax_header_has_records_of_the_length_that_they_state() -> None:
    for records in (b"0 path=x\n", b"99 path=x\n", b"-9 path=x\n", b"9 path=x", b"path=x\n", b"9" * 30 + b" a=b\n"):
        data = header("x", len(records), tarfile.XHDTYPE) + records.ljust(512, b"\0") + bytes(1024)
        with pytest.raises(InputError, match="pax header"):
            read_archive(data)


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@given(
    folder=st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=40), depth=st.integers(0, 8)
)
def test_a_store_is_read_out_of_any_folder_in_every_form_of_tar(form: int, folder: str, depth: int) -> None:
    whole, out = read_archive(WRITTEN), io.BytesIO()
    path = f"{folder}/" * depth
    assume(form != tarfile.USTAR_FORMAT or len(path.encode()) < 20)
    with tarfile.open(fileobj=io.BytesIO(WRITTEN)) as old, tarfile.open(fileobj=out, mode="w", format=form) as new:
        for entry in old:
            content = old.extractfile(entry)
            new.addfile(
                entry.replace(name=f"{path}{entry.name}", mtime=1.5 if form == tarfile.PAX_FORMAT else 1), content
            )
    assert read_archive(out.getvalue()) == whole


@given(
    place=st.integers(0, len(WRITTEN) // 512 - 3),
    changes=st.lists(st.tuples(st.integers(0, 511), st.binary(min_size=1, max_size=12)), min_size=1, max_size=4),
)
def test_an_archive_with_anything_in_a_header_is_one_or_one_clear_error(
    place: int, changes: list[tuple[int, bytes]]
) -> None:
    block = bytearray(WRITTEN[512 * place : 512 * (place + 1)])
    for at, value in changes:
        block[at : at + len(value)] = value
    del block[512:]
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    try:
        read_archive(WRITTEN[: 512 * place] + bytes(block) + WRITTEN[512 * (place + 1) :])
    except InputError as error:
        assert str(error)


@given(st.binary(max_size=2_000))
def test_any_bytes_are_an_archive_or_one_clear_error(data: bytes) -> None:
    for body in (data, WRITTEN[: len(data)] + data + WRITTEN[2 * len(data) :]):
        try:
            read_handed_in(body)
        except (InputError, PackError) as error:
            assert str(error)


async def test_a_redacted_pack_keeps_its_hash_and_those_that_follow_it(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await post(client, CHILD)
    await post(client, PARENT)
    message = {**source_redaction_message(PARENT.hash), "redactingAgent": platform.node.agent_id}
    redaction = platform.node.sign({**message, "@id": message_id("redaction of a pack")})
    await accept(platform, redaction.envelope.received)
    node = next(n for n in await nodes_with_label(platform.store, "Pack") if n["record_hash"] == PARENT.hash)
    assert {name for name, value in node.items() if value is not None} == {"record_hash", "log_index", "held"}
    steps = await nodes_with_label(platform.store, "Step")
    assert {step["record_hash"] for step in steps} == {CHILD.hash}
    documents = {one["document_key"] for one in await nodes_with_label(platform.store, "Document")}
    assert INPUT in documents and PARENT.manifest.steps[0].output_ref == INPUT
    assert (await client.get(f"/packs/{PARENT.hash}")).status_code == 410
    assert PARENT.hash not in PackFolder(Path(platform.settings.data)).names()
    before = await rows_of(platform)
    await rebuilt(platform)
    assert await rows_of(platform) == before
    assert held(PARENT) and LOG and sha256_digest(PARENT.data) == PARENT.hash


@pytest.mark.both_engines
async def test_graphql_takes_packs_and_shows_them_under_clearance(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    mutation = """
        mutation ($manifest: String!, $contents: [String!]!) {
          registerPack(manifest: $manifest, contents: $contents, boundary: "internal") { ... on Receipt { logIndex } }
        }
    """
    for one in (PARENT, CHILD):
        contents = [base64.b64encode(content).decode() for content in one.blobs.values()]
        await ask(client, mutation, {"manifest": one.data.decode(), "contents": contents})
    statement = signed_statement(AUTHOR, generated_by=[CHILD.hash])
    await accept(platform, statement)
    query = """
        query ($hash: ID!, $content: String!, $id: ID!) {
          pack(hash: $hash) {
            recordHash held boundary created model form parent manifest
            informedBy { recordHash children { nodes { recordHash } } }
            steps { position index type tool deterministic outputHash }
            contents { part position role contentHash }
            findings { code error path }
            statements { nodes { id } }
          }
          packs(filter: {content: $content}, first: 1) { nodes { recordHash } }
          statement(id: $id) { records { kind recordHash held pack { model } } }
        }
    """
    statement_id = envelope_of(statement).id
    asked = {"hash": f"ctx://{CHILD.hash[7:]}", "content": INPUT, "id": statement_id}
    found = await ask(client, query, asked, READERS["internal"])
    shown = found["pack"]
    assert (shown["recordHash"], shown["manifest"].encode()) == (CHILD.hash, CHILD.data)
    assert (shown["created"], shown["model"], shown["form"]) == (CHILD.manifest.created, "gpt-4", "canonical")
    assert shown["informedBy"] == {"recordHash": PARENT.hash, "children": [{"recordHash": CHILD.hash}]}
    assert [step["outputHash"] for step in shown["steps"]] == [step.output_ref for step in CHILD.manifest.steps]
    assert sorted(one["contentHash"] for one in shown["contents"]) == sorted(
        [
            *(reference for path, reference in CHILD.manifest.references() if not path.startswith("steps")),
        ]
    )
    assert [(one["code"], one["error"]) for one in shown["findings"]] == [("step-index", False)] * 2
    assert found["packs"] == [{"recordHash": CHILD.hash}]
    assert shown["statements"] == [{"id": statement_id}]
    (reference,) = found["statement"]["records"]
    assert reference == {"kind": "Pack", "recordHash": CHILD.hash, "held": True, "pack": {"model": "gpt-4"}}
    public = (await ask(client, query, asked))["pack"]
    assert (public["manifest"], public["findings"], public["model"]) == (None, None, "gpt-4")


async def test_what_is_read_of_packs_counts_before_it_is_read(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await post(client, PARENT)
    monkeypatch.setattr(loaders, "BYTES_OF_AN_OBJECT", 1)
    aliases = " ".join(f"m{number}: {{field}}" for number in range(30))
    for field in ("manifest", "findings { code }"):
        asked = f'{{ pack(hash: "{PARENT.hash}") {{ {aliases.replace("{field}", field)} }} }}'
        answer = await send(client, asked)
        assert {one["extensions"]["code"] for one in answer["errors"]} == {"TOO_LARGE"}


async def test_content_that_is_hashed_for_findings_counts_as_it_is_read(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await post(client, PARENT)
    told: list[int] = []

    def refuse(length: int) -> None:
        told.append(length)
        raise TooLargeError("enough")

    with pytest.raises(TooLargeError):
        await held_content(platform.content, PARENT.data, refuse)
    assert len(told) == 1
    found = await held_content(platform.content, PARENT.data, told.append)
    assert found == held(PARENT) and sum(told[1:]) == sum(map(len, PARENT.blobs.values()))


async def test_records_are_read_aside_of_what_the_node_answers(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, set[int]] = {"check": set(), "rows_of": set(), "names": set()}
    reader = READERS_OF_RECORDS[RecordFormat.PACK]

    def noted(name: str) -> Any:
        def call(*arguments: Any) -> Any:
            threads[name].add(threading.get_ident())
            return getattr(reader, name)(*arguments)

        return call

    aside = replace(reader, **{name: noted(name) for name in threads})
    monkeypatch.setitem(READERS_OF_RECORDS, RecordFormat.PACK, aside)
    assert (await post(client, PARENT)).status_code == 201
    assert all(threads.values())
    assert threading.get_ident() not in set().union(*threads.values())


async def test_manifests_are_read_aside_where_content_is_given(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await post(client, PARENT)
    threads: list[int] = []

    def noted(content: bytes) -> ReadManifest:
        threads.append(threading.get_ident())
        return read_manifest(content)

    monkeypatch.setattr(packs_module, "read_manifest", noted)
    assert (await client.get(f"/packs/{PARENT.hash}/content/{INPUT}")).status_code == 200
    assert await held_content(platform.content, PARENT.data, lambda _length: None) == held(PARENT)
    assert len(threads) == 2 and threading.get_ident() not in threads


async def test_a_run_is_an_activity_in_rdf(platform: Platform, client: httpx.AsyncClient) -> None:
    await post(client, CHILD, PARENT)
    found = (await packs(platform.store, [CHILD.hash]))[CHILD.hash]
    assert len(found) == len(set(found))
    manifest, run = CHILD.manifest, activity_iri(CHILD.hash)
    used = {manifest.system_prompt, *(one.content_ref for one in manifest.prompts)}
    used |= {one.content_ref for one in manifest.inputs}
    made = {one.content_ref for one in manifest.outputs}
    assert {value for node, name, value in found if (node, name) == (run, PROV.USED)} == set(map(document_iri, used))
    generated = {node for node, name, value in found if (name, value) == (PROV.WAS_GENERATED_BY, run)}
    assert generated == {*map(document_iri, made), document_iri(CHILD.hash)}
    assert (run, PROV.WAS_INFORMED_BY, activity_iri(PARENT.hash)) in found
    assert_steps(found, run, manifest)
    assert (run, PROV.ENDED_AT_TIME, (manifest.created, XSD.DATE_TIME)) in found
    assert (document_iri(CHILD.hash), RDF.TYPE, A2AP.CONTEXT_PACK) in found


def assert_steps(found: Sequence[Triple], run: str, manifest: Manifest) -> None:
    """Assert that the steps of a run are activities in their order, each with what it returned."""
    order = {node: int(value[0]) for node, name, value in found if name == A2AP.POSITION}
    steps = sorted(
        (value for node, name, value in found if (node, name) == (run, A2AP.STEP)), key=lambda one: order[str(one)]
    )
    assert [order[str(step)] for step in steps] == list(range(len(manifest.steps)))
    for step, expected in zip(steps, manifest.steps, strict=True):
        assert (step, RDF.TYPE, PROV.ACTIVITY) in found
        assert (step, A2AP.TOOL, (expected.tool, XSD.STRING)) in found
        if expected.output_ref:
            assert (document_iri(expected.output_ref), PROV.WAS_GENERATED_BY, step) in found
