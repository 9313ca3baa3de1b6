"""`a2ap redact`: erases disclosures of a message, or text of a source, and has the log say so."""

from http import HTTPStatus
from typing import Annotated

import typer

from a2ap.canonical import sha256_digest
from a2ap.client import Client, ProblemError
from a2ap.json_text import read_json
from a2ap.messages.evidence import ByteRange
from a2ap.messages.message import read_message
from a2ap.messages.redaction import build_disclosure_redaction, build_source_redaction, redacted_bytes
from a2ap.signing.disclosure import read_disclosures
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.handing_in import hand_in
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Token, Url, open_client
from graph.cli.signing import fresh_id, now, open_key

app = command_group("Erase disclosures of a message, or text of a source, that law takes away.")

Reason = Annotated[str, typer.Option("--reason", help="Why it is erased; anybody can read this.")]
LegalBasis = Annotated[
    str | None, typer.Option("--legal-basis", help='The law that asks for it, such as "GDPR Art. 17".')
]


@app.command("message")
def redact_message(
    target: Annotated[str, typer.Argument(help="The id or the signed hash of the statement.")],
    key: Key,
    reason: Reason,
    disclosure: Annotated[
        list[str] | None,
        typer.Option("--disclosure", help="The digest (sha256:…) of one; repeatable; without it, all of them."),
    ] = None,
    verdict: Annotated[bool, typer.Option("--verdict", help="It is a verdict, not a statement.")] = False,
    legal_basis: LegalBasis = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Erase disclosures of a message.

    Its author and the node may do so. The signature holds as before, because it covers the digests.
    """
    key_file = open_key(key, signer)
    with open_client(url, token) as client:
        document = client.verification(target) if verdict else client.statement(target)
        digests = disclosure or list(read_disclosures(read_json(document)))
        if not digests:
            raise CommandError(f"{target} discloses nothing that could be erased")
        message = build_disclosure_redaction(
            redaction_id=fresh_id(),
            redacted_at=now(),
            redacting_agent=key_file.agent_id,
            target_hash=read_message(document).envelope.signed_hash,
            disclosure_digests=digests,
            redacted_document_hash=sha256_digest(redacted_bytes(document, digests)),
            reason=reason,
            legal_basis=legal_basis,
        )
        hand_in(message, key_file, client.redact, print_only=print_only, as_json=as_json)


@app.command("source")
def redact_source(
    document_hash: Annotated[str, typer.Argument(help="The hash (sha256:…) of the source.")],
    key: Key,
    reason: Reason,
    passage: Annotated[
        list[str] | None,
        typer.Option("--range", help="The bytes START:END, the end not among them; repeatable; without it, all."),
    ] = None,
    legal_basis: LegalBasis = None,
    remainder: Annotated[
        str | None,
        typer.Option("--remainder", help="The hash of the bytes that an earlier redaction left."),
    ] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Erase a source, or passages of it, with the node's key.

    Its bytes are erased, and so are the text and the quotes of these passages. They are not taken in again.
    """
    key_file = open_key(key, signer)
    ranges = sorted((_range(text) for text in passage or ()), key=lambda found: found.start)
    with open_client(url, token) as client:
        left = _blanked(_source(client, remainder or document_hash), ranges) if ranges else None
        message = build_source_redaction(
            redaction_id=fresh_id(),
            redacted_at=now(),
            redacting_agent=key_file.agent_id,
            document_hash=document_hash,
            byte_ranges=ranges,
            redacted_document_hash=None if left is None else sha256_digest(left),
            reason=reason,
            legal_basis=legal_basis,
        )
        hand_in(message, key_file, client.redact, print_only=print_only, as_json=as_json)


def _source(client: Client, name: str) -> bytes:
    try:
        return client.source(name)
    except ProblemError as error:
        if error.status != HTTPStatus.GONE:
            raise
        raise CommandError(f"{error.detail}; --remainder takes the hash of that") from error


def _range(text: str) -> ByteRange:
    start, separator, end = text.partition(":")
    if not separator or not start.isdecimal() or not end.isdecimal() or int(start) >= int(end):
        raise CommandError(f"--range {text}: not START:END, two numbers of bytes with the smaller one first")
    return ByteRange(int(start), int(end))


def _blanked(data: bytes, ranges: list[ByteRange]) -> bytes:
    left = bytearray(data)
    for found in ranges:
        if found.end > len(data):
            raise CommandError(f"--range {found.start}:{found.end}: the source has {len(data)} bytes")
        left[found.start : found.end] = b" " * (found.end - found.start)
    return bytes(left)
