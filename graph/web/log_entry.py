"""The page of a log entry: its members, its document, the path to the signed checkpoint, and checks in the browser."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from a2ap.log.log_proof import LogProof, read_log_proof
from graph.errors import NotFoundError
from graph.web.address import address_of
from graph.web.checkpoint import ShownCheckpoint
from graph.web.log_rows import content_address, type_words
from graph.web.merkle_path import drawing_of, path_of
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf, Twin

router = APIRouter(route_class=PageRoute, include_in_schema=False)

_LAST = 2**31 - 2  # GraphQL has integers of 32 bits


@router.get("/log/{index:int}")
async def log_entry(index: int, pages: PagesOf) -> Response:
    """Show the entry at an index of the log."""
    if index > _LAST or (pages.as_of is not None and index >= pages.as_of):
        raise NotFoundError(f"no log entry {index} is here")
    variables = {"from": index, "until": index + 1}
    data = await pages.ask("log_entry", **variables)
    if not data["logEntries"]["nodes"]:
        raise NotFoundError(f"no log entry {index} is here")
    (entry,) = data["logEntries"]["nodes"]
    agent = (await pages.ask("log_entry_keys", agent=entry["agent"]))["agent"]
    proof = read_log_proof(entry["proof"])
    checkpoint = ShownCheckpoint.of(proof.checkpoint_note)
    path = path_of(entry["entry"].encode(), index, checkpoint.size, proof.hashes)
    shown = {
        "log": data["log"],
        "entry": entry,
        "words": type_words(entry["type"]),
        "content": content_address(entry),
        "agent": agent or {"id": entry["agent"], "name": None},
        "document": address_of("messages", entry["documentHash"]),
        "checkpoint": checkpoint,
        "path": path,
        "drawing": drawing_of(path, index),
        "material": material_of(data["log"], entry, proof, agent),
    }
    twins = Twin.of(f"log/{index}", "JSON")
    return pages.render("log_entry", shown, query="log_entry", variables=variables, twins=twins)


def material_of(
    log: dict[str, Any], entry: dict[str, Any], proof: LogProof, agent: dict[str, Any] | None
) -> dict[str, Any]:
    """Return the texts that the page's script checks, with the keys that this node names."""
    head = entry["proof"].removesuffix(proof.checkpoint_note)
    return {
        "entry": entry["entry"],
        "proof": head,
        "checkpoint": proof.checkpoint_note,
        "logKey": log["key"],
        "successions": log["successions"],
        "witnesses": log["witnesses"],
        "agentKeys": [] if agent is None else agent["keys"],
    }
