"""Loads requests, declines, answers and the states of challenges, batched for one request."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Sequence
from typing import TYPE_CHECKING

from a2ap.messages.finding import FindingStatus
from graph.graphql.batches import Parts, Row, rows_by, values_by
from graph.graphql.challenge import ChallengeAnswer, VerificationDecline
from graph.graphql.connection import Connection
from graph.graphql.verification import Verification
from graph.graphql.verification_request import VerificationRequest
from graph.lists.span import Span
from graph.requests.challenge_state import Challenge, ChallengedCriterion, ChallengeState, state_of
from graph.requests.drawing import are_drawn, draws_of
from graph.scoring.draw import Draw
from graph.scoring.judgements import policy_in_force
from graph.scoring.reading import StoreReader
from graph.scoring.votes import ConsensusPolicy
from graph.store import Store

if TYPE_CHECKING:
    from graph.graphql.loaders import Loaders

_POLICY = "policy"


class CheckingLoaders:
    """The loaders of messages about verdicts, for one request; `loaders` are the request's other loaders."""

    def __init__(self, store: Store, loaders: Loaders) -> None:
        self._store = store
        self._loaders = loaders
        self._requests = values_by(self._load_requests)
        self._responses = Parts(store, "responses_to", "hashes", "request")
        self._challenges = Parts(store, "challenges_of", "hashes", "statement")
        self._declines = Parts(store, "declines_of", "hashes", "request")
        self._answers = Parts(store, "answers_of", "hashes", "challenge")
        # One whose key is trusted, where there is one.
        self._best_answer = rows_by(store, "answers_to_challenges", "hashes", "challenge", first=1)
        self._superseding = rows_by(store, "superseding", "hashes", "superseded")
        self._verdicts = values_by(self._load_verdicts)
        self._gold = rows_by(store, "observed_labels", "hashes", "statement")
        self._policy = values_by(self._load_policy)
        self._draws = values_by(self._load_draws)

    async def request_with(self, signed_hash: str | None) -> VerificationRequest | None:
        """Return the request with this signed hash, None if there is none."""
        if signed_hash is None:
            return None
        request: VerificationRequest | None = await self._requests.load(signed_hash)
        return request

    async def connect_responses_to(self, request: str, span: Span) -> Connection[Verification]:
        """Return a page of the verdicts that name a request."""
        return await self._responses.connect(request, span, self._loaders.take_verifications)

    async def connect_challenges_of(self, statement: str, span: Span) -> Connection[Verification]:
        """Return a page of the challenges of a statement."""
        return await self._challenges.connect(statement, span, self._loaders.take_verifications)

    async def connect_declines_of(self, request: str, span: Span) -> Connection[VerificationDecline]:
        """Return a page of the declines of a request."""

        async def show(rows: Sequence[Row]) -> list[VerificationDecline]:
            reasons = await self._withheld(rows)
            return [VerificationDecline.from_row(row, why) for row, why in zip(rows, reasons, strict=True)]

        return await self._declines.connect(request, span, show)

    async def connect_answers_of(self, challenge: str, span: Span) -> Connection[ChallengeAnswer]:
        """Return a page of the author's answers to a challenge."""

        async def show(rows: Sequence[Row]) -> list[ChallengeAnswer]:
            reasons = await self._withheld(rows)
            return [ChallengeAnswer.from_row(row, why) for row, why in zip(rows, reasons, strict=True)]

        return await self._answers.connect(challenge, span, show)

    async def verdict_with(self, signed_hash: str | None) -> Verification | None:
        """Return the verdict with this signed hash, None if there is none."""
        row: Row | None = None if signed_hash is None else await self._verdicts.load(signed_hash)
        return None if row is None else (await self._loaders.take_verifications([row]))[0]

    async def superseded_by(self, verdict: str) -> str | None:
        """Return the signed hash of the verdict that supersedes a verdict, the last if several do."""
        rows = await self._superseding.load(verdict)
        return rows[-1]["signed_hash"] if rows else None

    async def state_of(self, verdict: Verification) -> ChallengeState:
        """Return the state of a challenge."""
        about = verdict.statement_hash
        statement, consensus, answers, superseding, gold, policy = await gather(
            self._loaders.statement_with(about),
            self._loaders.consensus_of(about),
            self._best_answer.load(verdict.signed_hash),
            self.superseded_by(verdict.signed_hash),
            self._gold.load(about),
            self._policy.load(_POLICY),
        )
        faults = tuple(one.criterion for one in verdict.findings if one.status is FindingStatus.FAIL)
        challenge = Challenge(
            faults=faults,
            trusted=verdict.is_trusted,
            retracted=verdict.retraction is not None,
            superseded=superseding is not None,
            machine_failed=statement.machine_check == "FAIL",
            gold={row["criterion"]: row["passes"] for row in gold},
            statement_retracted=statement.retraction is not None,
            statement_revised=statement.successor is not None,
            verified=statement.verified,
            criteria=[
                ChallengedCriterion(one.criterion, one.score, len(one.operators_against))
                for one in consensus.per_criterion
            ],
            answered=any(row["key_trusted"] for row in answers),
        )
        return state_of(challenge, threshold=policy.threshold, quorum=policy.quorum)

    async def policy(self) -> ConsensusPolicy:
        """Return the consensus policy in force."""
        policy: ConsensusPolicy = await self._policy.load(_POLICY)
        return policy

    async def draw_of(self, statement: str) -> Draw | None:
        """Return the draw of operators for a statement, None if none are drawn."""
        draw: Draw | None = await self._draws.load(statement)
        return draw

    async def _withheld(self, rows: Sequence[Row]) -> list[str | None]:
        """Return the reason why the text of each row is withheld from this reader, None if it is not."""
        self._loaders.spend(len(rows))
        return await self._loaders.documents.reasons_withheld_of([row["statement"] for row in rows])

    async def _load_requests(self, hashes: list[str]) -> dict[str, VerificationRequest]:
        rows = await self._store.read("requests_by_hash", hashes=hashes)
        return {row["signed_hash"]: VerificationRequest.from_row(row) for row in rows}

    async def _load_verdicts(self, hashes: list[str]) -> dict[str, Row]:
        return {row["signed_hash"]: row for row in await self._store.read("verifications_by_hash", hashes=hashes)}

    async def _load_policy(self, keys: list[str]) -> dict[str, ConsensusPolicy]:
        return dict.fromkeys(keys, await policy_in_force(StoreReader(self._store)))

    async def _load_draws(self, hashes: list[str]) -> dict[str, Draw]:
        if not await are_drawn(self._store):
            return {}
        rows = await self._store.read("statements_by_hash", hashes=hashes)
        return await draws_of(self._store, {row["signed_hash"]: row["agent_id"] for row in rows})
