"""The parts of the SDK without a node: quotes found in bytes, repeated requests, the outbox, and known logs."""

import stat
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import httpx
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from a2ap import Agent
from a2ap.agent import Quote, QuoteError
from a2ap.agent.exchange import ATTEMPTS, Pause, Request, send
from a2ap.agent.identity import Identity
from a2ap.agent.known_logs import KnownLogs
from a2ap.agent.outbox import Outbox
from a2ap.agent.quotes import find_quote, nearest_passage
from a2ap.client import Client, ProblemError, UnreachableError
from a2ap.client.answers import public_address
from a2ap.errors import KeyFormatError
from a2ap.log.signed_note import VerifierKey
from a2ap.signing.keys import SigningKey

REQUEST = Request.post("/statements", b"{}")
TEXT = "The clerk opened the meeting. The Council voted, five to two, to keep the limit.\n"


def answer(status: int, **headers: str) -> httpx.Response:
    problem = {"title": "busy", "detail": "", **({"retryAfter": int(headers["retry"])} if "retry" in headers else {})}
    return httpx.Response(status, json=problem, request=httpx.Request("POST", "http://node.example/statements"))


def driven(answers: Iterable[httpx.Response | UnreachableError]) -> tuple[httpx.Response | None, list[float]]:
    """Return the response that `send` returns to these answers, and the pauses that it has made."""
    exchange, pauses = send(REQUEST), []
    step = next(exchange)
    for one in answers:
        while isinstance(step, Pause):
            pauses.append(step.seconds)
            step = exchange.send(None)
        assert step == REQUEST
        try:
            step = exchange.throw(one) if isinstance(one, UnreachableError) else exchange.send(one)
        except StopIteration as done:
            return done.value, pauses
    return None, pauses


def test_a_busy_or_silent_node_is_asked_again_after_growing_pauses() -> None:
    found, pauses = driven([answer(503), UnreachableError("reset"), answer(429), answer(201)])
    assert found is not None and found.status_code == 201
    assert pauses == [0.5, 1.0, 2.0]


@pytest.mark.parametrize("status", [408, 425, 429, 502, 503, 504])
def test_a_status_of_a_busy_node_is_asked_again(status: int) -> None:
    assert driven([answer(status), answer(200)])[1] == [0.5]


def test_the_node_may_state_the_pause() -> None:
    assert driven([answer(429, retry="7"), answer(200)])[1] == [7.0]
    assert driven([answer(429, retry="100000"), answer(200)])[1] == [30.0]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 500])
def test_a_refusal_is_raised_at_once(status: int) -> None:
    with pytest.raises(ProblemError) as refused:
        driven([answer(status)])
    assert refused.value.status == status


def test_the_last_failure_is_raised() -> None:
    with pytest.raises(ProblemError, match="503"):
        driven([answer(503)] * ATTEMPTS)
    with pytest.raises(UnreachableError, match="reset"):
        driven([UnreachableError("reset")] * ATTEMPTS)


@given(st.text(min_size=1), st.data())
@example("ß\u0301x", None)
def test_words_that_a_source_has_once_are_found_by_their_bytes(text: str, data: st.DataObject | None) -> None:
    start = data.draw(st.integers(0, len(text) - 1)) if data else 0
    end = data.draw(st.integers(start + 1, len(text))) if data else len(text)
    words, content = text[start:end], text.encode()
    assume(content.count(words.encode()) == 1 and content.find(words.encode(), content.find(words.encode()) + 1) < 0)
    found = find_quote(content, Quote(words))
    assert content[found.start : found.end] == words.encode()
    assert find_quote(content, Quote(words, start=found.start)) == found


@given(st.binary(), st.text(), st.none() | st.integers(-5, 50))
def test_any_bytes_and_words_give_a_range_or_one_error(content: bytes, words: str, start: int | None) -> None:
    try:
        found = find_quote(content, Quote(words, start=start))
    except QuoteError:
        return
    assert content[found.start : found.end] == words.encode()


def test_words_that_stand_there_several_times_are_told_with_their_places() -> None:
    with pytest.raises(QuoteError, match="several times, at bytes 27, 63") as found:
        find_quote(b"in the end, in the middle, the start. In the end of all, under the sea", Quote("the s"))
    assert found.value.places == (27, 63)


