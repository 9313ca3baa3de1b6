"""The node's log: every receipt proves itself, and what the graph says later is compared with what was signed."""

import asyncio
import base64
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import TIME, agent_key, signed_registration, signed_statement
from graph_contents import run_raw
from platform_fixture import platform
from scenario import AUTHOR, accept, settle
from served import served
from servers import log_of, receipts_of, server, server_on

from a2ap.client import Client, ProblemError, Receipt
from a2ap.errors import LogError
from a2ap.json_text import read_json
from a2ap.log.checkpoint import Checkpoint, open_checkpoint, read_checkpoint
from a2ap.log.entry import entry_bytes, read_entry
from a2ap.log.log_key import LogKeys, follow_successions
from a2ap.log.merkle import hash_leaf, root_hash, verify_consistency
from a2ap.log.receipt import verify_receipt
from a2ap.log.signed_note import COSIGNATURE, VerifierKey, read_note
from a2ap.log.tiles import entries_path, read_entry_bundle, read_tile, tile_path, tiles_between
from a2ap.messages.message import read_message
from graph.app import create_app
from graph.database.endpoint import Endpoint
from graph.errors import LogMismatchError, NodeError, NotFoundError, NotReadyError, RebuildError, RefusedError
from graph.log.entry import log_size
from graph.platform import Platform, utc_now
from graph.settings import Settings
from graph.store import Store
from graph.submission.log_key_rotation import log_key_rotation, rotate_log_key
from graph.submission.rebuild import rebuild
from graph.submission.submission import Submission
from graph.transparency.hash_tree import HashTree
from graph.transparency.kept_tiles import KeptTiles
from graph.transparency.static_export import export_log
from graph.transparency.static_log import read_log_folder

__all__ = ["platform"]

MANY = 300


def claims(count: int, first: int = 0) -> list[bytes]:
    return [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(first, first + count)]


async def settled(platform: Platform, statements: int = 0) -> None:
    await settle(platform)
    if statements:
        await accept(platform, *claims(statements))


async def check_log(platform: Platform) -> Checkpoint:
    """Check that the checkpoint is signed and is over the entries of the graph, all of them."""
    checkpoint = open_checkpoint(platform.log.checkpoint_note, platform.log.verifier_key)
    entries = await log_of(platform.store)
    assert checkpoint.tree_size == len(entries)
    assert checkpoint.root_hash == root_hash([hash_leaf(entry_bytes(entry)) for entry in entries])
    assert checkpoint.origin == platform.node.agent_id
    return checkpoint


def kept(folder: Path) -> Checkpoint:
    return read_checkpoint(read_note((folder / "log" / "checkpoint").read_text()).text)


async def refusal(store: Store, folder: Path) -> LogMismatchError:
    with pytest.raises(LogMismatchError) as caught:
        async with server_on(store, folder):
            pass
    return caught.value


async def test_every_entry_is_under_a_signed_checkpoint_that_is_kept(platform: Platform, tmp_path: Path) -> None:
    await settled(platform, 5)
    checkpoint = await check_log(platform)
    assert kept(tmp_path) == checkpoint
    assert platform.log.keys is not None
    registration = read_json(await platform.content.get((await log_of(platform.store))[0].document_hash))
    assert registration["logKey"] == platform.log.verifier_key.text


async def test_a_receipt_holds_off_line(platform: Platform) -> None:
    await settled(platform)
    document = signed_statement(AUTHOR)
    async with http_client(platform) as client:
        first = (await client.post("/statements", content=document)).json()
        lines = b"\n".join(claims(20))
        bulk = await client.post("/statements", content=lines, headers={"content-type": "application/x-ndjson"})
        again = (await client.post("/statements", content=document)).json()
        found = await client.post("/graphql", json={"query": _SUBMIT, "variables": {"document": document.decode()}})
    key = VerifierKey.parse(platform.log.verifier_key.text)
    for answer, of in (
        (first, document),
        (again, document),
        *zip((json.loads(line) for line in bulk.text.splitlines()), claims(20), strict=True),
        (found.json()["data"]["submitStatement"], document),
    ):
        entry, checkpoint = verify_receipt(answer["entry"], answer["proof"], read_json(of), key)
        assert entry.log_index == answer["logIndex"] < checkpoint.tree_size
    assert again["logIndex"] == first["logIndex"]
    assert again["proof"] != first["proof"]


