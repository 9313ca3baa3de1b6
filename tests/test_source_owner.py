"""That a stranger takes no source of an endorsed agent from its readers, and erases none."""

from base64 import b64encode
from datetime import timedelta

import httpx
import pytest
from builders import (
    SOURCE,
    TIME,
    agent_id,
    signed_endorsement,
    signed_registration,
    signed_source,
    signed_statement,
)
from graph_contents import nodes_with_label, whole_graph
from http_client import OPERATOR, ask, bearer, client
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import (
    AUTHOR,
    OPERATOR_A,
    OPERATOR_B,
    STRANGER,
    VERIFIER_A,
    accept,
    hash_of,
    pieces,
    signed_node_policy,
    signed_node_source,
)

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from graph.platform import Platform
from graph.services.retention_job import apply_retention

__all__ = ["client", "platform"]

NAME = sha256_digest(SOURCE)
DUE = TIME + timedelta(minutes=1)


async def agents(platform: Platform, *, endorsed: int = AUTHOR) -> None:
    """Register the agents, of whom one is endorsed by a seed of the policy."""
    registrations = {seed: signed_registration(seed) for seed in (OPERATOR_A, OPERATOR_B, AUTHOR, STRANGER)}
    await accept(platform, *registrations.values())
    await accept(platform, signed_node_policy(platform))
    await accept(platform, signed_endorsement(registrations[endorsed], OPERATOR_A))


