"""The leases of a verifier at work: which are worked on, renewed and given up."""

import json
import time
from typing import Any

import pytest
from builders import TIME, agent_id, envelope_of, sign, signed_request, signed_statement
from verifier_desk import new_id

from a2ap.client import Client
from a2ap.verifier.leasing import Held, Leasing
from a2ap.verifier.task import Task


def lease(name: str) -> dict[str, Any]:
    statement = signed_statement(claim=name)
    request = envelope_of(signed_request(statement))
    asked = {"id": request.id, "hash": request.signed_hash, "criteria": ["source-accuracy"], "requestingAgent": "a"}
    about = envelope_of(statement)
    return {"lease": name, "request": asked, "statement": {"id": about.id, "hash": about.signed_hash}}


FIRST, SECOND, THIRD = (Task.of(lease(name)) for name in ("first", "second", "third"))


def test_what_is_lost_is_not_worked_on_and_what_is_added_is() -> None:
    held = Held([FIRST, SECOND])
    upcoming = held.upcoming()
    assert next(upcoming) == FIRST
    held.lose([SECOND])
    held.add([THIRD])
    assert list(upcoming) == [THIRD]
    held.done(FIRST)
    assert held.open() == [THIRD]


class Replacing(Client):
    """A client of a platform that does not renew the first lease, and gives another in its place."""

    renewed: list[list[str]]

    def node_agent(self) -> str:
        return agent_id(9)

    def lease(self, message: bytes, wait: float = 0.0) -> list[dict[str, Any]]:
        renews = json.loads(message).get("renews", [])
        self.renewed.append(renews)
        return [lease("second") if renews else lease("first")]


def test_what_is_leased_in_the_place_of_another_is_renewed_and_worked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("a2ap.verifier.leasing._RENEWALS", 1000)
    with Replacing("http://127.0.0.1:9") as client:
        client.renewed = []
        leasing = Leasing(
            client,
            agent_id(1),
            ["source-accuracy"],
            10,
            sign=lambda message: json.loads(sign(message, 1)),
            clock=lambda: TIME,
            new_id=new_id,
            say=print,
        )
        held = Held(leasing.take(1, 0.0))
        with leasing.renewing(held):
            end = time.monotonic() + 30
            while ["second"] not in client.renewed and time.monotonic() < end:
                time.sleep(0.01)
        assert held.open() == list(held.upcoming()) == [SECOND]
        leasing.give_back(held.open())
    assert client.renewed[:3] == [[], ["first"], ["second"]]
    assert client.renewed[-1] == ["second"]