_SUBMIT = (
    "mutation ($document: String!) { submitStatement(document: $document) { ... on Receipt { logIndex entry proof } } }"
)


async def test_proofs_lead_from_any_size_to_any_other(platform: Platform) -> None:
    await settled(platform, MANY)
    log = platform.log
    size = log.checkpoint.tree_size
    for old, new in ((1, size), (255, 256), (256, 300), (257, size), (size, size)):
        proof = await log.consistency_proof(old, new)
        verify_consistency(old, new, await log.root_at(old), await log.root_at(new), proof)


async def test_the_tiles_give_the_root_of_the_checkpoint(platform: Platform, tmp_path: Path) -> None:
    await settled(platform, MANY)
    checkpoint = await check_log(platform)
    folder = tmp_path / "static"
    assert [done async for done in export_log(platform.log, folder)][-1] > 3
    assert (folder / "checkpoint").read_text() == platform.log.checkpoint_note
    hashes: list[bytes] = []
    for tile in tiles_between(0, checkpoint.tree_size):
        content = (folder / tile.path).read_bytes()
        assert len(read_tile(content)) == tile.width
        if tile.level == 0:
            hashes += read_tile(content)
            entries = read_entry_bundle((folder / entries_path(tile.index, tile.width)).read_bytes())
            assert [hash_leaf(entry) for entry in entries] == list(read_tile(content))
            for place, entry in enumerate(entries, tile.index * 256):
                assert read_entry(entry, place).log_index == place
    assert root_hash(hashes) == checkpoint.root_hash
    # Full tiles are in the content store as well, and nothing else is.
    full = [tile.path for tile in tiles_between(0, checkpoint.tree_size) if tile.width == 256]
    assert all((tmp_path / "log" / path).read_bytes() == (folder / path).read_bytes() for path in full)
    assert not list((tmp_path / "log").rglob("*.p"))


async def test_two_servers_sign_one_log(store: Store, engine: Endpoint, tmp_path: Path) -> None:
    async with server(engine, tmp_path) as first, server(engine, tmp_path) as second:
        await settled(first)
        sizes = []
        for number in range(12):
            writer, other = (first, second) if number % 2 else (second, first)
            for receipt in receipts_of(await writer.submit_many(claims(15, 15 * number))):
                proof = await writer.log.proof_of(receipt.entry.log_index)
                assert proof.log_index == receipt.entry.log_index
            sizes.append(kept(tmp_path).tree_size)
            # The other has not read them yet, and gives out a proof all the same.
            await other.log.proof_of(writer.log.checkpoint.tree_size - 1)
            assert other.log.checkpoint.root_hash == writer.log.checkpoint.root_hash
        assert sizes == sorted(set(sizes))
        assert kept(tmp_path) == await check_log(first)


async def test_a_log_goes_on_after_a_restart(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform, MANY)
        before, note = platform.log.checkpoint, platform.log.checkpoint_note
        key = platform.log.verifier_key
    async with server_on(store, tmp_path) as platform:
        assert (platform.log.checkpoint_note, platform.log.verifier_key) == (note, key)
        await accept(platform, *claims(3, MANY))
        after = await check_log(platform)
        proof = await platform.log.consistency_proof(before.tree_size)
        verify_consistency(before.tree_size, after.tree_size, before.root_hash, after.root_hash, proof)


