"""What a reader may not see leaves by no door: tokens, then every way to a quote of a confidential source."""

import json
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import (
    QUOTE,
    SOURCE,
    SOURCE_ID,
    envelope_of,
    message_id,
    segment,
    sign,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
    statement_message,
)
from graph_contents import run_raw
from http_client import OPERATOR, READERS, ask, bearer, client
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, pieces, settle

from a2ap.boundary import Boundary, Use
from a2ap.canonical import sha256_digest
from a2ap.messages.verification_response import Verdict
from a2ap.signing.disclosure import make_disclosure
from graph.clearance import ANONYMOUS, Reader, Readers, boundary_of
from graph.clearance import OPERATOR as OPERATOR_READER
from graph.cli.operator_token import with_operator_token
from graph.errors import ForbiddenError, UnauthenticatedError
from graph.http.readers import PATIENCE, KnownReaders
from graph.platform import Platform
from graph.settings import Settings, SettingsError

__all__ = ["client", "platform"]

SECRET = "The merger with Elm Street Holdings closes in March."
SECRET_SOURCE = f"Minutes of a closed session.\n{SECRET}\n".encode()
SECRET_ID = "urn:doc:test:closed-session"
WORDS = f"The minutes say: {SECRET}"


def test_a_token_names_a_clearance(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    tokens.write_text('{"sixteen-characters": "internal"}')
    tokens.chmod(0o600)
    readers = Readers.from_settings(Settings(data=tmp_path, operator_token="the-operator-of-it", reader_tokens=tokens))
    assert readers.find(None) == readers.find("") == ANONYMOUS == Reader(Boundary.PUBLIC)
    assert readers.find("Bearer sixteen-characters") == Reader(Boundary.INTERNAL)
    assert readers.find("bearer  the-operator-of-it ") == OPERATOR_READER
    for header in (
        "Bearer nobody",
        "Bearer ",
        "Bearer \xa0",
        "Basic sixteen-characters",
        "sixteen-characters",
        "Bearer \udcff",
    ):
        with pytest.raises(UnauthenticatedError):
            readers.find(header)
    assert "sixteen" not in repr(readers) and "the-operator-of-it" not in repr(readers)


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"sixteen-characters": "secret"}', '{"short": "public"}', '{"sixteen-characters": 1}']
)
def test_an_unusable_file_of_tokens_is_named_and_not_quoted(tmp_path: Path, content: str) -> None:
    tokens = tmp_path / "tokens.json"
    tokens.write_text(content)
    tokens.chmod(0o600)
    with pytest.raises(SettingsError, match="A2AP_READER_TOKENS") as error:
        Readers.from_settings(Settings(data=tmp_path, reader_tokens=tokens))
    assert "sixteen" not in str(error.value)


@pytest.mark.parametrize("token", ["", " " * 20, "fifteen-letters"])
def test_a_short_operators_token_is_none(tmp_path: Path, token: str) -> None:
    settings = Settings(data=tmp_path, operator_token=token)
    for read in (Readers.from_settings, with_operator_token):
        with pytest.raises(SettingsError, match="A2AP_OPERATOR_TOKEN"):
            read(settings)


def test_an_empty_token_is_nobodys() -> None:
    readers = Readers({sha256(b"").digest(): OPERATOR_READER})
    with pytest.raises(UnauthenticatedError):
        readers.find("Bearer \xa0")


