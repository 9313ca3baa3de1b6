"""The graph written again from the log, into an empty engine, with each message checked as on submission.

So every signature is checked with the key that was valid at its place, and every reference against the messages before
it; and the scores follow the log's policies. A message that a lenient node accepts is accepted here: a verdict that
binds nothing, and a request that the node signed for an agent that it knows.
"""

from collections.abc import Callable, Mapping

from a2ap.errors import A2APError
from a2ap.identifiers import key_agent
from a2ap.log.entry import LogEntry
from a2ap.messages.message import Message, MessageType
from a2ap.messages.redaction import Redaction
from a2ap.signing.signature import verify_signature
from graph.audit.epochs import EpochAudit
from graph.audit.report import AuditReport, FindingKind
from graph.audit.workspace import Workspace
from graph.errors import GraphError, NotRegisteredError, RebuildError, TargetError
from graph.kinds.admission import check_message
from graph.kinds.naming import names_of
from graph.kinds.state import State
from graph.store import Store
from graph.submission.rebuild import rebuild


class Replay:
    """Writes the graph of a workspace's log into an empty store."""

    def __init__(self, workspace: Workspace, report: AuditReport, node_agent: str, redacted: Mapping[str, str]) -> None:
        self._redacted = redacted
        self._workspace = workspace
        self._report = report
        self._node_agent = node_agent

    async def write(self, store: Store, on_progress: Callable[[int], None]) -> bool:
        """Write the graph, and estimate its epochs again; return whether all entries were written."""
        epochs = EpochAudit(self._workspace, self._report)
        await epochs.find()
        try:
            async for size in rebuild(
                store,
                self._workspace.content,
                self._workspace.entries(),
                without=self._workspace.skipped,
                stops=epochs.places,
                admit=self._admit,
                redacted=self._redacted,
                handed_in=self._workspace.sources_given(),
            ):
                on_progress(size)
                await epochs.check(store, size)
        except RebuildError as error:
            self._report.add(FindingKind.GRAPH, "graph", f"cannot be made from this log: {error}")
            return False
        return True

    def _admit(self, message: Message, entry: LogEntry, state: State) -> bool:
        try:
            self._check(message, entry, state)
        except (A2APError, GraphError) as error:
            if self._is_of_untold_source(message, error):
                self._report.leave("redactions of sources that only messages which are left out cite or register")
                return True
            untold = self._points_at_untold(message, error)
            if untold:
                self._report.leave("messages that point at a message that is left out")
            else:
                self._report.add(
                    FindingKind.SIGNATURE, f"log entry {entry.log_index}", f"{entry.id}: {error}", entry.log_index
                )
            names = [
                entry.signed_hash,
                entry.id,
                *([entry.agent] if entry.type == MessageType.AGENT_REGISTRATION else ()),
            ]
            if untold:
                self._workspace.skip(entry.log_index, "points at a message that is left out", names, entry.type)
            else:
                self._workspace.skip(entry.log_index, "does not hold", names)
            return False
        self._report.checked["signatures"] += 1
        return True

    def _is_of_untold_source(self, message: Message, error: Exception) -> bool:
        """Return whether a rightly signed redaction names a source that only messages left out can make known.

        Such a redaction is written all the same: other statements may cite the source or its remainder later.
        """
        if not (isinstance(message, Redaction) and isinstance(error, TargetError) and error.path == "documentHash"):
            return False
        return any(map(self._workspace.has_untold, (MessageType.STATEMENT, MessageType.SOURCE_REGISTRATION)))

    def _points_at_untold(self, message: Message, error: Exception) -> bool:
        """Return whether the target that the message lacks is itself left out; otherwise, its lack is a finding."""
        wanted = names_of([message])
        match error:
            case NotRegisteredError():
                return self._workspace.is_untold(*wanted.agents)
            case TargetError():
                return self._workspace.is_untold(*wanted.agents, *wanted.messages)
            case _:
                return False

    def _check(self, message: Message, entry: LogEntry, state: State) -> None:
        signature = message.envelope.signature
        countersigned = (
            message.envelope.type is MessageType.VERIFICATION_REQUEST
            and signature is not None
            and entry.origin_index is None
            and entry.agent != self._node_agent
            and key_agent(signature.public_key) == self._node_agent
        )
        if countersigned and signature is not None:
            key = state.key_of(signature.public_key, self._node_agent)
            if key is None:
                raise NotRegisteredError(f"key {signature.public_key} is not registered", "signature.publicKey")
            verify_signature(signature, message.envelope.signed_bytes, key.public_key)
        origin = entry.origin if entry.origin_index is not None else None
        check_message(message, state, countersigned=countersigned, accept_unbound=True, origin=origin)