async def test_what_was_committed_before_a_crash_is_signed_at_the_next_start(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform)
        shutil.copytree(tmp_path / "log", tmp_path / "before")
        await accept(platform, *claims(MANY))
    # The tiles are as they were as well: some have become full since.
    shutil.rmtree(tmp_path / "log")
    shutil.copytree(tmp_path / "before", tmp_path / "log")
    async with server_on(store, tmp_path) as platform:
        assert kept(tmp_path) == await check_log(platform)
        assert (tmp_path / "log" / "tile" / "0" / "000").is_file()


async def test_a_restored_backup_is_refused(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform, 4)
        size = platform.log.checkpoint.tree_size
    await run_raw(store, "MATCH (e:LogEntry) WHERE e.log_index >= $size DELETE e", size=size - 3)
    await run_raw(store, "MATCH (h:LogHead) SET h.size = $size", size=size - 3)
    error = await refusal(store, tmp_path)
    assert error.log_index == size - 3
    assert f"entry {size - 3} is missing from the graph" in str(error)
    assert kept(tmp_path).tree_size == size


async def test_an_emptied_graph_is_not_founded_again(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform)
    await run_raw(store, "MATCH (n) DETACH DELETE n")
    error = await refusal(store, tmp_path)
    assert error.log_index == 0
    assert not await store.read("log_entries_from", start=0, first=1)


@pytest.mark.parametrize("place", [3, 250, 270])
async def test_an_edited_entry_is_named(store: Store, tmp_path: Path, place: int) -> None:
    """The first tile is full, and says so; what is beyond it the leaf hashes beside the checkpoint say."""
    async with server_on(store, tmp_path) as platform:
        await settled(platform, 140)
        assert platform.log.checkpoint.tree_size > 270
    edit = "MATCH (e:LogEntry) WHERE e.log_index IN $places SET e.agent = 'urn:agent:somebody-else'"
    await run_raw(store, edit, places=[place, 280])
    error = await refusal(store, tmp_path)
    assert (error.log_index, str(error)) == (place, f"entry {place} of the graph is not the one that was signed")


@pytest.mark.parametrize(
    ("edits", "place", "said"),
    [
        (["MATCH (e:LogEntry {log_index: 7}) DELETE e"], 7, "entry 7 is missing from the graph; entry 8 follows"),
        (["MATCH (e:LogEntry {log_index: 9}) REMOVE e.received_at"], 9, "entry 9 of the graph is not one"),
        (["MATCH (e:LogEntry {log_index: 9}) SET e.v = 2"], 9, "entry 9 of the graph is not the one that was signed"),
        (
            [
                "MATCH (e:LogEntry {log_index: 4}) SET e.id = 'urn:uuid:x'",
                "MATCH (e:LogEntry {log_index: 7}) DELETE e",
            ],
            4,
            "entry 4 of the graph is not the one that was signed",
        ),
        (["MATCH (h:LogHead) SET h.size = h.size + 1"], None, "the head of its log says"),
        (["MATCH (h:LogHead) SET h.size = h.size - 1"], None, "is beyond the head of the log"),
        (["CREATE (e:LogEntry {log_index: 1000, type: 'Policy'})"], 1000, "entry 1000 is beyond the head of the log"),
        (["CREATE (e:LogEntry {log_index: 9999, type: 'Policy'})"], 9999, "entry 9999 is beyond the head of the log"),
    ],
)
async def test_other_edits_of_the_log_are_named(
    store: Store, tmp_path: Path, edits: list[str], place: int | None, said: str
) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform, 4)
    for edit in edits:
        await run_raw(store, edit)
    error = await refusal(store, tmp_path)
    assert said in str(error)
    assert place is None or error.log_index == place


async def test_an_entry_that_changed_places_is_named(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform, 4)
    for old, new in ((5, 1000), (6, 5), (1000, 6)):
        move = "MATCH (e:LogEntry {log_index: $old}) SET e.log_index = $new"
        await run_raw(store, move, old=old, new=new)
    assert (await refusal(store, tmp_path)).log_index == 5


