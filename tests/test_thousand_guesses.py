"""A stranger who quotes a closed source with a thousand guesses learns nothing from what comes back.

The number in the source is one of five hundred. The stranger guesses each before the source is held and once more
afterwards, in a statement that is handed in over HTTP. What an interface then gives about a guess is the same for all,
but for its own names, times and places in the log: if it fell into groups, they would tell the right one.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from math import log2
from pathlib import Path
from typing import Any

import httpx
from builders import segment, sign, signed_source, statement_message
from http_client import ask, open_client
from scenario import AUTHOR, STRANGER, accept, pieces, settle
from servers import server_on

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from graph.store import Store

CLOSED = b"Minutes.\nThe offer is 417 euros.\nThe end.\n"
CLOSED_ID = "urn:doc:test:closed-offer"
RIGHT = 417
NUMBERS = range(100, 600)

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

Guess = tuple[int, str]


def guess(number: int, time: str) -> bytes:
    """Return a statement of the stranger's that quotes the closed source with this number."""
    there = segment(f"The offer is {RIGHT} euros.", source=CLOSED, source_id=CLOSED_ID)
    words = f"The offer is {number} euros."
    cited = there | {"quoteText": words, "contentHash": sha256_digest(words.encode())}
    return sign(statement_message(STRANGER, claim=f"An offer was made ({number}, {time}).", evidence=[cited]), STRANGER)


async def test_what_comes_back_about_a_thousand_guesses_is_the_same_for_right_and_wrong(
    store: Store, tmp_path: Path
) -> None:
    async with server_on(store, tmp_path) as platform, open_client(platform, tmp_path) as client:
        await settle(platform)
        await accept(
            platform, signed_source(AUTHOR, source=CLOSED, source_id=CLOSED_ID, boundary=Boundary.CONFIDENTIAL)
        )
        answers = await hand_in(client, "early")
        await platform.sources.put(sha256_digest(CLOSED), pieces(CLOSED))
        answers += await hand_in(client, "late")
        shown = await statements_of(client)
        names = names_of(shown)
        assert len(set(names.values())) == 2 * len(NUMBERS)
        told = {"receipts": answers, "graphql": list(map(json.dumps, shown))}
        async for interface, parts in everything(client, names):
            told[interface] = parts
    bits = {interface: bits_told(parts, names) for interface, parts in told.items()}
    assert bits == dict.fromkeys(told, 0.0)


async def hand_in(client: httpx.AsyncClient, time: str) -> list[str]:
    """Hand in each guess as nobody; return the answers, without proofs of places in the log."""
    body = b"\n".join(guess(number, time) for number in NUMBERS)
    answer = await client.post("/statements", content=body, headers={"content-type": "application/x-ndjson"})
    receipts = [json.loads(line) for line in answer.text.splitlines()]
    assert len(receipts) == len(NUMBERS)
    # A proof is as long as the log is at its time.
    return [json.dumps({name: value for name, value in one.items() if name != "proof"}) for one in receipts]


async def statements_of(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    """Return what GraphQL gives nobody of each statement."""
    found: list[dict[str, Any]] = []
    after = None
    while True:
        query = f"query ($after: String) {{ statements(first: 100, after: $after) {{ {_PAGE} nodes {{ {FIELDS} }} }} }}"
        page = (await ask(client, query, {"after": after}))["statements"]
        found += page["nodes"]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            return found


_PAGE = "pageInfo { endCursor hasNextPage }"


async def everything(client: httpx.AsyncClient, names: Mapping[str, Guess]) -> AsyncIterator[tuple[str, list[str]]]:
    """Yield the parts of what each other interface gives nobody."""
    for form in ("graph-ndjson", "log"):
        yield form, (await client.get("/export", params={"format": form})).text.splitlines()
    for text in TEXTS:
        answer = await client.post("/cypher", json={"text": text})
        yield text, [json.dumps(row) for row in answer.json()["rows"]]
    for words in ("offer", "euros"):
        answer = await client.get("/search", params={"q": words, "first": "200"})
        yield f"search for {words}", [json.dumps(hit) for hit in answer.json()["hits"]]
    hashes = [name for name in names if name.startswith("sha256:")]
    for start in range(0, len(hashes), 100):
        answer = await client.post("/messages/fetch", json={"hashes": hashes[start : start + 100]})
        yield f"messages from {start}", answer.text.splitlines()


def names_of(shown: Iterable[Mapping[str, Any]]) -> dict[str, Guess]:
    """Return the guess for each name of its statement and of the verdicts on it."""
    names: dict[str, Guess] = {}
    for statement in shown:
        said = re.search(r"\((\d+), (\w+)\)", statement["claimText"])
        assert said is not None
        for one in (statement, *statement["verifications"]):
            names |= dict.fromkeys((one["id"], one["signedHash"], one["documentHash"]), (int(said[1]), said[2]))
    return names


_NAME = re.compile(r"sha256:[0-9a-f]{64}|urn:uuid:[0-9a-f-]{36}")
_OWN = re.compile(
    r"\(\d+, "
    r"|[A-Za-z0-9:+/_-]{32,}=*"  # hashes, names and signatures
    r"|\d{4}-\d\d-\d\dT[0-9:.]+Z"
    r"|\b(?:log_?[iI]ndex|(?:statement_)?index|key)\W{1,4}\d+"
    r"|rank\W+\d+\W+score\W+[0-9.e-]+"
)


def bits_told(parts: Iterable[str], names: Mapping[str, Guess]) -> float:
    """Return how many bits about the guesses of one time are in parts of answers; parts about none count for all."""
    views: defaultdict[Guess, Counter[str]] = defaultdict(Counter)
    for part in parts:
        about = next((names[name] for name in _NAME.findall(part) if name in names), None)
        if about is not None:
            views[about][_OWN.sub("", part)] += 1
    groups = {(time, frozenset(view.items())) for (_, time), view in views.items()}
    return log2(len(groups)) - log2(len({time for time, _ in groups})) if groups else 0.0