def test_a_file_of_tokens_that_others_can_read_is_refused(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    tokens.write_text('{"sixteen-characters": "internal"}')
    for mode in (0o640, 0o604, 0o620):
        tokens.chmod(mode)
        with pytest.raises(SettingsError, match="A2AP_READER_TOKENS: others can read"):
            Readers.from_settings(Settings(data=tmp_path, reader_tokens=tokens))


class TokenFile:
    """A file of tokens that a node knows, one whose owner changes it; time passes when the node is to look again."""

    FIRST, SECOND, OPERATOR = (
        f"Bearer {name}" for name in ("token-of-the-first", "token-of-a-second", "token-of-the-operator")
    )

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tokens.json"
        self._now = 0.0
        self.path.write_text('{"token-of-the-first": "internal", "token-of-a-second": "internal"}')
        self.path.chmod(0o600)
        settings = Settings(data=folder, operator_token="token-of-the-operator", reader_tokens=self.path)
        self.known = KnownReaders(settings, lambda: self._now)

    def becomes(self, text: str | None, mode: int = 0o600) -> None:
        """Have the file hold that, or be gone, and time pass."""
        if text is None:
            self.path.unlink()
        else:
            self.path.write_text(text)
            self.path.chmod(mode)
        self._now += PATIENCE


def test_a_file_of_tokens_is_not_read_again_at_once(tmp_path: Path) -> None:
    file = TokenFile(tmp_path)
    first = file.known.find(file.FIRST)
    file.path.unlink()
    assert file.known.again(first) == first


def test_a_token_that_was_given_another_class_reads_on_with_that(tmp_path: Path) -> None:
    file = TokenFile(tmp_path)
    first = file.known.find(file.FIRST)
    file.becomes('{"token-of-the-first": "private"}')
    assert file.known.again(first) == file.known.find(file.FIRST) == Reader(Boundary.PRIVATE)


def test_a_token_that_was_taken_away_is_nobodys(tmp_path: Path) -> None:
    file = TokenFile(tmp_path)
    second, operator = file.known.find(file.SECOND), file.known.find(file.OPERATOR)
    file.becomes('{"token-of-the-first": "internal"}')
    for asked in (lambda: file.known.again(second), lambda: file.known.find(file.SECOND)):
        with pytest.raises(UnauthenticatedError):
            asked()
    assert file.known.again(operator) == operator and file.known.again(ANONYMOUS) == ANONYMOUS


@pytest.mark.parametrize(
    ("text", "mode"),
    [('{"token-of-the-first": "internal"}', 0o640), ("{", 0o600), (None, 0o600)],
    ids=["others can read it", "it is no JSON", "it is gone"],
)
def test_a_file_of_tokens_that_cannot_be_used_names_nobody_until_it_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str | None, mode: int
) -> None:
    file = TokenFile(tmp_path)
    first, operator = file.known.find(file.FIRST), file.known.find(file.OPERATOR)
    file.becomes(text, mode)
    with pytest.raises(UnauthenticatedError):
        file.known.again(first)
    assert file.known.again(operator) == operator
    file.becomes('{"token-of-the-first": "internal"}')
    assert file.known.again(first) == first
    assert caplog.text.count("no token but the operator's holds any more") == 1
    assert "token-of-the-first" not in caplog.text


def test_processes_that_start_at_once_read_one_whole_token(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(with_operator_token, [Settings(data=tmp_path)] * 64))
    token = found[0][0].operator_token
    assert token is not None and len(token) == 43
    assert {settings.operator_token for settings, _ in found} == {token}
    assert [path.name for path in tmp_path.iterdir()] == ["operator.token"]
    assert (tmp_path / "operator.token").stat().st_mode & 0o777 == 0o600


def test_an_operators_token_that_others_can_read_is_refused(tmp_path: Path) -> None:
    with_operator_token(Settings(data=tmp_path))
    for mode in (0o640, 0o604, 0o620):
        (tmp_path / "operator.token").chmod(mode)
        with pytest.raises(SettingsError, match=r"others can read .*operator\.token; chmod 600 it"):
            with_operator_token(Settings(data=tmp_path))


def test_an_empty_token_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "operator.token").touch(mode=0o600)
    with pytest.raises(SettingsError, match=r"A2AP_OPERATOR_TOKEN: .*operator\.token has fewer"):
        with_operator_token(Settings(data=tmp_path))


@pytest.mark.parametrize("clearance", list(Boundary))
def test_a_reader_may_read_up_to_the_clearance(clearance: Boundary) -> None:
    reader = Reader(clearance)
    for boundary in Boundary:
        allowed = boundary.rank <= clearance.rank
        assert reader.may_read(boundary) is allowed
        assert (boundary.value in reader.readable) is allowed
        assert (reader.reason_withheld(boundary) is None) is allowed
        if not allowed:
            with pytest.raises(ForbiddenError, match=boundary):
                reader.check(boundary, "it")


def test_the_class_of_a_document_is_the_stated_one_or_the_strictest_of_its_name() -> None:
    assert boundary_of("internal", ["private"]) is Boundary.INTERNAL
    assert boundary_of(None, ["internal", "private", "public"]) is Boundary.PRIVATE
    assert boundary_of(None) is Boundary.PUBLIC