async def test_a_forged_checkpoint_is_refused(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform)
    file = tmp_path / "log" / "checkpoint"
    note = file.read_text()
    # A signature of another key, under the same name.
    file.write_text(note[: note.rindex(" ") + 1] + note.split()[-1][:5] + "A" * 90 + "=\n")
    assert "log/checkpoint" in str(await refusal(store, tmp_path))


async def test_lost_and_damaged_tiles_are_made_again(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform, MANY)
    whole = {path: path.read_bytes() for path in (tmp_path / "log" / "tile").rglob("*") if path.is_file()}
    assert len(whole) > 3
    for number, path in enumerate(sorted(whole)):
        if number % 2:
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[:-1] + b"\0")
    async with server_on(store, tmp_path) as platform:
        assert {path: path.read_bytes() for path in whole} == whole
        await check_log(platform)


async def test_a_tile_that_is_damaged_while_the_node_runs_is_made_again(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform, MANY)
        for path in (tmp_path / "log" / "tile").rglob("*"):
            if path.is_file():
                path.write_bytes(b"\0" * 8192)
        tree = HashTree(cached_tiles=1)
        entries = [entry_bytes(entry) for entry in await log_of(store)]
        for entry in entries:
            tree.append(entry)
        tree.take_full()
        tiles = KeptTiles(store, platform.content.objects, tree)
        for index in (0, 1):
            hashes = [hash_leaf(entry) for entry in entries[256 * index :][:256]]
            assert (
                await tiles.tile(0, index) == (tmp_path / "log" / tile_path(0, index)).read_bytes() == b"".join(hashes)
            )
            assert await tiles.bundle(index) == (tmp_path / "log" / entries_path(index)).read_bytes()
            assert list(read_entry_bundle(await tiles.bundle(index))) == entries[256 * index :][:256]
        await run_raw(store, "MATCH (e:LogEntry {log_index: 3}) SET e.id = 'urn:uuid:x'")
        (tmp_path / "log" / tile_path(0, 0)).unlink()
        with pytest.raises(LogMismatchError, match="entries 0 to 255 of the graph are not those that were signed"):
            await tiles.tile(0, 0)


async def test_a_graph_that_lost_entries_under_a_running_node_gets_no_more(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform, 4)
        size = platform.log.checkpoint.tree_size
        await run_raw(store, "MATCH (e:LogEntry) WHERE e.log_index >= $size DELETE e", size=size - 2)
        await run_raw(store, "MATCH (h:LogHead) SET h.size = $size", size=size - 2)
        for _ in range(2):
            with pytest.raises(NotReadyError, match=f"entry {size - 2} is missing from the graph"):
                await platform.submit(signed_statement(AUTHOR, claim="Something new."))
        assert len(await log_of(store)) == size - 2


async def test_the_log_key_changes_hands(store: Store, engine: Endpoint, tmp_path: Path) -> None:
    async with server(engine, tmp_path) as other, server_on(store, tmp_path) as platform:
        await settled(platform)
        first, before = platform.log.verifier_key, platform.log.checkpoint_note
        await rotate_log_key(platform.node, platform.log, platform.append, utc_now)
        second = platform.log.verifier_key
        assert second != first
        assert sorted(path.name for path in tmp_path.glob("log.key*")) == [
            "log.key",
            "log.key.lock",
            "log.key.next.lock",
        ]
        # The other server of the same files goes on with the new key.
        await accept(other, *claims(2))
        await check_log(other)
        await rotate_log_key(other.node, other.log, other.append, utc_now)
        await accept(platform, *claims(2, 2))
        await check_log(platform)
        keys = follow_successions(first, platform.log.successions)
        assert [key.new_key for key in keys.successions] == [second, platform.log.verifier_key]
        for note in (before, platform.log.checkpoint_note):
            open_checkpoint(note, keys)
    async with server_on(store, tmp_path) as platform:
        assert platform.log.keys == keys


