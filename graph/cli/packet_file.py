"""Files of Context Packets and of the records about them, for `a2ap packet`."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from a2ap.errors import JsonTextError
from a2ap.identifiers import key_agent
from a2ap.json_text import read_json, write_json
from a2ap.packet.building import seal_packet, write_members
from a2ap.packet.canon import verify_hash
from a2ap.packet.document import MAX_BYTES, PacketDocument, open_document, parts_of, read_document, text_problem
from a2ap.packet.errors import PacketError, PacketTextError
from a2ap.packet.looks import has_zone, read_moment
from a2ap.packet.records import RecordDocument, read_record
from a2ap.packet.shown import shown
from a2ap.packet.signature import read_signature, sign_members, verify_members
from a2ap.packet.thread import Members
from a2ap.packet.vocabulary import SPEC, HashAlgorithm
from a2ap.signing.keys import PublicKey
from graph.cli.errors import CommandError
from graph.cli.signing import AgentKey, parse_key

_LISTS = ("receipts", "returns", "dispositions", "records")


def load_packet(file: Path) -> PacketDocument:
    """Read a packet of any shape. Raises PacketTextError."""
    return read_document(_read(file))


def load_record(file: Path) -> RecordDocument:
    """Read a receipt, return or disposition. Raises PacketTextError and PacketFormError."""
    return read_record(_read(file))


def load_thread(files: Iterable[Path]) -> tuple[list[PacketDocument], list[Members]]:
    """Read packets and the records about them. Raises PacketTextError, and PacketFormError for any other file."""
    packets: list[PacketDocument] = []
    records: list[Members] = []
    for file in files:
        data = _read(file)
        members = _members(data)
        if isinstance(members.get("packets"), list):
            packets.extend(open_document(one) for one in parts_of(members, "packets"))
            for name in _LISTS:
                records.extend(parts_of(members, name))
        elif _is_packet(members):
            packets.append(PacketDocument(data, members))
        else:
            records.append(read_record(data).members)
    return packets, records


def load_signed_thread(files: Iterable[Path]) -> tuple[list[PacketDocument], list[RecordDocument], list[str]]:
    """Read packets and the records about them, and name the records in lists that do not have the form of a record.

    Raises the errors of `load_thread`.
    """
    packets, members = load_thread(files)
    records, problems = list[RecordDocument](), list[str]()
    for one in members:
        try:
            records.append(read_record(write_json(dict(one))))
        except (PacketError, ValueError, TypeError) as error:
            problems.append(f"a record does not count: {error}")
    return packets, records, problems


def option_time(text: str) -> datetime:
    """Return the time that an option names. Raises CommandError."""
    moment = read_moment(text)
    if moment is None or not has_zone(text):
        raise CommandError(f"--at is {text[:64]!r}, not a time like 2026-07-04T16:00:00Z")
    return moment


def sign_document(file: Path, key: AgentKey, algorithm: HashAlgorithm) -> bytes:
    """Return the bytes of a packet or record with a signature, once they verify as for any reader.

    Raises PacketTextError, PacketFormError, PacketHashError and PacketSignatureError.
    """
    data = _read(file)
    members = _members(data)
    if _is_packet(members):
        signed = write_members(seal_packet(members, algorithm, key=key.key, key_id=key.key_id)).data
        verify_hash(read_document(signed))
    else:
        record = read_record(data)
        signed = read_record(write_json(sign_members(record.members, key.key, key.key_id))).data + b"\n"
    verify_members(_members(signed), key.key.public_key)
    return signed


@dataclass(frozen=True, slots=True)
class SignatureFound:
    """The signature of a document; `known` if the key is vouched for, `hash` is the way in which a packet is hashed."""

    key_id: str
    key: str
    known: bool
    hash: str | None


def check_signature(file: Path, known_keys: Sequence[str]) -> SignatureFound:
    """Return the signature of a packet or record. Raises PacketSignatureError, PacketHashError, and the like."""
    data = _read(file)
    members = _members(data)
    known = dict(map(_known_key, known_keys))
    signature = read_signature(members)
    key = known.get(signature.key_id)
    verify_members(members, key or signature.public_key)
    hashed = None
    if _is_packet(members) and isinstance(members.get("reproducibility"), dict):
        match = verify_hash(PacketDocument(data, members))
        hashed = f"{match.algorithm} over {match.domain}"
    # An agent that is named by its own key needs nobody to vouch for it.
    own = key_agent(signature.key_id) == signature.public_key.did_key
    return SignatureFound(shown(signature.key_id), signature.public_key.did_key, key is not None or own, hashed)


def write_output(data: bytes, output: Path | None) -> None:
    """Write bytes to a new file, or to standard output. Raises CommandError if the file exists."""
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        with output.open("xb") as new:
            new.write(data)
    except FileExistsError as error:
        raise CommandError(f"{output} is there already") from error


def _read(file: Path) -> bytes:
    return sys.stdin.buffer.read(MAX_BYTES + 1) if str(file) == "-" else file.read_bytes()


def _members(data: bytes) -> dict[str, Any]:
    try:
        return read_json(data, most=MAX_BYTES)
    except JsonTextError as error:
        raise PacketTextError(text_problem(error)) from error


def _is_packet(members: Members) -> bool:
    spec = members.get("spec")
    if isinstance(spec, str):
        return spec.startswith(SPEC.split("/")[0] + "/")
    return "packet_id" in members and "items" in members


def _known_key(text: str) -> tuple[str, PublicKey]:
    key_id, _, key = text.rpartition("=")
    if not key_id and "=" not in text:
        raise CommandError(f"--known-key is {text[:64]!r}, not KEY-ID=PUBLIC-KEY")
    return key_id, parse_key(key)
