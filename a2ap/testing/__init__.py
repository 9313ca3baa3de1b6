"""A plugin of pytest: a throw-away node over HTTP, with agents on it, for tests of an agent.

    def test_the_clerk_quotes_the_minutes(a2ap_agent):
        minutes = a2ap_agent.source(b"Keep the height limit.", title="Minutes")
        receipt = a2ap_agent.claim("The limit stays.", quote="height limit", source=minutes)
        assert receipt.created

Every run of pytest loads this module, by the entry point `pytest11`: the node and the agents are imported by the
fixtures alone. `a2ap.testing.node.running_node` is the same node as a context manager.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar, overload

import pytest

if TYPE_CHECKING:
    from a2ap.agent import Agent, AsyncAgent
    from a2ap.testing.node import Node, NodeProcess

    Kind = TypeVar("Kind", Agent, AsyncAgent)

_NODE = "a2ap_node"
_ENVIRONMENT = "a2ap_node_environment"
_PROCESS = pytest.StashKey["NodeProcess"]()


class MakeAgent(Protocol):
    """Makes a registered agent with a new key; `kind` is `Agent` or `AsyncAgent`."""

    @overload
    def __call__(self, name: str = ...) -> "Agent": ...

    @overload
    def __call__(self, name: str = ..., *, kind: "type[Kind]") -> "Kind": ...


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the setting for the node's environment."""
    told = "variables of the throw-away node of a2ap_node, one NAME=value a line"
    parser.addini(_ENVIRONMENT, told, type="linelist", default=[])


def pytest_collection_finish(session: pytest.Session) -> None:
    """Start the node if a collected test uses it, so that it starts while other tests run."""
    config = session.config
    shares_out = getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput")
    uses_node = any(_NODE in getattr(item, "fixturenames", ()) for item in session.items)
    if uses_node and not shares_out and not config.option.collectonly:
        _process(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the node."""
    process = config.stash.get(_PROCESS, None)
    if process is not None:
        process.end()


@pytest.fixture(scope="session")
def a2ap_node(pytestconfig: pytest.Config) -> "Node":
    """Return the throw-away node of this run of pytest: its `url`, `log_key`, `operator_token` and `folder`."""
    from a2ap.testing.node import NodeError

    try:
        return _process(pytestconfig).node()
    except NodeError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture
def make_a2ap_agent(a2ap_node: "Node", tmp_path: Path) -> Iterator[MakeAgent]:
    """Return a function that makes registered agents on the node, each with a new key in the test's folder."""
    from a2ap.agent import Agent, AsyncAgent

    made = 0
    with ExitStack() as stack:

        def make(name: str = "Test agent", *, kind: type[Agent] | type[AsyncAgent] = Agent) -> Agent | AsyncAgent:
            nonlocal made
            made += 1
            key = tmp_path / f"a2ap-agent-{made}.key"
            agent = Agent.create(key, name=name, publisher="Tests", node=a2ap_node.url, log_key=a2ap_node.log_key)
            stack.callback(agent.close)
            agent.register()
            return agent if kind is Agent else kind.load(key, a2ap_node.url, log_key=a2ap_node.log_key)

        yield make  # type: ignore[misc]  # the overloads say which kind is returned


@pytest.fixture
def a2ap_agent(make_a2ap_agent: MakeAgent) -> "Agent":
    """Return a registered agent on the node, a new one for each test."""
    return make_a2ap_agent()


def _process(config: pytest.Config) -> "NodeProcess":
    """Return the process of the node, which the first call starts."""
    from a2ap.testing.node import NodeProcess

    if _PROCESS not in config.stash:
        lines = config.getini(_ENVIRONMENT)
        config.stash[_PROCESS] = NodeProcess(dict(_variable(line) for line in lines))
    return config.stash[_PROCESS]


def _variable(line: str) -> tuple[str, str]:
    name, equals, value = line.partition("=")
    if not equals or not name.strip():
        raise pytest.UsageError(f"{_ENVIRONMENT} has the line {line!r}, which is not NAME=value")
    return name.strip(), value.strip()
