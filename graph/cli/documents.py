"""`a2ap document sign` and `submit`: documents of any type."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from a2ap.client import Client, ProblemError, Receipt
from a2ap.json_text import read_json, write_json
from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, Key, LogKey, Proof, SignerCommand, Token, Url, open_client
from graph.cli.signing import open_key, sign
from graph.cli.terminal import print_document, progress, remark, say


def sign_file(
    file: Annotated[Path, typer.Argument(help="The document, as JSON; - is standard input.")],
    key: Key,
    replace: Annotated[bool, typer.Option("--replace", help="Replace the signature that is there.")] = False,
    signer: SignerCommand = None,
    proof: Proof = False,
) -> None:
    """Sign a document and print it.

    Only `signature` is added, and `proof` if you ask for it: missing members, the id and content hash among them, are
    an error and not filled in.
    """
    document = read_json(sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes())
    if "signature" in document and not replace:
        raise CommandError(f"{file} has a signature; --replace puts yours in its place")
    print_document(sign(document, open_key(key, signer), proof=proof))


_LINES = (".ndjson", ".jsonl")
_DOCUMENTS = (".json", ".jsonld")
_AT_ONCE = 1_000
_BYTES_AT_ONCE = 16 * 2**20
_MAX_BYTES = 1_048_576  # of a document; a longer one is refused by every platform
_WAITING = (403, 404)  # the codes of a refusal of a document that comes before those it needs


@dataclass(frozen=True, slots=True)
class _Found:
    """A document and its place in the input, for messages."""

    place: str
    data: bytes


def submit(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Documents (.json, .jsonld), NDJSON (.ndjson, .jsonl: one document a line) and folders of both; "
            "- is NDJSON on standard input."
        ),
    ],
    url: Url = DEFAULT_URL,
    token: Token = None,
    log_key: LogKey = None,
    receipts: Annotated[
        Path | None,
        typer.Option(
            "--receipts", help="A file to which each receipt is appended, a line of JSON each.", show_default=False
        ),
    ] = None,
) -> None:
    """Submit signed documents of any type.

    They are sent in the order given, and a refused document stops none of the others. A document that comes before
    those it needs, a statement before its agent, is tried again after them. A receipt shows that the log has the
    document; it is verified if --log-key names the key of the log.
    """
    tally = _Tally(receipts)
    files = [file for path in paths for file in _files_of(path)]
    with (
        open_client(url, token, log_key) as client,
        progress(TextColumn("Submitting"), BarColumn(), MofNCompleteColumn()) as display,
    ):
        task = display.add_task("", total=None)
        documents = (found for file in files for found in _documents_of(file))
        waiting: list[_Found] = []
        for batch in _batches(documents):
            waiting += _send(client, batch, tally, final=False)
            display.advance(task, len(batch))
        # Each round accepts something, or is the last.
        while waiting:
            before = len(waiting)
            waiting = _send(client, waiting, tally, final=False)
            if len(waiting) == before:
                _send(client, waiting, tally, final=True)
                break
    say(f"{tally.accepted} accepted, {tally.known} known already, {tally.refused} refused")
    if tally.refused:
        raise typer.Exit(1)


class _Tally:
    """The numbers of documents by outcome; `receipts` is a file for the receipts."""

    def __init__(self, receipts: Path | None) -> None:
        self.accepted = self.known = self.refused = 0
        self._receipts = receipts

    def accept(self, answers: Sequence[Receipt]) -> None:
        """Count documents that are in the log, and keep the receipts if there is a file for them."""
        self.accepted += sum(receipt.created for receipt in answers)
        self.known += sum(not receipt.created for receipt in answers)
        if self._receipts is not None and answers:
            with self._receipts.open("ab") as file:
                file.writelines(write_json(_members(receipt)) + b"\n" for receipt in answers)

    def refuse(self, found: _Found, why: object) -> None:
        """Count a refusal and print its reason."""
        self.refused += 1
        remark(f"{found.place}: {why}")


def _batches(documents: Iterable[_Found]) -> Iterator[list[_Found]]:
    """Yield the documents in the batches that are sent, and kept in memory, at once."""
    batch: list[_Found] = []
    size = 0
    for found in documents:
        batch.append(found)
        size += len(found.data)
        if len(batch) == _AT_ONCE or size >= _BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _send(client: Client, batch: Sequence[_Found], tally: _Tally, *, final: bool) -> list[_Found]:
    """Submit documents; return those to try again later, none if this is the `final` try."""
    sendable = []
    for found in batch:
        if len(found.data) > _MAX_BYTES:
            tally.refuse(found, f"has {len(found.data):,} bytes; a document has {_MAX_BYTES:,} at most")
        elif not found.data.strip():
            tally.refuse(found, "is empty")
        else:
            sendable.append(found)
    waiting = []
    answers = client.submit_many([found.data for found in sendable]) if sendable else []
    for found, answer in zip(sendable, answers, strict=True):
        if isinstance(answer, Receipt):
            continue
        if answer.status in _WAITING and not final:
            waiting.append(found)
        else:
            tally.refuse(found, _told(answer))
    tally.accept([answer for answer in answers if isinstance(answer, Receipt)])
    return waiting


def _members(receipt: Receipt) -> dict[str, object]:
    """Return a receipt as the platform writes it."""
    return {
        "logIndex": receipt.log_index,
        "id": receipt.id,
        "type": receipt.type,
        "signedHash": receipt.signed_hash,
        "documentHash": receipt.document_hash,
        "receivedAt": receipt.received_at,
        "entry": receipt.entry,
        "proof": receipt.proof,
    }


def _told(problem: ProblemError) -> str:
    return f"{problem.path}: {problem}" if problem.path and problem.path not in problem.detail else str(problem)


def _files_of(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    found = sorted(file for file in path.rglob("*") if file.suffix.lower() in (*_LINES, *_DOCUMENTS) and file.is_file())
    if not found:
        raise CommandError(f"{path} holds no {', '.join((*_DOCUMENTS, *_LINES))} file")
    yield from found


def _documents_of(file: Path) -> Iterator[_Found]:
    if str(file) == "-":
        yield from _lines("standard input", sys.stdin.buffer)
    elif file.suffix.lower() in _LINES:
        with file.open("rb") as lines:
            yield from _lines(str(file), lines)
    else:
        yield _Found(str(file), file.read_bytes())


def _lines(name: str, lines: Iterable[bytes]) -> Iterator[_Found]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _Found(f"{name}:{number}", line.strip())
