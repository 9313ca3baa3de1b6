"""A model behind any endpoint with OpenAI's `/v1/embeddings` API."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import numpy as np

from a2ap.boundary import Boundary
from a2ap.client import is_loopback
from graph.errors import EmbeddingError
from graph.search.embedder import MAX_TEXT, Vectors, of_length_one

_TIMEOUT = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class EndpointEmbedder:
    """A model: `url` is the base of the API (`https://host/v1`) or of its embeddings; `timeout` is in seconds.

    Its provider reads the texts, so that it receives public texts and, above that, only texts of the class that the
    operator clears it for.
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    clearance: Boundary = Boundary.PUBLIC
    timeout: float = _TIMEOUT

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of the texts. Raises EmbeddingError if the endpoint does not return them."""
        # An empty text is refused by some, and says nothing to any.
        body = {"model": self.model, "input": [text[:MAX_TEXT] or " " for text in texts], "encoding_format": "float"}
        answer = await self._ask(body)
        try:
            found = {int(item["index"]): item["embedding"] for item in answer["data"]}
            vectors = np.array([found[place] for place in range(len(texts))], dtype=np.float32)
        except (LookupError, TypeError, ValueError) as error:
            raise EmbeddingError(f"{self.model} did not answer in the form of embeddings") from error
        if vectors.ndim != 2 or vectors.shape[1] == 0 or not np.isfinite(vectors).all():
            raise EmbeddingError(f"{self.model} answered with vectors that are none")
        return of_length_one(vectors)

    async def _ask(self, body: dict[str, Any]) -> Any:
        address = self.url.rstrip("/")
        if not address.endswith("/embeddings"):
            address += "/embeddings"
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        try:
            async with httpx.AsyncClient(timeout=self.timeout, trust_env=not is_loopback(address)) as client:
                response = await client.post(address, json=body, headers=headers)
            if response.status_code != httpx.codes.OK:
                raise EmbeddingError(f"{self.model} answered {response.status_code} {response.reason_phrase}")
            return response.json()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EmbeddingError(f"{self.model} cannot be reached: {type(error).__name__}") from error
        except ValueError as error:
            raise EmbeddingError(f"{self.model} answered with something that is not JSON") from error
