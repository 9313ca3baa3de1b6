"""The origin's proof of a message taken from a peer: its entry in the peer's tree, as the peer signed it."""

from a2ap.log.checkpoint import read_checkpoint
from a2ap.log.entry import LogEntry
from a2ap.log.log_proof import LogProof
from a2ap.log.signed_note import read_note
from graph.errors import NotFoundError
from graph.federation.peer_folder import PeerFolder
from graph.store import Store

_CHECKPOINTS = 1000


async def proof_of(store: Store, folder: PeerFolder, origin: str, log_index: int) -> tuple[LogEntry, LogProof]:
    """Return an entry of a peer's log with its inclusion proof.

    The proof is made from the files kept here, so it holds independent of the peer's later behaviour. Its checkpoint is
    the last whose whole tree is kept: the kept one, or one noted in this node's log. Raises `NotFoundError` if there is
    none yet.
    """
    rows = await store.read("last_peer_checkpoints", origins=[origin], first=_CHECKPOINTS)
    notes = [note for note in (folder.checkpoint, *(row["checkpoint"] for row in rows)) if note is not None]
    for note in notes:
        size = read_checkpoint(read_note(note).text).tree_size
        if log_index < size <= folder.progress.size:
            return folder.proof_of(log_index, size, note)
    raise NotFoundError(f"no checkpoint of {origin} covers entry {log_index} and no more than is kept of it")
