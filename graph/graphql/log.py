"""The log: its newest checkpoint, its inclusion proofs and its consistency proofs."""

import asyncio
import base64
from typing import Annotated

import strawberry

from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.subscriptions.place import Place, write_place
from graph.transparency.witnesses import witnesses_to_ask


@strawberry.type(description="The log of this node, to which every accepted message is appended (RFC 6962, C2SP).")
class Log:
    """`Platform.log` as of one checkpoint."""

    origin: str = strawberry.field(description="The origin of the log, as in its checkpoints.")
    size: int = strawberry.field(description="The number of entries under the checkpoint.")
    checkpoint: str = strawberry.field(description="The newest checkpoint, a signed note.")
    key: str = strawberry.field(description="The verifier key of the current signing key.")
    cursor: str = strawberry.field(
        description="The cursor after these entries, for the `after` of a subscription to later events."
    )
    successions: list[str] = strawberry.field(
        description="The signed notes by which earlier keys passed the log on to their successors."
    )

    @resolved
    async def inclusion_proof(
        self,
        info: Info,
        index: Annotated[int, strawberry.argument(description="The log index of the entry.")],
        size: Annotated[
            int | None, strawberry.argument(description="The size of the log; the newest if omitted.")
        ] = None,
    ) -> list[str]:
        """The inclusion proof of the entry at `index` in the log of `size`, the newest if omitted: hashes in base64."""
        hashes = await info.context.platform.log.inclusion_proof(index, self.size if size is None else size)
        return _texts(hashes)

    @resolved
    async def consistency_proof(
        self,
        info: Info,
        from_: Annotated[int, strawberry.argument(name="from", description="The smaller size.")],
        to: Annotated[int | None, strawberry.argument(description="The larger size; the newest if omitted.")] = None,
    ) -> list[str]:
        """The consistency proof between the sizes `from` and `to`, the newest if omitted: hashes in base64."""
        hashes = await info.context.platform.log.consistency_proof(from_, self.size if to is None else to)
        return _texts(hashes)

    @resolved
    async def root_hash(
        self,
        info: Info,
        size: Annotated[
            int | None, strawberry.argument(description="The size of the log; the newest if omitted.")
        ] = None,
    ) -> str:
        """The root hash of the log of `size`, the newest if omitted, in base64."""
        root = await info.context.platform.log.root_at(self.size if size is None else size)
        return base64.b64encode(root).decode("ascii")

    @resolved
    async def witnesses(self, info: Info) -> list[str]:
        """The witnesses that this node asks to cosign its checkpoints, as verifier keys."""
        asked = await asyncio.to_thread(witnesses_to_ask, info.context.platform.settings)
        return [witness.key.text for witness in asked]


async def find_log(info: Info) -> Log:
    """Return the log as of its newest checkpoint."""
    log = info.context.platform.log
    await log.refresh()
    return Log(
        origin=log.origin,
        size=log.checkpoint.tree_size,
        checkpoint=log.checkpoint_note,
        key=log.verifier_key.text,
        cursor=write_place(log.origin, Place(log.checkpoint.tree_size)),
        successions=list(log.successions),
    )


def _texts(hashes: tuple[bytes, ...]) -> list[str]:
    return [base64.b64encode(hash_).decode("ascii") for hash_ in hashes]