class SecretWorld:
    """A public and a confidential source, statements that quote them, and verdicts that quote them too."""

    def __init__(self, platform: Platform) -> None:
        evidence = [segment(SECRET, source=SECRET_SOURCE, source_id=SECRET_ID), segment()]
        self.platform = platform
        self.statement = signed_statement(AUTHOR, claim="A merger was discussed.", evidence=evidence)
        self.public_statement = signed_statement(STRANGER)
        self.response = signed_response(self.statement, VERIFIER_A, verdict=Verdict.CHALLENGED, reason=WORDS)
        self.wordless = signed_response(self.statement, VERIFIER_B, findings=[finding()])

    async def build(self) -> "SecretWorld":
        await settle(self.platform)
        source = signed_source(
            AUTHOR, source=SECRET_SOURCE, source_id=SECRET_ID, boundary=Boundary.CONFIDENTIAL, title="Closed session"
        )
        await accept(self.platform, source)
        await self.platform.sources.put(sha256_digest(SECRET_SOURCE), pieces(SECRET_SOURCE))
        await accept(self.platform, self.statement, self.public_statement, self.response, self.wordless)
        return self


def finding() -> dict[str, Any]:
    return {"criterion": "source-accuracy", "status": "PASS", "evidence": "", "confidence": 0.9}


# Every field through which a quote, a passage or a verifier's words can be reached.
EVERY_FIELD = """{ statements(first: 4) { nodes { claimText machineReason
  evidence { text withheld citedBy { evidence { text } }
    document { boundary withheld chunks { nodes { text withheld } } } }
  citations { quote withheld chunk { text } }
  verifications { reason withheld findings { evidence } statement { evidence { text } } agent {
    verifications { reason findings { evidence } } } }
  generatedBy { statements { evidence { text } citations { quote } } } } }
  agents(first: 10) { nodes { verifications { reason findings { evidence } statement { citations { quote } } } } }
  verifications(first: 10) { nodes { reason findings { evidence } statement { citations { quote } } } }
  documents(filter: {name: "%s"}) { nodes { withheld title source { title }
    chunks { nodes { text citedByConnection { nodes { citations { quote } } } } } } }
  evidenceChain(statementId: "%s") { text withheld }
  consensusTimeline(statementId: "%s") { nodes { verification { reason withheld findings { evidence } } } }
  verification(signedHash: "%s") { reason findings { evidence } }
  statementsAbout(topic: "merger", first: 4) { evidence { text } }
}"""


def every_field(world: SecretWorld) -> str:
    name = hash_of(world.statement)
    return EVERY_FIELD % (sha256_digest(SECRET_SOURCE), name, name, hash_of(world.response))


@pytest.mark.both_engines
@pytest.mark.parametrize("token", [None, READERS["internal"]], ids=["anonymous", "internal"])
async def test_no_field_of_graphql_shows_what_is_withheld(
    platform: Platform, client: httpx.AsyncClient, token: str | None
) -> None:
    world = await SecretWorld(platform).build()
    answer = await ask(client, every_field(world), token=token)
    assert "Elm Street Holdings" not in json.dumps(answer) and "Closed session" not in json.dumps(answer)
    assert QUOTE in json.dumps(answer), "what is public is shown beside it"
    found = next(one for one in answer["statements"]["nodes"] if one["claimText"] == "A merger was discussed.")
    reason = f"the source is confidential, and this reader is cleared for {'internal' if token else 'public'}"
    assert [chunk["withheld"] for chunk in found["evidence"]] == [reason, None]
    assert [citation["quote"] for citation in found["citations"]] == ["", QUOTE]
    assert found["evidence"][0]["document"]["boundary"] == "confidential"
    assert {one["withheld"] for one in found["verifications"]} == {reason}
    assert {one["reason"] for one in found["verifications"]} == {None}


@pytest.mark.parametrize("token", [READERS["confidential"], OPERATOR], ids=["confidential", "operator"])
async def test_a_cleared_reader_sees_all_of_it_and_so_does_the_operator(
    platform: Platform, client: httpx.AsyncClient, tmp_path: Path, token: str
) -> None:
    world = await SecretWorld(platform).build()
    answer = await ask(client, every_field(world), token=token)
    found = next(one for one in answer["statements"]["nodes"] if one["claimText"] == "A merger was discussed.")
    assert [chunk["text"] for chunk in found["evidence"]] == [SECRET, QUOTE]
    assert [citation["quote"] for citation in found["citations"]] == [SECRET, QUOTE]
    assert WORDS in [one["reason"] for one in found["verifications"]]
    assert {chunk["withheld"] for chunk in found["evidence"]} == {None}
    # Bytes lie in the data folder as they came, so that the operator of the machine needs no token.
    assert await platform.content.get(sha256_digest(SECRET_SOURCE)) == SECRET_SOURCE
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.read_bytes() == SECRET_SOURCE for path in files)


