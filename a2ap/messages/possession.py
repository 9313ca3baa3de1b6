"""Proof of possession of bytes: a MAC of them in the registration of a source or record (docs/decisions/0043).

The key of the MAC names the registering agent, so that nobody makes it from the hash of the bytes alone, or takes it
from another agent's registration. Anybody that has the bytes can check it.
"""

import hmac
from collections.abc import Mapping
from typing import Any


class PossessionMac:
    """HMAC-SHA-256 (RFC 2104) of the bytes of a source or record, with the registering agent's id as the key.

    The bytes come in pieces, in order. The key is `a2ap possession`, a line feed, and the id in UTF-8.
    """

    def __init__(self, registering_agent: str) -> None:
        self._mac = hmac.new(b"a2ap possession\n" + registering_agent.encode(), digestmod="sha256")

    def update(self, piece: bytes) -> None:
        """Add the next bytes."""
        self._mac.update(piece)

    @property
    def text(self) -> str:
        """Return the MAC of all bytes so far, `hmac-sha256:` and 64 hexadecimal digits."""
        return f"hmac-sha256:{self._mac.hexdigest()}"


def possession_mac(registering_agent: str, content: bytes) -> str:
    """Return the agent's MAC of these bytes, as text."""
    mac = PossessionMac(registering_agent)
    mac.update(content)
    return mac.text


def read_possession_mac(members: Mapping[str, Any]) -> str | None:
    """Return the member `possessionMac`, None if there is none, "" if it is no text.

    A text of another form is no error here: a log from before this member may have it. No bytes have such a MAC.
    """
    mac = members.get("possessionMac")
    return mac if mac is None or isinstance(mac, str) else ""
