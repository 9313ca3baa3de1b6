"""Messages as records of PROV: what they are called, how they are written, and that no author makes them invalid."""

import json
from dataclasses import replace

import pytest
from builders import (
    agent_id,
    description,
    envelope_of,
    reference_to,
    segment,
    signed_registration,
    signed_response,
    signed_retraction,
    signed_statement,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prov.model import ProvDocument
from prov_constraints import ConstraintViolation, check_constraints
from prov_judge_tool import Judgement, ProvJudge, flat_provn, prov_judge
from test_provenance import MESSAGES, revision

from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.prov import (
    PROV_JSON_END,
    PROV_JSONLD_END,
    PROVN_END,
    Bundle,
    Kind,
    Record,
    message_bundle,
    prov_json_bundle,
    prov_json_header,
    prov_jsonld_bundle,
    prov_jsonld_header,
    provn_bundle,
    provn_header,
)
from a2ap.prov.names import NAMESPACES, message_name, own_name, qualified
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import document_iri
from a2ap.rdf.vocabulary import XSD

__all__ = ["prov_judge"]

ANYTHING = st.text(st.characters(exclude_categories=["Cs"]))


def bundles_of(*documents: bytes) -> list[Bundle]:
    return [message_bundle(read_message(document)) for document in dict.fromkeys(documents)]


def written(bundles: list[Bundle]) -> dict[str, str]:
    """Return bundles in the notations that ProvToolbox reads, and once as one instance, by the ends of file names."""
    return {
        "provn": provn_header("a test") + "".join(map(provn_bundle, bundles)) + PROVN_END,
        "jsonld": prov_jsonld_header() + ",\n".join(map(prov_jsonld_bundle, bundles)) + PROV_JSONLD_END,
        "flat.provn": flat_provn(bundles),
    }


def one_each() -> list[Bundle]:
    """Return a bundle of every kind of message."""
    return list({bundle.name: bundle for bundle in bundles_of(*MESSAGES.values())}.values())


def hostile() -> list[Bundle]:
    """Return messages that put names of others, of ours, and of each other wherever an author may put one."""
    first = signed_statement(1)
    verdict = signed_response(first, 2)
    ours = message_name("sha256:" + "a" * 64)
    return bundles_of(
        first,
        verdict,
        signed_statement(1, claim="A chunk is the statement itself.", evidence=[_renamed(envelope_of(first).id)]),
        signed_statement(1, claim="A chunk is a verdict.", evidence=[_renamed(envelope_of(verdict).id)]),
        signed_statement(1, claim="A source is an agent.", evidence=[segment(source_id=agent_id(1))]),
        signed_statement(1, claim="A source is ours.", evidence=[segment(source_id=ours)]),
        signed_statement(1, claim="A source is its bytes.", evidence=[_source_of_its_bytes()]),
        signed_registration(1, agent=description(1, family=agent_id(2))),
        signed_registration(2, agent=description(2, family=agent_id(1))),
        signed_retraction(first, 1),
        signed_retraction(verdict, 2),
    )


def with_text(text: str) -> list[Bundle]:
    record = Record(Kind.ENTITY, ("urn:x",), ((A2AP.REASON, (text, XSD.STRING)),))
    return [Bundle(NAMESPACES["b"] + "x", (record,))]


HARD_TEXT = 'a "quote", a \\ and \\" \\\\ \n \r \t \b \f endBundle ]) // 🏛 café \u2028 \x85 %% \'x\' [prov:type]'
KEPT = (
    "urn:agent:claude-4.5",
    "urn:x:(a);b,c='d'*e!f$g&h+i~j@k",
    "https://example.org/agents/1?version=2",
    "did:web:example.org:agents:one",
    "urn:a-.b",
)
INVALID = {
    "an entity that is an activity": ["entity(urn:a)", "activity(urn:a)"],
    "a circle of derivations": [
        "entity(urn:a)",
        "entity(urn:b)",
        "wasDerivedFrom(urn:a, urn:b)",
        "wasDerivedFrom(urn:b, urn:a)",
    ],
    "a circle of specializations": ["specializationOf(urn:a, urn:b)", "specializationOf(urn:b, urn:a)"],
    "a generation at two times": [
        "wasGeneratedBy(urn:a, urn:x, 2025-01-01T00:00:00Z)",
        "wasGeneratedBy(urn:a, urn:x, 2025-01-02T00:00:00Z)",
    ],
}


def documents() -> dict[str, str]:
    """Return everything that is judged, by the name of its file: starting Java costs more than judging."""
    agents = [Bundle(NAMESPACES["b"] + str(at), (Record(Kind.AGENT, (iri,)),)) for at, iri in enumerate(KEPT)]
    ours = {"every": one_each(), "hostile": hostile(), "text": with_text(HARD_TEXT), "names": agents}
    texts = {f"{name}.{end}": text for name, bundles in ours.items() for end, text in written(bundles).items()}
    for name, lines in INVALID.items():
        texts[f"{name}.provn"] = "document\n  prefix urn <urn:>\n" + "\n".join(lines) + "\nendDocument\n"
    return texts


@pytest.fixture(scope="module")
def judged(prov_judge: ProvJudge, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Judgement]:
    """Return what ProvToolbox says of each of `documents`."""
    folder = tmp_path_factory.mktemp("judged")
    texts = documents()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return dict(zip(texts, prov_judge.judge(*(folder / name for name in texts)), strict=True))


@pytest.mark.parametrize("end", ["provn", "jsonld", "flat.provn"])
@pytest.mark.parametrize("name", ["every", "hostile", "text", "names"])
def test_what_we_write_is_valid_and_read_to_the_last_record(judged: dict[str, Judgement], name: str, end: str) -> None:
    ours = {"every": one_each(), "hostile": hostile(), "text": with_text(HARD_TEXT)}
    records = sum(len(bundle.records) for bundle in ours[name]) if name in ours else len(KEPT)
    assert judged[f"{name}.{end}"] == Judgement("VALID", records)


@pytest.mark.parametrize("name", INVALID)
def test_the_judge_sees_what_could_go_wrong_with_ours(judged: dict[str, Judgement], name: str) -> None:
    assert judged[f"{name}.provn"].verdict != "VALID"


def test_nothing_that_an_author_chooses_breaks_a_constraint() -> None:
    check_constraints(record for bundle in hostile() for record in bundle.records)
    check_constraints(record for bundle in one_each() for record in bundle.records)


def _renamed(chunk_id: str) -> dict[str, object]:
    return {**segment(), "chunkId": chunk_id}


def _source_of_its_bytes() -> dict[str, object]:
    evidence = segment()
    return {**evidence, "sourceDocument": document_iri(evidence["documentHash"])}


A, B, C = "urn:a", "urn:b", "urn:c"
CONTRADICTORY = {
    "an entity that is an activity": [Record(Kind.ENTITY, (A,)), Record(Kind.ACTIVITY, (A, None, None))],
    "a used activity": [Record(Kind.USAGE, (A, B, None)), Record(Kind.COMMUNICATION, (B, A))],
    "a plan that is done": [Record(Kind.ASSOCIATION, (A, B, A))],
    "a circle of derivations": [Record(Kind.DERIVATION, pair) for pair in ((A, B), (B, C), (C, A))],
    "a derivation from itself": [Record(Kind.DERIVATION, (A, A))],
    "a circle of specializations": [Record(Kind.SPECIALIZATION, pair) for pair in ((A, B), (B, A))],
    "a version that its source comes from": [Record(Kind.SPECIALIZATION, (A, B)), Record(Kind.DERIVATION, (B, A))],
    "a generation at two times": [Record(Kind.GENERATION, (A, B, time)) for time in ("2025-01-01", "2025-01-02")],
    "an end at two times": [Record(Kind.ACTIVITY, (A, None, time)) for time in ("2025-01-01", "2025-01-02")],
}
SOUND = {
    "two makers": [Record(Kind.GENERATION, (A, B, "2025-01-01")), Record(Kind.GENERATION, (A, C, "2025-01-02"))],
    "an activity that uses what it made": [Record(Kind.GENERATION, (A, B, None)), Record(Kind.USAGE, (B, A, None))],
    "activities that inform each other": [Record(Kind.COMMUNICATION, pair) for pair in ((A, B), (B, A))],
    "a use before it was made, by the clock": [
        Record(Kind.GENERATION, (A, B, "2025-01-02")),
        Record(Kind.USAGE, (C, A, "2025-01-01")),
    ],
    "an end that is stated twice": [Record(Kind.ACTIVITY, (A, None, time)) for time in ("2025-01-01", None)],
}


@pytest.mark.parametrize("records", CONTRADICTORY.values(), ids=CONTRADICTORY)
def test_our_checker_sees_a_contradiction(records: list[Record]) -> None:
    with pytest.raises(ConstraintViolation):
        check_constraints(records)


@pytest.mark.parametrize("records", SOUND.values(), ids=SOUND)
def test_our_checker_sees_none_where_the_recommendation_has_none(records: list[Record]) -> None:
    check_constraints(records)


@pytest.mark.parametrize("document", MESSAGES.values(), ids=MESSAGES.keys())
def test_records_of_a_message_satisfy_the_constraints(document: bytes) -> None:
    (bundle,) = bundles_of(document)
    check_constraints(bundle.records)


@pytest.mark.parametrize("document", MESSAGES.values(), ids=MESSAGES.keys())
def test_each_thing_is_declared_once_and_no_record_is_there_twice(document: bytes) -> None:
    (bundle,) = bundles_of(document)
    declared = [
        (record.kind, record.places[0]) for record in bundle.records if record.kind in ("entity", "activity", "agent")
    ]
    assert len(declared) == len(set(declared))
    assert len(bundle.records) == len(set(bundle.records))
    named = {name for _, name in declared}
    for record in bundle.records:
        for place in record.places:
            assert place is None or place[0].isdigit() or place in named, (record.kind, place)


def test_a_statement_was_made_from_its_chunks_and_revises_what_its_hash_says() -> None:
    (bundle,) = bundles_of(revision())
    target = reference_to(signed_statement())
    derived = {record.places[1] for record in bundle.records if record.kind is Kind.DERIVATION}
    assert message_name(target.target_hash) in derived
    assert (A2AP.SUPPORTS, message_name(target.target_hash)) in bundle.records[0].attributes


def test_the_library_prov_reads_every_record_of_prov_json() -> None:
    bundles = one_each()
    text = prov_json_header() + ",\n".join(map(prov_json_bundle, bundles)) + PROV_JSON_END
    document = ProvDocument.deserialize(content=text, format="json")
    assert {str(bundle.identifier and bundle.identifier.uri): len(bundle.records) for bundle in document.bundles} == {
        bundle.name: len(bundle.records) for bundle in bundles
    }
    again = ProvDocument.deserialize(content=document.serialize(format="json"), format="json")
    assert again == document


@given(ANYTHING)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_comes_back_from_prov_json(text: str) -> None:
    record = Record(Kind.ENTITY, ("urn:x",), ((A2AP.REASON, (text, XSD.STRING)),))
    document = json.loads(
        prov_json_header() + prov_json_bundle(Bundle(NAMESPACES["b"] + "x", (record,))) + PROV_JSON_END
    )
    (bundle,) = ProvDocument.deserialize(content=json.dumps(document), format="json").bundles
    ((_, value),) = bundle.records[0].attributes
    assert value == text


@given(st.lists(ANYTHING, min_size=1))
def test_a_text_in_prov_n_ends_where_it_should(texts: list[str]) -> None:
    record = Record(Kind.ENTITY, ("urn:x",), tuple((A2AP.REASON, (text, XSD.STRING)) for text in texts))
    line = provn_bundle(Bundle(NAMESPACES["b"] + "x", (record,))).split("\n", 1)[1].removesuffix("\n  endBundle\n")
    assert "\n" not in line and "\r" not in line
    read, rest = [], line[line.index("[") + 1 :]
    while rest.startswith("a2ap:reason="):
        body = rest.removeprefix('a2ap:reason="')
        end = next(at for at, mark in enumerate(body) if mark == '"' and _backslashes_before(body, at) % 2 == 0)
        read.append(json.loads('"' + "".join(_as_json(mark) for mark in body[:end]) + '"'))
        rest = body[end + 1 :].removeprefix(", ")
    assert read == texts and rest == "])"


def _backslashes_before(text: str, at: int) -> int:
    return at - len(text[:at].rstrip("\\"))


def _as_json(mark: str) -> str:
    # The escapes of PROV-N are also JSON's; controls that stand as they are have a number there.
    return f"\\u{ord(mark):04x}" if ord(mark) < 0x20 else mark


@pytest.mark.parametrize("iri", KEPT)
def test_an_iri_stays_as_it_is_where_prov_has_room_for_it(iri: str) -> None:
    assert own_name(iri, "agent") == iri


@pytest.mark.parametrize(
    "iri",
    [
        "urn:a2ap:message:" + "a" * 64,
        "ni:///sha-256;x",
        "ftp://example.org/x",
        "urn:a%20b",
        "urn:café",
        "urn:a.",
        "urn:",
    ],
)
def test_any_other_iri_is_called_by_its_hash(iri: str) -> None:
    assert own_name(iri, "agent").startswith(NAMESPACES["n"])
    assert own_name(iri, "agent") != own_name(iri, "source")
    prefix, local = qualified(own_name(iri, "agent"))
    assert prefix == "n" and len(local) == 64


def test_a_time_is_written_in_one_way() -> None:
    document = json.loads(signed_statement())
    (zulu,) = bundles_of(json.dumps({**document, "generatedAtTime": "2025-10-14T10:30:00Z"}).encode())
    (offset,) = bundles_of(json.dumps({**document, "generatedAtTime": "2025-10-14T12:30:00+02:00"}).encode())
    times = [
        {record.places[2] for record in bundle.records if record.kind is Kind.GENERATION} for bundle in (zulu, offset)
    ]
    assert times == [{"2025-10-14T10:30:00Z"}] * 2


def test_words_that_were_taken_away_are_in_no_record() -> None:
    (bundle,) = bundles_of(revision())
    assert "not for everybody" in repr(bundle)
    message = read_message(revision())
    assert isinstance(message, ProvenanceStatement)
    redacted = replace(message, evidence=tuple(replace(one, quote=None) for one in message.evidence))
    assert "not for everybody" not in repr(message_bundle(redacted))
