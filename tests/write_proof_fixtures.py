"""The documents that the tests of `web/src/proof` verify: `python tests/write_proof_fixtures.py` writes them anew.

All keys and times are fixed, so that the same code writes the same bytes. Every file is verified here first, by the
code that the TypeScript has to agree with.
"""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from builders import (
    QUOTE,
    SOURCE,
    TIME,
    agent_id,
    agent_key,
    description,
    disclosure_redaction_message,
    key_registration_message,
    log_key_rotation_message,
    segment,
    sign,
    sign_as,
    signed_endorsement,
    signed_key_revocation,
    signed_registration,
    signed_response,
    signed_source,
    statement_message,
)
from packets import GOVERNED, altered
from packs import pack
from passports import Maker, read_one

from a2ap.bundle.bundle import verify_bundle
from a2ap.bundle.members import MEDIA_TYPE
from a2ap.canonical import sha256_digest
from a2ap.log.checkpoint import Checkpoint, sign_checkpoint
from a2ap.log.cosignature import cosign
from a2ap.log.entry import LogEntry, entry_bytes
from a2ap.log.log_key import build_succession, follow_successions
from a2ap.log.log_proof import LogProof
from a2ap.log.merkle import consistency_proof, hash_leaf, inclusion_proof, root_hash
from a2ap.log.policy_file import read_policy_file
from a2ap.log.receipt import verify_receipt
from a2ap.log.signed_note import COSIGNATURE, VerifierKey, add_signature
from a2ap.messages.message import read_message
from a2ap.messages.redaction import redacted_bytes
from a2ap.pack.archive import write_archive
from a2ap.pack.check_pack import check_pack, held_as
from a2ap.packet.building import seal_packet
from a2ap.packet.document import open_document
from a2ap.packet.integrity import check_integrity
from a2ap.packet.signature import sign_members
from a2ap.passport.building import sign_record, write_passport
from a2ap.passport.check_chain import check_chain
from a2ap.passport.passport import read_chain
from a2ap.signing.data_integrity import add_proof
from a2ap.signing.disclosure import make_disclosure
from a2ap.signing.signature import sign_message
from graph.log.entry import entry_of

FOLDER = Path(__file__).parent.parent / "web" / "src" / "proof" / "fixtures"

ORIGIN = "urn:agent:a2ap-node:0123456789abcdef"
NODE_KEY, OLD_LOG_KEY, LOG_KEY = agent_key(40), agent_key(41), agent_key(42)
WITNESSES = {"w1.example": agent_key(51), "w2.example": agent_key(52)}
AUTHOR, VERIFIER, OTHER, OPERATOR, RECOVERY = 1, 2, 3, 11, 200
RECEIVED = datetime(2025, 10, 14, 11, tzinfo=UTC)
HIDDEN = "We heard from café owners on Elm Street — they want outdoor tables."


@dataclass
class FixtureLog:
    """A log of messages in memory, each received a second after the one before it."""

    documents: list[bytes] = field(default_factory=list)
    entries: list[LogEntry] = field(default_factory=list)

    def add(self, document: bytes) -> bytes:
        """Append a message and return it."""
        index = len(self.entries)
        received = RECEIVED + timedelta(seconds=index, microseconds=index * 250_000)
        self.entries.append(entry_of(read_message(document), log_index=index, origin=ORIGIN, received_at=received))
        self.documents.append(document)
        return document

    @property
    def hashes(self) -> list[bytes]:
        """Return the hashes of the leaves."""
        return [hash_leaf(entry_bytes(entry)) for entry in self.entries]

    def checkpoint(self, size: int | None = None) -> Checkpoint:
        """Return the checkpoint of the first entries."""
        hashes = self.hashes[:size]
        return Checkpoint(ORIGIN, len(hashes), root_hash(hashes))

    def note(self, size: int | None = None) -> str:
        """Return that checkpoint, signed and cosigned."""
        note = sign_checkpoint(self.checkpoint(size), LOG_KEY)
        for number, (name, key) in enumerate(WITNESSES.items()):
            note = add_signature(note, cosign(note, name, key, 1_760_440_000 + number))
        return note

    def proof(self, index: int, size: int | None = None) -> tuple[bytes, ...]:
        """Return the inclusion proof of an entry."""
        hashes = self.hashes[:size]
        return inclusion_proof(index, len(hashes), lambda level, at: subtree(hashes, level, at))

    def receipt(self, index: int) -> dict[str, Any]:
        """Return the receipt of an entry as a node writes it."""
        entry = self.entries[index]
        leaf = entry_bytes(entry).decode()
        return {
            "logIndex": index,
            "id": entry.id,
            "type": entry.type,
            "signedHash": entry.signed_hash,
            "documentHash": entry.document_hash,
            "receivedAt": json.loads(leaf)["receivedAt"],
            "entry": leaf,
            "proof": LogProof(index, self.proof(index), self.note()).text,
        }

    def bundled(self, index: int, *, withheld: bool = False, redacted: bytes | None = None) -> dict[str, Any]:
        """Return an entry as a bundle has it."""
        document = redacted or self.documents[index]
        return {
            "logIndex": index,
            "entry": entry_bytes(self.entries[index]).decode(),
            "hashes": [in_base64(one) for one in self.proof(index)],
            "document": None if withheld else in_base64(document),
            "withheld": "its class is above yours" if withheld else None,
            "redacted": {"by": "urn:uuid:0"} if redacted else None,
        }


