"""The receipts of a node, each verified by the key of its log: a pinned key, or the one of the first use."""

from collections.abc import Mapping
from typing import Any

from a2ap.agent.exchange import Exchange, Request, read_object
from a2ap.agent.known_logs import KnownLogs
from a2ap.client.answers import Receipt, read_receipt
from a2ap.client.receipt_check import stated_log_key, stated_successions, verify_answer
from a2ap.errors import NoteError
from a2ap.json_text import read_json
from a2ap.log.log_key import LogKeys, follow_successions
from a2ap.log.signed_note import VerifierKey

_WELL_KNOWN = Request.get("/.well-known/a2ap")


class Receipts:
    """The check of one node's receipts; `log_key` is the key of its log, if the caller knows it from elsewhere."""

    def __init__(self, node: str, known_logs: KnownLogs, log_key: VerifierKey | None) -> None:
        self._node = node
        self._known_logs = known_logs
        self._keys = None if log_key is None else LogKeys(log_key)

    def verified(self, data: bytes, answer: Mapping[str, Any], *, created: bool) -> Exchange[Receipt]:
        """Return the receipt of a message in a node's answer; raises `LogError` for one that does not hold."""
        receipt = read_receipt(answer, created)
        document = read_json(data)
        keys = yield from self.keys()
        try:
            verify_answer(receipt, document, keys)
        except NoteError:
            # Another key may sign the log by now. That it was handed to that key, the keys before it say.
            notes = stated_successions((yield from read_object(_WELL_KNOWN)), self._node)
            self._keys = keys = follow_successions(keys.first, notes)
            verify_answer(receipt, document, keys)
        return receipt

    def keys(self) -> Exchange[LogKeys]:
        """Return the keys of the log; the first use of a node asks the node for its key."""
        if self._keys is None:
            known = self._known_logs.find(self._node)
            if known is None:
                known = self._known_logs.keep(
                    self._node, stated_log_key((yield from read_object(_WELL_KNOWN)), self._node)
                )
            self._keys = LogKeys(known)
        return self._keys
