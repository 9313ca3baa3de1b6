"""Content that Context Packs name, and of which class it is by them."""

from collections.abc import Sequence

from graph.clearance import boundary_of
from graph.store import Store


async def more_strictly_named(store: Store, names: Sequence[str]) -> set[str]:
    """Return those of these documents that a pack of a stricter class than theirs names.

    Their bytes may be here because of that pack alone: nobody can have them read by registering their hash as a source.
    """
    found = set()
    for row in await store.read("packs_naming", hashes=list(names)):
        own = boundary_of(row["boundary"])
        if any(boundary_of(stated) > own for stated in row["boundaries"]):
            found.add(row["document_hash"])
    return found