def subtree(hashes: Sequence[bytes], level: int, at: int) -> bytes:
    """Return the hash of a full subtree."""
    return root_hash(hashes[at << level : (at + 1) << level])


def in_base64(data: bytes) -> str:
    """Return bytes in base64."""
    return base64.b64encode(data).decode("ascii")


def log_world() -> tuple[FixtureLog, dict[str, bytes], str]:
    """Return a log with a statement and its verdicts, the documents by name, and the note of the log's new key."""
    log, named = FixtureLog(), {}
    node = description(40, agent_id=ORIGIN)
    log.add(signed_registration(40, agent=node, log_key=VerifierKey(ORIGIN, OLD_LOG_KEY.public_key).text))
    named["registration.json"] = log.add(signed_registration(AUTHOR, recovery_seed=RECOVERY))
    for seed in (VERIFIER, OTHER, OPERATOR):
        log.add(signed_registration(seed))
    note = build_succession(ORIGIN, VerifierKey(ORIGIN, LOG_KEY.public_key), 3, OLD_LOG_KEY)
    rotation = sign_as(log_key_rotation_message(ORIGIN, note=note), NODE_KEY, f"{ORIGIN}#key-1")
    log.add(rotation)
    log.add(signed_source(AUTHOR))
    named["key-registration.json"] = log.add(
        sign(key_registration_message(AUTHOR, 101, replaces=[f"{agent_id(AUTHOR)}#key-1"]), AUTHOR)
    )
    disclosure = make_disclosure(HIDDEN, bytes([7]) * 16)
    evidence = [segment(), {**segment(HIDDEN), "quoteText": disclosure.reference}]
    message = statement_message(AUTHOR, evidence=evidence, disclosures=[disclosure])
    signed = sign_message(message, agent_key(101), f"{agent_id(AUTHOR)}#key-2")
    proven = add_proof(signed, agent_key(101), TIME)
    statement = log.add(json.dumps(proven, ensure_ascii=False, indent=1).encode())
    named["statement.json"] = statement
    named["verdict.json"] = log.add(signed_response(statement, VERIFIER))
    log.add(signed_response(statement, OTHER))
    log.add(signed_endorsement(signed_registration(VERIFIER), OPERATOR))
    left = redacted_bytes(statement, [disclosure.digest])
    redaction = disclosure_redaction_message(statement, [disclosure.digest], left)
    log.add(sign_as(redaction, agent_key(101), f"{agent_id(AUTHOR)}#key-2"))
    log.add(signed_key_revocation(VERIFIER))
    log.add(signed_key_revocation(AUTHOR, recovery=RECOVERY, key=f"{agent_id(AUTHOR)}#key-2"))
    named["redacted.json"] = left
    return log, named, note


def bundle_of(log: FixtureLog, note: str, **changes: Any) -> dict[str, Any]:
    """Return the bundle of the statement, with its source."""
    (statement,) = [entry for entry in log.entries if entry.type == "ProvenanceStatement"]
    return {
        "mediaType": MEDIA_TYPE,
        "statement": statement.signed_hash,
        "checkpoint": log.note(),
        "logKeySuccessions": [note],
        "entries": [log.bundled(index) for index in range(len(log.entries))],
        "sources": [{"documentHash": sha256_digest(SOURCE), "content": in_base64(SOURCE)}],
        "score": {"method": "posterior", "consensusScore": "0.9000", "verified": False},
        **changes,
    }


def passages() -> list[dict[str, Any]]:
    """Return the source of the bundle as its cited passages alone."""
    found = []
    for quote in (QUOTE, HIDDEN):
        cited = segment(quote)["byteRange"]
        found.append({**cited, "content": in_base64(SOURCE[cited["start"] : cited["end"]])})
    reason = "it has more bytes than a bundle holds"
    return [{"documentHash": sha256_digest(SOURCE), "content": None, "withheld": reason, "passages": found}]


