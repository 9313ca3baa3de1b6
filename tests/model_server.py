"""A language model for tests: an OpenAI-compatible endpoint over real HTTP whose answers the test writes."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Answer = Callable[[str, str], str]
"""Takes instructions and question, gives the text of the answer."""


@dataclass
class ModelServer:
    """What the endpoint was asked; `status` other than 200 makes it fail."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    status: int = 200


@contextmanager
def model_server(answer: Answer) -> Iterator[ModelServer]:
    """Serve a model on a free port until the block is left."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            running.requests.append({"path": self.path, **body})
            running.keys.append(self.headers.get("authorization"))
            system, user = (message["content"] for message in body["messages"])
            choice = {"message": {"role": "assistant", "content": answer(system, user)}}
            content = json.dumps({"choices": [choice]}).encode()
            self.send_response(running.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running = ModelServer(f"http://127.0.0.1:{server.server_port}/v1")
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