async def test_a_crash_while_the_log_key_changes_loses_nothing(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform)
        first = platform.log.verifier_key
        # (1) The next key is there, and the log has not been handed to it.
        next_key, _ = platform.log.signers.next()
    shutil.copytree(tmp_path / "log", tmp_path / "before")
    old_file, next_file = (tmp_path / "log.key").read_bytes(), (tmp_path / "log.key.next").read_bytes()
    async with server_on(store, tmp_path) as platform:
        assert platform.log.verifier_key == first
        await rotate_log_key(platform.node, platform.log, platform.append, utc_now)
        assert platform.log.verifier_key == next_key
    # (2) The log was handed over, the files have their old names, and nothing was signed.
    (tmp_path / "log.key").write_bytes(old_file)
    (tmp_path / "log.key.next").write_bytes(next_file)
    (tmp_path / "log.key.next").chmod(0o600)
    shutil.rmtree(tmp_path / "log")
    shutil.copytree(tmp_path / "before", tmp_path / "log")
    async with server_on(store, tmp_path) as platform:
        assert platform.log.verifier_key == next_key
        await check_log(platform)
    assert (tmp_path / "log.key").read_bytes() == next_file
    assert not (tmp_path / "log.key.next").exists()


async def test_a_log_is_handed_over_whole_and_by_its_own_key_only(platform: Platform) -> None:
    await settled(platform)
    late = log_key_rotation(platform.node, platform.log, TIME)
    await accept(platform, signed_statement(AUTHOR))
    (outcome,) = await platform.append([Submission(late)])
    assert isinstance(outcome, RefusedError)
    assert "the note hands over a log of" in str(outcome)
    note = late.note.replace(late.note.split()[-1], platform.log.checkpoint_note.split()[-1])  # type: ignore[union-attr]
    document = dict(late.envelope.document) | {"note": note}
    del document["signature"]
    (outcome,) = await platform.append([Submission(platform.node.sign(document))])
    assert "the log key cannot be changed" in str(outcome)


async def test_a_log_whose_key_is_not_here_is_not_signed(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform)
        key = platform.log.verifier_key.text
    (tmp_path / "log.key").unlink()
    (tmp_path / "log" / "checkpoint").unlink()
    with pytest.raises(NodeError, match="which is not the key in") as caught:
        async with server_on(store, tmp_path):
            pass
    assert key in str(caught.value)


