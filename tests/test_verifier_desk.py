"""The desk of a verifier, shared by processes one after the other: an answer is signed once, and no file is damaged."""

from contextlib import closing
from pathlib import Path

import pytest
from builders import agent_key
from verifier_desk import AtWork, new_id

from a2ap.canonical import sha256_digest
from a2ap.verifier.desk import Desk, folder_of_node
from a2ap.verifier.errors import VerifierError
from graph.cli.signing import AgentKey
from graph.cli.verifier_work import desk_folder
from graph.settings import Settings

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


def test_each_address_of_a_node_has_a_folder_of_its_own() -> None:
    addresses = ("http://h/x", "https://h/x", "http://h-x", "https://h:8000", "http://h-8000", "http://h:8000/x")
    assert len({folder_of_node(node) for node in addresses}) == len(addresses)
    assert all(folder_of_node(node).startswith("h-") for node in addresses)
    same = ("https://h:8000", "https://h:8000/", "https://reader:secret@h:8000")
    assert len({folder_of_node(node) for node in same}) == 1


def test_the_folder_of_the_command_for_an_agent_is_as_before(tmp_path: Path) -> None:
    settings = Settings.from_environment({"A2AP_DATA": str(tmp_path)})
    agent = AgentKey("urn:agent:reader:0a1b", "urn:agent:reader:0a1b#key-1", agent_key(1))
    assert desk_folder(settings, agent) == tmp_path / "verifiers" / "urn-agent-reader-0a1b"
