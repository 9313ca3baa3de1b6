"""A span processor that turns the finished GenAI spans of a trace into a pack, and hands it to the node.

The spans of a trace are collected until its outermost span in this process ends. A thread of the processor sends the
packs, untraced, so that the traced program does not wait for the node.
"""

import logging
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor, wait
from importlib.metadata import version
from threading import Lock

from opentelemetry.context import Context, attach, detach, set_value
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor

from a2ap.agent.agent import Agent
from a2ap.agent.framework_run import Contents, FrameworkRun, Recording
from a2ap.boundary import Boundary
from a2ap.opentelemetry.gen_ai_span import add_spans, ended_at, is_gen_ai, trace_of

FRAMEWORK = "opentelemetry-sdk"
MAX_TRACES = 1000
"""The most traces under way; beyond them the oldest one is not recorded."""
MAX_SPANS = 10_000
"""The most spans of a pack; further ones are not recorded."""

_UNTRACED = "suppress_instrumentation"  # the key that instrumentations read: their spans are left out

_log = logging.getLogger(__name__)


class ProvenanceSpanProcessor(SpanProcessor):
    """Records GenAI spans as packs that an `Agent` registers.

        provider.add_span_processor(ProvenanceSpanProcessor(agent))

    `contents` says whether the messages, arguments and results on spans are recorded by hash and length, which is the
    default, or in full; in full, `boundary` states the class of the packs. If the node does not take a pack, there is a
    `RunWarning`, and the pack waits for `agent.flush`.
    """

    def __init__(
        self,
        agent: Agent,
        *,
        contents: Contents | str = Contents.HASHES,
        boundary: Boundary | str | None = None,
    ) -> None:
        if not isinstance(agent, Agent):
            raise TypeError(f"agent is {type(agent).__qualname__}, not Agent")
        self.agent = agent
        self.recording = Recording.stated(FRAMEWORK, version(FRAMEWORK), contents, boundary)
        self._traces: OrderedDict[int, list[ReadableSpan]] = OrderedDict()
        self._lock = Lock()
        self._sender = ThreadPoolExecutor(1, "a2ap-spans")
        self._waiting: set[Future[None]] = set()

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Begin to collect a trace at its outermost span."""
        if span.context is not None and _is_outermost(span):
            with self._lock:
                self._traces.setdefault(span.context.trace_id, [])
                if len(self._traces) > MAX_TRACES:
                    self._traces.popitem(last=False)
                    _log.warning("more than %d traces are under way: the oldest is not recorded", MAX_TRACES)

    def on_end(self, span: ReadableSpan) -> None:
        """Keep a GenAI span; at the outermost span of a trace, hand in the pack."""
        if span.context is None:
            return
        with self._lock:
            spans = self._traces.get(span.context.trace_id)
            if spans is None:
                return
            if is_gen_ai(span) and len(spans) < MAX_SPANS:
                spans.append(span)
            if not _is_outermost(span):
                return
            del self._traces[span.context.trace_id]
            if spans:
                sent = self._sender.submit(self._hand_in, span, spans)
                self._waiting.add(sent)
                sent.add_done_callback(self._waiting.discard)

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Wait until the packs have been sent; return False if that takes longer."""
        return not wait(tuple(self._waiting), timeout_millis / 1000).not_done

    def shutdown(self) -> None:
        """Send the packs of the traces that have ended, and end the thread."""
        self._sender.shutdown()

    def _hand_in(self, outermost: ReadableSpan, spans: list[ReadableSpan]) -> None:
        token = attach(set_value(_UNTRACED, True))
        try:
            run = FrameworkRun(self.recording, outermost.name, trace_of(outermost))
            add_spans(run, spans)
            self.agent.hand_in(run.pack(ended_at(outermost)), self.recording.boundary)
        except Exception:
            _log.exception("the spans of a trace are not recorded")
        finally:
            detach(token)


def _is_outermost(span: ReadableSpan) -> bool:
    """Say whether a span has no parent in this process."""
    return span.parent is None or span.parent.is_remote
