"""`a2ap peer`: agreements, pulls and proofs on the command line, beside a platform that runs on the same data."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from builders import agent_key, signed_registration, signed_source, signed_statement
from cli_runner import environment
from peer_simulator import PeerSimulator
from quick_java import QUICK
from test_federation import agree, agreement

from a2ap.log.log_proof import read_log_proof, verify_log_proof
from graph.federation.peer_folder import folder_of, read_progress
from graph.federation.transport_key import FILE
from graph.platform import open_platform
from graph.settings import Settings


async def run(data: Path, *arguments: str, status: int = 0) -> str:
    """Run a command of `a2ap peer`; return what it prints, or what it says where it fails."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "graph.cli", "peer", *arguments),
        env=environment(A2AP_DATA=str(data)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, said = await process.communicate()
    assert process.returncode == status, said.decode()
    return (printed if status == 0 else said).decode()


async def test_the_operator_agrees_pulls_proves_and_suspends(tmp_path: Path) -> None:
    peer = PeerSimulator()
    peer.add(signed_registration(1), signed_source(1), signed_statement(1))
    transport = agent_key(5).public_key.did_key
    async with peer.served() as url, open_platform(Settings(data=tmp_path, engine_heap="256m", engine_options=QUICK)):
        agreed = ("add", url, "--log-key", peer.log_key.text, "--transport-key", transport)
        assert "is a peer by entry" in await run(tmp_path, *agreed)
        # What is not named stays as it was agreed.
        changed = ("add", url, "--log-key", peer.log_key.text, "--clearance", "internal", "--private")
        assert "is cleared for internal" in await run(tmp_path, *changed)
        assert "is cleared for internal" in await run(tmp_path, "add", url, "--log-key", peer.log_key.text)
        (pulled,) = json.loads(await run(tmp_path, "pull", "--json"))["pulled"]
        assert (pulled["taken"], pulled["position"], pulled["sources"]["skipped"]) == (3, 3, 1)
        assert "0 fetched, 0 skipped, 0 failed, 1 asked for again later" in await run(tmp_path, "pull")
        entry, _, proof = (await run(tmp_path, "proof", peer.origin, "1")).partition("\n\n")
        assert verify_log_proof(read_log_proof(proof), entry.encode(), peer.log_key).tree_size == 3
        assert "is suspended by entry" in await run(tmp_path, "remove", peer.origin)
        listed: dict[str, Any] = json.loads(await run(tmp_path, "list", "--json"))["peers"][0]
        assert (listed["origin"], listed["suspended"], listed["transportKey"]) == (peer.origin, True, transport)
        assert (listed["clearance"], listed["privateAddress"]) == ("internal", True)
        peer.note = peer.checkpoint(root=bytes(32))
        await run(tmp_path, "add", url, "--log-key", peer.log_key.text, "--transport-key", "none")
        said = await run(tmp_path, "pull", peer.origin, status=3)
        assert said.count("has signed two trees") == 1 and "contradicts itself" in said
        assert "suspended" in await run(tmp_path, "pull", peer.origin, status=1)
        assert "is not a verifier key" in await run(tmp_path, "add", url, "--log-key", "no key", status=1)
        assert (await run(tmp_path, "key")).startswith("did:key:z6Mk")
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


async def test_a_peer_that_does_not_answer_keeps_nobody_from_the_others(tmp_path: Path) -> None:
    peers = [PeerSimulator(seed, seed + 1) for seed in (41, 51)]
    first, second = sorted(peers, key=lambda peer: peer.origin)
    first.status = 500
    second.add(signed_registration(1))
    settings = Settings(data=tmp_path, engine_heap="256m", engine_options=QUICK)
    async with first.served() as one, second.served() as other, open_platform(settings) as platform:
        await agree(platform, agreement(first, one))
        await agree(platform, agreement(second, other))
        assert f"{first.origin} was not pulled to the end" in await run(tmp_path, "pull", status=1)
        assert read_progress(folder_of(tmp_path, second.origin)).position == 1
        unknown = "urn:agent:a2ap-node:" + "0" * 16
        assert "there is no agreement" in await run(tmp_path, "proof", unknown, "0", status=1)
    assert not folder_of(tmp_path, unknown).exists()
