"""The work of `a2ap peer` on a platform: it agrees, lists, pulls, suspends and proves."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from a2ap.boundary import Boundary
from a2ap.log.entry import entry_bytes
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.peer_agreement import PeerQuota
from graph.cli.options import read_settings

if TYPE_CHECKING:
    from graph.federation.agreements import Agreement
    from graph.federation.here import Here
    from graph.federation.peer_states import PeerState

ENTRIES_PER_PULL = 100_000
BYTES_PER_DAY = 2**30


async def agree_with_peer(
    data: Path | None, key: VerifierKey, url: str, changes: Mapping[str, Any]
) -> "tuple[Agreement, int]":
    """Agree with a peer on the terms in force with these changes, or on the defaults for a new peer."""
    from graph.errors import NotFoundError
    from graph.federation.agreements import Agreement, agreement_with

    terms = dict(changes)
    limits = {name: terms.pop(name) for name in ("entries_per_pull", "bytes_per_day") if name in terms}
    async with _here(data) as here:
        try:
            known = await agreement_with(here.store, key.name)
        except NotFoundError:
            quota = PeerQuota(ENTRIES_PER_PULL, BYTES_PER_DAY)
            known = Agreement(key.name, url, key, None, Boundary.PUBLIC, quota)
        quota = replace(known.quota, **limits)
        agreement = replace(known, url=url, log_key=key, quota=quota, suspended=False, **terms)
        return agreement, await _append(here, agreement)


async def suspend_peer(data: Path | None, origin: str) -> int:
    """Suspend a peer; return the place of the log entry."""
    from graph.federation.agreements import agreement_with, suspended

    async with _here(data) as here:
        return await _append(here, suspended(await agreement_with(here.store, origin)))


async def listed_peers(data: Path | None) -> list[dict[str, Any]]:
    """Return the peers, the agreement with each, and how far its log is read."""
    from graph.federation.peer_states import peer_states

    async with _here(data) as here:
        states = await peer_states(here.store, here.data)
    return [_members_of(state) for state in states]


def _members_of(state: "PeerState") -> dict[str, Any]:
    agreement, progress = state.agreement, state.progress
    return {
        "origin": agreement.origin,
        "url": agreement.url,
        "logKey": agreement.log_key.text,
        "transportKey": agreement.transport_key.did_key if agreement.transport_key else None,
        "clearance": agreement.clearance.value,
        "entriesPerPull": agreement.quota.entries_per_pull,
        "bytesPerDay": agreement.quota.bytes_per_day,
        "suspended": agreement.suspended,
        "privateAddress": agreement.private_address,
        "checked": progress.size,
        "position": progress.position,
        "waiting": state.waiting,
        "left": progress.left,
        "leftNumber": progress.left_number,
        "fault": progress.fault,
    }


async def pull_peers(data: Path | None, origin: str | None) -> tuple[list[dict[str, Any]], dict[str, str], list[str]]:
    """Return the reports of the pulls, the reasons of pulls that did not reach the end, and the forked peers."""
    from graph.errors import GraphError
    from graph.federation.agreements import list_agreements
    from graph.federation.errors import PeerFaultError
    from graph.federation.pull import pull as pull_peer

    reports, failures, forked = [], {}, []
    async with _here(data) as here:
        listed = [one.origin for one in await list_agreements(here.store) if not one.suspended and one.url is not None]
        for name in [origin] if origin is not None else listed:
            try:
                reports.append(asdict(await pull_peer(here, name)))
            except GraphError as error:
                failures[name] = str(error)
                if isinstance(error, PeerFaultError) and error.contradiction is not None:
                    forked.append(name)
    return reports, failures, forked


async def prove_entry(data: Path | None, origin: str, log_index: int) -> str:
    """Return an entry of a peer's log and the proof that the log has it."""
    from graph.federation.agreements import agreement_with
    from graph.federation.peer_folder import PeerFolder
    from graph.federation.peer_proof import proof_of

    async with _here(data) as here:
        await agreement_with(here.store, origin)
        with PeerFolder(here.data, origin) as folder:
            entry, found = await proof_of(here.store, folder, origin, log_index)
    return f"{entry_bytes(entry).decode()}\n\n{found.text}"


@asynccontextmanager
async def _here(data: Path | None) -> "AsyncIterator[Here]":
    # The driver takes a while to load, and most commands need no database.
    from graph.federation.here import Here
    from graph.platform import open_platform

    async with open_platform(read_settings(data)) as platform:
        yield Here.of(platform)


async def _append(here: "Here", agreement: "Agreement") -> int:
    from graph.submission.submission import Submission

    (outcome,) = await here.append([Submission(agreement.message(here.node, here.clock()))])
    if isinstance(outcome, Exception):
        raise outcome
    return outcome.entry.log_index