async def test_a_graph_from_before_its_log_was_signed_gets_a_key(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await settled(platform)
        registration = platform.node.registration(TIME)
    # As an earlier version left it: a registration without the log's key, and nothing signed.
    data = registration.envelope.received
    envelope = read_message(data).envelope
    async with server_on(store, tmp_path) as platform:
        await platform.content.put_many([data])
    await run_raw(
        store,
        "MATCH (e:LogEntry {log_index: 0}) SET e.document_hash = $document, e.signed_hash = $signed",
        document=envelope.document_hash,
        signed=envelope.signed_hash,
    )
    shutil.rmtree(tmp_path / "log")
    (tmp_path / "log.key").unlink()
    async with server_on(store, tmp_path) as platform:
        entries = await log_of(store)
        assert entries[-1].type == "LogKeyRotation"
        assert platform.log.keys == LogKeys(platform.log.verifier_key)
        await accept(platform, *claims(2))
        await check_log(platform)
        await rotate_log_key(platform.node, platform.log, platform.append, utc_now)
        await check_log(platform)
    async with server_on(store, tmp_path) as platform:
        assert len(await log_of(store)) == platform.log.checkpoint.tree_size


async def test_a_key_for_the_log_may_stand_elsewhere(store: Store, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, log_key=tmp_path / "keys" / "log")
    async with server_on(store, tmp_path, settings=settings) as platform:
        await check_log(platform)
    assert (tmp_path / "keys" / "log").is_file()
    assert not (tmp_path / "log.key").exists()


def http_client(platform: Platform) -> httpx.AsyncClient:
    app = create_app(platform, platform.settings)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://node.test")


async def test_the_log_over_http_is_as_tlog_tiles_says(platform: Platform) -> None:
    await settled(platform, 140)
    size = platform.log.checkpoint.tree_size
    async with http_client(platform) as client:
        checkpoint = await client.get("/log/checkpoint")
        assert checkpoint.text == platform.log.checkpoint_note
        assert checkpoint.headers["content-type"] == "text/plain; charset=utf-8"
        assert checkpoint.headers["cache-control"] == "no-cache"
        same = await client.get("/log/checkpoint", headers={"if-none-match": checkpoint.headers["etag"]})
        assert (same.status_code, same.content) == (304, b"")
        for path, width in ((f"tile/0/001.p/{size - 256}", size - 256), ("tile/0/000", 256), ("tile/1/000.p/1", 1)):
            tile = await client.get(f"/log/{path}")
            assert tile.headers["content-type"] == "application/octet-stream"
            assert "immutable" in tile.headers["cache-control"]
            assert len(read_tile(tile.content)) == width
        # Of an earlier checkpoint.
        partial = await client.get("/log/tile/0/000.p/9")
        assert partial.content == (await client.get("/log/tile/0/000")).content[: 9 * 32]
        for coding in ("identity", "gzip"):
            bundle = await client.get("/log/tile/entries/000", headers={"accept-encoding": coding})
            assert bundle.headers.get("content-encoding", "identity") == coding
            assert len(read_entry_bundle(bundle.content)) == 256
        few = await client.get("/log/tile/entries/000.p/3")
        assert read_entry_bundle(few.content) == read_entry_bundle(bundle.content)[:3]
        for path in (
            "tile/0/001",
            f"tile/0/001.p/{size - 255}",
            "tile/0/0",
            "tile/0/000.p/0",
            "tile/0/000.p/256",
            "tile/1/000",
            "tile/2/000.p/1",
            "tile/64/000",
            "tile/entries/001",
            "tile/entries/x000/000",
        ):
            assert (await client.get(f"/log/{path}")).status_code == 404, path


async def test_the_log_over_graphql(platform: Platform) -> None:
    await settled(platform, 3)
    query = """{ log { origin size checkpoint key successions inclusionProof(index: 2) consistencyProof(from: 3) }
        logEntries(filter: {logFrom: 4}, first: 2) { nodes { logIndex entry proof } } }"""
    async with http_client(platform) as client:
        data: dict[str, Any] = (await client.post("/graphql", json={"query": query})).json()["data"]
        beyond = await client.post("/graphql", json={"query": "{ log { inclusionProof(index: 1000) } }"})
    log, size = data["log"], platform.log.checkpoint.tree_size
    assert (log["size"], log["key"], log["successions"]) == (size, platform.log.verifier_key.text, [])
    assert log["checkpoint"] == platform.log.checkpoint_note
    assert len(log["inclusionProof"]) == len(await platform.log.inclusion_proof(2))
    assert len(log["consistencyProof"]) == len(await platform.log.consistency_proof(3))
    entries = await log_of(platform.store)
    for found in data["logEntries"]["nodes"]:
        assert found["entry"] == entry_bytes(entries[found["logIndex"]]).decode()
        document = await platform.content.get(entries[found["logIndex"]].document_hash)
        verify_receipt(found["entry"], found["proof"], read_json(document), platform.log.verifier_key)
    assert beyond.json()["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_graphql_gives_the_root_hash_of_every_size(platform: Platform) -> None:
    await settled(platform, 3)
    size = platform.log.checkpoint.tree_size
    query = "query ($size: Int) { log { rootHash(size: $size) } }"
    entries = await log_of(platform.store)
    leaves = [hash_leaf(entry_bytes(entry)) for entry in entries]
    async with http_client(platform) as client:
        for asked in (1, 3, size, None, size + 1):
            answer = await client.post("/graphql", json={"query": query, "variables": {"size": asked}})
            if asked == size + 1:
                assert answer.json()["errors"][0]["extensions"]["code"] == "NOT_FOUND"
            else:
                root = base64.b64encode(root_hash(leaves[:asked])).decode()
                assert answer.json()["data"]["log"]["rootHash"] == root


async def test_graphql_names_the_witnesses_that_are_asked(platform: Platform, tmp_path: Path) -> None:
    asked, unasked = (VerifierKey(f"w{number}.example", agent_key(number).public_key, COSIGNATURE) for number in (1, 2))
    file = tmp_path / "witnesses"
    file.write_text(f"witness W1 {asked.text} https://w1.example/\nwitness W2 {unasked.text}\nquorum none\n")
    async with http_client(platform) as client:
        none = await client.post("/graphql", json={"query": "{ log { witnesses } }"})
        platform.settings = replace(platform.settings, witnesses=file)
        some = await client.post("/graphql", json={"query": "{ log { witnesses } }"})
    assert none.json()["data"]["log"]["witnesses"] == []
    assert some.json()["data"]["log"]["witnesses"] == [asked.text]


async def test_a_cosigned_checkpoint_is_kept_and_given_out(platform: Platform, tmp_path: Path) -> None:
    await settled(platform)
    note = platform.log.checkpoint_note
    line = note.splitlines(keepends=True)[-1].replace(platform.log.origin, "witness.example")
    await platform.log.cosign(note + line)
    assert platform.log.checkpoint_note == note + line
    assert (tmp_path / "log" / "checkpoint").read_text() == note + line
    await accept(platform, signed_registration(99))
    await platform.log.cosign(note)
    await check_log(platform)


async def test_a_graph_rebuilt_from_the_exported_log_has_the_same_root(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "static"
    async with server_on(store, tmp_path) as platform:
        await settled(platform, 130)
        before, note = platform.log.checkpoint, platform.log.checkpoint_note
        assert [done async for done in export_log(platform.log, folder)]
        size, entries = read_log_folder(folder)
        assert size == before.tree_size
    await run_raw(store, "MATCH (n) DETACH DELETE n")
    async for _ in rebuild(store, platform.content, entries()):
        pass
    async with server_on(store, tmp_path) as platform:
        assert (platform.log.checkpoint, platform.log.checkpoint_note) == (before, note)
        await check_log(platform)
    bundle = folder / "tile" / "entries" / "000"
    bundle.write_bytes(bundle.read_bytes().replace(b"Policy", b"Polizy"))
    with pytest.raises(RebuildError, match="do not have the root of its checkpoint"):
        read_log_folder(folder)


async def test_a_client_that_has_the_log_key_verifies_every_receipt(platform: Platform, tmp_path: Path) -> None:
    await settled(platform)
    first = platform.log.verifier_key
    other = VerifierKey(first.name, agent_key(77).public_key)
    async with served(platform) as address:

        def submit(key: VerifierKey, number: int) -> list[Receipt | ProblemError]:
            with Client(address, log_key=key) as client:
                return [client.submit(claims(1, number)[0]), *client.submit_many(claims(10, number))]

        assert len(await asyncio.to_thread(submit, first, 0)) == 11
        with pytest.raises(LogError, match="is not signed by"):
            await asyncio.to_thread(submit, other, 20)
        await rotate_log_key(platform.node, platform.log, platform.append, utc_now)
        assert len(await asyncio.to_thread(submit, first, 40)) == 11
        assert len(await asyncio.to_thread(submit, platform.log.verifier_key, 60)) == 11


async def test_a_graph_without_a_log_says_so(store: Store) -> None:
    with pytest.raises(NotFoundError, match=r"^this graph has no log yet"):
        await log_size(store)
