"""Guesses of what a closed source says, and what each interface gives nobody about them.

The parts of an answer are what it says of one thing each. A part is of the guess whose statement, or a verdict on it,
it names first.
"""

import asyncio
import json
import re
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from math import log2
from typing import Any

import httpx
from builders import segment, sign, signed_source, statement_message
from http_client import ask
from scenario import AUTHOR, STRANGER
from subscribing import streamed, until_quiet, with_readers

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.log.tiles import TILE_WIDTH, entries_path, read_entry_bundle
from graph.graphql.subscriptions.place import Place, write_place
from graph.platform import Platform

RIGHT = 417
_PATIENCE = 120.0  # seconds for the node to load what SPARQL reads

FIELDS = """
  id signedHash documentHash claimText confidence conflicted machineCheck sealedCheck machineReason evidenceState
  consensusScore verified status evidenceDecay { reason } corroboration { statements agents }
  consensus { score verified reasons published quorum ignored { reason } }
  citations { quote withheld relevanceScore chunk { text withheld } }
  verifications { id signedHash documentHash verdict machine reason confidence withheld
    findings { criterion status confidence evidence } }
"""
TEXTS = (
    "MATCH (s:Statement) RETURN s",
    "MATCH (v:Verification)-[:VALIDATES]->(s:Statement) RETURN s.statement_id AS id, v",
    "MATCH (s:Statement)-[c:CITES]->(k:Chunk) RETURN s.statement_id AS id, c, k",
)
SPARQL = "SELECT ?s ?p ?o WHERE { ?s ?p ?o FILTER(!isBlank(?s)) } LIMIT 9000"
SUBSCRIPTIONS = (
    f"subscription ($after: String) {{ verdicts(after: $after) {{ verdict confidence statement {{ {FIELDS} }} }} }}",
    """subscription ($after: String) { logGrowth(first: 200, after: $after) {
      entries { type signedHash documentHash id agent } } }""",
)

Guess = tuple[int, str]
Parts = tuple[str, list[str]]


def closed(name: str) -> bytes:
    """Return the bytes of a closed source."""
    return f"Minutes of {name}.\nThe offer is {RIGHT} euros.\nThe end.\n".encode()


def registered(name: str, retain_until: datetime | None = None) -> bytes:
    """Return the registration of a closed source."""
    where, boundary = f"urn:doc:test:{name}", Boundary.CONFIDENTIAL
    return signed_source(AUTHOR, source=closed(name), source_id=where, boundary=boundary, retain_until=retain_until)


def guess(name: str, number: int, time: str) -> bytes:
    """Return a statement of the stranger's that quotes a closed source with this number."""
    there = segment(f"The offer is {RIGHT} euros.", source=closed(name), source_id=f"urn:doc:test:{name}")
    words = f"The offer is {number} euros."
    cited = there | {"quoteText": words, "contentHash": sha256_digest(words.encode())}
    return sign(statement_message(STRANGER, claim=f"An offer was made ({number}, {time}).", evidence=[cited]), STRANGER)


async def hand_in(client: httpx.AsyncClient, name: str, numbers: Sequence[int], time: str) -> list[str]:
    """Hand in each guess of a source as nobody; return the answers, without proofs of places in the log."""
    body = b"\n".join(guess(name, number, time) for number in numbers)
    answer = await client.post("/statements", content=body, headers={"content-type": "application/x-ndjson"})
    receipts = [json.loads(line) for line in answer.text.splitlines()]
    assert len(receipts) == len(numbers)
    # A proof is as long as the log is at its time.
    return [json.dumps({name: value for name, value in one.items() if name != "proof"}) for one in receipts]


async def statements_of(client: httpx.AsyncClient, size: int | None = None) -> list[dict[str, Any]]:
    """Return what GraphQL gives nobody of each statement, as of a size of the log."""
    found: list[dict[str, Any]] = []
    past = f", asOf: {{ logSize: {size} }}" if size is not None else ""
    after = None
    while True:
        page_of = f"statements(first: 100, after: $after{past}) {{ {_PAGE} nodes {{ {FIELDS} }} }}"
        page = (await ask(client, f"query ($after: String) {{ {page_of} }}", {"after": after}))["statements"]
        found += page["nodes"]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            return found


_PAGE = "pageInfo { endCursor hasNextPage }"


def names_of(shown: Iterable[Mapping[str, Any]]) -> dict[str, Guess]:
    """Return the guess for each name of its statement and of the verdicts on it."""
    names: dict[str, Guess] = {}
    for statement in shown:
        said = re.search(r"\((\d+), (\w+)\)", statement["claimText"])
        if said is None:
            continue
        for one in (statement, *statement["verifications"]):
            names |= dict.fromkeys((one["id"], one["signedHash"], one["documentHash"]), (int(said[1]), said[2]))
    return names


