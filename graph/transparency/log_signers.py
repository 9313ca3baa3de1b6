"""The key that signs the log, distinct from the node's: a file, or a signer that keeps it elsewhere.

A rotation makes the next key in a file beside the first, hands the log to it with an entry of the log, and then gives
it the name of the first. The log, not the files, decides which of the two keys signs. So a crash in between loses
nothing.
"""

from pathlib import Path

from a2ap.durable_files import flush_folder
from a2ap.key_file import KeyFile, read_key_file
from a2ap.log.signed_note import VerifierKey
from a2ap.signing.keys import Signer, SigningKey
from graph.errors import NodeError
from graph.kept_key import kept_key


class LogSigners:
    """The keys of one log that this process can sign with.

    A `signer` takes the place of the files; the log is to be handed to `next_signer`.
    """

    def __init__(
        self, origin: str, key_file: Path, signer: Signer | None = None, next_signer: Signer | None = None
    ) -> None:
        self._origin = origin
        self._file = key_file
        self._next_file = key_file.with_name(f"{key_file.name}.next")
        self._signer = signer
        self._next_signer = next_signer
        self._known: dict[VerifierKey, Signer] = {}

    def first(self) -> VerifierKey:
        """Return the key of a log that begins here; it is made if there is none."""
        return self._key(self._signer or _key_in(self._file, self._origin))

    def next(self) -> tuple[VerifierKey, Signer]:
        """Return the key that the log is to be handed to; it is made if there is none."""
        if self._signer is not None and self._next_signer is None:
            raise NodeError("the log key is with a signer, and no next signer is named")
        signer = self._next_signer or _key_in(self._next_file, self._origin)
        return self._key(signer), signer

    def signer_of(self, key: VerifierKey) -> Signer:
        """Return the signer of a key; if that is the next one, it is the first from now on.

        Raises `NodeError` if this process does not have the key.
        """
        if key not in self._known:
            self._known[key] = self._find(key)
        return self._known[key]

    def _find(self, key: VerifierKey) -> Signer:
        for signer in (self._signer, self._next_signer):
            if signer is not None and self._key(signer) == key:
                return signer
        if self._signer is not None:
            raise NodeError(
                f"this log is signed with {key.text}, and the signer here has {self._key(self._signer).text}"
            )
        for file in (self._file, self._next_file):
            if file.exists():
                found = read_key_file(file).key
                if self._key(found) == key:
                    if file == self._next_file:
                        self._promote()
                    return found
        raise NodeError(f"this log is signed with {key.text}, which is not the key in {self._file}")

    def _promote(self) -> None:
        # Of two processes that see the rotation at once the second finds the file moved, and the key in its place.
        try:
            self._next_file.replace(self._file)
        except FileNotFoundError:
            return
        flush_folder(self._file.parent)

    def _key(self, signer: Signer) -> VerifierKey:
        return VerifierKey(self._origin, signer.public_key)


def _key_in(file: Path, origin: str) -> SigningKey:
    """Return the key of a file; it is made if there is none, and is whole once the file exists."""
    return kept_key(file, lambda key: KeyFile(origin, VerifierKey(origin, key.public_key).text, key))
