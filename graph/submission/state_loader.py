"""Loads the state for a batch of messages from the graph, in a number of queries that does not grow with the batch."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from a2ap.messages.admission_policy import AdmissionMode
from a2ap.messages.message import Message
from a2ap.times import format_instant
from graph.kinds.naming import names_of
from graph.kinds.state import AdmissionRecord, EpochPart, State
from graph.kinds.state_rows import (
    take_agent,
    take_contradiction,
    take_dispute_of_label,
    take_document,
    take_family,
    take_gold_dispute,
    take_gold_label,
    take_id,
    take_invitation,
    take_key,
    take_membership,
    take_peer,
    take_probe,
    take_probed,
    take_receipt,
    take_redaction,
    take_redaction_of_name,
    take_request,
    take_retraction,
    take_statement,
    take_verdict,
)
from graph.kinds.wanted_names import WantedNames
from graph.log.entry import log_size, size_of
from graph.store import JointReads, Row

_Take = Callable[[State, Row], None]


async def load_state(store: JointReads, messages: Sequence[Message], known: int | None = None) -> State:
    """Return the state of the graph for every name in these messages; see `load_names`."""
    return await load_names(store, names_of(messages), known)


async def load_names(store: JointReads, wanted: WantedNames, known: int | None = None) -> State:
    """Return the state of the graph for these names.

    The size is that before the other reads: a write during them makes it stale, and the writer then validates again
    (docs/explanation/architecture.md). It is read first, unless it is `known`: a log that has that size still, whenever
    in these reads it is asked, had it before all of them, since logs only grow.
    """
    reads = [*_reads_of(wanted), ("current_admission_policy", {}, _take_admission)]
    if wanted.epochs:
        reads.append(("last_epoch_part", {}, _take_epoch_part))
    named = [(name, given) for name, given, _ in reads]
    size, found = known, None
    if known is not None:
        sizes, *found = await store.read_together([("log_size", {}), *named])
        size = known if size_of(sizes) == known else None
    if size is None or found is None:
        size, found = await log_size(store), await store.read_together(named)
    state = State(size=size)
    _take_all(state, reads, found)
    if state.admission.mode is AdmissionMode.ENDORSED:
        seeds = await _load_endorsers(store, state, wanted.agents)
        state.admission = replace(state.admission, seeds=seeds)
    if wanted.registered:
        await _load_endorsements_of_owners(store, state, wanted)
    for time in sorted(wanted.times):
        (row,) = await store.read("first_entry_since", time=format_instant(time))
        if row["log_index"] is not None:
            state.places[time] = row["log_index"]
    return state


async def look_up(store: JointReads, wanted: WantedNames) -> State:
    """Return the state of the graph for these names from one query, without rules of admission, endorsers and times.

    It is for checks that write nothing: a write meanwhile may be in one part of it and not in another.
    """
    reads = _reads_of(wanted)
    size, *found = await store.read_together([("log_size", {}), *((name, given) for name, given, _ in reads)])
    state = State(size=size_of(size))
    _take_all(state, reads, found)
    return state


def _reads_of(wanted: WantedNames) -> list[tuple[str, dict[str, Any], _Take]]:
    """Return the queries that find these names, each with its parameters; none for a sort of which there are none."""
    reads: tuple[tuple[str, str, Collection[str], _Take], ...] = (
        ("log_entries_by_hash", "hashes", wanted.hashes, take_receipt),
        ("log_entries_by_id", "ids", wanted.ids, take_id),
        ("agents_known", "ids", wanted.agents, take_agent),
        ("keys_by_id", "references", [r for r in wanted.keys if "#" in r], take_key),
        ("keys_by_public_key", "references", [r for r in wanted.keys if r.startswith("did:key:")], take_key),
        ("keys_by_alias", "references", [r for r in wanted.keys if _is_alias(r)], take_key),
        ("statements_by_id", "ids", wanted.target_ids, take_statement),
        ("documents_known", "hashes", wanted.documents, take_document),
        ("redactions_by_source", "ids", wanted.sources, take_redaction_of_name),
        ("redactions_by_target", "targets", wanted.documents | wanted.redacted, take_redaction),
        ("verdicts_known", "hashes", wanted.targets, take_verdict),
        ("requests_known", "hashes", wanted.requests, take_request),
        ("contradicted_by", "hashes", wanted.contradicting, take_contradiction),
        ("retractions_of", "hashes", wanted.targets, take_retraction),
        ("gold_labels_known", "hashes", wanted.gold, take_gold_label),
        ("gold_disputes_known", "hashes", wanted.gold_disputes, take_gold_dispute),
        ("disputes_of_labels", "hashes", wanted.gold, take_dispute_of_label),
        ("probes_known", "hashes", wanted.probes, take_probe),
        ("statements_probed", "hashes", wanted.revealed, take_probed),
        ("statements_by_hash", "hashes", wanted.cited, take_statement),
        ("invitations_used", "hashes", wanted.invitations, take_invitation),
        ("memberships_of", "ids", wanted.members, take_membership),
        ("families_known", "ids", wanted.families, take_family),
        ("peers_by_origin", "origins", wanted.origins, take_peer),
    )
    return [(name, {parameter: sorted(values)}, take) for name, parameter, values, take in reads if values]


def _take_all(state: State, reads: Sequence[tuple[str, dict[str, Any], _Take]], found: Sequence[Sequence[Row]]) -> None:
    for (_, _, take), rows in zip(reads, found, strict=True):
        for row in rows:
            take(state, row)


def _take_admission(state: State, row: Row) -> None:
    allowed, invitations = frozenset(row["allowed_agents"]), frozenset(row["invitations"])
    state.admission = AdmissionRecord(AdmissionMode(row["mode"]), allowed, invitations)


def _take_epoch_part(state: State, row: Row) -> None:
    state.last_epoch_part = EpochPart(**row)


async def _load_endorsements_of_owners(store: JointReads, state: State, wanted: WantedNames) -> None:
    """Read the endorsements that decide for which registrants of sources the operator answers (docs/decisions/0043)."""
    known = (state.documents.get(name) for name in wanted.registered)
    registrants = {registrant.agent_id for one in known if one is not None for registrant in one.registrants}
    state.policy_seeds = await _load_endorsers(store, state, wanted.agents | registrants)


async def _load_endorsers(store: JointReads, state: State, agents: Collection[str]) -> frozenset[str]:
    """Read the agents that endorse each of these; return the seeds of the policy in force."""
    policies, endorsers = await store.read_together([("current_policy", {}), ("endorsers_of", {"ids": sorted(agents)})])
    for row in endorsers:
        state.endorsers.setdefault(row["agent_id"], set()).add(row["operator"])
    return frozenset(seed for policy in policies for seed in policy["seeds"])


def _is_alias(reference: str) -> bool:
    return "#" not in reference and not reference.startswith("did:key:")
