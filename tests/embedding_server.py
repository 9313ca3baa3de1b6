"""An OpenAI-compatible endpoint of embeddings over real HTTP, whose model is small and always the same.

A text becomes the sum of its words, each hashed to a place among the dimensions: texts that share words are near, and
a table of synonyms makes two words one, so that something can be found by meaning that has no word of the question.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from graph.search.words import STOP_WORDS, words_of

SYNONYMS = {"automobil": "car", "vehicl": "car", "dwell": "hous", "home": "hous"}


@dataclass
class EmbeddingServer:
    """What the endpoint was asked; `status` other than 200 makes it fail, `answer` is given instead of vectors."""

    url: str
    dimension: int = 256
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    status: int = 200
    answer: bytes | None = None

    @property
    def texts(self) -> list[str]:
        """Return every text that was sent, in order."""
        return [text for request in self.requests for text in request["input"]]


def vector_of(text: str, dimension: int, synonyms: Mapping[str, str] = SYNONYMS) -> list[float]:
    """Return the vector of a text, not of length 1: clients must see to that."""
    numbers = [0.0] * dimension
    for word in words_of(text):
        if word.text not in STOP_WORDS:
            digest = hashlib.sha256(synonyms.get(word.stem, word.stem).encode()).digest()
            numbers[int.from_bytes(digest[:4], "big") % dimension] += 1.0
    return numbers


@contextmanager
def embedding_server(dimension: int = 256) -> Iterator[EmbeddingServer]:
    """Serve embeddings on a free port until the block is left."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            running.requests.append({"path": self.path, **body})
            running.keys.append(self.headers.get("authorization"))
            rows = [
                {"object": "embedding", "index": place, "embedding": vector_of(text, running.dimension)}
                for place, text in enumerate(body["input"])
            ]
            # The order of an answer is its own affair: `index` says which is which.
            answer = {"object": "list", "model": body["model"], "data": rows[::-1], "usage": {"total_tokens": 0}}
            content = running.answer if running.answer is not None else json.dumps(answer).encode()
            self.send_response(running.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running = EmbeddingServer(f"http://127.0.0.1:{server.server_port}/v1", dimension)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
