"""The lists of GraphQL in one world that has everything: narrowed, ordered, turned page by page, on both engines."""

import base64
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from builders import (
    SOURCE,
    SOURCE_ID,
    TIME,
    agent_id,
    gold_label_message,
    signed_answer,
    signed_deactivation,
    signed_decline,
    signed_gold_dispute,
    signed_registration,
    signed_request,
    signed_response,
    signed_source,
    signed_statement,
)
from export_world import everything
from graph_contents import run_raw
from http_client import OPERATOR, READERS, ask, open_client, send
from packs import pack
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.verification_response import Verdict
from graph.content.content_store import open_content_store
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings

MEMO = b"The board met behind closed doors."
MEMO_ID = "urn:doc:test:closed"
LEAVING = 44
DISPUTED = signed_statement(1, claim="Claim number 1.")
"""What is asked about, challenged and labelled, and by more than one each time."""

Client = httpx.AsyncClient
Row = dict[str, Any]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def platform(_session_store: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Platform]:
    """A platform with messages of every type, an agent of many statements, and a source that few may read."""
    store, _ = _session_store
    await run_raw(store, "MATCH (n) DETACH DELETE n")
    settings = Settings(data=tmp_path_factory.mktemp("node"))
    async with platform_on(
        store, open_content_store(settings), load_node(settings.data / "node.key"), settings
    ) as platform:
        await everything(platform)
        await accept(
            platform,
            signed_source(
                AUTHOR, source=MEMO, source_id=MEMO_ID, boundary=Boundary.CONFIDENTIAL, title="Closed session"
            ),
            *(signed_statement(AUTHOR, claim=f"Claim number {number}.") for number in range(5)),
            signed_statement(AUTHOR, claim="Claim number 5.", time=TIME + timedelta(days=9)),
            signed_source(AUTHOR, source=b"Anybody may use it.", source_id="urn:doc:test:free", licence="CC0"),
            signed_registration(LEAVING),
        )
        agreed = signed_statement(AUTHOR, claim="Claim number 0.")
        await accept(platform, *(signed_response(agreed, seed) for seed in (VERIFIER_A, VERIFIER_B)))
        await quarrel(platform)
        await accept(platform, signed_deactivation(LEAVING))
        yield platform


