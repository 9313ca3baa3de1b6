"""Context Packs: the inputs, steps and outputs of a run, and the bytes for readers with clearance."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.pack.check_pack import check_pack
from a2ap.pack.finding import Finding, Severity
from graph.clearance import boundary_of
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import Info
from graph.graphql.fields import resolved, resolved_together
from graph.graphql.logged import Logged
from graph.graphql.node import Node
from graph.graphql.scalars import ByteCount
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.records.packs import held_content, lengths_of_blobs
from graph.records.reading import bytes_of_record
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.statement import Statement

LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]

# Content is hashed as it is read, and not kept.
_HASHED_BYTES_OF_AN_OBJECT = 16 * 1024
_PLAIN = ["version", "created", "model", "os", "runtime", "form", "parent"]

PackName = Annotated[
    strawberry.ID, strawberry.argument(description="The hash of the pack's manifest, or its ctx:// URI.")
]


@strawberry.type(description="A step of a run: a call of a tool, or a step of reasoning.")
class PackStep:
    """A `:Step` node; its parameters are in the manifest."""

    position: int = strawberry.field(description="The position in the run, from 0.")
    index: str = strawberry.field(description="The number that the step states.")
    type: str | None = strawberry.field(description="The type of the step, such as tool_call.")
    tool: str | None = strawberry.field(description="The tool called.")
    deterministic: bool = strawberry.field(description="Whether the step claims to be deterministic.")
    timestamp: str = strawberry.field(description="The time that the step states; the year 1 if it states none.")
    output_hash: strawberry.ID | None = strawberry.field(description="The hash of the step's output.")


async def _lengths_of(contents: Sequence["PackContent"], info: Info) -> list[ByteCount | None]:
    platform = info.context.platform
    named: dict[str, set[str]] = {}
    for one in contents:
        named.setdefault(one.pack, set()).add(one.content_hash)
    lengths = {
        pack: await lengths_of_blobs(platform.store, platform.content, pack, names, info.context.reader)
        for pack, names in named.items()
    }
    found = [lengths[one.pack].get(one.content_hash) for one in contents]
    return [None if length is None else ByteCount(length) for length in found]


@strawberry.type(description="Content that a run used or generated.")
class PackContent:
    """A USED or GENERATED relationship."""

    part: str = strawberry.field(description="The part of the manifest: system_prompt, prompt, input or output.")
    position: int = strawberry.field(description="The position within the part, from 0.")
    role: str | None = strawberry.field(description="The role of a prompt.")
    content_hash: strawberry.ID = strawberry.field(
        description="The SHA-256 of the content's bytes, which may equal that of a cited source."
    )
    pack: strawberry.Private[str]

    @resolved_together(_lengths_of)
    async def byte_length(self, info: Info) -> ByteCount | None:
        """The number of bytes; null if this reader may not have them, or this node has not."""
        return (await _lengths_of([self], info))[0]


@strawberry.type(description="A finding about a pack; docs/reference/packs.md explains the codes.")
class PackFinding:
    """A finding of `a2ap.pack`."""

    code: str = strawberry.field(description="The code of the finding.")
    error: bool = strawberry.field(description="Whether the finding is an error.")
    path: str = strawberry.field(description="The member of the manifest at issue.")
    words: str = strawberry.field(description="The finding in words.")

    @classmethod
    def from_finding(cls, finding: Finding) -> "PackFinding":
        """Return a finding as the schema shows it."""
        return cls(
            code=finding.code.value,
            error=finding.severity is Severity.ERROR,
            path=finding.path,
            words=finding.words,
        )


@strawberry.type(
    description="A Context Pack (ContextSubstrate): one run of an agent, named by the hash of its manifest."
)
class Pack(Node, Logged):
    """A `:Pack` node; a pack that was erased, or whose manifest is not stored, has its hash only."""

    record_hash: strawberry.ID = strawberry.field(description="The SHA-256 of the manifest, which names the pack.")
    log_index: int = strawberry.field(description="The log index of the first registration.")
    held: bool = strawberry.field(description="Whether this node has the manifest.")
    boundary: str = strawberry.field(description="The boundary class of the manifest and content.")
    redacted: str | None = strawberry.field(
        description="The agent, time and reason of its erasure; null if it was not erased."
    )
    version: str | None = strawberry.field(description="The version of the format.")
    created: str | None = strawberry.field(
        description="The time of creation as stated in the manifest, to the nanosecond."
    )
    model: str | None = strawberry.field(description="The model that ran.")
    os: str | None = strawberry.field(description="The operating system that it ran on.")
    runtime: str | None = strawberry.field(description="The runtime that it ran with.")
    form: str | None = strawberry.field(description="The form of the manifest: canonical, upstream-fork or other.")
    parent: strawberry.ID | None = strawberry.field(description="The pack that it follows, on this node or not.")
    byte_length: strawberry.Private[int]

    def node_key(self) -> str:
        """Return the key that is unique to this pack."""
        return str(self.record_hash)

    @resolved
    async def informed_by(self, info: Info) -> "Pack | None":
        """The pack that it follows, if this node has it."""
        names = [self.parent] if self.parent is not None else []
        return next(iter(await info.context.loaders.records.packs_with(names)), None)

    @resolved
    async def children(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection["Pack"]:
        """The packs that follow it, in log order."""
        span = Span.asked(Ordering("children of a pack"), first, after, last, before)
        return await info.context.loaders.records.connect_pack_children(self.record_hash, span)

    @resolved
    async def steps(self, info: Info) -> list[PackStep]:
        """The steps, in order."""
        return [
            PackStep(
                position=row["position"],
                index=str(row["index"]),
                type=row["type"],
                tool=row["tool"],
                deterministic=row["deterministic"],
                timestamp=row["timestamp"],
                output_hash=row["output_hash"],
            )
            for row in await info.context.loaders.records.steps_of(self.record_hash)
        ]

    @resolved
    async def contents(self, info: Info) -> list[PackContent]:
        """The content used and generated, part by part."""
        return [
            PackContent(
                part=row["part"],
                position=row["position"],
                role=row["role"],
                content_hash=row["content_hash"],
                pack=self.record_hash,
            )
            for row in await info.context.loaders.records.contents_of(self.record_hash)
        ]

    @resolved
    async def statements(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[LazyStatement]:
        """The statements generated by the run (prov:wasGeneratedBy), in log order."""
        span = Span.asked(Ordering("statements of a record"), first, after, last, before)
        return await info.context.loaders.records.connect_statements(self.record_hash, span)

    @resolved
    async def manifest(self, info: Info) -> str | None:
        """The manifest as received; null if it is not stored or is above the clearance of this reader."""
        content = await self._content(info)
        return None if content is None else content.decode("utf-8", "replace")

    @resolved
    async def findings(self, info: Info) -> list[PackFinding] | None:
        """The findings of a check that hashes the content again; null if this reader may not have the bytes."""
        content = await self._content(info)
        if content is None:
            return None
        spend = info.context.loaders.spend
        held = await held_content(
            info.context.platform.content, content, lambda length: spend(1 + length // _HASHED_BYTES_OF_AN_OBJECT)
        )
        report = await asyncio.to_thread(check_pack, self.record_hash, content, held)
        return [PackFinding.from_finding(one) for one in report.findings]

    async def _content(self, info: Info) -> bytes | None:
        platform, reader = info.context.platform, info.context.reader
        if not self.held or self.redacted is not None or not reader.may_read(boundary_of(self.boundary)):
            return None
        info.context.loaders.spend_bytes(self.byte_length)
        return await bytes_of_record(platform.store, platform.content, self.record_hash, "Pack", reader)

    @classmethod
    def from_row(cls, row: Row) -> "Pack":
        """Return the pack that a row of `packs_by_hash.cypher` describes."""
        return cls(
            record_hash=row["record_hash"],
            log_index=row["log_index"],
            held=bool(row["held"]),
            boundary=boundary_of(row["boundary"]).value,
            redacted=row["redacted"],
            byte_length=row["byte_length"] or 0,
            **{name: row[name] for name in _PLAIN},
        )


async def resolve_pack(info: Info, hash: PackName) -> Pack | None:
    """Return a pack by the hash of its manifest, None if there is none."""
    digits = hash.removeprefix("ctx://").removeprefix("sha256:").lower()
    return next(iter(await info.context.loaders.records.packs_with([f"sha256:{digits}"])), None)
