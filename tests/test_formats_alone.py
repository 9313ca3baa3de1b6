"""Reading and checking each of the four formats goes to no network, no file and no program, whatever a record names.

So do the checks of anything at all: those tests run under the same watch.
"""

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import signed_statement
from nothing_outside import nothing_outside
from packets import GOVERNED, altered
from packs import STEPS, held, pack
from passports import Maker

from a2ap.messages.message import read_message
from a2ap.pack.check_pack import check_pack
from a2ap.pack.read_manifest import read_manifest
from a2ap.pack.replay import replay_pack
from a2ap.packet.check_packet import check_packet
from a2ap.packet.document import open_document
from a2ap.passport.building import write_passport
from a2ap.passport.check_chain import check_chain
from a2ap.passport.passport import read_chain
from a2ap.passport.replay import replay_chain

OUTSIDE = {"input": "https://example.org/", "output": "file:///etc/passwd", "variables": {"path": "/etc/passwd"}}
PACK = pack(steps=STEPS)
PACKET = altered(
    GOVERNED,
    items__0__kind="artifact_ref",
    items__0__content={"uri": "https://example.org/", "media_type": "text/html"},
)
STATEMENT = signed_statement(1)


def passport() -> None:
    maker = Maker()
    maker.commit(maker.root(OUTSIDE), OUTSIDE)
    chain = read_chain(b"[" + b",".join(write_passport(record) for record in maker.records) + b"]")
    replay_chain(chain, check_chain(chain))


def context_pack() -> None:
    manifest = read_manifest(PACK.data).manifest
    assert check_pack(PACK.hash, PACK.data, held(PACK)).holds
    assert replay_pack(manifest, held(PACK)).steps


def packet() -> None:
    assert check_packet(open_document(PACKET)).findings


def statement() -> None:
    assert read_message(STATEMENT)


@pytest.mark.parametrize("check", [passport, context_pack, packet, statement], ids=lambda one: one.__name__)
def test_nothing_outside_is_touched(check: Callable[[], None]) -> None:
    check()  # what is loaded once is there
    with nothing_outside():
        check()


@pytest.mark.parametrize(
    "outside",
    [
        lambda: Path(__file__).read_text("utf-8"),
        lambda: os.listdir("."),
        lambda: socket.getaddrinfo("127.0.0.1", 80),
        lambda: subprocess.run(["true"], check=True),
    ],
    ids=["file", "folder", "name", "program"],
)
def test_whoever_goes_outside_is_seen(outside: Callable[[], object]) -> None:
    with pytest.raises(AssertionError), nothing_outside():
        outside()
