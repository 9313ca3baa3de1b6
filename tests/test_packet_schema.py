"""The JSON Schemas that are shipped say what the code says: of vectors, vocabularies, and of what is required."""

import json
from dataclasses import MISSING, fields
from importlib.resources import files
from typing import Any

import pytest
from packets import CORE, EXAMPLES, GOVERNED, ITEM, QUOTED, altered, report_on
from schema_fit import fits
from test_packet_check import BROKEN
from test_packet_signature import RECORDS
from vectors_file import load_vectors

from a2ap.packet.check_names import CORE as NAMES
from a2ap.packet.looks import word_set
from a2ap.packet.records import read_record, write_record
from a2ap.packet.vocabulary import ORDER, Degree, EpistemicStatus, Kind, Level, PromotionState, Trust

# What a schema cannot say, or leaves to the check: words by way of ext, several members together, forms of texts.
BEYOND = word_set(
    "2.1 4 4.1-created_at 4.1-ext 4.1-ext.core 4.1-lineage.supersedes_packet 4.1-packet_id 4.2"
    " 4.3-packet_hash.own 4.3-signature 5.1-content 5.1-ext 5.1-item_id 5.1-provenance.recorded_at"
    " 5.1-superseded_by 5.1-supersedes 5.1-valid_time.period 6 6-1 6-2 6-4 6-6 8-content 11-pair"
)


def schema_of(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((files("a2ap.packet") / f"{name}.schema.json").read_text("utf-8"))
    return schema


PACKET = schema_of("context-packet")


@pytest.mark.parametrize("vector", load_vectors("context_packets.json"), ids=lambda one: one["name"])
def test_a_packet_that_reaches_core_fits(vector: dict[str, Any]):
    if report_on(vector["packet"]).level is not None:
        assert fits(PACKET, vector["packet"])


def test_a_packet_with_everything_fits():
    assert fits(PACKET, altered(EXAMPLES["04_envelope"], items=[ITEM, QUOTED], receipts=[EXAMPLES["09_receipt"]]))
    assert fits(PACKET, CORE) and fits(PACKET, GOVERNED)


@pytest.mark.parametrize("number", [number for number in BROKEN if number not in BEYOND])
def test_what_breaks_a_rule_of_core_about_one_member_does_not_fit(number: str):
    for packet in BROKEN[number]:
        core = [one for one in report_on(packet).errors_at(Level.CORE) if one.rule.number == number]
        if core and core[0].rule.level is Level.CORE:
            assert not fits(PACKET, packet), core[0]


def test_the_schema_has_the_members_and_words_of_the_code():
    assert list(PACKET["properties"]) == list(ORDER)
    item = PACKET["properties"]["items"]["items"]["properties"]
    assert set(item) <= NAMES
    assert item["kind"]["enum"] == list(Kind)
    assert item["epistemic_status"]["enum"] == list(EpistemicStatus)
    assert item["promotion_state"]["enum"] == [*PromotionState, None]
    assert item["confidence"]["enum"] == list(Degree)
    assert item["provenance"]["properties"]["trust"]["enum"] == list(Trust)


@pytest.mark.parametrize(("record", "name"), list(zip(RECORDS, ("receipt", "return", "disposition"), strict=True)))
def test_a_record_fits_its_schema(record: Any, name: str):
    schema = schema_of(f"packet-{name}")
    members = read_record(write_record(record)).members
    assert fits(schema, members)
    assert set(schema["properties"]) == {one.name for one in fields(record)}
    required = {one.name for one in fields(record) if one.default is MISSING and one.default_factory is MISSING}
    assert set(schema["required"]) == required | {"spec"}
    for member in schema["required"]:
        assert not fits(schema, {**members, member: 7})
