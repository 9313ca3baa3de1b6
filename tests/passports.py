"""Chains of Context Passports for tests: made with a fixed author, clock and ids, and spoilt as a test wants."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from a2ap.passport.building import (
    Author,
    Event,
    build_commit,
    build_fork,
    build_root,
    new_passport_id,
    sign_record,
    write_passport,
)
from a2ap.passport.check_chain import ChainReport, check_chain
from a2ap.passport.finding import FindingCode
from a2ap.passport.passport import Chain, Passport, read_chain
from a2ap.passport.profile import PayloadProfile
from a2ap.signing.keys import SigningKey

AUTHOR = Author("urn:agent:r", "Researcher", "researcher", "anthropic", "claude")
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
PAYLOAD = {"input": "hi", "output": {"n": 1}, "memory": {"a": 1}, "variables": {"x": "y"}}


def passport_id(number: int) -> str:
    return new_passport_id(at(number), bytes([number] * 6))


def at(number: int) -> datetime:
    return BEGIN + timedelta(minutes=number)


class Maker:
    """Makes the records of a chain one after the other; each is known by its number, from 0 on."""

    def __init__(self, profile: PayloadProfile = PayloadProfile.V2) -> None:
        self.profile = profile
        self.records: list[dict[str, Any]] = []

    @property
    def chain(self) -> Chain:
        return chain_of(self.records)

    def root(self, payload: Any = PAYLOAD, **more: Any) -> int:
        number = len(self.records)
        self.records.append(build_root(passport_id(number), at(number), AUTHOR, payload, profile=self.profile, **more))
        return number

    def commit(self, parent: int, payload: Any = PAYLOAD, *, merged: tuple[int, ...] = (), **more: Any) -> int:
        number, chain = len(self.records), self.chain
        others = [chain.passports[one] for one in merged]
        made = build_commit(
            passport_id(number),
            at(number),
            AUTHOR,
            payload,
            chain.passports[parent],
            merged=others,
            profile=self.profile,
            **more,
        )
        self.records.append(made)
        return number

    def event(self, parent: int, kind: str, payload: Any = PAYLOAD, target: int | None = None) -> int:
        named = passport_id(target) if target is not None else None
        return self.commit(parent, payload, event=Event(kind, None, named))

    def fork(self, parent: int, branch: str, payload: Any = PAYLOAD) -> int:
        number, chain = len(self.records), self.chain
        made = build_fork(
            passport_id(number),
            at(number),
            AUTHOR,
            payload,
            chain.passports[parent],
            chain,
            branch,
            profile=self.profile,
        )
        self.records.append(made)
        return number


def line(length: int = 3, profile: PayloadProfile = PayloadProfile.V2) -> list[dict[str, Any]]:
    """Return the records of a chain without branches."""
    maker = Maker(profile)
    maker.root()
    for number in range(1, length):
        maker.commit(number - 1, {"input": f"in {number}", "output": f"out {number}"})
    return maker.records


def chain_of(records: list[dict[str, Any]]) -> Chain:
    return read_chain(b"[" + b",".join(write_passport(one) for one in records) + b"]")


def spoilt(spoil: Callable[[list[dict[str, Any]]], Any], records: list[dict[str, Any]] | None = None) -> ChainReport:
    """Return what is found of a chain once a test has changed it."""
    copy: list[dict[str, Any]] = json.loads(json.dumps(records if records is not None else line()))
    changed = spoil(copy)
    return check_chain(chain_of(changed if isinstance(changed, list) else copy))


def codes(report: ChainReport, position: int | None = None) -> set[FindingCode]:
    """Return the codes of what was found, of the whole chain or of one record."""
    found = report.all_findings if position is None else report.records[position].findings
    return {finding.code for finding in found}


def read_one(members: dict[str, Any]) -> Passport:
    return read_chain(write_passport(members)).passports[0]


def signed_world(author: str, key: SigningKey, key_id: str) -> list[bytes]:
    """Return records by an agent that make every relationship and property of a passport, the first of them signed."""
    maker = Maker()
    maker.root(trace_id="trc_test")
    maker.records[0]["created_by"]["agent_id"] = author
    maker.records[0] = sign_record(maker.records[0], key, key_id)
    first = maker.commit(0, event=Event("spawn", "urn:agent:other"))
    fork = maker.fork(0, "draft", {"output": "a draft"})
    maker.commit(first, merged=(fork,))
    maker.event(3, "revert", target=1)
    return [write_passport(record) for record in maker.records]
