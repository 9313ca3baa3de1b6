"""The holders of the keys that signed packets and records: from files of registrations, or from a platform."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from a2ap.client import Client
from a2ap.client.answers import ProblemError
from a2ap.errors import A2APError
from a2ap.json_text import read_json, write_json
from a2ap.messages.agent_registration import AgentRegistration, verify_possession
from a2ap.messages.message import read_message
from a2ap.packet.authority import Governance, KnownKeys, Origin, Speaker, author_of, origin_of
from a2ap.packet.document import Members, PacketDocument, part_of, text_of
from a2ap.packet.errors import PacketSignatureError
from a2ap.packet.signature import SIGNATURE, read_signature
from graph.cli.errors import CommandError
from graph.cli.options import open_client
from graph.cli.signing import AgentKey, parse_key

PLATFORM = "platform"
MAX_AGENTS = 200
"""The most agents whose keys are requested from a platform."""

KeySources = Annotated[
    list[str] | None,
    typer.Option(
        "--keys",
        metavar="SOURCE",
        help="The keys of the agents: a file with agent registrations, or `platform`; repeatable.",
        show_default=False,
    ),
]
KnownKeyTexts = Annotated[
    list[str] | None,
    typer.Option("--known-key", help="A key that you know, KEY-ID=PUBLIC-KEY; repeatable.", show_default=False),
]
Literal = Annotated[
    bool, typer.Option("--by-letter", help="Go by the letter of the text, which has no signatures and no authorities.")
]


@dataclass(frozen=True, slots=True)
class Keyring:
    """The known keys, and the agents that stand for a governor."""

    keys: KnownKeys
    governance: Governance = field(default_factory=dict)

    def origin(self, packet: PacketDocument, by_letter: bool) -> Origin | None:
        """Return the facts that are shown about a packet's origin; None by the letter of the text."""
        return None if by_letter else origin_of(packet, self.keys)

    def own(self, key: AgentKey, human: bool = False) -> Speaker:
        """Return the agent of a key file. Raises CommandError if it should be a person and is not known as one."""
        found = self.keys.find(key.key.public_key)
        person = found.agent_id == key.agent_id and found.person
        if human and not person:
            raise CommandError(
                f"--human needs the key of a person, and {key.agent_id} is not known to be one: --keys names them"
            )
        return Speaker(key.agent_id, key.key.public_key.did_key, person)

    def author(self, key: AgentKey, human: bool = False) -> str:
        """Return the name of a key file's agent as an author in a record. Raises CommandError as `own` does."""
        return author_of(self.own(key, human))


def open_keyring(
    sources: Sequence[str] | None,
    known: Sequence[str] | None,
    documents: Iterable[Members],
    url: str,
    token: str | None,
    own: AgentKey | None = None,
) -> Keyring:
    """Return the holders of keys; for a platform, the agents that these documents name, and `own`.

    Raises CommandError for a file of something else, and the errors of a client.
    """
    speakers = [_known_key(text) for text in known or ()]
    governance: Governance = {}
    for source in sources or ():
        if source == PLATFORM:
            named = {name for one in documents for name in _agents_of(one)} | ({own.agent_id} if own else set())
            with open_client(url, token) as client:
                speakers += [one for name in sorted(named)[:MAX_AGENTS] for one in _ask(client, name)]
                governance = _governance(client)
        else:
            speakers += _read_registrations(Path(source))
    return Keyring(KnownKeys.of(speakers), governance)


def _known_key(text: str) -> Speaker:
    key_id, separator, key = text.rpartition("=")
    if not separator or not key_id:
        raise CommandError(f"--known-key is {text[:64]!r}, not KEY-ID=PUBLIC-KEY")
    return Speaker(key_id.partition("#")[0], parse_key(key).did_key)


def _agents_of(members: Members) -> set[str]:
    """Return the agent whose key has signed a document, as the document says."""
    if SIGNATURE not in part_of(members, "ext"):
        return set()
    try:
        return {read_signature(members).key_id.partition("#")[0]}
    except PacketSignatureError:
        return set()


def _ask(client: Client, agent_id: str) -> list[Speaker]:
    """Return the keys in force of an agent that a platform has registered; none if it has not."""
    try:
        registration = _registration(client.agent(agent_id), f"the registration of {agent_id}")
    except ProblemError:
        return []
    if registration.agent.agent_id != agent_id:
        raise CommandError(f"the platform gives the registration of {registration.agent.agent_id} for {agent_id}")
    person = registration.agent.person
    # When a file was signed, no log says: only a key that is in force now shows who signed it.
    return [
        Speaker(agent_id, parse_key(key["publicKey"]).did_key, person)
        for key in client.keys(agent_id)
        if key["retiredAt"] is None and key["notTrustedSince"] is None
    ]


def _governance(client: Client) -> Governance:
    described = client.node()
    node, policy = text_of(described, "node"), part_of(described, "consensusPolicy")
    seeds = [one for one in policy.get("seeds", ()) if isinstance(one, str)]
    return {} if node is None else {node: seeds}


def _read_registrations(path: Path) -> list[Speaker]:
    """Return the agents in a file with one registration, a JSON list of them, or one registration on each line."""
    data = path.read_bytes()
    found = [_registration(one, str(path)) for one in _documents_in(data, path)]
    return [Speaker(one.agent.agent_id, one.public_key.did_key, one.agent.person) for one in found]


def _documents_in(data: bytes, path: Path) -> list[bytes]:
    try:
        if data.lstrip().startswith(b"["):
            listed: list[Any] = json.loads(data)
            return [write_json(one) for one in listed if isinstance(one, dict)]
        read_json(data)
    except ValueError as error:
        lines = [line for line in data.splitlines() if line.strip()]
        if len(lines) < 2:
            raise CommandError(f"{path} holds no agent registrations") from error
        return lines
    except A2APError:
        return [line for line in data.splitlines() if line.strip()]
    return [data]


def _registration(data: bytes, where: str) -> AgentRegistration:
    try:
        message = read_message(data)
        if not isinstance(message, AgentRegistration):
            raise CommandError(f"{where} is a {message.envelope.type}, not the registration of an agent")
        verify_possession(message)
    except A2APError as error:
        raise CommandError(f"{where} is no agent registration that holds: {error}") from error
    return message
