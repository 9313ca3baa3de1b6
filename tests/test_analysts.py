"""What analysts get of a graph whose analyses are known: queries by name, and data frames over HTTP."""

import asyncio
import sys
import warnings
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

import pandas
import polars
import pytest
import pytest_asyncio
from analysis_world import FAMILY, RING, TOO_SURE, YES_MAN, analysed_world, ids
from builders import SOURCE_ID, agent_id
from graph_contents import run_raw
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, hash_of
from served import served

from a2ap.client import Client, FrameWarning, ProblemError, frame
from a2ap.errors import FrameError
from cypher import load_query, query_names
from graph.answers.own_query import run_query
from graph.clearance import ANONYMOUS
from graph.content.content_store import open_content_store
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings

T = TypeVar("T")
Known = dict[str, str]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def platform(_session_store: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Platform]:
    store, _ = _session_store
    await run_raw(store, "MATCH (n) DETACH DELETE n")
    settings = Settings(data=tmp_path_factory.mktemp("node"))
    node = load_node(settings.data / "node.key")
    async with platform_on(store, open_content_store(settings), node, settings) as platform:
        yield platform


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def known(platform: Platform) -> Known:
    """The signed hashes of the world's statements, by their short names."""
    return {name: hash_of(document) for name, document in (await analysed_world(platform)).items()}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def address(platform: Platform, known: Known) -> AsyncIterator[str]:
    async with served(platform) as address:
        yield address


async def analysis(platform: Platform, name: str) -> list[dict[str, Any]]:
    """Run an analysis as the public may, and return its rows by the names of its columns."""
    text = load_query(f"analysis/{name}").text
    own = await run_query(platform.store, ANONYMOUS, text, {}, seconds=60)
    return [dict(zip(own.table.columns, row, strict=True)) for row in own.table.rows]


