"""`a2ap verify`: checks a document off-line, and lists the checks that were not made."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from a2ap.bundle.bundle import is_bundle
from a2ap.canonical import sha256_digest
from a2ap.errors import A2APError, ContentHashError, KeyFormatError, SignatureError
from a2ap.messages.agent_registration import AgentRegistration, verify_possession
from a2ap.messages.finding import FindingStatus
from a2ap.messages.message import Message, read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.signing.data_integrity import DataIntegrityProof, verify_proof
from a2ap.signing.keys import PublicKey
from a2ap.signing.signature import verify_signature
from graph.cli.bundle import verify_bundle_file
from graph.cli.errors import CommandError
from graph.cli.signing import parse_key
from graph.cli.terminal import say


def verify(
    file: Annotated[Path, typer.Argument(help="The document, as received; - is standard input.")],
    key: Annotated[
        str | None, typer.Option("--key", help="The public key of its agent, did:key:… or base64.", show_default=False)
    ] = None,
    registration: Annotated[
        Path | None, typer.Option("--registration", help="The registration of its agent, instead of the key.")
    ] = None,
    source: Annotated[
        list[Path] | None, typer.Option("--source", help="A source that it cites, to check its evidence; repeatable.")
    ] = None,
    log_key: Annotated[
        str | None,
        typer.Option("--log-key", help="Of a bundle: the log's verifier key when it was made, or any before."),
    ] = None,
    witness_policy: Annotated[
        Path | None,
        typer.Option(
            "--witness-policy", help="Of a bundle: a C2SP tlog-policy file that names the required witnesses."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Of a bundle: print the report as one JSON object.")] = False,
) -> None:
    """Check a document or a bundle off-line.

    Checked are form, identifier, content hash, disclosures, signature, proofs, and evidence with --source. The exit
    status is 0 only if the signature was checked and nothing failed. Of a bundle, as `a2ap statement bundle` writes it,
    everything in it is checked: log, documents, keys, sources and score. The status is 3 if a bundle holds and does not
    prove that the rules its score rests on are in force.
    """
    if key is not None and registration is not None:
        raise CommandError("--key and --registration both say whose signature it is; give one")
    data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    if is_bundle(data):
        verify_bundle_file(data, log_key, witness_policy, source or [], as_json)
        return
    if as_json:
        raise CommandError("--json is for bundles")
    report = _Report()
    try:
        message = read_message(data)
    except ContentHashError as error:
        report.fail(f"content hash: {error}")
        report.leave("anything else, since the document is not the one that was hashed")
        raise typer.Exit(1) from error
    _check_form(message, report)
    _check_signature(message, key, registration, report)
    for proof in message.envelope.proofs:
        _check_proof(message, proof, key, registration, report)
    if isinstance(message, ProvenanceStatement):
        _check_evidence(message, source or [], report)
    report.leave("whether a platform has it, knows its agent, or has changed its state since")
    say(f"signed hash {message.envelope.signed_hash}")
    if report.failed or not report.signed:
        raise typer.Exit(1)


class _Report:
    """Prints one line for each check."""

    def __init__(self) -> None:
        self.failed = False
        self.signed = False

    def hold(self, what: str) -> None:
        """Say that something holds."""
        say(f"holds        {what}")

    def fail(self, what: str) -> None:
        """Say that something does not hold."""
        self.failed = True
        say(f"FAILS        {what}")

    def leave(self, what: str) -> None:
        """Say that something was not checked."""
        say(f"not checked  {what}")


def _check_form(message: Message, report: _Report) -> None:
    envelope = message.envelope
    report.hold(f"strict JSON, a known context, every member as {envelope.type.wire} has it")
    if isinstance(message, ProvenanceStatement):
        derived = envelope.id[len("urn:uuid:") :][14] == "5"
        report.hold(f"id {envelope.id} ({'derived from agent and claim' if derived else 'chosen by the agent'})")
        report.hold(f"content hash of claim and evidence, by rule {message.claim.content_hash_rule}")
    if envelope.document.get("disclosures"):
        report.hold(f"{len(envelope.document['disclosures'])} disclosed texts are those that were signed")


def _check_signature(message: Message, key: str | None, registration: Path | None, report: _Report) -> None:
    envelope = message.envelope
    if envelope.signature is None:
        report.fail("signature: there is none")
        return
    try:
        if isinstance(message, AgentRegistration) and key is None and registration is None:
            verify_possession(message)
            report.signed = True
            report.hold(f"signature, by the key that it registers, {message.public_key.did_key}")
            return
        public_key = _key_of(message, key, registration)
        if public_key is None:
            report.leave(
                f"signature: nobody says which key {envelope.signature.public_key} is; use --key or --registration"
            )
            return
        verify_signature(envelope.signature, envelope.signed_bytes, public_key)
    except SignatureError as error:
        report.fail(f"signature: {error}")
        return
    report.signed = True
    report.hold(f"signature, by {public_key.did_key}, over {len(envelope.signed_bytes):,} bytes")


def _check_proof(
    message: Message, proof: DataIntegrityProof, key: str | None, registration: Path | None, report: _Report
) -> None:
    """Check a W3C proof. It may name its key itself (`did:key`); that this key is the agent's is checked elsewhere."""
    envelope = message.envelope
    try:
        if isinstance(message, AgentRegistration) and key is None and registration is None:
            known: PublicKey | None = message.public_key
        else:
            known = _key_of(message, key, registration)
        named = _key_named_by(proof)
        if named is not None and known is not None and named != known:
            raise SignatureError(f"the proof is by {named.did_key}, the agent's key is {known.did_key}")
        public_key = named or known
        if public_key is None:
            report.leave(f"proof: nobody says which key {proof.key_reference} is; use --key or --registration")
            return
        verify_proof(envelope.document, proof, public_key)
    except SignatureError as error:
        report.fail(f"proof: {error}")
        return
    report.hold(f"proof {proof.options['cryptosuite']}, by {public_key.did_key}")
    if known is None:
        report.leave(f"proof: whether {public_key.did_key} is a key of {envelope.agent_id}")


