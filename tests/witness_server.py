"""A witness behind a real socket, after C2SP tlog-witness: it remembers what it cosigned and refuses forks."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from builders import agent_key
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from a2ap.errors import A2APError, LogFormatError, NoteError, ProofError
from a2ap.log.checkpoint import Checkpoint, open_checkpoint, read_checkpoint
from a2ap.log.cosignature import cosign
from a2ap.log.merkle import verify_consistency
from a2ap.log.policy_file import KnownWitness
from a2ap.log.signed_note import COSIGNATURE, VerifierKey, read_note
from a2ap.log.witness_request import SIZE_CONTENT_TYPE, AddCheckpoint, read_add_checkpoint
from a2ap.signing.keys import SigningKey
from graph.cli.server import bind, listening


class Witness:
    """One witness; a test may set `broken` to a status that it then always answers."""

    def __init__(self, number: int, logs: Sequence[VerifierKey]) -> None:
        self.name = f"witness-{number}.example"
        self.key: SigningKey = agent_key(9000 + number)
        self.logs = {key.name: key for key in logs}
        self.known: dict[str, Checkpoint] = {}
        self.asked = 0
        self.broken: int | None = None
        self.url = ""

    @property
    def verifier_key(self) -> VerifierKey:
        return VerifierKey(self.name, self.key.public_key, COSIGNATURE)

    @property
    def as_known(self) -> KnownWitness:
        return KnownWitness(self.verifier_key, self.url)

    async def add_checkpoint(self, request: Request) -> Response:
        self.asked += 1
        if self.broken is not None:
            return Response(status_code=self.broken)
        try:
            asked = read_add_checkpoint(await request.body())
            stated = read_checkpoint(read_note(asked.checkpoint_note).text)
        except LogFormatError:
            return Response(status_code=400)
        if stated.origin not in self.logs:
            return Response(status_code=404)
        try:
            checkpoint = open_checkpoint(asked.checkpoint_note, self.logs[stated.origin])
        except NoteError:
            return Response(status_code=403)
        return self._answer(asked, checkpoint)

    def _answer(self, asked: AddCheckpoint, checkpoint: Checkpoint) -> Response:
        if asked.old_size > checkpoint.tree_size:
            return Response(status_code=400)
        known = self.known.get(checkpoint.origin)
        size = known.tree_size if known is not None else 0
        conflict = Response(f"{size}\n", 409, media_type=SIZE_CONTENT_TYPE)
        if asked.old_size != size:
            return conflict
        if known is not None and size == checkpoint.tree_size and known.root_hash != checkpoint.root_hash:
            return conflict
        try:
            if known is not None:
                verify_consistency(size, checkpoint.tree_size, known.root_hash, checkpoint.root_hash, asked.hashes)
            elif asked.hashes:
                return Response(status_code=422)
        except (ProofError, A2APError):
            return Response(status_code=422)
        self.known[checkpoint.origin] = checkpoint
        return Response(cosign(asked.checkpoint_note, self.name, self.key, 1_800_000_000), media_type="text/plain")


@asynccontextmanager
async def witness(number: int, *logs: VerifierKey) -> AsyncIterator[Witness]:
    """Run a witness of these logs; its `url` is where it answers."""
    made = Witness(number, logs)
    app = Starlette(routes=[Route("/add-checkpoint", made.add_checkpoint, methods=["POST"])])
    async with listening(app, bind("127.0.0.1", 0)) as address:
        made.url = address
        yield made
