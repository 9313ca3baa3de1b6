"""`a2ap claim`: a signed statement about words that stand in a file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from a2ap.agent_description import AgentDescription
from a2ap.agent_registration import AgentRegistration
from a2ap.canonical import sha256_digest
from a2ap.evidence import ByteRange, build_segment
from a2ap.message import read_message
from a2ap.statement import build_statement
from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, Proof, SignerCommand, Url, open_client
from graph.cli.signing import now, open_key, print_receipt, sign
from graph.cli.terminal import print_document


def claim(
    text: Annotated[str, typer.Argument(help="What you claim.")],
    key: Key,
    source: Annotated[Path, typer.Option("--source", help="The file that the claim rests on, as it is registered.")],
    urn: Annotated[str, typer.Option("--urn", help="The name of the source, such as urn:doc:meeting:7.")],
    quote: Annotated[list[str], typer.Option("--quote", help="Words that stand in the source exactly so; repeatable.")],
    confidence: Annotated[float, typer.Option("--confidence", min=0, max=1, help="How sure you are.")],
    method: Annotated[
        str | None, typer.Option("--method", help="How the claim came about, such as semantic-analysis.")
    ] = None,
    registration: Annotated[
        Path | None,
        typer.Option("--registration", help="Your registration, instead of asking the platform who you are."),
    ] = None,
    proof: Proof = False,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Make, sign and submit a statement.

    Byte ranges, hashes and cue times are found in the source. The id is derived from you and the claim. The
    statement describes you as your registration does.
    """
    key_file = open_key(key, signer)
    data = source.read_bytes()
    evidence = [_segment(urn, data, words) for words in quote]
    with open_client(url) as client:
        document = registration.read_bytes() if registration is not None else client.agent(key_file.agent_id)
        message = build_statement(
            generated_at=now(),
            agent=_description(document),
            claim=text,
            confidence=confidence,
            evidence=evidence,
            generation_method=method,
        )
        signed = sign(message, key_file, proof=proof)
        if print_only:
            print_document(signed)
        else:
            print_receipt(client.submit(signed), as_json)


def _description(document: bytes) -> AgentDescription:
    message = read_message(document)
    if not isinstance(message, AgentRegistration):
        raise CommandError(f"{message.envelope.id} is an {message.envelope.type.wire}, not a registration of an agent")
    return message.agent


def _segment(urn: str, data: bytes, words: str) -> dict[str, Any]:
    # Captions and machine checks are not needed by commands that only sign and send.
    from graph.evidence.cue_timings import cue_timings
    from graph.evidence.machine_check import cite

    quoted = words.encode()
    start = data.find(quoted) if quoted else -1
    if start < 0:
        raise CommandError(f"the source does not say {words!r}")
    if (again := data.find(quoted, start + 1)) >= 0:
        raise CommandError(f"the source says {words!r} at byte {start} and at byte {again}; quote more of it")
    end = start + len(quoted)
    cue = cite(data, ByteRange(start, end), cue_timings(data)).cue
    return build_segment(
        urn,
        start,
        end,
        document_hash=sha256_digest(data),
        content_hash=sha256_digest(quoted),
        quote=words,
        start_ms=cue[0] if cue else None,
        end_ms=cue[1] if cue else None,
    )
