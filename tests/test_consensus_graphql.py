"""Consensus, reputation and epochs as a researcher asks for them in GraphQL."""

import httpx
import pytest
from builders import agent_id, envelope_of, signed_response
from http_client import ask, client
from platform_fixture import platform
from scenario import OPERATOR_A, STRANGER, VERIFIER_A, VERIFIER_B, accept, signed_node_policy, verified_world

from a2ap.messages.policy import ConsensusMethod
from a2ap.messages.verification_response import Verdict
from graph.platform import Platform

__all__ = ["client", "platform"]

WHY = """query ($id: ID!) { statement(id: $id) { consensusScore consensus {
  score published method quorum policyHash logSize epoch verified
  interval { low high }
  contributions { agent without difference }
  perCriterion { criterion score observed interval { low high } }
  readings { verifier logIndex verdict meaning ignored answers { criterion status confidence stands } }
} } }"""
LEARNT = """query ($agent: ID!) {
  agent(id: $agent) { reputation reputationDetails {
    value method judged epoch policyHash logSize interval { low high } interval95 { low high }
    contributions { totalCount nodes { criterion judged right without difference verification { agent { id } } } }
    criteria { criterion sensitivity specificity judged independence copies }
    calibration { confidence weight }
  } }
  epochs { nodes { logSize logIndex parts policyHash method issuedAt calibration { confidence weight } } }
}"""


async def test_a_score_says_what_it_rests_on(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_response(world.statement, STRANGER, verdict=Verdict.CHALLENGED, confidence=0.8))
    answer = await ask(client, WHY, {"id": envelope_of(world.statement).id})
    found = answer["statement"]["consensus"]
    (policy,) = await platform.store.read("current_policy")
    assert found["published"] == "0.9099"
    assert answer["statement"]["consensusScore"] == found["score"]
    assert (found["method"], found["quorum"], found["verified"]) == ("a2ap-posterior", True, True)
    assert (found["policyHash"], found["logSize"], found["epoch"]) == (
        policy["signed_hash"],
        platform.log.size,
        None,
    )
    assert found["interval"]["low"] < found["score"] < found["interval"]["high"]
    for one in found["contributions"]:
        assert f"{one['without']:.4f}" == "0.7607"
        assert one["difference"] == pytest.approx(found["score"] - one["without"])
    assert [one["agent"] for one in found["contributions"]] == [agent_id(VERIFIER_A), agent_id(VERIFIER_B)]
    machine, first, _, stranger = found["readings"]
    assert machine["ignored"] == "the machine's check opens the gate and is not a vote"
    assert first["verdict"] == "VALIDATED" and first["ignored"] is None
    assert all(answer["stands"] for answer in first["answers"])
    assert stranger["ignored"] == "shares the operator unendorsed with the author"
    assert "counts against the criteria that it names FAIL" in stranger["meaning"]


async def test_an_epoch_and_what_it_says_of_an_agent_are_shown(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    before = (await ask(client, LEARNT, {"agent": agent_id(VERIFIER_A)}))["agent"]
    counted = before["reputationDetails"]
    (policy,) = await platform.store.read("current_policy")
    assert (counted["method"], counted["epoch"]) == ("a2ap-agreement", None)
    assert (counted["policyHash"], counted["logSize"]) == (policy["signed_hash"], platform.log.size)
    assert counted["contributions"]["totalCount"] == counted["judged"] == len(counted["contributions"]["nodes"])
    for one in counted["contributions"]["nodes"]:
        assert one["verification"]["agent"]["id"] == agent_id(VERIFIER_A)
        assert one["difference"] == pytest.approx(counted["value"] - one["without"])
        assert (one["difference"] > 0) is one["right"]
    await accept(platform, signed_node_policy(platform, 2, epoch_length=1))
    await platform.epochs.settled()

    answer = await ask(client, LEARNT, {"agent": agent_id(VERIFIER_A)})
    (epoch,) = answer["epochs"]["nodes"]
    assert epoch["logIndex"] == epoch["logSize"] == platform.log.size - 1
    learnt = answer["agent"]["reputationDetails"]
    assert learnt["value"] == answer["agent"]["reputation"]
    assert (learnt["method"], learnt["epoch"]) == ("a2ap-reliability", epoch["logSize"])
    assert learnt["interval"]["low"] < learnt["value"] < learnt["interval"]["high"]
    assert learnt["interval95"] == learnt["interval"]
    parts = learnt["contributions"]["nodes"]
    assert [one["criterion"] for one in parts] == [one["criterion"] for one in learnt["criteria"]]
    assert [one["judged"] for one in parts] == [one["judged"] for one in learnt["criteria"]]
    assert all(one["verification"] is None and one["without"] is not None for one in parts)
    assert len(learnt["criteria"]) == 3
    assert all(one["independence"] == 1.0 and one["copies"] is None for one in learnt["criteria"])
    assert learnt["calibration"] == epoch["calibration"]
    operator = await ask(client, LEARNT, {"agent": agent_id(OPERATOR_A)})
    assert operator["agent"]["reputationDetails"]["method"] == "a2ap-agreement"


@pytest.mark.both_engines
async def test_every_method_can_be_asked_for(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    scores = {}
    for method in ConsensusMethod:
        query = "query ($id: ID!, $m: String) { computeConsensus(statementId: $id, method: $m) { published method } }"
        found = await ask(client, query, {"id": envelope_of(world.statement).id, "m": method.value})
        assert found["computeConsensus"]["method"] == method.value
        scores[method.value] = found["computeConsensus"]["published"]
    assert scores == {
        "a2ap-posterior": "0.9099",
        "a2ap-quorum": "0.7600",
        "a2ap-0.1": "0.8900",
        "majority": "1.0000",
        "wawa": "1.0000",
    }
