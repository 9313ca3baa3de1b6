"""A log changes its key: each key hands over to the next, once, and never for a size that was passed before."""

import pytest
from builders import agent_key
from tree_builder import LOG, LOG_KEY, ORIGIN, Tree

from a2ap.errors import LogFormatError, NoteError, SuccessionError
from a2ap.log.checkpoint import open_checkpoint
from a2ap.log.log_key import (
    LogKeys,
    Succession,
    build_succession,
    follow_successions,
    open_succession,
    read_succession,
)
from a2ap.log.signed_note import COSIGNATURE, VerifierKey, sign_note

SIGNERS = [LOG, agent_key(91), agent_key(92)]
KEYS = [VerifierKey(ORIGIN, signer.public_key) for signer in SIGNERS]
FIRST = build_succession(ORIGIN, KEYS[1], 10, SIGNERS[0])
SECOND = build_succession(ORIGIN, KEYS[2], 20, SIGNERS[1])


def test_a_succession_is_a_signed_note() -> None:
    assert FIRST.startswith(f"a2ap.log-key/v1\n{ORIGIN}\n{KEYS[1].text}\n10\n\n— {ORIGIN} ")
    assert open_succession(FIRST, LOG_KEY) == read_succession(FIRST) == Succession(ORIGIN, KEYS[1], 10)


def test_each_key_signs_the_trees_of_its_sizes() -> None:
    keys = follow_successions(KEYS[0], [FIRST, SECOND])
    assert keys.newest == KEYS[2]
    assert keys.origin == ORIGIN
    expected = {0: 0, 1: 0, 10: 0, 11: 1, 20: 1, 21: 2, 1000: 2}
    assert {size: KEYS.index(keys.at(size)) for size in expected} == expected


def test_whoever_holds_a_later_key_follows_from_there() -> None:
    assert follow_successions(KEYS[1], [FIRST, SECOND]) == LogKeys(KEYS[1], (read_succession(SECOND),))
    assert follow_successions(KEYS[2], [FIRST, SECOND]) == LogKeys(KEYS[2])
    assert follow_successions(KEYS[0], []).newest == KEYS[0]


def test_two_changes_at_one_size_leave_the_key_between_them_nothing() -> None:
    keys = follow_successions(KEYS[0], [FIRST, build_succession(ORIGIN, KEYS[2], 10, SIGNERS[1])])
    assert [keys.at(size) for size in (10, 11)] == [KEYS[0], KEYS[2]]


def test_a_checkpoint_opens_with_the_key_of_its_size() -> None:
    tree, keys = Tree(12), follow_successions(KEYS[0], [FIRST])
    for size, signer in ((10, SIGNERS[0]), (11, SIGNERS[1])):
        assert open_checkpoint(tree.checkpoint(size, key=signer), keys).tree_size == size
    for size, signer in ((10, SIGNERS[1]), (11, SIGNERS[0]), (11, SIGNERS[2])):
        with pytest.raises(NoteError, match="is not signed by"):
            open_checkpoint(tree.checkpoint(size, key=signer), keys)


def test_a_key_that_nobody_named_is_not_followed() -> None:
    forged = build_succession(ORIGIN, KEYS[2], 10, SIGNERS[2])
    assert follow_successions(KEYS[0], [forged]).newest == KEYS[0]
    with pytest.raises(SuccessionError, match="not by the key before it"):
        open_succession(forged, LOG_KEY)


@pytest.mark.parametrize(("old", "new"), [("\n10\n", "\n11\n"), (KEYS[1].text, KEYS[2].text)])
def test_each_line_of_a_succession_is_signed(old: str, new: str) -> None:
    assert FIRST.count(old) == 1
    with pytest.raises(SuccessionError, match="not by the key before it"):
        follow_successions(LOG_KEY, [FIRST.replace(old, new)])


def test_a_key_hands_the_log_over_once() -> None:
    other = build_succession(ORIGIN, KEYS[2], 10, SIGNERS[0])
    with pytest.raises(SuccessionError, match="hands the log over twice"):
        follow_successions(KEYS[0], [FIRST, other])


def test_the_log_does_not_go_back_to_an_earlier_key_or_size() -> None:
    with pytest.raises(SuccessionError, match="an earlier key of the same log"):
        follow_successions(KEYS[0], [FIRST, build_succession(ORIGIN, KEYS[0], 20, SIGNERS[1])])
    with pytest.raises(SuccessionError, match="an earlier key of the same log"):
        follow_successions(KEYS[0], [build_succession(ORIGIN, KEYS[0], 20, SIGNERS[0])])
    with pytest.raises(SuccessionError, match="at 9 leaves is older"):
        follow_successions(KEYS[0], [FIRST, build_succession(ORIGIN, KEYS[2], 9, SIGNERS[1])])


def test_a_succession_of_another_log_does_not_count() -> None:
    other = "urn:agent:another"
    text = f"a2ap.log-key/v1\n{other}\n{VerifierKey(other, SIGNERS[1].public_key).text}\n10\n"
    with pytest.raises(SuccessionError, match="of the log 'urn:agent:another', not of"):
        follow_successions(LOG_KEY, [sign_note(text, ORIGIN, LOG)])


def test_a_checkpoint_is_no_succession_and_the_other_way_round() -> None:
    with pytest.raises(LogFormatError, match="a succession has four lines"):
        follow_successions(LOG_KEY, [Tree(3).checkpoint(3)])
    with pytest.raises(LogFormatError, match="the tree size is"):
        open_checkpoint(FIRST, LOG_KEY)


@pytest.mark.parametrize(
    "text",
    [
        f"a2ap.log-key/v2\n{ORIGIN}\n{KEYS[1].text}\n10\n",
        f"a2ap.log-key/v1\n{ORIGIN}\n{KEYS[1].text}\n",
        f"a2ap.log-key/v1\n{ORIGIN}\n{KEYS[1].text}\n10\nmore\n",
        f"a2ap.log-key/v1\n{ORIGIN}\n{KEYS[1].text}\n010\n",
        f"a2ap.log-key/v1\n{ORIGIN}\nno key\n10\n",
        f"a2ap.log-key/v1\nurn:agent:another\n{KEYS[1].text}\n10\n",
        f"a2ap.log-key/v1\n\n{KEYS[1].text}\n10\n",
        f"a2ap.log-key/v1\n{ORIGIN}\n{VerifierKey(ORIGIN, SIGNERS[1].public_key, COSIGNATURE).text}\n10\n",
    ],
)
def test_another_text_is_no_succession(text: str) -> None:
    with pytest.raises(LogFormatError):
        read_succession(sign_note(text, ORIGIN, LOG))


def test_a_succession_that_could_not_be_followed_is_not_made() -> None:
    for origin, key, size in (
        ("urn:agent:another", KEYS[1], 10),
        (ORIGIN, VerifierKey(ORIGIN, SIGNERS[1].public_key, COSIGNATURE), 10),
        (ORIGIN, KEYS[1], -1),
    ):
        with pytest.raises(ValueError):
            build_succession(origin, key, size, LOG)