def only(rows: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


@pytest.mark.parametrize("name", [name for name in query_names() if name.startswith("analysis/")])
def test_an_analysis_says_what_its_columns_are_and_is_bounded(name: str) -> None:
    text = load_query(name).text
    comment, _, query = text.partition("\nMATCH")
    returned = query.rpartition("RETURN ")[2]
    columns = [part.rpartition(" AS ")[2].split()[0].strip(",") for part in returned.split(",") if " AS " in part]
    told = {word.strip(":,.") for word in comment.replace("//", " ").split()}
    assert columns
    assert {column.removesuffix("_name") for column in columns} - {"size"} <= told, name
    assert text.splitlines()[0].endswith("?")
    assert query.rstrip().endswith("LIMIT 100")
    assert all(len(line) <= 120 for line in text.splitlines())


async def test_who_cites_the_same_documents(platform: Platform, known: Known) -> None:
    rows = await analysis(platform, "citation_overlap")
    found = {(row["agent"], row["other"]): (row["shared"], row["of_agent"], row["of_other"]) for row in rows}
    meeting = [(one, other) for one in ids(VERIFIER_A, VERIFIER_B, TOO_SURE) for other in ids(VERIFIER_B, TOO_SURE)]
    meeting = [(one, other) for one, other in meeting if one < other]
    budget = [(agent_id(one), agent_id(other)) for one, other in ((31, 32), (31, 33), (32, 33))]
    author = [(agent_id(AUTHOR), other) for other in ids(VERIFIER_A, VERIFIER_B, TOO_SURE, *RING)]
    assert found == {pair: (1, 1, 1) for pair in [*meeting, *budget]} | {pair: (1, 2, 1) for pair in author}
    assert [row["overlap"] for row in rows] == [1.0] * 6 + [0.5] * 6


async def test_who_validates_each_other_and_little_else(platform: Platform, known: Known) -> None:
    (ring,) = await analysis(platform, "echo_chambers")
    assert ring == {
        "members": ids(*RING),
        "size": 3,
        "inside": 6,
        "given": 6,
        "received": 6,
        "supports": 1,
        "closed": 1.0,
    }


async def test_which_documents_carry_most(platform: Platform, known: Known) -> None:
    rows = await analysis(platform, "load_bearing_sources")
    assert only(rows, "source", "statements", "agents", "alone", "verified", "verified_alone") == [
        (SOURCE_ID, 9, 4, 8, 3, 2),
        ("urn:doc:test:budget", 4, 4, 3, 1, 0),
        ("urn:doc:test:letter", 2, 1, 2, 0, 0),
    ]


async def test_who_is_surer_than_others_are(platform: Platform, known: Known) -> None:
    rows = await analysis(platform, "overconfident_agents")
    assert only(rows, "agent", "statements", "verified", "challenged") == [
        (agent_id(TOO_SURE), 3, 0, 3),
        (agent_id(AUTHOR), 4, 3, 0),
    ]
    assert rows[0]["confidence"] == pytest.approx(0.99)
    assert rows[0]["ahead"] == pytest.approx(0.99 - rows[0]["score"]) and rows[0]["ahead"] > 0.4
    assert rows[1]["confidence"] == pytest.approx(0.8)


async def test_what_one_family_alone_agrees_on(platform: Platform, known: Known) -> None:
    rows = await analysis(platform, "one_family_claims")
    told = only(rows, "statement", "family", "verifiers", "author_too", "verified")
    assert sorted(told) == sorted(
        [(known["street"], FAMILY, 2, True, False), (known["letter"], FAMILY, 2, False, False)]
    )


async def test_who_never_disagrees(platform: Platform, known: Known) -> None:
    rows = await analysis(platform, "unquestioning_verifiers")
    assert only(rows, "agent", "statements", "contested", "unverified") == [
        (agent_id(YES_MAN), 6, 3, 3),
        (agent_id(VERIFIER_B), 4, 0, 1),
    ]
    assert rows[0]["confidence"] == pytest.approx(0.89)


async def test_what_others_are_said_to_rest_on_unverified(platform: Platform, known: Known) -> None:
    rows = await analysis(platform, "shaky_foundations")
    assert only(rows, "statement", "agent", "challenged", "retracted", "carries", "verified_carried") == [
        (known["ground"], agent_id(STRANGER), True, False, 2, 2),
        (known["ring_1"], agent_id(31), False, False, 1, 0),
    ]


async def in_notebook(address: str, work: Callable[[Client], T]) -> T:
    """Run an analyst's work in a thread, as it would run in another process."""

    def run() -> T:
        with warnings.catch_warnings(), Client(address) as client:
            warnings.simplefilter("error", FrameWarning)
            return work(client)

    return await asyncio.to_thread(run)


STATEMENTS = """query ($agent: ID!) { statements(filter: {agent: $agent}, orderBy: {field: LOG_INDEX, direction: ASC}) {
  nodes { claimText confidence verified receivedAt logIndex status generatedBy { name capabilities }
          citations { quote byteRange { start } chunk { document { title } } } } } }"""


async def test_a_frame_of_pandas_has_types_and_dotted_columns(address: str) -> None:
    variables = {"agent": agent_id(AUTHOR)}
    found = await in_notebook(address, lambda client: client.frame(STATEMENTS, variables))
    assert found.dtypes.astype(str).to_dict() == {
        "claimText": "str",
        "confidence": "float64",
        "verified": "boolean",
        "receivedAt": "datetime64[us, UTC]",
        "logIndex": "Int64",
        "status": "category",
        "generatedBy.name": "str",
        "generatedBy.capabilities": "object",
        "citations": "object",
    }
    assert list(found["claimText"]) == [
        "The limit stays.",
        "There is a new map.",
        "Forty feet it is.",
        "Elm Street changes.",
    ]
    assert found["verified"].sum() == 3 and found["confidence"].mean() == pytest.approx(0.8)
    assert found["receivedAt"].is_monotonic_increasing
    assert "CURRENT" in found["status"].cat.categories and set(found["status"]) == {"CURRENT"}
    assert found["generatedBy.capabilities"][0] == ["reasoning", "provenance-tracking"]
    assert [len(one) for one in found["citations"]] == [2, 1, 1, 1]

    exploded = await in_notebook(address, lambda client: client.frame(STATEMENTS, variables, explode="citations"))
    assert len(exploded) == 5
    assert list(exploded["citations.chunk.document.title"])[:2] == ["City council meeting", "Budget"]
    assert exploded["citations.byteRange.start"].dtype == "Int64"


async def test_a_frame_of_polars_has_the_same(address: str) -> None:
    variables = {"agent": agent_id(AUTHOR)}

    def work(client: Client) -> tuple[polars.DataFrame, polars.DataFrame]:
        kept = client.frame(STATEMENTS, variables, library="polars")
        return kept, client.frame(STATEMENTS, variables, explode=["citations"], library="polars")

    kept, exploded = await in_notebook(address, work)
    assert kept.schema == polars.Schema(
        {
            "claimText": polars.String(),
            "confidence": polars.Float64(),
            "verified": polars.Boolean(),
            "receivedAt": polars.Datetime("us", "UTC"),
            "logIndex": polars.Int64(),
            "status": kept["status"].dtype,
            "generatedBy.name": polars.String(),
            "generatedBy.capabilities": polars.List(polars.String()),
            "citations": polars.List(
                polars.Struct(
                    {
                        "quote": polars.String(),
                        "byteRange.start": polars.Int64(),
                        "chunk.document.title": polars.String(),
                    }
                )
            ),
        }
    )
    assert isinstance(kept["status"].dtype, polars.Enum) and set(kept["status"]) == {"CURRENT"}
    assert kept["verified"].sum() == 3
    assert kept["citations"].list.len().to_list() == [2, 1, 1, 1]
    assert exploded["citations.byteRange.start"].dtype == polars.Int64() and len(exploded) == 5


@pytest.mark.parametrize("library", ["pandas", "polars"])
async def test_an_empty_answer_is_an_empty_frame_with_its_columns(address: str, library: str) -> None:
    def work(client: Client) -> list[Any]:
        nobody = client.frame(STATEMENTS, {"agent": "urn:agent:nobody"}, explode="citations", library=library)
        text = "MATCH (s:Statement {signed_hash: $h}) RETURN s.generated_at AS at, s.confidence AS c, s.claim_text AS t"
        return [nobody, client.frame(cypher=text, variables={"h": "none"}, library=library)]

    nobody, none = await in_notebook(address, work)
    assert len(nobody) == len(none) == 0
    assert list(nobody.columns)[-3:] == [
        "citations.quote",
        "citations.byteRange.start",
        "citations.chunk.document.title",
    ]
    types = [str(none[name].dtype) for name in ("at", "c", "t")]
    assert (
        types
        == {
            "pandas": ["datetime64[us, UTC]", "float64", "str"],
            "polars": ["Datetime(time_unit='us', time_zone='UTC')", "Float64", "String"],
        }[library]
    )


async def test_a_list_is_paged_through_to_its_end_and_a_limit_holds(address: str, known: Known) -> None:
    text = "{ statements(first: 4) { nodes { signedHash } } }"
    whole = await in_notebook(address, lambda client: client.frame(text))
    assert sorted(whole["signedHash"]) == sorted(known.values())
    some = await in_notebook(address, lambda client: client.frame(text, limit=6))
    assert list(some["signedHash"]) == list(whole["signedHash"][:6])


async def test_a_query_in_cypher_by_name_or_of_ones_own_is_a_frame(address: str, known: Known) -> None:
    own = """MATCH (a:Agent {agent_id: $agent})-[g:GENERATED]->(s:Statement)
      RETURN a AS agent, s.claim_text AS claim, g.timestamp AS at, s.verified AS verified, count(s) AS n"""

    def work(client: Client) -> tuple[Any, Any]:
        mine = client.frame(cypher=own, variables={"agent": agent_id(STRANGER)})
        return client.frame(name="analysis/load_bearing_sources"), mine

    named, mine = await in_notebook(address, work)
    assert list(named["statements"]) == [9, 4, 2] and named["statements"].dtype == "Int64"
    assert set(mine["agent.agent_id"]) == {agent_id(STRANGER)} and set(mine["agent.label"]) == {"Agent"}
    assert [str(mine[name].dtype) for name in ("at", "verified", "n")] == ["datetime64[us, UTC]", "boolean", "Int64"]


async def test_less_than_there_is_comes_with_a_warning(address: str) -> None:
    def work(client: Client) -> None:
        with pytest.warns(FrameWarning, match="the frame has 1000 rows, and there are more"):
            client.frame(cypher="UNWIND range(1, 1000) AS a UNWIND range(1, 2) AS b RETURN a, b")

    await in_notebook(address, work)


async def test_one_error_says_what_is_wrong(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(error: type[Exception], told: str, *arguments: Any, **named: Any) -> None:
        with pytest.raises(error, match=told):
            frame(*arguments, **named, url=address)

    def work(_: Client) -> None:
        refused(ProblemError, "nonsense", "{ statements(orderBy: {field: nonsense}) { nodes { id } } }")
        refused(ProblemError, "GraphQL error: .*cursor", '{ statements(after: "x") { nodes { id } } }')
        refused(FrameError, "Statement has no field nonsense", "{ statements { nodes { nonsense } } }")
        refused(ProblemError, "CREATE", cypher="CREATE (a:Agent) RETURN a")
        refused(ProblemError, "no query is called 'analysis/nothing'", name="analysis/nothing")
        refused(FrameError, "one of query, name and cypher")
        refused(FrameError, "one of query, name and cypher", "{ agents { totalCount } }", name="examples/agreements")
        refused(FrameError, "at least one row", "{ agents { totalCount } }", limit=0)
        refused(FrameError, "'duckdb' is no library", "{ agents { totalCount } }", library="duckdb")
        for library in ("pandas", "polars"):
            monkeypatch.setitem(sys.modules, library, None)
            told = rf"^{library} is not installed: it comes with a2ap\[{library}\]$"
            refused(FrameError, told, "{ agents { totalCount } }", library=library)

    await in_notebook(address, work)
    assert pandas and polars
