"""Looking at requests again in pages, after a policy with other seeds: others write in between, a start ends it."""

from pathlib import Path

import pytest
from builders import agent_id, signed_request, signed_response, signed_retraction, signed_statement
from graph_contents import nodes_with_label, whole_graph
from rebuilding import rebuilt
from scenario import AUTHOR, OPERATOR_A, STRANGER, VERIFIER_A, accept, hash_of, settle, signed_node_policy
from servers import server_on

from graph.errors import StoreBusyError
from graph.requests.resettling import is_resettling, resettle_page
from graph.store import Store
from graph.submission import epoch_keeper

STATEMENTS = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(7)]
SEEDS = (agent_id(OPERATOR_A), agent_id(STRANGER))


async def waiting(store: Store) -> set[str]:
    rows = await nodes_with_label(store, "VerificationRequest")
    return {row["signed_hash"] for row in rows if "open_until" in row}


@pytest.mark.both_engines
async def test_a_policy_is_followed_a_page_at_a_time_whatever_is_written_in_between(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(store: Store) -> bool:
        raise StoreBusyError("somebody else is quicker")

    monkeypatch.setattr("graph.requests.resettling.PAGE", 2)
    monkeypatch.setattr(epoch_keeper, "resettle_page", fail)
    requests = [signed_request(one, AUTHOR, wanted_verdicts=1 + place % 2) for place, one in enumerate(STATEMENTS)]
    async with server_on(store, tmp_path) as platform:
        await settle(platform)
        await accept(platform, *STATEMENTS, *requests)
        await accept(platform, *(signed_response(one, STRANGER) for one in STATEMENTS[:4]))
        assert len(await waiting(store)) == 7
        await accept(platform, signed_node_policy(platform, 2, seeds=SEEDS))
        assert await is_resettling(store)
        assert platform.epochs.failures == {"open requests": "StoreBusyError: somebody else is quicker"}
        verdicts = [signed_response(STATEMENTS[place], VERIFIER_A) for place in (1, 3, 5)]
        await accept(platform, *verdicts, signed_retraction(verdicts[1], VERIFIER_A))
        await accept(platform, signed_request(STATEMENTS[6], STRANGER, wanted_verdicts=1))
        assert await resettle_page(store)
    monkeypatch.setattr(epoch_keeper, "resettle_page", resettle_page)
    async with server_on(store, tmp_path) as platform:
        await platform.epochs.rescored()
        assert not await is_resettling(store)
        left = await waiting(store)
        # The stranger's verdict is enough where one is wanted; where two are, one statement has both.
        assert {place for place, request in enumerate(requests) if hash_of(request) not in left} == {0, 1, 2}
        before = await whole_graph(store)
        await rebuilt(platform)
        assert await whole_graph(store) == before
