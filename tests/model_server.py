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

Reply = Callable[[dict[str, Any]], dict[str, Any]]
"""Takes the body of a request, gives the message of the answer."""


@dataclass
class ModelServer:
    """What the endpoint was asked; `status` other than 200 makes it fail."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    status: int = 200


@contextmanager
def model_server(answer: Answer) -> Iterator[ModelServer]:
    """Serve a model of one question and answer on a free port until the block is left."""

    def reply(body: dict[str, Any]) -> dict[str, Any]:
        system, user = (message["content"] for message in body["messages"])
        return {"content": answer(system, user)}

    with chat_server(reply) as running:
        yield running


def tool_call(tool: str, **arguments: Any) -> dict[str, Any]:
    """Return a message of a model that calls a tool."""
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {"content": None, "tool_calls": [{"id": f"call_{tool}", "type": "function", "function": function}]}


@contextmanager
def chat_server(reply: Reply) -> Iterator[ModelServer]:
    """Serve a model on a free port until the block is left; a reply is a text or calls of tools."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            running.requests.append({"path": self.path, **body})
            running.keys.append(self.headers.get("authorization"))
            message = {"role": "assistant", **reply(body)}
            reason = "tool_calls" if "tool_calls" in message else "stop"
            usage = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
            answered = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": f"{body['model']}-1"}
            choices = [{"index": 0, "message": message, "finish_reason": reason}]
            content = json.dumps({**answered, "choices": choices, "usage": usage}).encode()
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