async def everything(
    client: httpx.AsyncClient, shown: Sequence[Mapping[str, Any]], some: Iterable[int]
) -> AsyncIterator[Parts]:
    """Yield the parts of what each interface gives nobody about the statements that GraphQL has shown.

    Where an interface is asked about one at a time, it is about some guesses alone.
    """
    yield "graphql", list(map(json.dumps, shown))
    for form in ("graph-ndjson", "log"):
        yield form, (await client.get("/export", params={"format": form})).text.splitlines()
    for text in TEXTS:
        answer = await client.post("/cypher", json={"text": text})
        yield text, [json.dumps(row) for row in answer.json()["rows"]]
    hits = [(await client.get("/search", params={"q": str(number)})).json()["hits"] for number in some]
    yield "search", [json.dumps(hit) for found in hits for hit in found]
    hashes = [one["documentHash"] for statement in shown for one in (statement, *statement["verifications"])]
    several = [hashes[start : start + 200] for start in range(0, len(hashes), 200)]
    messages = [(await client.post("/messages/fetch", json={"hashes": one})).text for one in several]
    yield "messages", [line for text in messages for line in text.splitlines()]
    yield "tiles", [leaf async for leaf in _leaves(client)]
    asked = [one["signedHash"] for one in shown if any(f"({number}, " in one["claimText"] for number in some)]
    yield "bundles", [await _bundle(client, name) for name in asked]


async def sparql(client: httpx.AsyncClient) -> list[str]:
    """Return what SPARQL gives nobody of each thing that has a name, once the log is loaded."""
    async with asyncio.timeout(_PATIENCE):
        while True:
            answer = await client.get("/sparql", params={"query": SPARQL}, headers={"accept": "text/csv"})
            if answer.status_code != 503:
                return answer.text.splitlines()
            await asyncio.sleep(0.2)


async def _leaves(client: httpx.AsyncClient) -> AsyncIterator[str]:
    """Yield the leaves of the log."""
    size = (await ask(client, "{ log { size } }"))["log"]["size"]
    for index in range(-(-size // TILE_WIDTH)):
        path = entries_path(index, min(TILE_WIDTH, size - index * TILE_WIDTH))
        for leaf in read_entry_bundle((await client.get(f"/log/{path}")).content):
            yield leaf.decode()


async def _bundle(client: httpx.AsyncClient, name: str) -> str:
    """Return the answer that refuses the bundle of a statement, which would have the words of a closed source."""
    answer = await client.get(f"/statements/{name}/bundle")
    assert answer.status_code == 403, answer.text
    return f"{name} {answer.text}"


async def events(platform: Platform, size: int) -> AsyncIterator[Parts]:
    """Yield what nobody's subscriptions give of the log from a size on."""
    start = {"after": write_place(platform.log.origin, Place(size))}
    async with with_readers(platform) as address:

        async def told(query: str) -> list[dict[str, Any]]:
            async with streamed(address, query, start, method="POST") as blocks:
                return [one.told async for one in until_quiet(blocks, _QUIET) if one.data]

        verdicts, growth = await asyncio.gather(*map(told, SUBSCRIPTIONS))
    yield "verdicts", list(map(json.dumps, verdicts))
    yield "log growth", [json.dumps(entry) for event in growth for entry in event["entries"]]


_QUIET = 3.0  # seconds without an event, after which a subscription has nothing more
_NAME = re.compile(r"sha256:[0-9a-f]{64}|urn:uuid:[0-9a-f-]{36}")
_OWN = re.compile(
    r"\(\d+, "
    r"|[A-Za-z0-9:+/_-]{32,}=*"  # hashes, names and signatures
    r"|\d{4}-\d\d-\d\dT[0-9:.]+Z"
    r"|\b(?:log_?[iI]ndex|(?:statement_)?index|key)\W{1,4}\d+"
    r"|rank\W+\d+\W+score\W+[0-9.e-]+"
)
"""What each guess has of its own: its number in the claim, names, times, places in the log, and ranks."""


def bits_told(parts: Iterable[str], names: Mapping[str, Guess]) -> float:
    """Return how many bits about the guesses of one time are in parts of answers, which name right and wrong ones."""
    views: defaultdict[Guess, Counter[str]] = defaultdict(Counter)
    for part in parts:
        about = next((names[name] for name in _NAME.findall(part) if name in names), None)
        if about is not None:
            views[about][_OWN.sub("", part)] += 1
    compared = {time for number, time in views if number == RIGHT} & {time for number, time in views if number != RIGHT}
    assert compared, "no right guess is there with wrong ones"
    groups = {(time, frozenset(view.items())) for (_, time), view in views.items()}
    return log2(len(groups)) - log2(len({time for time, _ in groups}))
