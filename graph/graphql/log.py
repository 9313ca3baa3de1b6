"""The log: its newest checkpoint, and the proofs that an entry is in it and that it continues what it was."""

import base64
from typing import Annotated

import strawberry

from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.subscriptions.place import Place, write_place


@strawberry.type(description="The log of this node, to which everything accepted is appended (RFC 6962, C2SP).")
class Log:
    """`Platform.log` as of one checkpoint."""

    origin: str = strawberry.field(description="Its name, as it stands in checkpoints.")
    size: int = strawberry.field(description="The number of entries under the checkpoint.")
    checkpoint: str = strawberry.field(description="The newest checkpoint, a signed note.")
    key: str = strawberry.field(description="The verifier key of what signs it now.")
    cursor: str = strawberry.field(
        description="The place behind these entries: the `after` of a subscription that tells what comes next."
    )
    successions: list[str] = strawberry.field(description="The signed notes by which earlier keys handed it on.")

    @resolved
    async def inclusion_proof(
        self,
        info: Info,
        index: Annotated[int, strawberry.argument(description="The place of the entry.")],
        size: Annotated[int | None, strawberry.argument(description="Of which log; without it, the newest.")] = None,
    ) -> list[str]:
        """The hashes, in base64, by which the entry at `index` is in the log of that `size`, by default the newest."""
        hashes = await info.context.platform.log.inclusion_proof(index, self.size if size is None else size)
        return _texts(hashes)

    @resolved
    async def consistency_proof(
        self,
        info: Info,
        from_: Annotated[int, strawberry.argument(name="from", description="The smaller size.")],
        to: Annotated[int | None, strawberry.argument(description="The larger size; without it, the newest.")] = None,
    ) -> list[str]:
        """The hashes, in base64, by which the log of size `to`, by default the newest, continues that of `from`."""
        hashes = await info.context.platform.log.consistency_proof(from_, self.size if to is None else to)
        return _texts(hashes)


async def find_log(info: Info) -> Log:
    """Return the log as it is now."""
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
