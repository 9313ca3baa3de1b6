"""In whose share a subscription or a connection counts: of a token however it is written, or of a network."""

import pytest
from starlette.requests import HTTPConnection

from graph.clearance import Readers
from graph.errors import TooManySubscribersError
from graph.http.shares import share_of
from graph.requests.following import Subscribers

TOKEN = "a-token-of-a-reader"


def from_host(host: str) -> HTTPConnection:
    return HTTPConnection({"type": "http", "headers": [], "client": (host, 1)})


def test_a_token_has_one_share_however_the_header_writes_it() -> None:
    written = [f"{scheme}{TOKEN}{space}" for scheme in ("Bearer ", "bearer ", "BEARER  ") for space in ("", " ", "\t")]
    assert len({share_of(from_host(host), one) for one in written for host in ("192.0.2.1", "::1")}) == 1
    assert share_of(from_host("192.0.2.1"), written[0]) != share_of(from_host("192.0.2.1"), "Bearer another")
    assert TOKEN not in share_of(from_host("192.0.2.1"), written[0]).name


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1:2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("a.sock", "b.sock", False),
    ],
)
def test_who_brings_no_token_counts_with_its_network(one: str, other: str, is_same: bool) -> None:
    assert (share_of(from_host(one), None) == share_of(from_host(other), "")) is is_same


def test_readers_with_a_token_find_a_place_when_all_others_are_taken() -> None:
    subscribers = Subscribers(most=5, most_of_reader=2)
    held = [subscribers.one_more(share_of(from_host(f"192.0.2.{number}"), None)) for number in range(5)]
    for one in held[:4]:
        one.__enter__()
    with pytest.raises(TooManySubscribersError, match="without a token"):
        held[4].__enter__()
    with subscribers.one_more(share_of(from_host("192.0.2.9"), f"Bearer {TOKEN}")):
        assert subscribers.count == 5
        with pytest.raises(TooManySubscribersError, match="5 subscriptions are served"):
            subscribers.one_more(share_of(from_host("192.0.2.9"), "Bearer another")).__enter__()
    for one in held[:4]:
        one.__exit__(None, None, None)
    assert subscribers.count == 0


def test_what_is_a_token_is_read_in_one_place() -> None:
    """A header that names no reader is refused by whoever looks for one, ahead of any share."""
    for wrong in ("Basic abc", "Bearer ", "Bearer"):
        with pytest.raises(Exception, match="Authorization header"):
            Readers({}).find(wrong)
        with pytest.raises(Exception, match="Authorization header"):
            share_of(from_host("192.0.2.1"), wrong)
