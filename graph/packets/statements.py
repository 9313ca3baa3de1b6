"""Reads the statements of a packet: their content, score, class, and the earlier statements that they replace."""

from collections.abc import Sequence

from a2ap.boundary import Boundary, strictest
from a2ap.times import instant_of
from graph.packets.facts import StatementFacts
from graph.scoring.standing import ClaimKind
from graph.store import Row, Store
from graph.verifier.stored_kinds import kinds_of_claims
from graph.withholding import classes_of


async def statements_with(store: Store, hashes: Sequence[str]) -> tuple[StatementFacts, ...]:
    """Return the statements of these signed hashes, in that order; unknown ones are left out."""
    rows = {row["signed_hash"]: row for row in await store.read("statements_by_hash", hashes=list(hashes))}
    classes, erased = await _boundaries(store, hashes), await _erased(store, hashes)
    revised, kinds = await _revised(store, hashes), await kinds_of_claims(store, rows)
    return tuple(
        _statement(rows[name], classes.get(name, Boundary.PUBLIC), revised.get(name), kinds[name], name in erased)
        for name in hashes
        if name in rows
    )


async def _boundaries(store: Store, hashes: Sequence[str]) -> dict[str, Boundary]:
    rows = await store.read("boundaries_cited", hashes=list(hashes))
    found: dict[str, Boundary] = {}
    for row, boundary in zip(rows, await classes_of(store, rows), strict=True):
        found[row["statement"]] = strictest(boundary, found.get(row["statement"], Boundary.PUBLIC))
    return found


async def _erased(store: Store, hashes: Sequence[str]) -> frozenset[str]:
    return frozenset(row["statement"] for row in await store.read("passages_redacted", hashes=list(hashes)))


async def _revised(store: Store, hashes: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the id and hash of the author's own earlier statement that each of these replaces."""
    revisions = {
        row["statement"]: row["signed_hash"]
        for row in await store.read("references_from", hashes=list(hashes))
        if row["relation"] == "REVISION_OF"
    }
    rows = await store.read("statements_by_hash", hashes=sorted(set(revisions.values()))) if revisions else []
    earlier = {row["signed_hash"]: row for row in rows}
    return {
        name: (earlier[old]["statement_id"], old)
        for name, old in revisions.items()
        if old in earlier and earlier[old]["superseded_by"] == name
    }


def _statement(
    row: Row, boundary: Boundary, revises: tuple[str, str] | None, kind: ClaimKind | None, erased: bool
) -> StatementFacts:
    return StatementFacts(
        signed_hash=row["signed_hash"],
        statement_id=row["statement_id"],
        author=row["agent_id"],
        claim=row["claim_text"],
        stated_confidence=row["confidence"],
        method=row["generation_method"],
        generated_at=instant_of(row["generated_micros"]),
        received_at=instant_of(row["received_micros"]),
        log_index=row["log_index"],
        origin=row["origin"],
        boundary=boundary,
        score=row["consensus_score"],
        verified=bool(row["verified"]),
        machine_check=row["machine_check"],
        key_trusted=bool(row["key_trusted"]),
        retracted=bool(row["retracted"]),
        superseded_by=row["superseded_by"],
        conflicted=bool(row["conflicted"]),
        probe=bool(row["probe"]),
        revises=revises,
        claim_kind=kind,
        words_erased=erased,
    )