async def test_a_stranger_does_not_tighten_the_source_of_an_endorsed_agent(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await agents(platform)
    await accept(platform, signed_source(AUTHOR))
    await platform.sources.put(NAME, pieces(SOURCE))
    hostage = signed_source(STRANGER, source_id="urn:doc:test:mine", boundary=STRICTEST, title="Mine")
    await accept(platform, hostage)

    assert (await client.get(f"/sources/{NAME}")).content == SOURCE
    answer = await ask(client, f'{{ documents(filter: {{name: "{NAME}"}}) {{ nodes {{ boundary title }} }} }}')
    assert answer["documents"]["nodes"] == [{"boundary": "public", "title": "City council meeting"}]
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


async def test_bytes_are_not_taken_in_if_they_would_be_readable_below_the_class_that_their_sender_states(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await agents(platform)
    closed = signed_source(STRANGER, source_id="urn:doc:test:own", boundary=Boundary.CONFIDENTIAL)
    await accept(platform, signed_source(AUTHOR), closed)
    refused = await client.put(f"/sources/{NAME}?boundary=confidential", content=SOURCE)
    assert (refused.status_code, refused.json()["path"]) == (403, "boundary")
    assert refused.json()["detail"] == (
        f"{NAME} is public by the registration of {agent_id(AUTHOR)}, and its bytes would be readable as such, "
        "not as confidential"
    )
    unknown = await client.put(f"/sources/{NAME}?boundary=open", content=SOURCE)
    assert (unknown.status_code, unknown.json()["path"]) == (400, "boundary")
    mutation = """mutation ($d: String!, $c: String!) {
        registerSource(document: $d, contentBase64: $c) { ... on Problem { code path } } }"""
    answer = await ask(client, mutation, {"d": closed.decode(), "c": b64encode(SOURCE).decode()})
    assert answer == {"registerSource": {"code": "FORBIDDEN", "path": "boundary"}}
    assert not await platform.content.has(NAME)

    assert (await client.put(f"/sources/{NAME}?boundary=public", content=SOURCE)).status_code == 201
    # They are here now: nothing becomes readable that was not.
    assert (await client.put(f"/sources/{NAME}?boundary=confidential", content=SOURCE)).status_code == 200


async def test_the_owner_and_the_operators_agents_still_tighten(platform: Platform, client: httpx.AsyncClient) -> None:
    await agents(platform)
    await accept(platform, signed_source(AUTHOR))
    await platform.sources.put(NAME, pieces(SOURCE))
    await accept(platform, signed_source(OPERATOR_A, source_id="urn:doc:test:op", boundary=Boundary.CONFIDENTIAL))
    assert (await client.get(f"/sources/{NAME}")).status_code == 403


@pytest.mark.both_engines
@pytest.mark.parametrize("boundary", [Boundary.PUBLIC, Boundary.CONFIDENTIAL])
async def test_an_endorsed_agent_takes_a_source_from_the_stranger_who_was_first(
    platform: Platform, boundary: Boundary
) -> None:
    await agents(platform)
    await accept(platform, signed_source(STRANGER, title="Mine", retain_until=DUE))
    await accept(platform, signed_source(AUTHOR, source_id="urn:doc:test:own", title="Own", boundary=boundary))
    await platform.sources.put(NAME, pieces(SOURCE))

    (document,) = await nodes_with_label(platform.store, "Document")
    assert (document["title"], document["boundary"]) == ("Own", boundary.value)
    assert document.get("retain_until") is None
    assert await apply_retention(platform, DUE) == []
    assert await platform.content.has(NAME)
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


async def test_a_confidential_source_of_a_stranger_is_not_declassified(platform: Platform) -> None:
    await agents(platform)
    await accept(platform, signed_source(STRANGER, boundary=Boundary.CONFIDENTIAL))
    await accept(platform, signed_source(AUTHOR, source_id="urn:doc:test:own"))
    (document,) = await nodes_with_label(platform.store, "Document")
    assert document["boundary"] == Boundary.CONFIDENTIAL.value


async def test_an_endorsement_counts_in_the_batch_that_brings_it(platform: Platform) -> None:
    """A log that is read in larger batches than it was written in gives the same owners."""
    registrations = {seed: signed_registration(seed) for seed in (OPERATOR_A, OPERATOR_B, AUTHOR, STRANGER)}
    await accept(platform, *registrations.values())
    await accept(
        platform,
        signed_node_policy(platform),
        signed_endorsement(registrations[AUTHOR], OPERATOR_A),
        signed_source(AUTHOR),
        signed_source(STRANGER, source_id="urn:doc:test:mine", boundary=STRICTEST),
    )
    (document,) = await nodes_with_label(platform.store, "Document")
    assert document["boundary"] == Boundary.PUBLIC.value


async def test_the_date_of_the_node_stays_when_another_agent_takes_a_source_over(platform: Platform) -> None:
    """The date of an agent that the operator no longer answers for goes; the node's is the operator's word."""
    other = b"Another source."
    await agents(platform)
    await accept(platform, signed_source(AUTHOR), signed_node_source(platform, retain_until=DUE))
    await accept(platform, signed_source(AUTHOR, source=other, source_id="urn:doc:test:other", retain_until=DUE))
    await accept(platform, signed_node_policy(platform, 2, seeds=(agent_id(OPERATOR_B),)))
    for source in (SOURCE, other):
        await accept(platform, signed_source(OPERATOR_B, source=source, source_id="urn:doc:test:own", title="Own"))

    documents = {row["document_key"]: row for row in await nodes_with_label(platform.store, "Document")}
    assert {row["title"] for row in documents.values()} == {"Own"}
    assert documents[NAME].get("retain_until") == DUE
    assert documents[sha256_digest(other)].get("retain_until") is None
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


@pytest.mark.parametrize("first", [STRANGER, VERIFIER_A])
async def test_of_two_agents_for_which_nobody_answers_neither_has_a_source_erased(
    platform: Platform, first: int
) -> None:
    second = VERIFIER_A if first == STRANGER else STRANGER
    await accept(platform, signed_registration(STRANGER), signed_registration(VERIFIER_A))
    await accept(platform, signed_source(first, title="Mine", retain_until=DUE))
    await accept(platform, signed_source(second, source_id="urn:doc:test:own"))
    await accept(platform, signed_source(first, source_id="urn:doc:test:again", retain_until=DUE))
    await platform.sources.put(NAME, pieces(SOURCE))

    assert await apply_retention(platform, DUE) == []
    assert await platform.content.has(NAME)
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


async def test_a_date_that_passes_before_the_bytes_come_erases_nothing(platform: Platform) -> None:
    await accept(platform, signed_registration(STRANGER), signed_registration(VERIFIER_A))
    await accept(platform, signed_source(STRANGER, title="Mine", retain_until=DUE))
    assert await apply_retention(platform, DUE) == []
    await accept(platform, signed_source(VERIFIER_A, source_id="urn:doc:test:own"))
    await platform.sources.put(NAME, pieces(SOURCE))
    assert await apply_retention(platform, DUE + timedelta(days=1)) == []
    assert await platform.content.has(NAME)


@pytest.mark.both_engines
async def test_the_date_of_a_stranger_erases_no_bytes_that_another_hands_in(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    """Nothing in the log tells that a registrant has no bytes, so that no stranger says when they are erased."""
    await agents(platform)
    await accept(platform, signed_source(STRANGER, title="Mine", retain_until=DUE), signed_statement(AUTHOR))
    headers: list[dict[str, str]] = [{}, bearer(OPERATOR)]
    sent = [await client.put(f"/sources/{NAME}", content=SOURCE, headers=one) for one in headers]
    assert [one.status_code for one in sent] == [201, 200]
    assert await apply_retention(platform, DUE + timedelta(days=1)) == []
    assert (await client.get(f"/sources/{NAME}")).content == SOURCE
    answer = await ask(client, f'{{ documents(filter: {{name: "{NAME}"}}) {{ nodes {{ held retainUntil }} }} }}')
    assert answer["documents"]["nodes"] == [{"held": True, "retainUntil": None}]
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before

    later = DUE + timedelta(days=9)
    await accept(platform, signed_source(AUTHOR, source_id="urn:doc:test:own", retain_until=later))
    (receipt,) = await apply_retention(platform, later)
    assert (await client.get(f"/sources/{NAME}")).status_code == 410
    assert receipt.entry.agent == platform.node.agent_id


@pytest.mark.both_engines
async def test_a_stranger_closes_no_name_under_which_an_endorsed_agent_registered(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    """What nobody registered has the class of its name, and other bytes of a stranger do not set it."""
    await agents(platform)
    statement = signed_statement(AUTHOR)
    edition = SOURCE + b"NOTE Second edition\n"
    await accept(platform, signed_source(AUTHOR, source=edition), statement)
    query = """query ($id: ID!, $name: String!) {
      statement(id: $id) { citations { quote withheld } }
      documents(filter: {publisher: "City clerk"}) { nodes { id sources { title publisher origin } } }
      named: documents(filter: {name: $name}) { nodes { boundary withheld } } }"""
    asked = {"id": hash_of(statement), "name": NAME}
    before = await ask(client, query, asked)
    export = (await client.get("/export?format=graph-ndjson")).text
    assert before["statement"]["citations"][0]["quote"] and before["documents"]["nodes"]

    await accept(platform, signed_source(STRANGER, source=b"Other bytes.", boundary=STRICTEST, title="Mine"))
    await accept(platform, signed_source(STRANGER, source=edition, source_id="urn:doc:test:more", boundary=STRICTEST))
    assert await ask(client, query, asked) | {"documents": None} == before | {"documents": None}
    assert '"title":"City council meeting"' in export
    assert '"title":"City council meeting"' in (await client.get("/export?format=graph-ndjson")).text
    whole = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == whole


async def test_a_stranger_puts_no_closed_source_under_the_name_of_another(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await agents(platform)
    closed = b"Closed bytes."
    statement = signed_statement(AUTHOR)
    await accept(platform, signed_source(AUTHOR, source=SOURCE + b"NOTE Second edition\n"), statement)
    owned = signed_source(AUTHOR, source=closed, source_id="urn:doc:test:closed", boundary=Boundary.CONFIDENTIAL)
    await accept(platform, owned)
    await accept(platform, signed_source(STRANGER, source=closed))
    answer = await ask(
        client, "query ($id: ID!) { statement(id: $id) { citations { withheld } } }", {"id": hash_of(statement)}
    )
    assert answer["statement"]["citations"] == [{"withheld": None}]


async def test_an_endorsed_agent_takes_a_name_from_the_stranger_who_was_first(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await agents(platform)
    await accept(platform, signed_source(STRANGER, source=b"Other bytes.", boundary=STRICTEST, title="Mine"))
    await accept(platform, signed_source(AUTHOR, title="Own"))
    await accept(platform, signed_source(OPERATOR_A, title="Later"))
    answer = await ask(
        client, f'{{ documents(filter: {{name: "{NAME}"}}) {{ nodes {{ sources {{ title publisher }} }} }} }}'
    )
    assert answer["documents"]["nodes"] == [{"sources": [{"title": "Own", "publisher": "City clerk"}]}]
    whole = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == whole


async def test_the_date_of_a_stranger_erases_nothing_that_is_cited_by_the_name_of_another(platform: Platform) -> None:
    await agents(platform)
    await accept(platform, signed_source(AUTHOR))
    mine = b"Bytes of a stranger, as long as what is cited of the source." * 9
    await accept(platform, signed_source(STRANGER, source=mine, retain_until=DUE))
    await platform.sources.put(sha256_digest(mine), pieces(mine))
    assert await apply_retention(platform, DUE + timedelta(days=1)) == []
