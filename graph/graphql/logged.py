"""Types with an entry in the log: their receipts and inclusion proofs."""

from typing import Protocol, cast

import strawberry

from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.log_entry import Receipt


class _Placed(Protocol):
    """An object that has the log index of its entry as an attribute."""

    log_index: int


@strawberry.interface(description="An object with an entry in the log.")
class Logged:
    """A type whose objects have a place in the log."""

    @resolved
    async def receipt(self, info: Info) -> Receipt:
        """The receipt of the submission, with its log entry and the inclusion proof."""
        return await info.context.loaders.log.receipt_at(await self.place_in_log(info))

    @resolved
    async def proof(self, info: Info) -> str:
        """The proof that the entry is included under the newest checkpoint, with the checkpoint (C2SP tlog-proof)."""
        return await info.context.loaders.log.proof_at(info.context.platform.log, await self.place_in_log(info))

    async def place_in_log(self, info: Info) -> int:
        """Return the log index of the entry: `log_index`, unless a type overrides this."""
        return cast(_Placed, self).log_index