def test_overlapping_words_are_several_places() -> None:
    with pytest.raises(QuoteError) as found:
        find_quote(b"aaa", Quote("aa"))
    assert found.value.places == (0, 1)


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        ("the council voted five to two", "The Council voted, five to two"),  # case and punctuation
        ("the  clerk\nopened", "The clerk opened"),  # white space
        ("The clerk opens the meeting.", "The clerk opened the meeting."),  # another form of a word
        ("nothing of the kind was ever considered", None),
    ],
)
def test_the_nearest_passage_to_missing_words_is_shown(words: str, nearest: str | None) -> None:
    assert nearest_passage(TEXT.encode(), words) == nearest
    with pytest.raises(QuoteError) as found:
        find_quote(TEXT.encode(), Quote(words))
    assert found.value.nearest == nearest and ("nearest passage" in str(found.value)) == (nearest is not None)


def test_words_at_a_stated_byte_stand_there_or_are_refused() -> None:
    with pytest.raises(QuoteError, match="at byte 1"):
        find_quote(b"ab", Quote("a", start=1))


NODE, OTHER = "http://node.example", "http://other.example"


def test_a_message_is_pending_at_a_node_from_its_sending_to_its_answer(tmp_path: Path) -> None:
    path = tmp_path / "outbox.ndjson"
    outbox = Outbox(path)
    outbox.each_once([(number, partial(dict, {"@id": number})) for number in ("1", "2", "3")])
    for purpose in ("1", "2"):
        outbox.note_sent(purpose, NODE)
    outbox.note_sent("1", OTHER)
    outbox.note_answered("1", NODE)
    outbox.note_answered("1", NODE)
    for read in (outbox, Outbox(path)):
        assert read.pending(NODE) == [("2", {"@id": "2"})] and read.pending(OTHER) == [("1", {"@id": "1"})]
    assert Outbox(path).once("1", dict) == {"@id": "1"} and len(path.read_text().splitlines()) == 7


def test_an_outbox_is_readable_by_its_owner_alone_and_survives_a_line_cut_within_a_character(tmp_path: Path) -> None:
    path = tmp_path / "outbox.ndjson"
    Outbox(path).once("one", lambda: {"@id": "1", "text": "é"})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_bytes(path.read_bytes() + '{"purpose": "two", "message": {"@id": "é'.encode()[:-1])
    Outbox(path).once("three", lambda: {"@id": "3"})
    assert [message["@id"] for message in Outbox(path).messages()] == ["1", "3"]


def test_the_log_key_of_the_first_use_stays(tmp_path: Path) -> None:
    path = tmp_path / "logs.json"
    first, second = (VerifierKey("node.example", SigningKey(bytes([one] * 32)).public_key) for one in (1, 2))
    known, another_process = KnownLogs(path), KnownLogs(path)
    assert known.find(NODE) is None
    assert known.keep(NODE, first) == first
    assert known.keep(NODE, second) == first
    assert another_process.keep(OTHER, second) == second and another_process.keep(NODE, second) == first
    assert KnownLogs(path).find(NODE) == first and KnownLogs(path).find(OTHER) == second
    assert list(tmp_path.iterdir()) == [path] and stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "[]", '{"http://node.example": 1}'])
def test_a_file_that_is_no_list_of_known_logs_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "logs.json").write_text(text)
    with pytest.raises(KeyFormatError, match=r"logs\.json"):
        KnownLogs(tmp_path / "logs.json")


CLERK = Identity("urn:agent:clerk", "urn:agent:clerk#1", SigningKey(bytes(32)))
SECRET = "http://clerk:secret@node.example"


@pytest.mark.parametrize("status", [200, None])
def test_no_error_tells_the_user_and_password_of_an_address(
    status: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answered(request: httpx.Request) -> httpx.Response:
        if status is None:
            raise httpx.ConnectError("connection refused", request=request)
        return httpx.Response(status, text="no JSON")

    monkeypatch.setattr("a2ap.agent.exchange._FIRST_PAUSE", 0.0)
    transport = httpx.MockTransport(answered)
    agent = Agent(CLERK, SECRET, transport=transport)
    calls: list[Callable[[], object]] = [
        lambda: agent.source(b"", title="Minutes"),
        lambda: agent.ask("Who?"),
        lambda: agent.fetch("http://clerk:secret@127.0.0.1:9/minutes.txt"),
        lambda: Client(SECRET, transport=transport).node(),
    ]
    for call in calls:
        with pytest.raises(UnreachableError) as refused:
            call()
        assert "secret" not in str(refused.value) and "http://" in str(refused.value)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("http://clerk:secret@node.example:80/a?b=c@d", "http://node.example:80/a?b=c@d"),
        ("http://cl@erk:se@node.example", "http://node.example"),
        ("http://node.example/@a", "http://node.example/@a"),
        ("http://clerk:secret@[::1", "http://[::1"),
    ],
)
def test_an_address_is_told_without_its_user(address: str, public: str) -> None:
    assert public_address(address) == public