async def quarrel(platform: Platform) -> None:
    """Have one statement asked about and declined, challenged and defended, labelled and disputed, by several."""
    node, others = platform.node, (VERIFIER_A, VERIFIER_B, STRANGER)
    request = signed_request(DISPUTED, AUTHOR)
    challenge = signed_response(DISPUTED, VERIFIER_B, verdict=Verdict.CHALLENGED)
    label = node.sign(gold_label_message(DISPUTED, labelling_agent=node.agent_id)).envelope.received
    await accept(platform, request, challenge, label)
    await accept(platform, *(signed_decline(request, seed) for seed in others))
    await accept(platform, *(signed_answer(challenge, AUTHOR, text=f"Look at page {page}.") for page in range(3)))
    await accept(platform, *(signed_gold_dispute(label, seed) for seed in others))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def client(platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    async with open_client(platform, tmp_path_factory.mktemp("client")) as client:
        yield client


async def listed(client: Client, field: str, arguments: str = "", fields: str = "globalId", **variables: Any) -> Row:
    """Return a page of a root list."""
    inside = f"({arguments})" if arguments else ""
    token = variables.pop("token", OPERATOR)
    query = f"""{{ {field}{inside} {{ totalCount nodes {{ {fields} }} edges {{ cursor node {{ {fields} }} }}
      pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }} }}"""
    found: Row = (await ask(client, query, token=token))[field]
    assert found["nodes"] == [edge["node"] for edge in found["edges"]]
    return found


async def whole(client: Client, field: str, arguments: str = "", fields: str = "globalId", **variables: Any) -> Any:
    """Return all that is on a list."""
    found = await listed(client, field, ", ".join(filter(None, ["first: 200", arguments])), fields, **variables)
    assert not found["pageInfo"]["hasNextPage"] and found["totalCount"] == len(found["nodes"])
    return found["nodes"]


def ordered(field: str) -> str:
    return f"orderBy: {{field: {field}, direction: %s}}"


FIRST = hash_of(signed_statement(AUTHOR))
LISTS = [
    ("statements", ordered("LOG_INDEX"), "globalId"),
    ("statements", ordered("GENERATED_AT"), "globalId"),
    ("statements", ordered("SCORE"), "globalId"),
    ("statements", ordered("CONFIDENCE") + f', filter: {{agent: "{agent_id(AUTHOR)}"}}', "globalId"),
    ("statements", ordered("LOG_INDEX") + f', filter: {{agent: "{agent_id(AUTHOR)}"}}', "globalId"),
    ("statements", ordered("LOG_INDEX") + f', filter: {{source: "{SOURCE_ID}"}}', "globalId"),
    ("statements", ordered("LOG_INDEX") + ', filter: {topic: "claim"}', "globalId"),
    ("statements", ordered("LOG_INDEX") + ", filter: {maxScore: 0.5}", "globalId"),
    ("agents", ordered("LOG_INDEX"), "globalId"),
    ("agents", ordered("NAME"), "globalId"),
    ("agents", ordered("REPUTATION"), "globalId"),
    ("verifications", ordered("LOG_INDEX"), "globalId"),
    pytest.param("verifications", ordered("VERIFIED_AT"), "globalId", marks=pytest.mark.both_engines),
    ("verifications", ordered("CONFIDENCE") + f', filter: {{agent: "{agent_id(VERIFIER_A)}"}}', "globalId"),
    ("documents", ordered("HASH"), "globalId"),
    ("documents", ordered("TITLE"), "globalId"),
    ("documents", ordered("BYTE_LENGTH"), "globalId"),
    ("documents", ordered("REGISTERED"), "globalId"),
    ("logEntries", ordered("LOG_INDEX"), "globalId"),
    ("logEntries", ordered("LOG_INDEX") + f', filter: {{agent: "{agent_id(AUTHOR)}"}}', "globalId"),
    ("logEntries", ordered("RECEIVED_AT"), "globalId"),
    ("logEntries", ordered("ORIGIN_RECEIVED_AT") + f', filter: {{agent: "{agent_id(AUTHOR)}"}}', "globalId"),
    ("passports", ordered("LOG_INDEX"), "globalId"),
    ("passports", ordered("EVENT_TIME"), "globalId"),
    ("packs", ordered("LOG_INDEX"), "globalId"),
    ("packs", ordered("CREATED"), "globalId"),
    ("packets", ordered("LOG_INDEX"), "globalId"),
    ("packets", ordered("CREATED_AT"), "globalId"),
    ("packets", ordered("EXPIRES_AT"), "globalId"),
    ("openRequests", "direction: %s", "globalId"),
    ("epochs", "direction: %s", "signedHash"),
    ("agreements", "direction: %s", "agents { id }"),
    ("agreements", f'direction: %s, filter: {{agent: "{agent_id(VERIFIER_A)}"}}', "agents { id }"),
    ("contradictions", f'{ordered("WEIGHT")}, topic: "limit"', "id"),
    ("contradictions", f'{ordered("LOG_INDEX")}, topic: "limit"', "id"),
    ("consensusTimeline", f'direction: %s, statementId: "{FIRST}"', "verification { signedHash }"),
]


@pytest.mark.parametrize(("field", "arguments", "fields"), LISTS)
async def test_every_page_size_walks_the_whole_list(client: Client, field: str, arguments: str, fields: str) -> None:
    expected = await whole(client, field, arguments.replace("%s", "DESC"), fields)
    assert expected
    assert len({str(node) for node in expected}) == len(expected)
    if "%s" in arguments:
        assert await whole(client, field, arguments.replace("%s", "ASC"), fields) == expected[::-1]
    for size, forward in ((1 + len(expected) // 3, True), (1 + len(expected) // 2, False)):
        assert await walked(client, field, arguments.replace("%s", "DESC"), fields, size, forward) == expected


async def walked(client: Client, field: str, arguments: str, fields: str, size: int, forward: bool) -> list[Row]:
    found: list[Row] = []
    place = ""
    while True:
        asked = [arguments, f"{'first' if forward else 'last'}: {size}", place]
        page = await listed(client, field, ", ".join(filter(None, asked)), fields)
        found = found + page["nodes"] if forward else page["nodes"] + found
        info = page["pageInfo"]
        if not info["hasNextPage" if forward else "hasPreviousPage"]:
            return found
        place = f'after: "{info["endCursor"]}"' if forward else f'before: "{info["startCursor"]}"'


STATEMENT = """globalId signedHash logIndex claimText generatedBy { id } verified consensusScore status generatedAt
  evidence { document { id hash } }"""
VERDICT = "globalId logIndex verdict machine agent { id } statement { signedHash } findings { criterion } verifiedAt"
AGENT = "globalId name version publisher capabilities deactivatedAt membership { family { id } }"
DOCUMENT = "globalId id hash licence mediaType boundary held registered sources { publisher }"
ENTRY = "globalId logIndex type agent origin receivedAt"
EPOCH = "signedHash logIndex logSize policyHash method issuedAt"


def nothing(one: Row) -> bool:
    return False


FILTERS: list[tuple[str, str, str, Callable[[Row], bool]]] = [
    ("statements", STATEMENT, f'agent: "{agent_id(STRANGER)}"', lambda one: one["generatedBy"]["id"] == agent_id(21)),
    ("statements", STATEMENT, "verified: true", lambda one: one["verified"]),
    ("statements", STATEMENT, "verified: false", lambda one: not one["verified"]),
    ("statements", STATEMENT, "minScore: 0.001", lambda one: one["consensusScore"] >= 0.001),
    ("statements", STATEMENT, "maxScore: 0.001", lambda one: one["consensusScore"] <= 0.001),
    ("statements", STATEMENT, "status: [RETRACTED]", lambda one: one["status"] == "RETRACTED"),
    (
        "statements",
        STATEMENT,
        "status: [SUPERSEDED, CURRENT]",
        lambda one: one["status"] in ("SUPERSEDED", "CURRENT"),
    ),
    ("statements", STATEMENT, "logFrom: 20, logUntil: 60", lambda one: 20 <= one["logIndex"] < 60),
    ("statements", STATEMENT, "logFrom: 100000", nothing),
    ("statements", STATEMENT, 'generatedFrom: "2025-10-15T00:00:00Z"', lambda one: one["generatedAt"] >= "2025-10-15"),
    ("statements", STATEMENT, 'generatedUntil: "2025-10-15T00:00:00Z"', lambda one: one["generatedAt"] < "2025-10-15"),
    (
        "statements",
        STATEMENT,
        f'source: "{sha256_digest(SOURCE)}"',
        lambda one: any(chunk["document"]["hash"] == sha256_digest(SOURCE) for chunk in one["evidence"]),
    ),
    (
        "statements",
        STATEMENT,
        f'source: "urn:doc:test:elsewhere", agent: "{agent_id(STRANGER)}"',
        lambda one: any(chunk["document"]["id"] == "urn:doc:test:elsewhere" for chunk in one["evidence"]),
    ),
    (
        "statements",
        STATEMENT,
        f'topic: "claim number", agent: "{agent_id(AUTHOR)}", verified: false',
        lambda one: one["claimText"].startswith("Claim number") and not one["verified"],
    ),
    ("statements", STATEMENT, 'topic: "claim number", source: "urn:doc:test:elsewhere"', nothing),
    (
        "statements",
        STATEMENT,
        'subject: "It keeps ninety feet."',
        lambda one: one["claimText"].startswith("It keeps"),
    ),
    ("statements", STATEMENT, 'subject: "?"', nothing),
    ("verifications", VERDICT, f'agent: "{agent_id(VERIFIER_A)}"', lambda one: one["agent"]["id"] == agent_id(2)),
    ("verifications", VERDICT, f'statement: "{FIRST}"', lambda one: one["statement"]["signedHash"] == FIRST),
    (
        "verifications",
        VERDICT,
        f'statement: "{FIRST}", agent: "{agent_id(VERIFIER_A)}"',
        lambda one: (one["statement"]["signedHash"], one["agent"]["id"]) == (FIRST, agent_id(2)),
    ),
    ("verifications", VERDICT, "verdict: [CHALLENGED]", lambda one: one["verdict"] == "CHALLENGED"),
    ("verifications", VERDICT, "machine: false", lambda one: not one["machine"]),
    ("verifications", VERDICT, 'verifiedFrom: "2025-10-15T00:00:00Z"', lambda one: one["verifiedAt"] >= "2025-10-15"),
    ("verifications", VERDICT, "logFrom: 20, logUntil: 60", lambda one: 20 <= one["logIndex"] < 60),
    (
        "verifications",
        VERDICT,
        'criterion: "logical-consistency"',
        lambda one: any(found["criterion"] == "logical-consistency" for found in one["findings"]),
    ),
    ("agents", AGENT, 'capability: "reasoning"', lambda one: "reasoning" in one["capabilities"]),
    ("agents", AGENT, 'publisher: "Test publisher"', lambda one: one["publisher"] == "Test publisher"),
    ("agents", AGENT, 'version: "1", active: true', lambda one: one["version"] == "1" and not one["deactivatedAt"]),
    ("agents", AGENT, "active: false", lambda one: one["deactivatedAt"] is not None),
    ("agents", AGENT, 'name: "Test agent 1"', lambda one: one["name"] == "Test agent 1"),
    (
        "agents",
        AGENT,
        'family: "urn:agent:test"',
        lambda one: one["membership"] is not None and one["membership"]["family"]["id"] == "urn:agent:test",
    ),
    ("documents", DOCUMENT, f'name: "{SOURCE_ID}"', lambda one: one["hash"] == sha256_digest(SOURCE)),
    (
        "documents",
        DOCUMENT,
        'publisher: "City clerk"',
        lambda one: any(found["publisher"] == "City clerk" for found in one["sources"]),
    ),
    ("documents", DOCUMENT, 'mediaType: "text/vtt"', lambda one: one["mediaType"] == "text/vtt"),
    ("documents", DOCUMENT, 'boundary: ["confidential"]', lambda one: one["boundary"] == "confidential"),
    ("documents", DOCUMENT, "held: true, registered: true", lambda one: one["held"] and one["registered"]),
    ("documents", DOCUMENT, 'licence: "CC0"', lambda one: one["licence"] == "CC0"),
    ("logEntries", ENTRY, 'type: ["Policy", "Endorsement"]', lambda one: one["type"] in ("Policy", "Endorsement")),
    (
        "logEntries",
        ENTRY,
        f'agent: "{agent_id(AUTHOR)}", logFrom: 9',
        lambda one: one["agent"] == agent_id(AUTHOR) and one["logIndex"] >= 9,
    ),
    ("logEntries", ENTRY, 'origin: "NODE"', lambda one: one["origin"] == "NODE"),
    ("logEntries", ENTRY, 'origin: "elsewhere"', nothing),
    ("logEntries", ENTRY, 'receivedFrom: "2025-01-01T00:00:00Z"', lambda one: one["receivedAt"] >= "2025"),
    ("logEntries", ENTRY, f'receivedUntil: "2025-01-01T00:00:00Z", agent: "{agent_id(AUTHOR)}"', nothing),
    ("epochs", EPOCH, "minLogSize: 1, maxLogSize: 100000", lambda one: 1 <= one["logSize"] <= 100_000),
    ("epochs", EPOCH, "maxLogSize: 1", nothing),
    ("epochs", EPOCH, 'method: "elsewhere"', nothing),
    ("epochs", EPOCH, "logFrom: 1, logUntil: 100000", lambda one: 1 <= one["logIndex"] < 100_000),
    ("epochs", EPOCH, "logUntil: 1", nothing),
    ("epochs", EPOCH, f'policy: "{FIRST}"', nothing),
    ("epochs", EPOCH, 'issuedFrom: "2025-01-01T00:00:00Z"', lambda one: one["issuedAt"] >= "2025"),
    ("epochs", EPOCH, 'issuedUntil: "2025-01-01T00:00:00Z"', nothing),
    (
        "agreements",
        "agreements agents { id }",
        f'agent: "{agent_id(VERIFIER_A)}"',
        lambda one: {"id": agent_id(VERIFIER_A)} in one["agents"],
    ),
    ("agreements", "agreements agents { id }", "minAgreements: 2", lambda one: one["agreements"] >= 2),
    ("agreements", "agreements agents { id }", 'agent: "urn:agent:nobody"', nothing),
    ("passports", "globalId eventType", 'event: "fork"', lambda one: one["eventType"] == "fork"),
    ("passports", "globalId branchKey", 'branch: "main"', lambda one: one["branchKey"] == "main"),
    ("passports", "globalId agentId", 'agent: "urn:agent:r"', lambda one: one["agentId"] == "urn:agent:r"),
    ("passports", "globalId traceId", 'trace: "trc_test"', lambda one: one["traceId"] == "trc_test"),
    ("packs", "globalId model", 'model: "gpt-4"', lambda one: one["model"] == "gpt-4"),
    ("packs", "globalId parent", f'parent: "{pack().hash}"', lambda one: one["parent"] == pack().hash),
    ("packets", "globalId level", 'level: ["CP-Core"]', lambda one: one["level"] == "CP-Core"),
    (
        "packets",
        "globalId recipientId",
        'recipient: "urn:agent:reader"',
        lambda one: one["recipientId"] == "urn:agent:reader",
    ),
    ("packets", "globalId packetType", 'packetType: "research"', lambda one: one["packetType"] == "research"),
    (
        "openRequests",
        "globalId criteria",
        'criteria: ["source-accuracy"]',
        lambda one: "source-accuracy" in one["criteria"],
    ),
    (
        "openRequests",
        "globalId agent { id }",
        f'requester: "{agent_id(STRANGER)}"',
        lambda one: one["agent"]["id"] == agent_id(STRANGER),
    ),
    (
        "openRequests",
        "globalId eligibleVerifiers",
        'verifier: "urn:agent:nobody"',
        lambda one: one["eligibleVerifiers"] is None,
    ),
]


@pytest.mark.both_engines
@pytest.mark.parametrize(("field", "fields", "filter", "holds"), FILTERS)
async def test_a_filter_leaves_what_it_says(
    platform: Platform, client: Client, field: str, fields: str, filter: str, holds: Callable[[Row], bool]
) -> None:
    node = platform.node.agent_id
    unfiltered = await whole(client, field, "", fields)
    found = await whole(client, field, f"filter: {{{filter.replace('NODE', node)}}}", fields)
    assert found == [
        one for one in unfiltered if holds({**one, "origin": "NODE"} if one.get("origin") == node else one)
    ]
    assert found or holds is nothing, "a filter that finds nothing is held to nothing"


def moment(text: str | None) -> datetime:
    """Return the moment that a text names; what names none is older than all."""
    return datetime.min.replace(tzinfo=UTC) if text is None else datetime.fromisoformat(text)


def later(dispute: Row) -> int:
    places: list[int] = [side["statement"]["logIndex"] for side in dispute["sides"]]
    return max(places)


ORDERS: list[tuple[str, str, str, Callable[[Row], Any]]] = [
    ("documents", "TITLE", "title", lambda one: one["title"] or ""),
    ("documents", "BYTE_LENGTH", "byteLength", lambda one: -1 if one["byteLength"] is None else one["byteLength"]),
    ("logEntries", "RECEIVED_AT", "receivedAt", lambda one: moment(one["receivedAt"])),
    ("logEntries", "ORIGIN_RECEIVED_AT", "receivedAt", lambda one: moment(one["receivedAt"])),
    ("passports", "EVENT_TIME", "eventTime", lambda one: moment(one["eventTime"])),
    ("packs", "CREATED", "created", lambda one: moment(one["created"])),
    ("packets", "CREATED_AT", "createdAt", lambda one: one["createdAt"] or ""),
    ("packets", "EXPIRES_AT", "expiresAt", lambda one: one["expiresAt"] or ""),
    ("contradictions", "LOG_INDEX", "sides { statement { logIndex } }", later),
]


@pytest.mark.both_engines
@pytest.mark.parametrize(("field", "order", "fields", "value"), ORDERS)
async def test_an_order_is_one_of_what_its_reader_sees(
    client: Client, field: str, order: str, fields: str, value: Callable[[Row], Any]
) -> None:
    # What a withheld word would be is not told by where its entry stands, nor by the cursor of it.
    arguments = f"first: 200, orderBy: {{field: {order}, direction: ASC}}"
    if field == "contradictions":
        arguments += ', topic: "limit"'
    for token in (OPERATOR, None) if field in ("documents", "packets") else (OPERATOR,):
        page = await listed(client, field, arguments, fields, token=token)
        values = [value(one) for one in page["nodes"]]
        assert values and values == sorted(values)
        if isinstance(values[0], str):
            assert [key_in(edge["cursor"])[0] for edge in page["edges"]] == [one[:200] for one in values]


def key_in(cursor: str) -> list[Any]:
    _, _, *key = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    return list(key)


async def test_the_contradictions_are_narrowed(client: Client) -> None:
    fields = "id state declaredBy { id } detected { ground }"
    found = await whole(client, "contradictions", 'topic: "limit"', fields)
    for filter, holds in (
        ("state: [OPEN, WITHDRAWN]", lambda one: one["state"] in ("OPEN", "WITHDRAWN")),
        ("state: []", nothing),
        ("declared: true", lambda one: one["declaredBy"]),
        ("declared: false", lambda one: not one["declaredBy"]),
        ("ground: [AMOUNT]", lambda one: one["detected"] and one["detected"]["ground"] == "AMOUNT"),
    ):
        narrowed = await whole(client, "contradictions", f'topic: "limit", filter: {{{filter}}}', fields)
        assert narrowed == [one for one in found if holds(one)]


@pytest.mark.both_engines
async def test_everything_is_found_by_its_global_id(client: Client) -> None:
    lists = ("statements", "agents", "verifications", "documents", "logEntries", "passports", "packs", "packets")
    ids = [one["globalId"] for field in (*lists, "openRequests") for one in (await whole(client, field))[:5]]
    more = await ask(
        client,
        '{ statements(first: 1) { nodes { evidence { globalId } } } agentFamily(id: "urn:agent:test") { globalId } }',
    )
    ids += [more["statements"]["nodes"][0]["evidence"][0]["globalId"], more["agentFamily"]["globalId"]]
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename globalId } }"
    found = (await ask(client, query, {"ids": ids}, token=OPERATOR))["nodes"]
    assert [one["globalId"] for one in found] == ids
    assert len({one["__typename"] for one in found}) == 11
    query = "query ($id: ID!) { node(id: $id) { globalId ... on Statement { claimText } } }"
    assert (await ask(client, query, {"id": ids[0]}))["node"]["globalId"] == ids[0]
    passport = (await whole(client, "passports", fields="id recordHash"))[0]
    named = await ask(client, "query ($id: ID!) { passport(id: $id) { id recordHash } }", {"id": passport["id"]})
    assert named == {"passport": passport}
    nobody = await ask(client, query, {"id": "QWdlbnQ6bm9ib2R5"})
    assert nobody == {"node": None}
    for wrong in ("?", "QWdlbnQ6bm9ib2R5=", "UXVlcnk6eA"):
        (error,) = (await send(client, query, {"id": wrong}))["errors"]
        assert (error["message"], error["extensions"]["path"]) == ("id is no globalId of this node", "id")


async def test_a_cursor_is_good_for_one_list_alone(client: Client) -> None:
    cursor = (await listed(client, "statements", "first: 1"))["pageInfo"]["endCursor"]
    others = [f"{field}(orderBy: {{field: {order}}})" for field, order, *_ in ORDERS if field != "contradictions"]
    others += ["epochs", "agreements", f'consensusTimeline(statementId: "{FIRST}")', 'contradictions(topic: "limit")']
    for field in ("verifications", "logEntries", "statements(orderBy: {field: SCORE})", *others):
        name, _, inside = field.rstrip(")").partition("(")
        arguments = ", ".join(filter(None, [inside, f'after: "{cursor}"']))
        (error,) = (await send(client, f"{{ {name}({arguments}) {{ nodes {{ __typename }} }} }}"))["errors"]
        assert error["extensions"] == {"code": "INVALID_INPUT", "path": "after"}
        assert error["message"].startswith("after is a cursor of statements by LOG_INDEX DESC, not of")


async def test_a_statement_handed_in_meanwhile_moves_nothing(platform: Platform, client: Client) -> None:
    first = await listed(client, "statements", "first: 3")
    rest = f'first: 200, after: "{first["pageInfo"]["endCursor"]}"'
    before = (await listed(client, "statements", rest))["nodes"]
    newest = signed_statement(STRANGER, claim="It came later.")
    await accept(platform, newest)
    assert (await listed(client, "statements", rest))["nodes"] == before
    ahead = await listed(client, "statements", f'last: 1, before: "{first["pageInfo"]["startCursor"]}"', "signedHash")
    assert ahead["nodes"] == [{"signedHash": hash_of(newest)}]


NESTED = """{ agents(first: 10) { nodes {
    statements { globalId } statementsConnection(first: 20) { totalCount nodes { globalId } }
    oldest: statementsConnection(direction: ASC, last: 20) { nodes { globalId } }
    verifications { globalId } verificationsConnection(first: 20) { totalCount nodes { globalId } } } }
  statements(first: 20) { nodes {
    verifications { globalId } verificationsConnection(first: 20) { totalCount nodes { globalId } }
    evidence { citedBy { globalId } citedByConnection(first: 20) { totalCount nodes { globalId } } } } } }"""


@pytest.mark.both_engines
async def test_what_an_object_has_is_a_list_and_a_connection(platform: Platform, client: Client) -> None:
    queries: list[str] = []
    platform.store.observe = queries.append
    found = await ask(client, NESTED, token=OPERATOR)
    platform.store.observe = None
    # Each relation is read once for the lists, once for the pages, and the statements once from their other end.
    assert max(Counter(queries).values()) <= 3, Counter(queries)
    agents, statements = found["agents"]["nodes"], found["statements"]["nodes"]
    pairs = [(one["statements"], one["statementsConnection"]) for one in agents]
    pairs += [(one["verifications"], one["verificationsConnection"]) for one in (*agents, *statements)]
    chunks = [chunk for one in statements for chunk in one["evidence"]]
    pairs += [(one["citedBy"], one["citedByConnection"]) for one in chunks]
    assert len(pairs) > 40
    assert all((page["nodes"], page["totalCount"]) == (one[:20], len(one)) for one, page in pairs)
    assert all(one["oldest"]["nodes"] == one["statements"][:20][::-1] for one in agents)


async def test_a_page_within_an_object_is_turned(client: Client) -> None:
    query = """query ($id: ID!, $after: String) { agent(id: $id) { statementsConnection(first: 4, after: $after) {
      nodes { globalId } pageInfo { hasNextPage endCursor } } } }"""
    expected = await whole(client, "statements", f'filter: {{agent: "{agent_id(AUTHOR)}"}}')
    found, after, more = [], None, True
    while more:
        page = (await ask(client, query, {"id": agent_id(AUTHOR), "after": after}))["agent"]["statementsConnection"]
        found += page["nodes"]
        more, after = page["pageInfo"]["hasNextPage"], page["pageInfo"]["endCursor"]
    assert found == expected


WITHIN = [
    (f'statement(id: "{FIRST}")', "challenges", "id"),
    (f'statement(id: "{FIRST}")', "verificationRequests", "id"),
    (f'statement(id: "{FIRST}")', "supportedBy", "id"),
    (f'statement(id: "{FIRST}")', "contradictedBy", "id"),
    (f'statement(id: "{FIRST}")', "revisedBy", "id"),
    (f'statement(id: "{FIRST}")', "contradictions", "id"),
    ('agentFamily(id: "urn:agent:test")', "versions", "agent { id }"),
    (f'lineage(statementId: "{FIRST}")', "events", "kind name"),
    (f'blastRadius(source: "{SOURCE_ID}")', "items", "kind name"),
    (f'blastRadius(agent: "{agent_id(AUTHOR)}")', "items", "kind name"),
    (f'statement(id: "{hash_of(DISPUTED)}") {{ verificationRequests {{ nodes', "declines", "id agent { id }"),
    (f'statement(id: "{hash_of(DISPUTED)}") {{ challenges {{ nodes', "answers", "id text"),
    (f'statement(id: "{hash_of(DISPUTED)}") {{ goldLabels', "disputes", "id agent { id }"),
]


@pytest.mark.parametrize(("parent", "field", "fields"), WITHIN)
async def test_what_an_object_has_is_walked_both_ways(client: Client, parent: str, field: str, fields: str) -> None:
    async def page(arguments: str) -> Row:
        query = (
            f"""{{ {parent} {{ {field}({arguments}) {{ totalCount nodes {{ {fields} }}
          pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }} }} }}"""
            + " }" * parent.count("{")
        )
        found: Any = await ask(client, query, token=OPERATOR)
        while isinstance(found, list) or field not in found:
            (found,) = found if isinstance(found, list) else found.values()
        return found[field]  # type: ignore[no-any-return]

    expected = await page("first: 200")
    size = 1 + len(expected["nodes"]) // 3
    assert expected["nodes"] and expected["totalCount"] == len(expected["nodes"])
    forward: list[Row] = []
    backward: list[Row] = []
    place = ""
    while True:
        found = await page(f"first: {size}{place}")
        forward += found["nodes"]
        if not found["pageInfo"]["hasNextPage"]:
            break
        place = f', after: "{found["pageInfo"]["endCursor"]}"'
    place = ""
    while True:
        found = await page(f"last: {size}{place}")
        backward = found["nodes"] + backward
        if not found["pageInfo"]["hasPreviousPage"]:
            break
        place = f', before: "{found["pageInfo"]["startCursor"]}"'
    assert forward == backward == expected["nodes"]


async def test_the_chunks_of_a_document_are_walked_both_ways(client: Client) -> None:
    page = "nodes { byteStart byteEnd } pageInfo { startCursor endCursor }"
    query = f"""query ($first: Int, $after: String, $last: Int, $before: String) {{ documents(first: 50) {{ nodes {{
      chunks(first: $first, after: $after, last: $last, before: $before) {{ {page} totalCount }} }} }} }}"""

    async def chunks(**variables: Any) -> list[Row]:
        nodes = (await ask(client, query, variables, OPERATOR))["documents"]["nodes"]
        return [one["chunks"] for one in nodes]

    whole = await chunks(first=200)
    assert all(one["totalCount"] == len(one["nodes"]) for one in whole)
    assert max(one["totalCount"] for one in whole) > 0
    for variables, part in (({"first": 1}, slice(1)), ({"last": 1}, slice(-1, None))):
        assert [one["nodes"] for one in await chunks(**variables)] == [one["nodes"][part] for one in whole]


@pytest.mark.parametrize("token", [None, READERS["internal"]], ids=["anonymous", "internal"])
async def test_no_list_says_what_is_above_the_clearance(client: Client, token: str | None) -> None:
    fields = "globalId title withheld boundary sources { title }"
    found = await whole(client, "documents", "", fields, token=token)
    (memo,) = [one for one in found if one["boundary"] == "confidential"]
    assert (memo["title"], memo["sources"]) == (None, [{"title": None}])
    assert memo["withheld"].startswith("the source is confidential")
    (clear,) = await whole(client, "documents", 'filter: {boundary: ["confidential"]}', fields, token=OPERATOR)
    assert (clear["title"], clear["sources"]) == ("Closed session", [{"title": "Closed session"}])
    shown = await whole(client, "packets", "", "globalId withheld packetType recipientId", token=token)
    for one in await whole(client, "packets", "", "globalId packetType recipientId", token=OPERATOR):
        if one["packetType"] is None:
            continue
        narrowed = await whole(client, "packets", f'filter: {{packetType: "{one["packetType"]}"}}', token=token)
        visible = {other["globalId"] for other in shown if other["withheld"] is None}
        assert {other["globalId"] for other in narrowed} <= visible


async def test_statements_and_verdicts_have_receipt_and_proof(client: Client) -> None:
    inside = "signedHash proof receipt { signedHash logIndex created proof entry } logIndex"
    query = f"{{ statements(first: 2) {{ nodes {{ {inside} verifications {{ {inside} }} }} }} }}"
    for statement in (await ask(client, query))["statements"]["nodes"]:
        for one in (statement, *statement["verifications"]):
            receipt = one["receipt"]
            assert (receipt["signedHash"], receipt["logIndex"]) == (one["signedHash"], one["logIndex"])
            assert receipt["proof"] == one["proof"] and not receipt["created"]


async def test_contradictions_take_a_topic_or_a_statement_and_not_both(client: Client) -> None:
    (error,) = (await send(client, f'{{ contradictions(topic: "limit", statement: "{FIRST}") {{ nodes {{ id }} }} }}'))[
        "errors"
    ]
    assert error["message"] == "both of topic and statement given, not one"


async def test_contradictions_of_neither_a_topic_nor_a_statement_are_all_of_them(client: Client) -> None:
    of_the_topic = {one["id"] for one in await whole(client, "contradictions", 'topic: "limit"', "id")}
    everything = {one["id"] for one in await whole(client, "contradictions", "", "id")}
    assert of_the_topic and of_the_topic <= everything


async def test_the_verdicts_on_a_statement_that_is_not_here_are_an_error(client: Client) -> None:
    query = '{ verifications(filter: {statement: "urn:uuid:none"}) { nodes { id } } }'
    (error,) = (await send(client, query))["errors"]
    assert error["extensions"]["code"] == "NOT_FOUND"


async def test_the_contradictions_of_one_statement_are_among_those_of_its_topic(client: Client) -> None:
    all_of_them = {one["id"] for one in await whole(client, "contradictions", 'topic: "limit"', "id")}
    of_one = {one["id"] for one in await whole(client, "contradictions", f'statement: "{FIRST}"', "id")}
    assert of_one and of_one <= all_of_them
