"""What pulls need of this node: its graph, its bytes, its name, and the way into its log."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from a2ap.keys import Signer
from graph.content.content_store import ContentStore
from graph.federation.transport_key import load_transport_key
from graph.log.entry import Outcome
from graph.log.submission import Submission
from graph.node import Node
from graph.platform import Platform, utc_now
from graph.store import Store


@dataclass(frozen=True, slots=True)
class Here:
    """This node; `transport` signs its requests to peers."""

    store: Store
    content: ContentStore
    node: Node
    append: Callable[[Sequence[Submission]], Awaitable[list[Outcome]]]
    data: Path
    transport: Signer
    clock: Callable[[], datetime]

    @classmethod
    def of(cls, platform: Platform, clock: Callable[[], datetime] = utc_now) -> "Here":
        """Return what pulls need of a platform; its transport key is made where there is none."""
        data = platform.settings.data
        return cls(
            store=platform.store,
            content=platform.content,
            node=platform.node,
            append=platform.append,
            data=data,
            transport=load_transport_key(platform.settings, platform.node.origin),
            clock=clock,
        )
