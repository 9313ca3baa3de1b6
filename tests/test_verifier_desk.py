"""The desk of a verifier, shared by processes one after the other: an answer is signed once, and no file is damaged."""

from contextlib import closing
from pathlib import Path

import pytest
from verifier_desk import AtWork, new_id

from a2ap.canonical import sha256_digest
from a2ap.verifier.desk import Desk
from a2ap.verifier.errors import VerifierError

REQUEST = sha256_digest(b"a request")


def desk_in(folder: Path) -> Desk:
    return AtWork(folder, "http://127.0.0.1:9").desk


def decline(desk: Desk, reason: str) -> dict[str, object]:
    statement = sha256_digest(b"a statement")
    return desk.sign_decline(new_id(), REQUEST, new_id(), statement, new_id(), reason)


def test_a_process_that_starts_while_another_finishes_finds_the_answer_of_the_other(tmp_path: Path) -> None:
    first = desk_in(tmp_path)
    lock = first.lock()
    starting = desk_in(tmp_path)
    assert not starting.is_answered(REQUEST)
    answer = decline(first, "It is not my field.")
    lock.close()

    with closing(starting.lock()):
        assert starting.is_answered(REQUEST)
        assert decline(starting, "It is too long.") == answer


def test_a_process_that_gets_no_lock_changes_no_file_of_the_other(tmp_path: Path) -> None:
    for name in ("signed.ndjson", "arrived.ndjson"):
        (tmp_path / name).write_text('{"half a')

    with closing(desk_in(tmp_path).lock()), pytest.raises(VerifierError, match="another process works as"):
        desk_in(tmp_path).lock()
    for name in ("signed.ndjson", "arrived.ndjson"):
        assert (tmp_path / name).read_text() == '{"half a'
