"""The rows of a published graph that may come from messages left out of an audit.

A withheld message does not show its content, but its entry shows its type and its signer. So no more rows are left out
for it than such a message makes:

- A node is left out under its own key, and a relationship under the message that makes it, each once.
- A verdict is about one statement, and performed by the agent of its entry; a statement is of the agent of its entry.
- Chunks, documents and sources are left out if a statement that is left out leads to them, and not otherwise; documents
  and sources also if a source's registration that is left out leads to them.

Rows of a message that does not hold are left out wherever it is named: the message itself is a finding.
"""

from collections.abc import Mapping
from typing import Any

from a2ap.messages.message import MessageType
from a2ap.messages.policy import ConsensusMethod
from graph.audit.workspace import Workspace
from graph.dictionary.labels import EDGE_LABELS

NOT_HOLDING = ""
"""The type of the names of messages that do not hold: no further condition applies to these."""

_REACHED = "reached"
_SCORED = "scored"
_TYPES = frozenset(type.value for type in MessageType)
# The label of a message is its type, but for statements and verdicts.
_TYPE_OF_NODE = {
    **{type: type for type in _TYPES},
    "Statement": MessageType.STATEMENT.value,
    "Verification": MessageType.VERIFICATION_RESPONSE.value,
    "Chunk": _REACHED,
    "Document": _REACHED,
    "Source": _REACHED,
}
# The relationships that one message makes once, and at which end is the agent that signed it, if at any.
_ONCE: Mapping[str, int | None] = {
    **{type: None for type, (start, _) in EDGE_LABELS.items() if start in _TYPES},
    "GENERATED": 0,
    "VERIFIED": 0,
    "CHALLENGED": 0,
    "VALIDATES": None,
    "PERFORMED_BY": 1,
    "REQUESTED_VERIFICATION": 0,
    "STATED_BY": 1,
    "REGISTERED": 0,
}
_NAMED_BY_PROPERTY = {
    "VERIFIED": "verification_id",
    "CHALLENGED": "verification_id",
    "REQUESTED_VERIFICATION": "request_id",
    "REGISTERED": "signed_hash",
}
_BETWEEN_SOURCES = ("PART_OF", "SOURCED_FROM")
_OF_NOT_HOLDING = ("signed_hash", "registration_hash", "verification_id", "request_id", "endorsement_id")


