"""The model that runs in this process: all-MiniLM-L6-v2 from the extra `embeddings`, in numpy."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from a2ap.boundary import STRICTEST, Boundary
from graph.models.errors import ModelError
from graph.models.minilm import MiniLM
from graph.search.embedder import LOCAL_MODEL, MAX_TEXT, Vectors
from graph.settings import SettingsError


@dataclass(frozen=True, slots=True, eq=False)
class LocalEmbedder:
    """Embeds on the processor, in a thread, so that other requests are answered meanwhile."""

    weights: MiniLM
    model: str = LOCAL_MODEL
    clearance: Boundary = STRICTEST

    @classmethod
    def open(cls) -> "LocalEmbedder":
        """Read the installed model. Raises SettingsError if there is none."""
        try:
            return cls(MiniLM.open())
        except ModelError as error:
            raise SettingsError(f"A2AP_EMBEDDINGS_MODEL is {LOCAL_MODEL}: {error}") from error

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of the texts."""
        return await asyncio.to_thread(self.weights.embed, [text[:MAX_TEXT] for text in texts])
