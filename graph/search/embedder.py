"""The port for models that turn texts into vectors.

A vector represents the subject of a text and not its assertion about it (docs/decisions/0038): a near text is worth
reading, and no more than that.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from a2ap.boundary import Boundary

Vectors = NDArray[np.float32]
"""One row for each text, of length 1, or of zeros if the text means nothing to the model."""

LOCAL_MODEL = "all-MiniLM-L6-v2"
"""The model that runs in this process, if it is installed."""

MAX_TEXT = 8_000
"""The number of characters of a text that are embedded; models read fewer."""


class Embedder(Protocol):
    """A model that embeds texts."""

    @property
    def model(self) -> str:
        """Return the name of the model: vectors of two models cannot be compared."""
        ...

    @property
    def clearance(self) -> Boundary:
        """Return the strictest class of texts that the model may receive."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of one or more texts, in order. Raises EmbeddingError."""
        ...


def of_length_one(vectors: Vectors) -> Vectors:
    """Return vectors with each row divided by its length; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    divided: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return divided