class LeftOut:
    """The names in a workspace that are left out, and the names reached from them in the published graph."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._seen: set[tuple[str, str]] = set()

    def spread(self) -> None:
        """Add the names that depend on messages left out: sources of statements, and scores that verdicts change."""
        run = self._workspace.run
        self._spread_scores()
        start = self._names_of(MessageType.STATEMENT)
        for label in ("CITES", "PART_OF", "SOURCED_FROM"):
            reached = f"SELECT finish FROM rows WHERE published AND label = '{label}' AND start IN ({start})"
            run(f"INSERT OR IGNORE INTO untold SELECT finish, '{_REACHED}', NULL FROM ({reached})")
            start = reached
        registered = (
            f"SELECT document FROM registrations WHERE name IN ({self._names_of(MessageType.SOURCE_REGISTRATION)})"
        )
        sources = f"SELECT finish FROM rows WHERE published AND label = 'SOURCED_FROM' AND start IN ({registered})"
        for reached in (registered, sources):
            run(f"INSERT OR IGNORE INTO untold SELECT *, '{_REACHED}', NULL FROM ({reached})")

    def _spread_scores(self) -> None:
        """Add the gold labels, statements and verdicts whose standing or score depends on a message that was left out.

        A retraction changes its target, a dispute its label, a label its statement and the other labels of that, and a
        verdict its statement. The verdicts on a statement whose score is changed are worth more or less, and by the
        literal method the scores of all statements of their verifiers with them. A revision supersedes its statement.
        """
        self._add_scores(
            "SELECT json_extract(properties, '$.target_hash') AS name FROM rows WHERE published"
            f" AND label = 'Retraction' AND name IN ({self._names_of(MessageType.RETRACTION)})"
        )
        self._add_scores(self._targets("DISPUTES", MessageType.GOLD_DISPUTE))
        labelled = self._targets("LABELS", MessageType.GOLD_LABEL)
        self._add_scores(
            f"SELECT start AS name FROM rows WHERE published AND label = 'LABELS' AND finish IN ({labelled})"
        )
        self._add_scores(labelled)
        self._add_scores(self._targets("VALIDATES", MessageType.VERIFICATION_RESPONSE))
        if self._is_literal():
            self._add_scores(self._targets("REVISION_OF", MessageType.STATEMENT))
            self._spread_by_verifiers()
        self._add_scores(
            "SELECT start AS name FROM rows WHERE published AND label = 'VALIDATES'"
            " AND 'score of ' || finish IN (SELECT name FROM untold)"
        )
        self._add_scores(self._targets("REVISION_OF", MessageType.STATEMENT))

    def _is_literal(self) -> bool:
        """Return whether the last policy of the log names the literal method, by which scores depend on reputations."""
        last = self._workspace.run(
            "SELECT json_extract(properties, '$.method') FROM rows WHERE NOT published AND label = 'Policy'"
            " ORDER BY json_extract(properties, '$.log_index') DESC LIMIT 1"
        )
        return last == [(ConsensusMethod.LITERAL.value,)]

    def _spread_by_verifiers(self) -> None:
        """Add the scores of statements that share verifiers with a statement whose score is added, and so on."""
        run = self._workspace.run
        run(
            "CREATE TEMPORARY TABLE judged AS SELECT DISTINCT verdict.finish AS statement, agent.finish AS agent"
            " FROM rows AS agent JOIN rows AS verdict ON verdict.start = agent.start"
            " WHERE agent.published AND agent.label = 'PERFORMED_BY'"
            " AND verdict.published AND verdict.label = 'VALIDATES'"
        )
        run("CREATE INDEX judged_statement ON judged (statement)")
        run("CREATE INDEX judged_agent ON judged (agent)")
        self._add_scores(
            # From statements to their verifiers and back, so that the work grows with the number of verdicts.
            "WITH RECURSIVE reached (name, is_agent) AS ("
            " SELECT statement, 0 FROM judged WHERE 'score of ' || statement IN (SELECT name FROM untold)"
            " UNION SELECT iif(is_agent, statement, agent), NOT is_agent FROM reached JOIN judged"
            " ON (is_agent AND agent = name) OR (NOT is_agent AND statement = name))"
            " SELECT name FROM reached WHERE NOT is_agent"
        )

    def _targets(self, relationship: str, message_type: MessageType) -> str:
        """Return a query of the targets of the messages of a type that were left out, or have their score among these.

        A message has one target, whatever a forged graph says.
        """
        return (
            f"SELECT min(finish) AS name FROM rows WHERE published AND label = '{relationship}'"
            f" AND (start IN ({self._names_of(message_type)}) OR 'score of ' || start IN (SELECT name FROM untold))"
            " GROUP BY start"
        )

    def _add_scores(self, names: str) -> None:
        """Add the scores of the nodes that a query names."""
        self._workspace.run(
            f"INSERT OR IGNORE INTO untold SELECT 'score of ' || name, '{_SCORED}', NULL FROM ({names})"
        )

    @property
    def closed_sources(self) -> int:
        """Return the number of sources that only registrations left out name: their bytes were not requested."""
        found = self._workspace.run(
            "SELECT count(DISTINCT document) FROM registrations"
            f" WHERE name IN ({self._names_of(MessageType.SOURCE_REGISTRATION)})"
            " AND document NOT IN (SELECT document_hash FROM sources)"
        )
        return int(found[0][0])

    def has(
        self, kind: str, label: str, name: str, ends: tuple[str | None, str | None], properties: Mapping[str, Any]
    ) -> bool:
        """Return whether a row that the log does not make may come from a message that is left out."""
        if kind == "node":
            found = self._workspace.untold(name)
            expected = _TYPE_OF_NODE.get(label, found[0] if found is not None else "")
            if found is not None and found[0] == expected and self._is_first(label, name):
                return True
        elif self._is_of_message(label, ends, properties):
            return True
        names = [name, *ends, *(properties.get(one) for one in _OF_NOT_HOLDING)]
        known = [self._workspace.untold(one) for one in names if isinstance(one, str)]
        return any(one is not None and one[0] == NOT_HOLDING for one in known)

    def _is_of_message(self, label: str, ends: tuple[str | None, str | None], properties: Mapping[str, Any]) -> bool:
        if label == "ABOUT":
            # The item is of a packet that is here; its subject may be left out, and is told by nothing else.
            about = self._workspace.untold(ends[1]) if ends[1] is not None else None
            return about is not None and about[0] in (MessageType.STATEMENT.value, _REACHED)
        owner = properties.get(_NAMED_BY_PROPERTY.get(label, ""), ends[1] if label == "GENERATED" else ends[0])
        found = self._workspace.untold(owner) if isinstance(owner, str) else None
        if found is None:
            return False
        message_type, log_index = found
        if (message_type == _REACHED) != (label in _BETWEEN_SOURCES):
            return False
        if message_type == _REACHED or label not in _ONCE:
            return True
        if label == "REGISTERED" and message_type not in (MessageType.SOURCE_REGISTRATION.value, NOT_HOLDING):
            return False
        agent = _ONCE[label]
        if agent is not None and log_index is not None and ends[agent] != self._workspace.agent_of(log_index):
            return False
        return self._is_first(label, str(owner))

    def _is_first(self, what: str, owner: str) -> bool:
        seen = (what, owner) in self._seen
        self._seen.add((what, owner))
        return not seen

    def _names_of(self, message_type: MessageType) -> str:
        return f"SELECT name FROM untold WHERE type IN ('{message_type.value}', '{NOT_HOLDING}')"
