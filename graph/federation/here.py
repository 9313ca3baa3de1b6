"""The parts of this node that pulls need: its graph, its bytes, its name, and the way into its log."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from a2ap.signing.keys import Signer
from graph.content.content_store import ContentStore
from graph.federation.transport_key import load_transport_key
from graph.log.entry import Outcome
from graph.node import Node
from graph.platform import Platform, utc_now
from graph.settings import Settings
from graph.store import Store
from graph.submission.sources import Sources
from graph.submission.submission import Submission


@dataclass(frozen=True, slots=True)
class FetchBounds:
    """The bounds on one pull of a peer's sources: bytes of one source; bytes, number and seconds of all."""

    source_bytes: int
    pull_bytes: int
    sources: int = 1000
    seconds: float = 120.0

    @classmethod
    def of(cls, settings: Settings) -> "FetchBounds | None":
        """Return the bounds that the settings state, None if no sources are to be fetched."""
        if settings.peer_sources == "off":
            return None
        return cls(min(settings.peer_source_bytes, settings.max_source_bytes), settings.peer_sources_bytes)


@dataclass(frozen=True, slots=True)
class Here:
    """This node; `transport` signs its requests to peers. Without `fetch_bounds` it fetches none of their sources."""

    store: Store
    content: ContentStore
    sources: Sources
    node: Node
    append: Callable[[Sequence[Submission]], Awaitable[list[Outcome]]]
    data: Path
    transport: Signer
    clock: Callable[[], datetime]
    fetch_bounds: FetchBounds | None

    @classmethod
    def of(cls, platform: Platform, clock: Callable[[], datetime] = utc_now) -> "Here":
        """Return the parts of a platform that pulls need; a missing transport key is made."""
        data = platform.settings.data
        return cls(
            store=platform.store,
            content=platform.content,
            sources=platform.sources,
            node=platform.node,
            append=platform.append,
            data=data,
            transport=load_transport_key(platform.settings, platform.node.origin),
            clock=clock,
            fetch_bounds=FetchBounds.of(platform.settings),
        )