async def test_a_search_does_not_find_by_what_is_withheld(platform: Platform, client: httpx.AsyncClient) -> None:
    await SecretWorld(platform).build()
    query = '{ statementsAbout(topic: "Holdings") { id } consensusOn(topic: "Holdings", minScore: 0) { id } }'
    assert (await ask(client, query))["statementsAbout"] == []
    assert len((await ask(client, query, token=READERS["confidential"]))["statementsAbout"]) == 1


async def test_the_bytes_of_a_source_are_given_to_cleared_readers_only(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await SecretWorld(platform).build()
    path = f"/sources/{sha256_digest(SECRET_SOURCE)}"
    for headers in ({}, bearer(READERS["internal"]), {"range": "bytes=0-3"}):
        response = await client.get(path, headers=headers)
        assert response.status_code == 403 and "the source is confidential" in response.json()["detail"]
        assert (await client.head(path, headers=headers)).status_code == 403
    assert (await client.get(path, headers=bearer(READERS["confidential"]))).content == SECRET_SOURCE


@pytest.mark.both_engines
async def test_received_bytes_stay_whole_or_are_not_given(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await SecretWorld(platform).build()
    cleared = bearer(READERS["confidential"])
    for path, document in (
        (f"/statements/{hash_of(world.statement)}", world.statement),
        (f"/statements/{envelope_of(world.statement).id}", world.statement),
        (f"/verifications/{hash_of(world.response)}", world.response),
    ):
        for accept_header in ("application/json", "application/ld+json"):
            refused = await client.get(path, headers={"accept": accept_header})
            assert refused.status_code == 403, path
            assert "the source is confidential" in refused.json()["detail"]
            assert "Holdings" not in refused.text
        assert (await client.get(path, headers={**cleared, "accept": "application/json"})).content == document
    # A verdict without words, and a statement of public sources alone, say nothing that is withheld.
    assert (await client.get(f"/verifications/{hash_of(world.wordless)}")).content == world.wordless
    assert (await client.get(f"/statements/{hash_of(world.public_statement)}")).content == world.public_statement


async def test_turtle_comes_without_the_words(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await SecretWorld(platform).build()
    for path in (f"/statements/{hash_of(world.statement)}", f"/verifications/{hash_of(world.response)}"):
        shown = await client.get(path, headers={"accept": "text/turtle"})
        assert shown.status_code == 200 and "Holdings" not in shown.text
        whole = await client.get(path, headers={"accept": "text/turtle", **bearer(READERS["confidential"])})
        assert "Holdings" in whole.text


@pytest.mark.both_engines
@pytest.mark.parametrize("form", ["cypher", "turtle", "json-ld"])
async def test_no_export_has_it(platform: Platform, client: httpx.AsyncClient, form: str) -> None:
    await SecretWorld(platform).build()
    assert "Holdings" not in (await client.get("/export", params={"format": form})).text
    cleared = await client.get("/export", params={"format": form}, headers=bearer(READERS["confidential"]))
    assert "Holdings" in cleared.text


async def test_a_disclosure_can_be_taken_out_of_json_ld_and_not_of_the_bytes(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await SecretWorld(platform).build()
    disclosure = make_disclosure(SECRET, b"0123456789abcdef")
    cited = segment(SECRET, source=SECRET_SOURCE, source_id=SECRET_ID, content_hash=None)
    evidence = [cited | {"quoteText": disclosure.reference}]
    message = statement_message(AUTHOR, claim="A merger.", evidence=evidence, disclosures=[disclosure])
    statement = sign(message, AUTHOR)
    await accept(platform, statement)
    path = f"/statements/{hash_of(statement)}"
    shown = await client.get(path, headers={"accept": "application/ld+json"})
    assert shown.status_code == 200 and "Holdings" not in shown.text and "disclosures" not in shown.json()
    assert (await client.get(path)).status_code == 403
    assert (await client.get(path, headers=bearer(READERS["confidential"]))).content == statement


async def test_a_quote_under_the_name_of_a_confidential_source_is_withheld_whatever_hash_it_claims(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await SecretWorld(platform).build()
    pointer = {
        "@type": "a2ap:EvidenceSegment",
        "sourceDocument": SECRET_ID,
        "chunkId": "urn:chunk:" + message_id("x").removeprefix("urn:uuid:"),
        "byteRange": {"start": 0, "end": 50},
        "quoteText": SECRET,
    }
    by_name = signed_statement(STRANGER, claim="By name.", evidence=[pointer])
    by_wrong_hash = signed_statement(
        STRANGER, claim="By a wrong hash.", evidence=[{**pointer, "documentHash": sha256_digest(b"other bytes")}]
    )
    await accept(platform, by_name, by_wrong_hash)
    answer = await ask(client, "{ statements(first: 2) { nodes { citations { quote withheld } } } }")
    assert [one["citations"][0]["quote"] for one in answer["statements"]["nodes"]] == ["", ""]
    for statement in (by_name, by_wrong_hash):
        assert (await client.get(f"/statements/{hash_of(statement)}")).status_code == 403


@pytest.mark.both_engines
async def test_a_registration_can_only_raise_the_class(platform: Platform, client: httpx.AsyncClient) -> None:
    await SecretWorld(platform).build()
    lowered = signed_source(STRANGER, source=SECRET_SOURCE, source_id=SECRET_ID, boundary=Boundary.PUBLIC)
    await accept(platform, lowered)
    assert (await client.get(f"/sources/{sha256_digest(SECRET_SOURCE)}")).status_code == 403
    raised = signed_source(STRANGER, source=SOURCE, source_id=SOURCE_ID, boundary=Boundary.PRIVATE)
    await accept(platform, raised)
    assert (await client.get(f"/sources/{sha256_digest(SOURCE)}")).status_code == 403


async def test_the_reason_of_a_retraction_is_withheld_as_a_verifiers_words_are(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await SecretWorld(platform).build()
    retractions = [
        signed_retraction(world.response, VERIFIER_A, reason=WORDS),
        signed_retraction(world.statement, AUTHOR, reason=WORDS),
    ]
    await accept(platform, *retractions)
    query = '{ statement(id: "%s") { retraction { id reason } verifications { retraction { id reason } } } }'
    asked = query % envelope_of(world.statement).id
    for token, seen in ((None, False), (OPERATOR, True)):
        headers = bearer(token) if token else {}
        found = (await ask(client, asked, token=token))["statement"]
        assert found["retraction"]["id"] and (found["retraction"]["reason"] == WORDS) is seen
        texts = [str(found)]
        for form in ("turtle", "cypher", "graph-ndjson"):
            texts.append((await client.get("/export", params={"format": form}, headers=headers)).text)
        for document in retractions:
            answer = await client.get(f"/messages/{envelope_of(document).document_hash}", headers=headers)
            assert answer.status_code == (200 if seen else 403)
        turtle = {"accept": "text/turtle", **headers}
        texts.append((await client.get(f"/statements/{hash_of(world.statement)}", headers=turtle)).text)
        assert [WORDS in text for text in texts] == [seen] * 5


async def test_words_of_the_machine_are_withheld_too(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await SecretWorld(platform).build()
    await run_raw(platform.store, "MATCH (s:Statement) SET s.machine_reason = $words", words=WORDS)
    query = "query ($id: ID!) { statement(id: $id) { machineReason } }"
    hidden = await ask(client, query, {"id": hash_of(world.statement)})
    shown = await ask(client, query, {"id": hash_of(world.public_statement)})
    assert hidden["statement"]["machineReason"] is None and shown["statement"]["machineReason"] == WORDS


def test_only_the_operator_grants_more_than_drafts() -> None:
    Reader(Boundary.PRIVATE).check_grant(Use.DRAFT_ONLY, "a packet")
    with pytest.raises(ForbiddenError, match="grants uses up to draft_only, not internal_write"):
        Reader(Boundary.PRIVATE).check_grant(Use.INTERNAL_WRITE, "a packet")
    OPERATOR_READER.check_grant(Use.CREDENTIAL_SENSITIVE, "a packet")
