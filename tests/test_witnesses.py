"""Witnesses: asked about new checkpoints over HTTP, and never in the way; policies of k out of n."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from builders import agent_key, signed_registration
from servers import server_on
from witness_server import witness

from a2ap.errors import LogFormatError, WitnessError
from a2ap.log.checkpoint import Checkpoint, sign_checkpoint
from a2ap.log.cosignature import open_cosignatures
from a2ap.log.merkle import consistency_proof, hash_leaf, root_hash
from a2ap.log.policy_file import KnownWitness, read_policy_file
from a2ap.log.signed_note import VerifierKey
from graph.settings import Settings, SettingsError
from graph.store import Store
from graph.transparency.witnesses import Witnesses, asking_witnesses, load_policy_file

ORIGIN = "urn:agent:a2ap-node:0123456789abcdef"
LOG_KEY = agent_key(8000)
LOG = VerifierKey(ORIGIN, LOG_KEY.public_key)


class MemoryLog:
    """A log of so many leaves, as witnesses are asked about it."""

    def __init__(self, size: int, word: str = "leaf") -> None:
        self.leaves: list[bytes] = []
        self.written = size  # by all servers
        self.grow(size, word)

    def grow(self, size: int, word: str = "leaf") -> None:
        self.leaves += [hash_leaf(f"{word} {number}".encode()) for number in range(len(self.leaves), size)]
        self.checkpoint = Checkpoint(ORIGIN, size, root_hash(self.leaves))
        self.checkpoint_note = sign_checkpoint(self.checkpoint, LOG_KEY)

    async def consistency_proof(self, old_size: int, new_size: int | None = None) -> tuple[bytes, ...]:
        def hash_at(level: int, index: int) -> bytes:
            return root_hash(self.leaves[index << level : (index + 1) << level])

        return consistency_proof(old_size, new_size or len(self.leaves), hash_at)

    async def refresh(self) -> None:
        if self.written > len(self.leaves):
            self.grow(self.written)

    async def cosign(self, note: str) -> None:
        self.checkpoint_note = note


def names_of(log: MemoryLog, witnesses: Sequence[VerifierKey]) -> set[str]:
    return {found.witness.name for found in open_cosignatures(log.checkpoint_note, witnesses)}


@pytest.fixture
def client():
    import httpx

    return httpx.AsyncClient(trust_env=False)


async def test_every_witness_cosigns_and_its_line_is_added_to_the_checkpoint(client) -> None:
    log = MemoryLog(5)
    async with witness(1, LOG) as first, witness(2, LOG) as second, client:
        asked = Witnesses(log, [first.as_known, second.as_known], client)
        assert await asked.ask() == 2
        assert names_of(log, [first.verifier_key, second.verifier_key]) == {first.name, second.name}


async def test_a_log_that_grew_is_cosigned_with_a_proof_from_what_the_witness_knows(client) -> None:
    log = MemoryLog(5)
    async with witness(1, LOG) as one, client:
        asked = Witnesses(log, [one.as_known], client)
        for size in (6, 300, 301, 1000):
            await asked.ask()
            log.grow(size)
        assert await asked.ask() == 1
        assert one.known[ORIGIN].tree_size == 1000
        assert one.asked == 5  # it is remembered what each knows


async def test_a_process_that_knows_nothing_of_a_witness_finds_out_what_it_knows(client) -> None:
    log = MemoryLog(5)
    async with witness(1, LOG) as one, client:
        await Witnesses(log, [one.as_known], client).ask()
        log.grow(9)
        assert await Witnesses(log, [one.as_known], client).ask() == 1
        assert one.asked == 3


@pytest.mark.parametrize("size", [3, 5, 9])
async def test_a_fork_is_not_cosigned_and_is_shouted_about(client, size: int, caplog: pytest.LogCaptureFixture) -> None:
    async with witness(1, LOG) as one, client:
        await Witnesses(MemoryLog(5), [one.as_known], client).ask()
        fork = MemoryLog(size, "other leaf")
        assert await Witnesses(fork, [one.as_known], client).ask() == 0
        assert names_of(fork, [one.verifier_key]) == set()
    assert ("put back" if size < 5 else "forked") in caplog.text


async def test_a_server_that_is_behind_another_of_the_same_log_accuses_nobody(
    client, caplog: pytest.LogCaptureFixture
) -> None:
    async with witness(1, LOG) as one, client:
        await Witnesses(MemoryLog(9), [one.as_known], client).ask()
        behind = MemoryLog(5)
        behind.written = 9
        asked = Witnesses(behind, [one.as_known], client)
        assert [await asked.ask(), await asked.ask()] == [0, 1]
        assert behind.checkpoint.tree_size == 9
    assert "put back" not in caplog.text


async def test_a_witness_that_is_down_or_refuses_stops_nothing(client) -> None:
    log = MemoryLog(5)
    async with witness(1, LOG) as good, witness(2, LOG) as bad, client:
        bad.broken = 500
        gone = KnownWitness(VerifierKey("gone.example", agent_key(7).public_key, 4), "http://127.0.0.1:9")
        stranger = KnownWitness(VerifierKey(good.name, agent_key(8).public_key, 4), good.url)
        asked = Witnesses(log, [gone, bad.as_known, stranger, good.as_known], client)
        assert await asked.ask() == 1
        assert names_of(log, [good.verifier_key]) == {good.name}
        bad.broken = None
        assert await asked.ask() == 2


async def test_a_witness_of_other_logs_does_not_cosign(client) -> None:
    other = VerifierKey("urn:agent:a2ap-node:fedcba9876543210", LOG_KEY.public_key)
    wrong_key = VerifierKey(ORIGIN, agent_key(1).public_key)
    for known in (other, wrong_key):
        async with witness(1, known) as one:
            assert await Witnesses(MemoryLog(2), [one.as_known], client).ask() == 0
    await client.aclose()


async def test_witnesses_are_asked_in_the_background_whenever_the_log_grows() -> None:
    log = MemoryLog(5)
    async with witness(1, LOG) as one, asking_witnesses(log, [one.as_known]):
        for size in (6, 7):
            log.grow(size)
            async with asyncio.timeout(30):
                while not names_of(log, [one.verifier_key]):
                    await asyncio.sleep(0.05)
        assert one.known[ORIGIN].tree_size == 7


async def test_the_checkpoints_of_a_platform_are_cosigned_and_served(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        key = platform.log.verifier_key
    async with witness(1, key) as one:
        file = tmp_path / "witnesses"
        file.write_text(f"witness W1 {one.verifier_key.text} {one.url}\nquorum W1\n")
        settings = Settings(data=tmp_path, witnesses=file)
        async with server_on(store, tmp_path, settings=settings) as platform:
            await platform.submit(signed_registration(1))
            async with asyncio.timeout(60):
                while not open_cosignatures(platform.log.checkpoint_note, [one.verifier_key]):
                    await asyncio.sleep(0.05)
            assert one.known[key.name] == platform.log.checkpoint
            note = platform.log.checkpoint_note
    async with server_on(store, tmp_path) as platform:
        assert platform.log.checkpoint_note == note, "a restart keeps the cosignatures"


# --- policy files


def vkey(number: int, algorithm: int = 4) -> str:
    return VerifierKey(f"w{number}.example", agent_key(100 + number).public_key, algorithm).text


FILE = f"""
# who is trusted
log {LOG.text} https://node.example/log
witness W1 {vkey(1)} https://w1.example/
witness W2\t{vkey(2)}
witness W3 {vkey(3)}
group two 2 W1 W2 W3
quorum two
"""


def test_a_policy_file_names_logs_witnesses_and_a_quorum() -> None:
    found = read_policy_file(FILE)
    assert found.logs == (LOG,)
    assert [witness.url for witness in found.witnesses] == ["https://w1.example/", None, None]
    assert found.policy.quorum == 2 and len(found.policy.witnesses) == 3


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("quorum two", "", "has no quorum"),
        ("quorum two", "quorum three", "no witness or group"),
        ("quorum two", "quorum two\nquorum two", "a second quorum"),
        ("group two 2", "group two 4", "of 3 witnesses"),
        ("group two 2", "group two 0", "of 3 witnesses"),
        ("group two 2", "group two 02", "of 3 witnesses"),
        ("W1 W2 W3", "W1 W2 W2", "a member twice"),
        ("W1 W2 W3", "W1 W2 W4", "no witness of a line before"),
        ("quorum two", "group more 1 two\nquorum more", "groups in groups"),
        ("witness W2", "witness W1", "is taken"),
        ("witness W2", "witness none", "is taken"),
        (vkey(2), vkey(1), "is there twice"),
        (vkey(2), vkey(2, 1), "is of type 1, not 4"),
        (vkey(2), "nothing", "is not a verifier key"),
        ("quorum two", "quorum\x07two", "control character"),
        ("quorum two", "quorums two", "is no line of a policy"),
    ],
)
def test_a_policy_file_that_is_none_is_refused_with_its_line(before: str, after: str, said: str) -> None:
    with pytest.raises(LogFormatError, match=said):
        read_policy_file(FILE.replace(before, after, 1))


@pytest.mark.parametrize(("quorum", "needed"), [("none", 0), ("W2", 1), ("two", 2), ("every", 3), ("some", 1)])
async def test_a_quorum_counts_the_witnesses_that_cosigned(client, quorum: str, needed: int) -> None:
    log = MemoryLog(5)
    async with witness(1, LOG) as a, witness(2, LOG) as b, witness(3, LOG) as c, client:
        group = {"two": "2", "every": "all", "some": "any"}.get(quorum)
        lines = [f"witness W{n} {one.verifier_key.text}" for n, one in enumerate((a, b, c), start=1)]
        lines += [f"group {quorum} {group} W1 W2 W3"] if group else []
        policy = read_policy_file("\n".join([*lines, f"quorum {quorum}", ""])).policy
        order = [b, a, c]
        for number in range(4):
            if number >= needed:
                policy.check(log.checkpoint_note)
            else:
                with pytest.raises(WitnessError, match=f"{number} of"):
                    policy.check(log.checkpoint_note)
            if number < 3:
                await Witnesses(log, [order[number].as_known], client).ask()


def test_a_policy_file_that_cannot_be_read_names_the_setting(tmp_path) -> None:
    with pytest.raises(SettingsError, match=r"A2AP_WITNESSES: .*missing"):
        load_policy_file(tmp_path / "missing", "A2AP_WITNESSES")
    (tmp_path / "bad").write_text("quorum x\n")
    with pytest.raises(SettingsError, match=r"A2AP_WITNESSES: .*line 1"):
        load_policy_file(tmp_path / "bad", "A2AP_WITNESSES")