def _key_named_by(proof: DataIntegrityProof) -> PublicKey | None:
    if not proof.key_reference.startswith("did:key:") or "#" in proof.key_reference:
        return None
    try:
        return parse_key(proof.key_reference)
    except KeyFormatError as error:
        raise SignatureError(f"it names no key of Ed25519: {error}") from error


def _key_of(message: Message, key: str | None, registration: Path | None) -> PublicKey | None:
    """Return the key that the signature must be by. Raises SignatureError if it names another agent's."""
    envelope = message.envelope
    assert envelope.signature is not None
    reference = envelope.signature.public_key
    if key is not None:
        return parse_key(key)
    if registration is not None:
        registered = _read_registration(registration)
        if registered.agent.agent_id != envelope.agent_id:
            raise SignatureError(f"the document is by {envelope.agent_id}, the key of {registered.agent.agent_id}")
        if reference not in (registered.key_id, registered.alias, registered.public_key.did_key):
            raise SignatureError(f"it names the key {reference}, and the registered one is {registered.key_id}")
        return registered.public_key
    # An agent that is called after its key says itself which key is its own.
    if envelope.agent_id.startswith("did:key:") and reference.partition("#")[0] == envelope.agent_id:
        return parse_key(envelope.agent_id)
    return None


def _read_registration(path: Path) -> AgentRegistration:
    try:
        message = read_message(path.read_bytes())
    except A2APError as error:
        raise CommandError(f"{path}: {error}") from error
    if not isinstance(message, AgentRegistration):
        raise CommandError(f"{path} is an {message.envelope.type.wire}, not the registration of an agent")
    verify_possession(message)
    return message


def _check_evidence(statement: ProvenanceStatement, sources: list[Path], report: _Report) -> None:
    # The modules that read captions are needed here only.
    from graph.evidence.machine_check import check_evidence
    from graph.evidence.source_text import read_source

    documents = {}
    for path in sources:
        data = path.read_bytes()
        documents[sha256_digest(data)] = read_source(data)
        _check_source(statement, path, sha256_digest(data), report)
    cited = [
        documents[name].cite(segment.byte_range, segment.page) if (name := segment.document_hash) in documents else None
        for segment in statement.evidence
    ]
    missing = sum(found is None for found in cited)
    if missing == len(cited):
        if not sources:
            report.leave("evidence: none of its sources is given; use --source")
        return
    for finding in check_evidence(statement, cited).findings:
        if finding.status is FindingStatus.PASS:
            report.hold(f"evidence: {finding.criterion}")
        elif finding.status is FindingStatus.FAIL:
            report.fail(f"evidence: {finding.criterion}, {finding.evidence}")
        else:
            report.leave(f"evidence: {finding.criterion}, {finding.evidence}")


def _check_source(statement: ProvenanceStatement, path: Path, name: str, report: _Report) -> None:
    cited = list(dict.fromkeys(segment.document_hash for segment in statement.evidence))
    if name in cited:
        return
    known = [other for other in cited if other is not None]
    if len(known) < len(cited):
        report.leave(f"evidence: {path} is {name}, and the statement does not say of each source which bytes it is")
    else:
        report.fail(f"evidence: {path} is {name}, and the statement cites {', '.join(known)}")
