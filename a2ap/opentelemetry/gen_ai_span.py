"""A finished span of the GenAI semantic conventions, as the steps of a run.

The conventions are in development, and their constants in `opentelemetry-semantic-conventions` are deprecated there:
the names of attributes are those of the text (https://github.com/open-telemetry/semantic-conventions-genai). Names of
earlier versions are read if the present one is missing.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import SpanContext, StatusCode, format_span_id, format_trace_id

from a2ap.agent.framework_run import FrameworkRun
from a2ap.agent.span_event import EVENT, STATEMENT_HASH, STATEMENT_ID
from a2ap.opentelemetry.gen_ai_messages import completion_of, plain, prompts_of

OPERATION = "gen_ai.operation.name"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TOOL = "execute_tool"
_RETRIEVAL = "retrieval"
_KINDS = {
    "chat": "model_call",
    "generate_content": "model_call",
    "text_completion": "model_call",
    "embeddings": "model_call",
    _TOOL: "tool_call",
    _RETRIEVAL: "retrieval",
}
_NAMES = ("gen_ai.tool.name", "gen_ai.agent.name", "gen_ai.workflow.name", "gen_ai.request.model")
_ABOUT = {
    "operation": (OPERATION,),
    "provider": ("gen_ai.provider.name", "gen_ai.system"),
    "model": ("gen_ai.request.model",),
    "answeredBy": ("gen_ai.response.model",),
    "temperature": ("gen_ai.request.temperature",),
    "maxTokens": ("gen_ai.request.max_tokens",),
    "inputTokens": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    "outputTokens": ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
    "agentId": ("gen_ai.agent.id",),
    "dataSource": ("gen_ai.data_source.id",),
    "toolCallId": ("gen_ai.tool.call.id",),
}
_INSTRUCTIONS = ("gen_ai.system_instructions",)
_MESSAGES = ("gen_ai.input.messages", "gen_ai.prompt")
_COMPLETION = ("gen_ai.output.messages", "gen_ai.completion")
_INPUTS = {
    "arguments": ("gen_ai.tool.call.arguments",),
    "query": ("gen_ai.retrieval.query.text",),
}
_RESULT = ("gen_ai.tool.call.result", "gen_ai.retrieval.documents")


def is_gen_ai(span: ReadableSpan) -> bool:
    """Say whether a span is one of the GenAI conventions, or has the event of a statement."""
    return OPERATION in _attributes(span) or any(event.name == EVENT for event in span.events)


def trace_of(span: ReadableSpan) -> Mapping[str, str]:
    """Return the id of a span's trace."""
    return {"traceId": format_trace_id(_context(span).trace_id)}


def add_spans(run: FrameworkRun, spans: Iterable[ReadableSpan]) -> None:
    """Add finished spans to a run, in the order of their beginnings, each with the claims made in it."""
    for span in sorted(spans, key=lambda one: one.start_time or 0):
        _add_span(run, span)


def ended_at(span: ReadableSpan) -> datetime:
    """Return the time at which a span has ended."""
    return _time(span.end_time)


def _add_span(run: FrameworkRun, span: ReadableSpan) -> None:
    context, attributes = _context(span), _attributes(span)
    step = format_span_id(context.span_id)
    operation = str(attributes.get(OPERATION, ""))
    about = dict(_stated(attributes, _ABOUT))
    run.begin(
        step,
        _KINDS.get(operation, "agent" if operation else "span"),
        str(_first(attributes, _NAMES) or span.name),
        _time(span.start_time),
        parent=None if span.parent is None else format_span_id(span.parent.span_id),
        traceparent=f"00-{format_trace_id(context.trace_id)}-{step}-{context.trace_flags:02x}",
        **about,
    )
    prompts = prompts_of(_first(attributes, _INSTRUCTIONS), _first(attributes, _MESSAGES))
    if prompts or "model" in about:
        run.ask(step, str(about.get("model", "")), prompts)
    for name, value in _stated(attributes, _INPUTS):
        run.take_input(step, name, plain(value))
    completion = _first(attributes, _COMPLETION)
    output = plain(_first(attributes, _RESULT)) if completion is None else completion_of(completion)
    if span.status.status_code is StatusCode.ERROR:
        run.fail(step, ended_at(span), _error_of(span), output)
    else:
        run.end(step, ended_at(span), output)
    for event in span.events:
        if event.name == EVENT:
            told = event.attributes or {}
            claim = {"id": told.get(STATEMENT_ID), "signedHash": told.get(STATEMENT_HASH), "parent": step}
            run.take_claim(claim, _time(event.timestamp))


def _error_of(span: ReadableSpan) -> str:
    """Return the type of the error that has ended a span, `_OTHER` if it is not stated."""
    types = [(event.attributes or {}).get("exception.type") for event in span.events if event.name == "exception"]
    return str(_attributes(span).get("error.type") or next(filter(None, types), "_OTHER"))


def _stated(attributes: Mapping[str, Any], table: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, Any]]:
    for name, theirs in table.items():
        if (value := _first(attributes, theirs)) is not None:
            yield name, value


def _first(attributes: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((attributes[name] for name in names if name in attributes), None)


def _attributes(span: ReadableSpan) -> Mapping[str, Any]:
    return span.attributes or {}


def _context(span: ReadableSpan) -> SpanContext:
    context: SpanContext | None = span.context
    assert context is not None  # of every span that a processor receives
    return context


def _time(nanoseconds: int | None) -> datetime:
    return _EPOCH + timedelta(microseconds=(nanoseconds or 0) // 1000)
