"""Signatures of packets and records: one that holds, and a failure for everything that it covers."""

from typing import Any

import pytest
from packets import CORE, GONE, GOVERNED, altered, sealed

from a2ap.packet.building import seal_packet, write_packet
from a2ap.packet.canon import verify_hash
from a2ap.packet.document import open_document, read_document
from a2ap.packet.errors import PacketFormError, PacketSignatureError, PacketTextError
from a2ap.packet.reading import packet_of
from a2ap.packet.records import (
    Output,
    PacketDisposition,
    PacketReceipt,
    PacketRecord,
    PacketReturn,
    Proposal,
    ProposalAction,
    read_record,
    verify_record,
    write_record,
)
from a2ap.packet.signature import SIGNATURE, read_signature, verify_members
from a2ap.packet.vocabulary import Outcome
from a2ap.signing.keys import SigningKey

KEY, OTHER = SigningKey(b"\x01" * 32), SigningKey(b"\x02" * 32)
KEY_ID = "urn:agent:producer#1"
SIGNED = seal_packet(GOVERNED, key=KEY, key_id=KEY_ID)

PACKET = sealed()
RECORDS: tuple[PacketRecord, ...] = (
    PacketReceipt(
        "rcp_1", "delivered", "2026-07-04T16:00:00Z", "system:o", "cpk_build_001", PACKET.packet_hash or "", "obslog:1"
    ),
    PacketReturn(
        "ret_1",
        "cpk_build_001",
        PACKET.packet_hash or "",
        "2026-07-04T17:00:00Z",
        "agent:x",
        (Output("out_1", "code_diff", "diff"),),
        (Proposal("prop_1", ProposalAction.APPEND, "The tests pass."),),
        observability_ref="trace:1",
    ),
    PacketDisposition(
        "dsp_1",
        "cpk_build_001",
        Outcome.PROMOTED,
        "2026-07-04T18:00:00Z",
        "human:demo_user",
        "snapshot:demo-app@v10",
        PACKET.packet_hash,
        "ret_1",
        "prop_1",
    ),
)
NAMES = [type(record).__name__ for record in RECORDS]


def test_a_signed_packet_verifies_and_its_hash_covers_the_signature():
    document = open_document(SIGNED)
    assert verify_members(document.members, KEY.public_key).key_id == KEY_ID
    assert verify_hash(document).is_ours
    other = seal_packet(GOVERNED, key=OTHER, key_id=KEY_ID)
    assert other["reproducibility"]["packet_hash"] != SIGNED["reproducibility"]["packet_hash"]


@pytest.mark.parametrize("name", [name for name in SIGNED if name not in ("reproducibility", "ext")])
def test_the_signature_covers_each_member(name: str):
    for change in (GONE, "another"):
        with pytest.raises(PacketSignatureError, match="does not hold"):
            verify_members(altered(SIGNED, **{name: change}), KEY.public_key)


@pytest.mark.parametrize("name", SIGNED["reproducibility"])
def test_the_signature_covers_reproducibility_but_for_the_hash_that_is_made_after_it(name: str):
    changed = altered(SIGNED, **{f"reproducibility__{name}": "another"})
    if name == "packet_hash":
        verify_members(changed, KEY.public_key)
    else:
        with pytest.raises(PacketSignatureError):
            verify_members(changed, KEY.public_key)


def test_receipts_come_after_the_signature_and_break_nothing():
    verify_members({**SIGNED, "receipts": [{"receipt_id": "r"}]}, KEY.public_key)


def test_the_signature_covers_the_other_extensions_and_its_own_block():
    with pytest.raises(PacketSignatureError, match="does not hold"):
        verify_members({**SIGNED, "ext": {**SIGNED["ext"], "acme.x": 1}}, KEY.public_key)
    block = SIGNED["ext"][SIGNATURE]
    for change in ({"key_id": "urn:agent:other#1"}, {"value": "A" * 86 + "=="}):
        with pytest.raises(PacketSignatureError):
            verify_members({**SIGNED, "ext": {SIGNATURE: {**block, **change}}}, KEY.public_key)


def test_a_key_that_the_document_names_is_not_believed():
    with pytest.raises(PacketSignatureError, match="names the key"):
        verify_members(SIGNED, OTHER.public_key)
    block = {**SIGNED["ext"][SIGNATURE], "public_key": OTHER.public_key.base64}
    with pytest.raises(PacketSignatureError, match="does not hold"):
        verify_members({**SIGNED, "ext": {SIGNATURE: block}}, OTHER.public_key)


@pytest.mark.parametrize(
    "block",
    [
        None,
        [],
        {},
        {"algorithm": "ed25519"},
        {"algorithm": "rsa", "key_id": "k", "public_key": "x", "value": "y"},
        {"algorithm": "ed25519", "key_id": "", "public_key": KEY.public_key.base64, "value": "A" * 86 + "=="},
        {"algorithm": "ed25519", "key_id": "k", "public_key": "x", "value": "A" * 86 + "=="},
        {"algorithm": "ed25519", "key_id": "k", "public_key": KEY.public_key.base64, "value": "A" * 85 + "B=="},
        {"algorithm": "ed25519", "key_id": "k", "public_key": KEY.public_key.base64, "value": 7},
    ],
)
def test_what_is_no_signature_is_said(block: Any):
    with pytest.raises(PacketSignatureError):
        read_signature({**CORE, "ext": {SIGNATURE: block}})


def test_a_packet_is_written_signed_and_read_again():
    document = read_document(write_packet(packet_of(open_document(GOVERNED)), key=KEY, key_id=KEY_ID))
    verify_members(document.members, KEY.public_key)
    with pytest.raises(ValueError, match="under an id"):
        write_packet(packet_of(open_document(GOVERNED)), key=KEY)


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_a_record_is_written_signed_read_and_verified(record: PacketRecord):
    data = write_record(record, key=KEY, key_id=KEY_ID)
    read = read_record(data)
    assert read.data == data
    assert verify_record(read, KEY.public_key).key_id == KEY_ID
    plain = read_record(write_record(record))
    assert plain.value == record
    with pytest.raises(PacketSignatureError, match="not signed"):
        verify_record(plain, KEY.public_key)


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_the_signature_of_a_record_covers_each_member(record: PacketRecord):
    read = read_record(write_record(record, key=KEY, key_id=KEY_ID))
    for name in read.members:
        changed = type(read)(read.data, {**read.members, name: {"another": "one"}}, read.value)
        with pytest.raises(PacketSignatureError):
            verify_record(changed, KEY.public_key)


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_a_record_without_what_it_needs_is_refused(record: PacketRecord):
    members = read_record(write_record(record)).members
    required = {name for name, one in type(record).__dataclass_fields__.items() if one.default is one.default_factory}
    for name in required | {"spec"}:
        with pytest.raises(PacketFormError):
            read_record(open_document({**members, name: None}).data)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"spec": 1}', b'{"spec": "context-packet/0.3"}', b"\xff", b'{"a":1,"a":2}']
)
def test_what_is_no_record_is_one_clear_error(data: bytes):
    with pytest.raises((PacketFormError, PacketTextError)):
        read_record(data)
