"""`a2ap probe`: claims with known answers among those that verifiers are asked about, and the verdicts on them."""

import base64
import random
import secrets
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from a2ap.client import Client, ProblemError, Receipt, UnreachableError
from a2ap.client.answers import passes
from a2ap.errors import A2APError
from a2ap.json_text import write_json
from a2ap.messages.gold_label import Label, RevealedProbe, build_gold_label
from a2ap.messages.message import read_message
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.probe import build_probe, commit
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_request import build_verification_request
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.options import DEFAULT_URL, AsJson, Key, SignerCommand, Url, open_client
from graph.cli.signing import AgentKey, fresh_id, now, open_key, print_receipt, sign
from graph.cli.terminal import print_json, say
from graph.gold.probe_file import KeptProbe, ProbeFile, read_probes, working_with, write_probes

app = command_group("Prepare and reveal hidden probes of verifiers.")

# A probe has a multiple of so many commitments, the last of them to nothing, so that their number tells little.
_PADDED_TO = 16
_SALT_BYTES = 32

Probes = Annotated[Path, typer.Option("--probes", help="Your file of probes; nobody else may read it.", dir_okay=False)]
Count = Annotated[int | None, typer.Option("--count", min=1, help="How many; without it, all that are left.")]


@app.command("commit")
def commit_probes(
    label: Annotated[Label, typer.Argument(case_sensitive=False, help="Whether the statements are right.")],
    statements: Annotated[
        list[Path], typer.Argument(help="Signed statements, as `a2ap statement create --print` gives them.")
    ],
    probes: Probes,
    key: Key,
    criterion: Annotated[str, typer.Option("--criterion", help="Under which criterion.")] = DEFAULT_CRITERIA[0],
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Commit to the answers of claims before any request.

    With the node's key. The statements are signed by an ordinary agent of yours that never judges, and are not
    submitted yet. Their salts, without which nothing can be revealed, are in the file of probes before anything is
    sent. If the platform does not answer, the commitment waits there for `a2ap probe resume`.
    """
    key_file = open_key(key, signer)
    documents = [_statement(path) for path in statements]
    salts = [base64.b64encode(secrets.token_bytes(_SALT_BYTES)).decode("ascii") for _ in documents]
    commitments = [
        commit(salt, read_message(document).envelope.signed_hash, criterion, label)
        for salt, document in zip(salts, documents, strict=True)
    ]
    commitments += [f"sha256:{secrets.token_hex(32)}" for _ in range(-len(commitments) % _PADDED_TO)]
    # In the order of the digests, which says nothing of the probes that they stand for.
    message = build_probe(
        probe_id=fresh_id(),
        committed_at=now(),
        committing_agent=key_file.agent_id,
        commitments=sorted(commitments),
    )
    signed = write_json(sign(message, key_file))
    name = read_message(signed).envelope.signed_hash
    new = [
        KeptProbe(base64.b64encode(document).decode("ascii"), criterion, label, salt, name)
        for salt, document in zip(salts, documents, strict=True)
    ]
    with open_client(url) as client, working_with(probes):
        before = read_probes(probes) if probes.exists() else ProbeFile()
        kept = before.with_commitment(signed, new)
        write_probes(probes, kept)
        try:
            receipt = _send(client, signed, probes, kept)
        except ProblemError:
            write_probes(probes, before)
            raise
        print_receipt(receipt, as_json)


@app.command("resume")
def resume(
    probes: Probes,
    drop: Annotated[
        bool, typer.Option("--drop", help="Forget the probes that the platform refuses; their salts are lost.")
    ] = False,
    url: Url = DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Send commitments again that the platform had not answered.

    They are the same bytes: a commitment that had arrived is not logged twice.
    """
    with open_client(url) as client, working_with(probes):
        kept = read_probes(probes)
        for message in kept.pending_messages:
            try:
                receipt = _send(client, message, probes, kept)
            except ProblemError:
                if not drop:
                    raise
                kept = kept.refused(message)
                write_probes(probes, kept)
                continue
            kept = kept.accepted(message)
            if not as_json:
                print_receipt(receipt, as_json=False)
        _tell(len(kept.pending), "waiting", kept, as_json)


@app.command("queue")
def queue(
    probes: Probes,
    key: Key,
    count: Count = None,
    criterion: Annotated[
        list[str] | None,
        typer.Option("--ask", help=f"A criterion to ask about; repeatable. Without it: {', '.join(DEFAULT_CRITERIA)}."),
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait for the statements that state a later time, and submit each then.")
    ] = False,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Ask verifiers about probes that were committed to.

    They are drawn at random, submitted, and requested as an ordinary agent would. The key is that of a requesting
    agent, not the node's. A statement that states a later time is not submitted before it. Sign the statements with
    `a2ap statement create --at`: one that states a time before its commitment is recognised as a probe.
    """
    key_file = open_key(key, signer)
    done = 0
    with open_client(url) as client:
        while True:
            with working_with(probes):
                kept = read_probes(probes)
                due, later = _due(kept)
                for place in _drawn(due, None if count is None else count - done):
                    receipt = _ask(client, kept.probes[place], key_file, criterion or DEFAULT_CRITERIA)
                    kept = kept.with_probe(place, replace(kept.probes[place], queued=True))
                    write_probes(probes, kept)
                    done += 1
                    if not as_json:
                        print_receipt(receipt, as_json=False)
            if not (wait and later) or done == count:
                break
            time.sleep(max((min(later) - datetime.now(UTC)).total_seconds(), 0))
        _tell(done, "queued", kept, as_json)


@app.command("reveal")
def reveal(
    probes: Probes,
    key: Key,
    count: Count = None,
    reason: Annotated[str | None, typer.Option("--reason", help="Why they are right or wrong.")] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Reveal probes that verifiers were asked about.

    With the node's key; they become gold labels. From then on the statements are marked as probes, and each verifier's
    earlier verdicts on them count in its record.
    """
    key_file = open_key(key, signer)
    with open_client(url) as client, working_with(probes):
        kept = read_probes(probes)
        drawn = _drawn([place for place, probe in enumerate(kept.probes) if probe.is_asked], count)
        for place in drawn:
            probe = kept.probes[place]
            envelope = read_message(probe.received).envelope
            label = build_gold_label(
                label_id=fresh_id(),
                labelled_at=now(),
                labelling_agent=key_file.agent_id,
                target_statement=envelope.id,
                target_hash=envelope.signed_hash,
                criterion=probe.criterion,
                label=probe.label,
                reason=reason,
                probe=RevealedProbe(probe.commitment, probe.salt),
            )
            receipt = client.label_gold(sign(label, key_file))
            kept = kept.with_probe(place, replace(probe, revealed=True))
            write_probes(probes, kept)
            if not as_json:
                print_receipt(receipt, as_json=False)
        _tell(len(drawn), "revealed", kept, as_json)


def _send(client: Client, message: bytes, path: Path, kept: ProbeFile) -> Receipt:
    """Send a commitment that is in the file, and note there that it is taken.

    Raises ProblemError if it is refused for good, CommandError if it may be taken when it is sent again.
    """
    try:
        receipt = client.commit_probes(message)
    except (UnreachableError, ProblemError) as error:
        if isinstance(error, ProblemError) and not passes(error):
            raise
        raise CommandError(
            f"{error}; the commitment waits in {path}, and `a2ap probe resume` sends it again"
        ) from error
    write_probes(path, kept.accepted(message))
    return receipt


def _ask(client: Client, probe: KeptProbe, key_file: AgentKey, criteria: Sequence[str]) -> Receipt:
    """Submit a probe, and ask for it to be verified."""
    client.submit(probe.received)
    envelope = read_message(probe.received).envelope
    request = build_verification_request(
        request_id=fresh_id(),
        requested_at=now(),
        requesting_agent=key_file.agent_id,
        target_statement=envelope.id,
        target_hash=envelope.signed_hash,
        criteria=criteria,
    )
    return client.request_verification(sign(request, key_file))


def _due(kept: ProbeFile) -> tuple[list[int], list[datetime]]:
    """Return the places of the committed probes whose stated time has come, and the times of the others."""
    times = {
        place: read_message(probe.received).envelope.time
        for place, probe in enumerate(kept.probes)
        if _is_committed(probe, kept)
    }
    here = datetime.now(UTC)
    return [place for place, at in times.items() if at <= here], [at for at in times.values() if at > here]


def _is_committed(probe: KeptProbe, kept: ProbeFile) -> bool:
    return not probe.queued and not kept.is_pending(probe)


def _drawn(places: list[int], count: int | None) -> list[int]:
    """Return `count` of the places, in an order that nobody can tell from the order of the commitments."""
    return random.SystemRandom().sample(places, min(len(places), len(places) if count is None else count))


def _statement(path: Path) -> bytes:
    document = path.read_bytes().strip()
    try:
        message = read_message(document)
    except A2APError as error:
        raise CommandError(f"{path}: {error}") from error
    if not isinstance(message, ProvenanceStatement):
        raise CommandError(f"{path} is an {message.envelope.type.wire}, not a statement")
    return document


def _tell(done: int, word: str, kept: ProbeFile, as_json: bool) -> None:
    waiting = {
        "pending": sum(kept.is_pending(probe) for probe in kept.probes),
        "committed": sum(_is_committed(probe, kept) for probe in kept.probes),
        "queued": sum(probe.is_asked for probe in kept.probes),
        "revealed": sum(probe.revealed for probe in kept.probes),
    }
    if as_json:
        print_json({"done": done, **waiting})
    else:
        say(f"{done} {word}; {', '.join(f'{number} {name}' for name, number in waiting.items())}")
