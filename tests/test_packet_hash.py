"""`cpk-canon/1`: the four domains of the vectors, the two algorithms, and what a hash binds."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packets import CORE, GOVERNED, altered, found, report_on, sealed
from patience import PATIENT
from vectors_file import load_vectors

from a2ap.packet.building import packet_members, seal_packet, write_members, write_packet
from a2ap.packet.canon import HashDomain, match_hash, packet_bytes, packet_hash, read_hash, same_hash, verify_hash
from a2ap.packet.document import open_document, read_document
from a2ap.packet.errors import PacketFormError, PacketHashError
from a2ap.packet.packet import Reproducibility
from a2ap.packet.reading import packet_of
from a2ap.packet.vocabulary import HashAlgorithm, Level

VECTORS = load_vectors("context_packet_hashes.json")
DOMAINS = VECTORS["vectors"]
# The domain in which nothing is left out but the value shows the whole packet.
WHOLE = {
    one["packet"]: json.loads(one["canonical_jcs"])
    for one in DOMAINS
    if one["hash_domain"] == "packet_hash_empty_string"
}
WRITTEN = {
    one["name"]: one["packet"]
    for one in load_vectors("context_packets.json")
    if one["expect_conformant"] and report_on(one["packet"]).level is not None
} | {"core": CORE}
OURS = HashDomain.MINUS_PACKET_HASH_AND_RECEIPTS


def test_the_hash_is_blake2b_with_32_bytes_and_no_cut_of_a_longer_one():
    assert "b2:" + hashlib.blake2b(b"", digest_size=32).hexdigest() == VECTORS["blake2b_256_of_empty"]
    assert not VECTORS["blake2b_256_of_empty"].endswith(VECTORS["trunc_blake2b_512_of_empty_is_different"])


@pytest.mark.parametrize("vector", DOMAINS, ids=[f"{one['packet']}-{one['hash_domain']}" for one in DOMAINS])
def test_every_domain_has_the_bytes_and_hashes_of_the_vectors(vector: dict[str, Any]):
    members, domain = WHOLE[vector["packet"]], HashDomain(vector["hash_domain"])
    assert packet_bytes(members, domain).decode() == vector["canonical_jcs"]
    for algorithm in HashAlgorithm:
        assert packet_hash(members, algorithm, domain) == vector[algorithm]


@pytest.mark.parametrize("vector", DOMAINS, ids=[f"{one['packet']}-{one['hash_domain']}" for one in DOMAINS])
@pytest.mark.parametrize("algorithm", HashAlgorithm)
def test_the_domain_of_a_hash_is_recognised_and_named(vector: dict[str, Any], algorithm: HashAlgorithm):
    members = altered(WHOLE[vector["packet"]], reproducibility__hash_algorithm=str(algorithm))
    domain = HashDomain(vector["hash_domain"])
    stated = packet_hash(
        {**members, "reproducibility": {**members["reproducibility"], "packet_hash": ""}}, algorithm, domain
    )
    members["reproducibility"]["packet_hash"] = stated
    document = open_document(members)
    match = match_hash(document)
    assert match is not None and match.algorithm is algorithm
    assert packet_bytes(members, match.domain) == packet_bytes(members, domain)
    assert verify_hash(document) == match


def test_another_reading_of_the_name_is_a_warning_and_ours_is_nothing():
    document = sealed()
    assert verify_hash(document).is_ours
    assert found(document.members, "4.3-packet_hash") == []
    members = altered(GOVERNED, reproducibility__packet_hash="")
    theirs = packet_hash(members, HashAlgorithm.BLAKE2B_256, HashDomain.MINUS_REPRODUCIBILITY)
    members["reproducibility"]["packet_hash"] = theirs
    (finding,) = found(members, "4.3-packet_hash")
    assert "minus_reproducibility" in finding.words and finding.severity == "warning"
    receipt = {"receipt_id": "r", "event": "used", "at": "2026-07-05T00:00:00Z", "by": "system:x"}
    assert report_on(members, receipts=[{**receipt, "packet_hash": theirs}]).level is Level.AUDITED


def test_the_hash_binds_everything_but_itself_and_the_receipts():
    document = sealed()
    receipt = {"receipt_id": "r", "event": "used", "at": "2026-07-05T00:00:00Z", "by": "system:x"}
    assert packet_hash({**document.members, "receipts": [receipt]}) == document.packet_hash
    for name in document.members:
        if name not in ("receipts", "reproducibility"):
            changed = open_document({**document.members, name: "another"})
            with pytest.raises(PacketHashError, match="not that of the packet"):
                verify_hash(changed)
    for name in document.part("reproducibility"):
        if name != "packet_hash":
            with pytest.raises(PacketHashError):
                verify_hash(open_document(altered(document.members, **{f"reproducibility__{name}": "another"})))


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        (None, "states no hash"),
        ("b2:9f41c8...", "not a hash of 64 digits"),
        ("b2:" + "0" * 64, "not that of the packet"),
    ],
)
def test_what_does_not_hold_is_raised(stated: str | None, words: str):
    with pytest.raises(PacketHashError, match=words):
        verify_hash(open_document(altered(GOVERNED, reproducibility__packet_hash=stated)))


def test_the_algorithm_that_a_packet_names_is_the_one_that_was_used():
    document = sealed()
    document.members["reproducibility"]["hash_algorithm"] = "sha-256"
    stated = packet_hash(document.members)
    document.members["reproducibility"]["packet_hash"] = stated
    with pytest.raises(PacketHashError, match="hash_algorithm says sha-256"):
        verify_hash(open_document(document.members))
    assert found(document.members, "4.3-hash_algorithm")


def test_hashes_are_compared_however_they_are_spelled():
    digits = "ab" * 32
    assert same_hash("b2:" + digits, "blake2b-256:" + digits.upper())
    assert same_hash("sha256:" + digits, digits)
    assert not same_hash("sha256:" + digits, "b2:" + digits)
    assert same_hash("b2:9f41c8...", "b2:9f41c8...") and not same_hash("b2:9f41c8...", None)
    assert read_hash("md5:" + digits) is None


def test_a_packet_is_written_as_it_is_read():
    packet = replace(packet_of(sealed()), reproducibility=Reproducibility())
    data = write_packet(packet)
    assert read_document(data).data == data
    assert replace(packet_of(read_document(data)), reproducibility=Reproducibility()) == packet
    assert list(read_document(data).members) == list(packet_members(packet))
    assert write_packet(packet_of(read_document(data))) == data


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_nulls(one) for name, one in value.items() if one is not None}
    return [without_nulls(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("packet", WRITTEN.values(), ids=WRITTEN)
def test_the_members_of_others_are_written_as_they_were_received(packet: dict[str, Any]):
    """Their document loses nothing; the value that is made of it has no nulls, and so another hash where one was."""
    received = open_document(packet)
    assert read_document(write_members(received.members).data).members == packet
    assert verify_hash(open_document(seal_packet(received.members))).is_ours
    written = read_document(write_packet(packet_of(received)))
    sealed_members, expected = seal_packet(packet), without_nulls(seal_packet(packet))
    stated = written.part("reproducibility")["packet_hash"]
    expected["reproducibility"]["packet_hash"] = stated
    assert written.members == expected
    assert (stated == sealed_members["reproducibility"]["packet_hash"]) is (without_nulls(packet) == packet)


def test_what_is_below_core_is_not_written():
    packet = packet_of(open_document(CORE))
    with pytest.raises(PacketFormError, match=r"4\.1-purpose"):
        write_packet(replace(packet, purpose=" "))


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=4) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@PATIENT
@given(st.dictionaries(st.text(max_size=4), values, max_size=5))
def test_sealing_anything_gives_its_own_hash_or_one_clear_error(members: dict[str, Any]):
    try:
        document = open_document(seal_packet({**CORE, "ext": {"acme.any": members}}))
    except (PacketHashError, PacketFormError) as error:
        assert str(error)
    else:
        assert verify_hash(document).domain is OURS
