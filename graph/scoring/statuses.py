"""The derived state of statements, as `verificationStatus` shows it in returned documents (A2AP §2.1)."""

from collections.abc import Collection

from a2ap.messages.verification_status import VerificationStatus
from graph.store import Store


async def statuses_of(store: Store, hashes: Collection[str]) -> dict[str, VerificationStatus]:
    """Return the state of each of these statements, by signed hash.

    `validators` are the ids of the agents that validated the statement, `challenges` those of the responses that
    challenge it. This node's own check, the author's verdicts, retracted verdicts, verdicts that do not bind
    (docs/how-to/requests.md) and verdicts signed with a key that is not trusted are left out.
    """
    rows = await store.read("statuses_of", hashes=sorted(set(hashes)))
    return {
        row["statement"]: VerificationStatus(
            verified=row["verified"],
            validators=tuple(row["validators"]),
            challenges=tuple(row["challenges"]),
            consensus_score=row["consensus_score"],
            key_trusted=row["key_trusted"],
            retraction=row["retraction_id"] if row["retracted"] else None,
            superseded_by=row["superseded_by"],
            probe={True: "PASS", False: "FAIL"}.get(row["probe_passes"]),
            evidence_decayed_since=row["decayed_at"],
        )
        for row in rows
    }
