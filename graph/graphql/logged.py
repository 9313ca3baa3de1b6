"""What has an entry in the log: the receipt that it was answered with, and the proof that the log has it."""

from typing import Protocol, cast

import strawberry

from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.log_entry import Receipt


class _Placed(Protocol):
    """What says itself where its entry is."""

    log_index: int


@strawberry.interface(description="Whatever was handed in, so that the log has an entry of it.")
class Logged:
    """A type whose objects have a place in the log."""

    @resolved
    async def receipt(self, info: Info) -> Receipt:
        """What it was answered with when it was handed in: its entry in the log, and the proof of that."""
        return await info.context.loaders.log.receipt_at(await self.place_in_log(info))

    @resolved
    async def proof(self, info: Info) -> str:
        """The proof that its entry is under the newest checkpoint, with the checkpoint (C2SP tlog-proof)."""
        return await info.context.loaders.log.proof_at(info.context.platform.log, await self.place_in_log(info))

    async def place_in_log(self, info: Info) -> int:
        """Return the place of its entry: its `log_index`, except where a type finds it otherwise."""
        return cast(_Placed, self).log_index
