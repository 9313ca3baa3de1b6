"""Provenance of agents that OpenTelemetry traces: their finished GenAI spans become the pack of a run.

    provider.add_span_processor(ProvenanceSpanProcessor(agent))

It needs the extra `a2ap[opentelemetry]` (`docs/how-to/frameworks.md`). The event of a statement on the current span
needs neither: the agent adds it (`a2ap.agent.span_event`).
"""

try:
    import opentelemetry.sdk.trace  # noqa: F401
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "opentelemetry":
        raise
    message = (
        "opentelemetry-sdk is not installed; a2ap.opentelemetry needs the extra: pip install 'a2ap[opentelemetry]'"
    )
    raise ModuleNotFoundError(message, name=error.name) from error

from a2ap.agent.framework_run import Contents
from a2ap.opentelemetry.span_processor import ProvenanceSpanProcessor

__all__ = ["Contents", "ProvenanceSpanProcessor"]
