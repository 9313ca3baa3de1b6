"""A language model behind any OpenAI-compatible endpoint."""

import json
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx

from a2ap.client import is_loopback
from graph.models.errors import ModelDownError, ModelError

_ATTEMPTS = 2
_DOWN = frozenset({401, 403, 404, 408, 429, 502, 503, 504})
"""Statuses that mean that the endpoint takes no questions, regardless of the question."""


class LanguageModel(Protocol):
    """A language model that answers a question in text."""

    @property
    def name(self) -> str:
        """The name of the model."""
        ...

    def complete(self, instructions: str, question: str) -> str:
        """Return the text of the answer; raises ModelError if there is none."""
        ...


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A model: `url` is the base of the API (`https://host/v1`) or of its chat completions; `timeout` is in seconds."""

    url: str
    name: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 120.0

    def ask(self, instructions: str, question: str) -> dict[str, Any]:
        """Ask and return the JSON object of the answer; raises ModelError, also if the answer is no JSON object."""
        problem = ""
        for _ in range(_ATTEMPTS):
            text = self.complete(instructions, question)
            try:
                answer = json.loads(without_fence(text))
            except ValueError:
                problem = f"{self.name} answered with something that is not JSON"
                continue
            if isinstance(answer, dict):
                return answer
            problem = f"{self.name} answered with JSON that is not an object"
        raise ModelError(problem)

    def complete(self, instructions: str, question: str) -> str:
        """Ask and return the text of the answer, unchecked; raises ModelError if there is none.

        The error is ModelDownError if the model would not answer any other question either.
        """
        address = self.url.rstrip("/")
        if not address.endswith("/chat/completions"):
            address += "/chat/completions"
        body = {
            "model": self.name,
            "temperature": 0,
            "response_format": {"type": "json_object"},
            "messages": [
                {"role": "system", "content": instructions},
                {"role": "user", "content": question},
            ],
        }
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        try:
            response = httpx.post(
                address, json=body, headers=headers, timeout=self.timeout, trust_env=not is_loopback(address)
            )
            if response.status_code != httpx.codes.OK:
                kind = ModelDownError if response.status_code in _DOWN else ModelError
                raise kind(f"{self.name} answered {response.status_code} {response.reason_phrase}")
            content = response.json()["choices"][0]["message"]["content"]
        except (httpx.ReadTimeout, httpx.RemoteProtocolError, httpx.ReadError) as error:
            # The endpoint took the question: the question itself may be the cause.
            raise ModelError(f"{self.name} did not answer: {type(error).__name__}") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ModelDownError(f"{self.name} cannot be reached: {type(error).__name__}") from error
        except (ValueError, LookupError, TypeError) as error:
            raise ModelError(f"{self.name} did not answer in the form of a chat completion") from error
        if not isinstance(content, str):
            raise ModelError(f"{self.name} answered without text")
        return content


def without_fence(text: str) -> str:
    """Return an answer without the Markdown fence that models often put around JSON."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```"):
        return text[3:-3].removeprefix("json").strip()
    return text
