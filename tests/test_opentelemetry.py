"""Spans of OpenTelemetry as packs, and statements as events on spans, with the real SDK and a node over HTTP."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.context import get_value
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Status, StatusCode
from opentelemetry.trace import TracerProvider as Provider
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from a2ap import Agent, AsyncAgent
from a2ap.agent import RunWarning
from a2ap.agent.base import utc_now
from a2ap.client import Client
from a2ap.opentelemetry import ProvenanceSpanProcessor
from a2ap.opentelemetry.gen_ai_messages import prompts_of
from a2ap.pack.manifest import Manifest, Step
from a2ap.pack.read_manifest import read_manifest
from a2ap.testing import MakeAgent
from a2ap.testing.node import Node

MINUTES = b"The council voted five to two to keep the height limit at forty feet."
MESSAGES = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Keep the limit?"}]}])
ANSWER = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Yes."}], "finish_reason": "stop"}])


@pytest.fixture
def clerk(make_a2ap_agent: MakeAgent) -> Agent:
    return make_a2ap_agent("Clerk")


@pytest.fixture
def exported() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def provider(exported: InMemorySpanExporter) -> Iterator[TracerProvider]:
    made = TracerProvider()
    made.add_span_processor(SimpleSpanProcessor(exported))
    yield made
    made.shutdown()


def manifest_of(node: Node, name: str | None) -> Manifest:
    assert name is not None
    with Client(node.url) as client:
        query = "query ($hash: ID!) { pack(hash: $hash) { findings { code } } }"
        assert client.graphql(query, {"hash": name})["pack"] == {"findings": []}
        return read_manifest(client.record("/packs", name)).manifest


def content_of(node: Node, pack: str | None, reference: str) -> bytes:
    with Client(node.url) as client:
        return client._send("GET", f"/packs/{pack}/content/{reference}").content


def about(step: Step) -> dict[str, Any]:
    assert step.parameters is not None
    return dict(step.parameters)


def run_agent(provider: Provider) -> None:
    """Make the spans of an agent that asks a model and calls a tool, as the GenAI conventions name them."""
    tracer = provider.get_tracer("clerk")
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "clerk"}
    chat: dict[str, Any] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-5.2",
        "gen_ai.response.model": "gpt-5.2-2026",
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.input.messages": MESSAGES,
        "gen_ai.output.messages": ANSWER,
    }
    tool = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look_up",
        "gen_ai.tool.call.arguments": '{"name": "limit"}',
        "gen_ai.tool.call.result": "forty feet",
    }
    with tracer.start_as_current_span("invoke_agent clerk", attributes=agent):
        with tracer.start_as_current_span("chat gpt-5.2", attributes=chat):
            pass
        with tracer.start_as_current_span("GET /limit"), tracer.start_as_current_span("execute_tool", attributes=tool):
            pass


def test_the_spans_of_an_agent_are_a_pack_with_hashes_and_trace_context(
    clerk: Agent, provider: TracerProvider, exported: InMemorySpanExporter, a2ap_node: Node
) -> None:
    provider.add_span_processor(ProvenanceSpanProcessor(clerk))
    run_agent(provider)
    assert provider.force_flush()
    manifest = manifest_of(a2ap_node, clerk.last_pack)
    assert [(one.type, one.tool) for one in manifest.steps] == [
        ("agent", "clerk"),
        ("model_call", "gpt-5.2"),
        ("tool_call", "look_up"),
    ]
    spans = {one.name: one for one in exported.get_finished_spans()}
    carrier: dict[str, str] = {}
    context = spans["chat gpt-5.2"].context
    assert context is not None
    TraceContextTextMapPropagator().inject(carrier, trace.set_span_in_context(trace.NonRecordingSpan(context)))
    told = about(manifest.steps[1])
    assert told["traceparent"] == carrier["traceparent"]
    assert (told["model"], told["answeredBy"]) == ("gpt-5.2", "gpt-5.2-2026")
    assert (told["inputTokens"], told["outputTokens"]) == (7, 5)
    assert told["parent"] == about(manifest.steps[0])["run"]
    assert manifest.model.identifier == "gpt-5.2" and manifest.model.parameters is not None
    assert manifest.model.parameters["assurance"] == "stated by the framework, not verified"
    assert manifest.model.parameters["traceId"] == told["traceparent"].split("-")[1]
    for name in (manifest.prompts[0].content_ref, manifest.inputs[0].content_ref, manifest.steps[2].output_ref):
        assert json.loads(content_of(a2ap_node, clerk.last_pack, name)).keys() == {"length", "sha256"}


def test_contents_on_spans_are_recorded_in_full_on_request(
    clerk: Agent, provider: TracerProvider, a2ap_node: Node
) -> None:
    provider.add_span_processor(ProvenanceSpanProcessor(clerk, contents="full", boundary="public"))
    run_agent(provider)
    provider.force_flush()
    manifest = manifest_of(a2ap_node, clerk.last_pack)
    assert [one.role for one in manifest.prompts] == ["user"]
    assert content_of(a2ap_node, clerk.last_pack, manifest.prompts[0].content_ref) == b"Keep the limit?"
    assert content_of(a2ap_node, clerk.last_pack, manifest.steps[1].output_ref) == b"Yes."
    assert content_of(a2ap_node, clerk.last_pack, manifest.steps[2].output_ref) == b"forty feet"
    with pytest.raises(ValueError, match="contents is 'full' without a boundary"):
        ProvenanceSpanProcessor(clerk, contents="full")


def test_a_claim_is_an_event_on_its_span_and_a_step_of_the_pack(
    clerk: Agent, provider: TracerProvider, exported: InMemorySpanExporter, a2ap_node: Node
) -> None:
    provider.add_span_processor(ProvenanceSpanProcessor(clerk))
    minutes = clerk.source(MINUTES, title="Minutes")
    with provider.get_tracer("clerk").start_as_current_span("publish"):
        receipt = clerk.claim("The limit stays.", quote="keep the height limit", source=minutes)
    provider.force_flush()
    (event,) = exported.get_finished_spans()[0].events
    assert event.name == "a2ap.statement"
    assert dict(event.attributes or {}) == {
        "a2ap.statement.id": receipt.id,
        "a2ap.statement.hash": receipt.signed_hash,
        "a2ap.log.index": receipt.log_index,
    }
    span, claim = manifest_of(a2ap_node, clerk.last_pack).steps
    assert (claim.type, about(claim)) == (
        "claim",
        {"id": receipt.id, "signedHash": receipt.signed_hash, "parent": about(span)["run"]},
    )


async def test_the_event_needs_no_processor_and_serves_asyncio(
    make_a2ap_agent: MakeAgent, provider: TracerProvider, exported: InMemorySpanExporter
) -> None:
    async with make_a2ap_agent("Clerk", kind=AsyncAgent) as agent:
        minutes = await agent.source(MINUTES, title="Minutes")
        with provider.get_tracer("clerk").start_as_current_span("publish"):
            receipt = await agent.claim("The limit stays.", quote="five to two", source=minutes)
    (event,) = exported.get_finished_spans()[0].events
    assert event.attributes is not None and event.attributes["a2ap.statement.id"] == receipt.id


def test_a_failed_span_is_a_failed_step_and_other_traces_are_no_pack(
    clerk: Agent, provider: TracerProvider, a2ap_node: Node
) -> None:
    provider.add_span_processor(ProvenanceSpanProcessor(clerk))
    tracer = provider.get_tracer("clerk")
    with tracer.start_as_current_span("GET /"):
        pass
    provider.force_flush()
    assert clerk.last_pack is None
    chat = {"gen_ai.operation.name": "chat", "gen_ai.system": "openai", "error.type": "timeout"}
    with tracer.start_as_current_span("chat", attributes=chat) as span:
        span.set_status(Status(StatusCode.ERROR, "The secret words of the error."))
    provider.force_flush()
    manifest = manifest_of(a2ap_node, clerk.last_pack)
    (step,) = manifest.steps
    assert (about(step)["status"], about(step)["error"], about(step)["provider"]) == ("failed", "timeout", "openai")
    assert "secret" not in str(manifest)
    with (
        pytest.raises(LookupError),
        tracer.start_as_current_span("chat", attributes={"gen_ai.operation.name": "chat"}),
    ):
        raise LookupError("secret")
    provider.force_flush()
    manifest = manifest_of(a2ap_node, clerk.last_pack)
    assert about(manifest.steps[0])["error"] == "LookupError" and "secret" not in str(manifest)


def test_a_node_that_is_away_does_not_hold_up_the_traced_program(
    clerk: Agent, provider: TracerProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("a2ap.agent.exchange._FIRST_PAUSE", 0.01)
    away = Agent(clerk._operations.identity, "http://127.0.0.1:9")
    provider.add_span_processor(ProvenanceSpanProcessor(away))
    with pytest.warns(RunWarning, match="has not taken the pack"):
        run_agent(provider)
        provider.force_flush()
    assert away.last_pack is not None


def test_the_requests_of_the_processor_are_not_traced_themselves(
    clerk: Agent, provider: TracerProvider, a2ap_node: Node
) -> None:
    seen: list[Any] = []

    def clock() -> datetime:
        seen.append(get_value("suppress_instrumentation"))
        return utc_now()

    agent = Agent(clerk._operations.identity, a2ap_node.url, clock=clock)
    provider.add_span_processor(ProvenanceSpanProcessor(agent))
    run_agent(provider)
    provider.force_flush()
    assert agent.last_pack is not None and seen == [True]


def test_traces_beside_each_other_are_packs_of_their_own(
    clerk: Agent, provider: TracerProvider, a2ap_node: Node
) -> None:
    processor = ProvenanceSpanProcessor(clerk)
    provider.add_span_processor(processor)
    packs: list[str | None] = []
    for _ in range(2):
        run_agent(provider)
        provider.force_flush()
        packs.append(clerk.last_pack)
    traces = {(manifest_of(a2ap_node, one).model.parameters or {})["traceId"] for one in packs}
    assert len(traces) == 2 and not processor._traces


@pytest.mark.parametrize(
    ("instructions", "messages", "prompts"),
    [
        (None, MESSAGES, [("user", "Keep the limit?")]),
        ('[{"type": "text", "content": "Be a clerk."}]', None, [("system", "Be a clerk.")]),
        (None, ({"role": "user", "parts": ({"type": "text", "content": "x"},)},), [("user", "x")]),
        (None, "not JSON", [("input", "not JSON")]),
        (None, '[{"role": "tool", "parts": [{"type": "file"}]}]', [("tool", [{"type": "file"}])]),
        (None, "[1]", [("input", "[1]")]),
        (None, None, []),
    ],
)
def test_prompts_are_read_by_role_and_other_forms_are_left(
    instructions: Any, messages: Any, prompts: list[tuple[str, Any]]
) -> None:
    assert prompts_of(instructions, messages) == prompts


def test_an_agent_leaves_opentelemetry_unimported() -> None:
    program = """
import sys
from a2ap.agent.span_event import note_statement
from a2ap.client import Receipt
note_statement(Receipt(0, "urn:x", "ProvenanceStatement", "", "", "", "", "", True))
sys.exit(any(name.startswith("opentelemetry") for name in sys.modules))
"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