def write_log(files: dict[str, bytes]) -> None:
    """Add the documents, receipts, checkpoints and bundles of a log."""
    log, named, note = log_world()
    files |= named
    old, new = VerifierKey(ORIGIN, OLD_LOG_KEY.public_key), VerifierKey(ORIGIN, LOG_KEY.public_key)
    witnesses = [VerifierKey(name, key.public_key, COSIGNATURE).text for name, key in WITNESSES.items()]
    lines = [f"witness w{number} {text}" for number, text in enumerate(witnesses, start=1)]
    policy = "\n".join([*lines, "group both all w1 w2", "quorum both", ""])
    keys, parsed = follow_successions(old, [note]), read_policy_file(policy).policy
    index = log.documents.index(named["statement.json"])
    receipt = log.receipt(index)
    verify_receipt(receipt["entry"], receipt["proof"], json.loads(named["statement.json"]), keys, parsed)
    bundles = {"bundle.json": bundle_of(log, note), "bundle-passages.json": bundle_of(log, note, sources=passages())}
    redacted = bundle_of(log, note)
    redacted["entries"][index] = log.bundled(index, redacted=named["redacted.json"])
    redacted["entries"][index + 1] = log.bundled(index + 1, withheld=True)
    bundles["bundle-redacted.json"] = redacted
    for name, members in bundles.items():
        files[name] = json.dumps(members, indent=1, ensure_ascii=False).encode()
        verify_bundle(files[name], old, witnesses=parsed)
    hashes = log.hashes
    proof = consistency_proof(5, len(hashes), lambda level, at: subtree(hashes, level, at))
    files |= {
        "receipt.json": json.dumps(receipt, ensure_ascii=False).encode(),
        "statement.tlog-proof": receipt["proof"].encode(),
        "checkpoint.txt": log.note().encode(),
        "checkpoint-5.txt": log.note(5).encode(),
        "consistency.json": json.dumps([in_base64(one) for one in proof]).encode(),
        "succession.txt": note.encode(),
        "log-key.txt": f"{new.text}\n".encode(),
        "old-log-key.txt": f"{old.text}\n".encode(),
        "witnesses.txt": policy.encode(),
        "source.vtt": SOURCE,
    }


def write_passports(files: dict[str, bytes]) -> None:
    """Add a chain of signed passports with a fork, and one record."""
    maker = Maker()
    maker.root()
    maker.commit(0, {"input": "in 1", "output": "out 1"})
    maker.fork(1, "other", {"output": 0.1})
    maker.commit(1, {"output": {"n": 1e21, "text": "café"}})
    signed = [sign_record(one, agent_key(AUTHOR), f"{one['created_by']['agent_id']}#key-1") for one in maker.records]
    files["chain.passports.json"] = b"[" + b",\n".join(map(write_passport, signed)) + b"]\n"
    files["one.passport.json"] = write_passport(signed[0])
    known = {"urn:agent:r#key-1": agent_key(AUTHOR).public_key}
    report = check_chain(read_chain(files["chain.passports.json"]), known)
    assert report.status == "valid", [str(one) for one in report.all_findings]
    assert read_one(signed[0]).payload_hash


def write_pack(files: dict[str, bytes]) -> None:
    """Add a pack as a manifest, a file with content, and a tar file with all."""
    made = pack()
    held = {name: held_as(content) for name, content in made.blobs.items()}
    assert check_pack(made.hash, made.data, held, alone=True).findings == ()
    files["pack.tar"] = write_archive([made])
    files["manifest.json"] = made.data
    files["pack-content.json"] = json.dumps({name: in_base64(one) for name, one in made.blobs.items()}).encode()


def write_packet(files: dict[str, bytes]) -> None:
    """Add a packet that is signed and sealed."""
    unsealed = altered(GOVERNED, producer__id=agent_key(AUTHOR).public_key.did_key)
    unsealed["reproducibility"].pop("packet_hash", None)
    signed = sign_members(unsealed, agent_key(AUTHOR), f"{agent_id(AUTHOR)}#key-1")
    packet = open_document(seal_packet(signed))
    check_integrity(packet)
    files["packet.json"] = json.dumps(packet.members, ensure_ascii=False, indent=1).encode()


def main() -> None:
    """Write all files."""
    files: dict[str, bytes] = {}
    for write in (write_log, write_passports, write_pack, write_packet):
        write(files)
    FOLDER.mkdir(exist_ok=True)
    for name, data in files.items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    main()
