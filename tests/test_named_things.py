"""What a question names: who and what it is about, and not whoever is called as questions begin."""

from typing import Any

import pytest

from graph.answers.named_things import what_is_named
from graph.clearance import ANONYMOUS


class _Named:
    """A store in which one agent and one document have the same name; it keeps what it was asked."""

    def __init__(self, name: str) -> None:
        self.asked: dict[str, dict[str, Any]] = {}
        self._name = name

    async def read(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        self.asked[query] = parameters
        if query.endswith("agents_named"):
            return [{"agent_id": "did:key:z6Mk", "name": self._name}]
        return [{"document_key": "sha256:0", "doc_id": "urn:source:0", "title": self._name}]


@pytest.mark.parametrize("name", ["What", "did they say", "they", "Who said", "sources", "most recent statements"])
async def test_what_is_called_as_questions_are_worded_is_not_named(name: str) -> None:
    named = await what_is_named(_Named(name), ANONYMOUS, f"{name} what did they say about the zoning map?")  # type: ignore[arg-type]
    assert (named.agent, named.documents, named.topic) == (None, (), "zoning map")


async def test_what_has_a_name_of_its_own_is_named() -> None:
    store = _Named("Elm Street minutes")
    named = await what_is_named(store, ANONYMOUS, "What rests on the Elm Street minutes?")  # type: ignore[arg-type]
    assert (named.agent, named.documents) == ("did:key:z6Mk", ("sha256:0",))
    assert store.asked["questions/documents_named"]["readable"] == ["public"]


class _Many:
    """A store in which the name of many agents stands within another word of the question."""

    async def read(self, query: str, *, first: int, **parameters: Any) -> list[dict[str, Any]]:
        if query.endswith("documents_named"):
            return []
        others = [{"agent_id": f"urn:agent:{number}", "name": "onin"} for number in range(250)]
        return [*others, {"agent_id": "urn:agent:amy", "name": "Amy"}][:first]


async def test_whose_name_is_only_within_other_words_keeps_nobody_from_being_named() -> None:
    named = await what_is_named(_Many(), ANONYMOUS, "What does Amy say about zoning?")  # type: ignore[arg-type]
    assert (named.agent, named.topic) == ("urn:agent:amy", "zoning")
