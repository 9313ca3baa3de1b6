"""Derived identifiers, and what may be one."""

import pytest
from builders import CLAIM, agent_id
from vectors_file import load_vectors

from a2ap.errors import StatementIdError
from a2ap.identifiers import (
    agent_id_problem,
    check_statement_id,
    chunk_key,
    generate_chunk_id,
    generate_statement_id,
    hash_problem,
    id_problem,
    key_agent,
    uuid_problem,
)

VECTORS = load_vectors("a2ap_identifiers.json")
UUID_V4 = "urn:uuid:550e8400-e29b-41d4-a716-446655440000"


@pytest.mark.parametrize("vector", VECTORS["statement_ids"])
def test_a_statement_id_is_that_of_appendix_a(vector: dict[str, str]) -> None:
    assert generate_statement_id(vector["agent_id"], vector["claim"]) == vector["statement_id"]


@pytest.mark.parametrize("vector", VECTORS["chunk_ids"])
def test_a_chunk_id_is_that_of_appendix_a(vector: dict[str, str | int]) -> None:
    assert generate_chunk_id(str(vector["doc_id"]), int(vector["byte_offset"])) == vector["chunk_id"]


def test_the_derived_id_passes() -> None:
    check_statement_id(generate_statement_id(agent_id(1), CLAIM), agent_id(1), CLAIM)


@pytest.mark.parametrize("statement_id", [UUID_V4, "urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057"])
def test_versions_4_and_7_are_free(statement_id: str) -> None:
    check_statement_id(statement_id, agent_id(1), CLAIM)


@pytest.mark.parametrize(
    ("agent", "claim"),
    [(agent_id(2), CLAIM), (agent_id(1), CLAIM + " "), (agent_id(1), CLAIM.upper())],
)
def test_a_version_5_id_that_is_not_derived_is_refused(agent: str, claim: str) -> None:
    with pytest.raises(StatementIdError, match=r"@id is .*; this agent and claim give urn:uuid:"):
        check_statement_id(generate_statement_id(agent, claim), agent_id(1), CLAIM)


@pytest.mark.parametrize(
    "statement_id",
    [
        "urn:uuid:550e8400-e29b-11d4-a716-446655440000",
        "urn:uuid:550e8400-e29b-31d4-a716-446655440000",
        "urn:uuid:550e8400-e29b-61d4-a716-446655440000",
        "urn:uuid:550e8400-e29b-81d4-a716-446655440000",
        "urn:uuid:550e8400-e29b-41d4-c716-446655440000",
        "urn:uuid:00000000-0000-0000-0000-000000000000",
        UUID_V4.upper(),
        UUID_V4.replace("e", "E"),
        UUID_V4.removeprefix("urn:uuid:"),
        UUID_V4 + "\n",
        "urn:uuid:550e8400e29b41d4a716446655440000",
        "urn:uuid:...",
        "",
    ],
)
def test_other_versions_and_spellings_are_refused(statement_id: str) -> None:
    with pytest.raises(StatementIdError):
        check_statement_id(statement_id, agent_id(1), CLAIM)


def test_two_pairs_that_would_share_an_id_cannot_both_exist() -> None:
    shared = generate_statement_id("urn:a|b", "c")
    assert shared == generate_statement_id("urn:a", "b|c")
    check_statement_id(shared, "urn:a", "b|c")
    with pytest.raises(StatementIdError, match="ambiguous"):
        check_statement_id(shared, "urn:a|b", "c")


@pytest.mark.parametrize("value", ["urn:agent:gpt-5", "did:key:z6Mk", "https://example.org/ä?q=1#f", "agent:x:pubkey"])
def test_an_absolute_iri_is_an_id(value: str) -> None:
    assert id_problem(value) is None


@pytest.mark.parametrize(
    "value",
    [
        "",
        "gpt-5",
        ":x",
        "urn:",
        "urn:a b",
        "urn:a\nb",
        "urn:a\x00",
        "urn:a\x7f",
        "urn:<a>",
        'urn:"a"',
        "urn:a|b",
        "urn:a{b}",
        "urn:a\\b",
        "urn:a^b",
        "urn:a`b",
        "urn:a\u2028b",
        "urn:a\u00a0b",
        "urn:a\u202eb",
        "urn:a\u2066b",
    ],
)
def test_what_cannot_stand_in_rdf_is_no_id(value: str) -> None:
    assert id_problem(value) is not None


def test_an_id_has_at_most_512_bytes() -> None:
    assert id_problem("urn:" + "a" * 508) is None
    assert id_problem("urn:" + "a" * 509) == "has more than 512 bytes"
    assert id_problem("urn:" + "ä" * 254) is None
    assert id_problem("urn:" + "ä" * 255) == "has more than 512 bytes"


def test_an_agent_id_has_no_bar_and_no_number_sign() -> None:
    assert agent_id_problem(agent_id(1)) is None
    assert "ambiguous" in str(agent_id_problem("urn:a|b"))
    assert "keys" in str(agent_id_problem("urn:a#b"))


def test_hashes_and_uuids_have_one_spelling() -> None:
    assert hash_problem("sha256:" + "0a" * 32) is None
    assert uuid_problem(UUID_V4) is None
    for value in (
        "sha256:" + "0A" * 32,
        "0a" * 32,
        "sha256:" + "0a" * 31,
        "sha512:" + "0a" * 32,
        "sha256:" + "0a" * 33,
    ):
        assert hash_problem(value) is not None


def test_a_key_reference_names_its_agent() -> None:
    assert key_agent("urn:agent:test-1#key-1") == "urn:agent:test-1"
    assert key_agent("did:key:z6Mk#z6Mk") == "did:key:z6Mk"
    assert key_agent("did:key:z6Mk") is None
    assert key_agent("agent:claude-4.5:pubkey") is None


def test_a_chunk_key_depends_on_the_document_and_both_ends() -> None:
    keys = {chunk_key(*arguments) for arguments in [("d", 0, 1), ("d", 0, 2), ("d", 1, 2), ("e", 0, 1)]}
    assert len(keys) == 4
    assert all(len(key) == 64 for key in keys)


@pytest.mark.parametrize("value", ["prov:wasAttributedTo", "a2ap:x", "urn:doc:a\u3000b", "urn:doc:a\u2003b"])
def test_an_id_that_json_ld_would_read_as_another_is_refused(value: str) -> None:
    assert id_problem(value) is not None
