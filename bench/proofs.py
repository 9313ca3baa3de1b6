"""P6: inclusion proofs of a log with 1,000 and with 1,000,000 leaves, through the platform's tree and stored tiles."""

import tempfile
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from a2ap.log.entry import ENTRY_VERSION, LogEntry, entry_bytes
from a2ap.log.merkle import hash_leaf, inclusion_proof, verify_inclusion
from bench.statements import NOW
from graph.content.object_folder import ObjectFolder
from graph.transparency.hash_tree import HashTree
from graph.transparency.kept_tiles import KeptTiles

SIZES = (1_000, 1_000_000)
PROOFS = 1_000
_RECENT = 1_000  # leaves at the right edge, which are those that receipts are about
_WRITTEN_AT_ONCE = 65_536  # leaves


async def measure_proofs(sizes: tuple[int, int] = SIZES, proofs: int = PROOFS, rounds: int = 3) -> dict[str, Any]:
    """Return the time of a proof in the large log ÷ in the small one: of recent entries, of any, and of these again.

    The large log's tiles are files, and most of those that any entry needs are not in memory the first time. Every
    proof is verified once, outside of the time. The best of the rounds counts.
    """
    small, large = [await _measure_size(size, proofs, rounds) for size in sizes]
    ratios = {name: round(large[name] / small[name], 3) for name in ("recent", "any", "again")}
    return {"leaves": list(sizes), "proofs": proofs, **ratios}


async def _measure_size(size: int, proofs: int, rounds: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        tree = HashTree()
        tiles = KeptTiles(_NoGraph(), ObjectFolder(Path(folder)), tree)
        for number in range(size):
            tree.append(_leaf(number))
            if number % _WRITTEN_AT_ONCE == 0:
                await tiles.write_full()
        await tiles.write_full()
        random = Random(size)
        times: dict[str, list[float]] = {"recent": [], "any": [], "again": []}
        for _ in range(rounds):
            recent = [random.randrange(size - _RECENT, size) for _ in range(proofs)]
            places = [random.randrange(size) for _ in range(proofs)]
            for name, asked in (("recent", recent), ("any", places), ("again", places)):
                times[name].append(await _time(tree, tiles, asked))
        return {name: min(taken) for name, taken in times.items()}


async def _time(tree: HashTree, tiles: KeptTiles, places: list[int]) -> float:
    started = time.perf_counter()
    found = [await tiles.compute(partial(inclusion_proof, place, tree.size, tree.hash_at)) for place in places]
    taken = time.perf_counter() - started
    root = await tiles.compute(partial(tree.root_at, tree.size))
    for place, proof in zip(places, found, strict=True):
        verify_inclusion(hash_leaf(_leaf(place)), place, tree.size, proof, root)
    return taken


def _leaf(number: int) -> bytes:
    """Return an entry of typical length, different for each number."""
    return _TEMPLATE.replace(b"%number%", b"%07d" % number)


class _NoGraph:
    """Stand-in for the graph that would rebuild a lost tile; no tile is lost here."""

    async def read(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Raise LookupError: the measurement stores all its tiles."""
        raise LookupError(f"{name} is not asked for where all tiles are kept")


_TEMPLATE = entry_bytes(
    LogEntry(
        log_index=0,
        v=ENTRY_VERSION,
        origin="urn:agent:a2ap-node:0123456789abcdef",
        type="ProvenanceStatement",
        id="urn:uuid:%number%",
        document_hash="sha256:" + "0" * 64,
        signed_hash="sha256:" + "1" * 64,
        agent="urn:agent:bench-0",
        key="urn:agent:bench-0#1",
        received_at=NOW,
    )
)
