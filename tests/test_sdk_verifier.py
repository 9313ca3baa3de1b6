"""The verifier of the SDK at a real node, blocking and asynchronous: its criteria, its answers, and its errors."""

import asyncio
import inspect
import json
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from builders import admission_policy_message, segment, signed_request, signed_statement
from graph_contents import run_raw
from http_client import OPERATOR
from key_world import by_node
from scenario import AUTHOR, accept
from sdk_verifiers import CLAIM, MINUTES, QUOTE, Court, Dropping, answered, court, platform

from a2ap import AsyncVerifier, Verifier
from a2ap.agent import Quote, QuoteForm
from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.client import ProblemError, UnreachableError
from a2ap.errors import LogError
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.verification_response import Verdict
from a2ap.signing.keys import SigningKey
from a2ap.verifier import (
    CriterionError,
    DeclineError,
    Finding,
    FindingStatus,
    Material,
    OutageError,
    RetryError,
    Summary,
    VerifierError,
)
from a2ap.verifier.functions import finding_of

__all__ = ["court", "platform"]

KindOfVerifier = type[Verifier] | type[AsyncVerifier]

both = pytest.mark.parametrize("kind", [Verifier, AsyncVerifier], ids=["blocking", "asynchronous"])


def quoted(material: Material) -> bool:
    return all(one.quote is None or one.quote in (one.text or "") for one in material.evidence)


@both
async def test_a_function_answers_a_request_and_the_verdict_follows_from_its_finding(
    court: Court, kind: KindOfVerifier
) -> None:
    statement = await court.ask()
    verifier = await court.verifier(kind)
    verifier.criterion("source-accuracy")(quoted)

    assert await answered(verifier) == Summary(verdicts=1)
    (verdict,) = await court.verdicts(statement)
    assert (verdict.verdict, verdict.envelope.agent_id, verdict.confidence) == (Verdict.VALIDATED, verifier.id, 0.9)
    assert verdict.findings == (Finding("source-accuracy", FindingStatus.PASS, "", 0.9),)
    assert verdict.request is not None
    assert await answered(verifier) == Summary()


async def test_the_material_is_the_statement_with_the_bytes_that_it_cites(court: Court) -> None:
    await court.ask(quote=[QUOTE, Quote("five to two", form=QuoteForm.POINTER)], confidence=0.7, method="read by hand")
    verifier, seen = await court.verifier(), []

    @verifier.criterion("source-accuracy")
    def look(material: Material) -> tuple[bool, str]:
        seen.append(material)
        return False, "Two members were absent."

    await answered(verifier)
    (material,) = seen
    assert (material.claim, material.confidence, material.method) == (CLAIM, 0.7, "read by hand")
    assert (material.author, material.missing) == (court.author.id, ())
    words, pointer = material.evidence
    assert (words.quote, words.cited, words.text) == (QUOTE, QUOTE.encode(), QUOTE)
    assert (pointer.quote, pointer.cited) == (None, b"five to two")
    assert MINUTES[pointer.start : pointer.end] == b"five to two"
    assert words.source is not None and words.source.data == MINUTES and words.source.text == MINUTES.decode()
    assert (words.document_hash, words.source_id) == (court.minutes.document_hash, court.minutes.id)


async def test_a_source_that_cannot_be_read_is_missing(court: Court) -> None:
    elsewhere = b"Nobody has these bytes.\n"
    evidence = [segment("these bytes", source=elsewhere, source_id="urn:doc:test:elsewhere")]
    statement = signed_statement(AUTHOR, claim="It is so.", evidence=evidence)
    await accept(court.platform, statement, signed_request(statement, AUTHOR, criteria=("source-accuracy",)))
    verifier, seen = await court.verifier(), []

    @verifier.criterion("source-accuracy")
    def look(material: Material) -> None:
        (one,) = material.evidence
        seen.append((material.missing, one.source, one.cited, one.text, one.quote))

    assert await answered(verifier) == Summary(declines=1)
    assert seen == [((sha256_digest(elsewhere),), None, None, None, "these bytes")]


async def test_a_statement_beyond_the_clearance_is_declined_and_with_a_token_it_is_judged(court: Court) -> None:
    secret = await asyncio.to_thread(
        lambda: court.author.source(b"Only for the council.\n", title="Secret", boundary=Boundary.CONFIDENTIAL)
    )
    statement = await court.ask("It is secret.", quote="Only for the council", source=secret)
    public = await court.verifier(name="public")
    cleared = Verifier.load(await court.register("cleared"), court.node, token=OPERATOR)
    for verifier in (public, cleared):
        verifier.criterion("source-accuracy")(quoted)

    assert await answered(public) == Summary(declines=1)
    (row,) = await run_raw(court.platform.store, "MATCH (d:VerificationDecline) RETURN d.reason AS reason")
    assert "the source is confidential, and this reader is cleared for public" in row["reason"]
    assert await answered(cleared) == Summary(verdicts=1)
    (verdict,) = await court.verdicts(statement)
    assert verdict.verdict is Verdict.VALIDATED


ANSWERS = (
    (True, FindingStatus.PASS, "", 0.9),
    ("PASS", FindingStatus.PASS, "", 0.9),
    (False, FindingStatus.FAIL, "", 0.9),
    (None, FindingStatus.INCONCLUSIVE, "", 0.0),
    (FindingStatus.FAIL, FindingStatus.FAIL, "", 0.9),
    (("INCONCLUSIVE", "no idea"), FindingStatus.INCONCLUSIVE, "no idea", 0.0),
    ((False, "another figure"), FindingStatus.FAIL, "another figure", 0.9),
    (Finding("source-accuracy", FindingStatus.PASS, "all read", 0.5), FindingStatus.PASS, "all read", 0.5),
)


@pytest.mark.parametrize(("answer", "status", "reason", "confidence"), ANSWERS)
def test_an_answer_is_a_finding(answer: Any, status: FindingStatus, reason: str, confidence: float) -> None:
    assert finding_of("source-accuracy", answer) == Finding("source-accuracy", status, reason, confidence)


NO_ANSWERS = (1, "pass", [True], (True,), (True, None), (1, "why"), {"source-accuracy": True}, object)


@pytest.mark.parametrize("answer", NO_ANSWERS)
def test_a_value_that_is_no_answer_is_an_error_with_the_criterion_and_the_value(answer: Any) -> None:
    with pytest.raises(CriterionError, match="the criterion source-accuracy returned") as error:
        finding_of("source-accuracy", answer)
    assert type(answer).__name__ in str(error.value)


def test_a_finding_about_another_criterion_or_without_a_share_is_an_error() -> None:
    with pytest.raises(CriterionError, match="source-accuracy returned a finding about other"):
        finding_of("source-accuracy", Finding("other", FindingStatus.PASS, "", 1.0))
    with pytest.raises(CriterionError, match=r"the confidence 1\.5, not one of PASS"):
        finding_of("source-accuracy", Finding("source-accuracy", FindingStatus.PASS, "", 1.5))


def finding(evidence: Any = "", confidence: Any = 1.0, status: Any = FindingStatus.FAIL) -> Finding:
    return Finding("source-accuracy", status, evidence, confidence)


NO_FINDINGS = (
    (finding(evidence=None), "a finding with the evidence None, not a text"),
    (finding(evidence=b"bytes"), "a finding with the evidence b'bytes', not a text"),
    (finding(evidence="cut \ud83d"), r"the reason 'cut \\ud83d', which has a lone surrogate"),
    ((False, "cut \ud83d"), r"the reason 'cut \\ud83d', which has a lone surrogate"),
    (finding(confidence="0.9"), "the confidence '0.9', not one of PASS"),
    (finding(confidence=None), "the confidence None, not one of PASS"),
    (finding(confidence=True), "the confidence True, not one of PASS"),
    (finding(confidence=float("nan")), "the confidence nan, not one of PASS"),
    (finding(status=["FAIL"]), r"the status \['FAIL'\] and"),
)


@pytest.mark.parametrize(("answer", "problem"), NO_FINDINGS)
def test_a_finding_with_members_of_another_type_is_an_error(answer: Any, problem: str) -> None:
    with pytest.raises(CriterionError, match=f"the criterion source-accuracy returned .*{problem}"):
        finding_of("source-accuracy", answer)


@pytest.mark.parametrize(
    ("reason", "problem"),
    [
        ("", "declined without a reason"),
        ("cut \ud83d", r"returned the reason 'cut \\ud83d', which has a lone surrogate"),
    ],
)
@both
async def test_no_decline_is_signed_with_a_reason_that_is_no_text(
    court: Court, kind: KindOfVerifier, reason: str, problem: str
) -> None:
    await court.ask()
    verifier = await court.verifier(kind)

    @verifier.criterion("source-accuracy")
    def decline(material: Material) -> bool:
        raise DeclineError(reason)

    with pytest.raises(CriterionError, match=f"^the criterion source-accuracy {problem}$"):
        await answered(verifier)
    assert await run_raw(court.platform.store, "MATCH (d:VerificationDecline) RETURN d.reason AS reason") == []


@both
async def test_no_verdict_is_signed_for_a_value_that_is_no_answer(court: Court, kind: Any) -> None:
    statement = await court.ask()
    verifier = await court.verifier(kind)
    verifier.criterion("source-accuracy")(lambda material: 7)
    with pytest.raises(CriterionError, match="the criterion source-accuracy returned 7, a int"):
        await answered(verifier)
    assert await court.verdicts(statement) == []


@both
async def test_a_function_that_fails_leaves_its_criterion_open_and_others_are_answered(
    court: Court, kind: KindOfVerifier
) -> None:
    statement = await court.ask(criteria=("source-accuracy", "logical-consistency", "example.org/tone"))
    verifier = await court.verifier(kind)
    verifier.criterion("source-accuracy")(quoted)

    @verifier.criterion("logical-consistency", version="2")
    def divided(material: Material) -> bool:
        return 1 // 0 == 1

    await answered(verifier)
    (verdict,) = await court.verdicts(statement)
    assert verdict.verdict is Verdict.INSUFFICIENT_EVIDENCE
    assert [(one.criterion, one.status) for one in verdict.findings] == [
        ("source-accuracy", FindingStatus.PASS),
        ("logical-consistency", FindingStatus.INCONCLUSIVE),
    ]
    assert verdict.findings[1].evidence == "divided 2 failed: ZeroDivisionError"


@both
async def test_a_request_is_declined_with_the_reason_of_the_function(court: Court, kind: KindOfVerifier) -> None:
    statement = await court.ask()
    verifier = await court.verifier(kind)

    @verifier.criterion("source-accuracy")
    def decline(material: Material) -> bool:
        raise DeclineError("The minutes are not my field.")

    assert await answered(verifier) == Summary(declines=1)
    assert await court.verdicts(statement) == []
    (row,) = await run_raw(court.platform.store, "MATCH (d:VerificationDecline) RETURN d.reason AS reason")
    assert row["reason"] == "The minutes are not my field."
    assert await answered(verifier) == Summary()


async def test_a_request_that_cannot_be_answered_now_is_left_and_tried_later(court: Court) -> None:
    await court.ask()
    lines: list[str] = []
    verifier = Verifier.load(await court.register("reader"), court.node, say=lines.append)

    @verifier.criterion("source-accuracy")
    def later(material: Material) -> bool:
        raise RetryError("The register is closed.")

    assert await answered(verifier) == Summary(left=1)
    assert "is left to others: The register is closed.; it is tried again from" in lines[0]

    @verifier.criterion("example.org/tone")
    def outage(material: Material) -> bool:
        raise OutageError("The register is gone.")

    await court.ask("Another claim.", criteria=("example.org/tone",))
    assert await answered(verifier) == Summary(left=1)


async def test_an_asynchronous_criterion_waits_in_the_loop_and_a_plain_one_outside_it(court: Court) -> None:
    statement = await court.ask(criteria=("source-accuracy", "logical-consistency"))
    verifier, threads = await court.verifier(AsyncVerifier), {}

    @verifier.criterion("source-accuracy")
    async def waits(material: Material) -> bool:
        threads["coroutine"] = threading.current_thread()
        await asyncio.sleep(0.01)
        return True

    @verifier.criterion("logical-consistency")
    def plain(material: Material) -> bool:
        threads["function"] = threading.current_thread()
        return True

    await verifier.run(once=True)
    (verdict,) = await court.verdicts(statement)
    assert verdict.verdict is Verdict.VALIDATED
    assert threads["coroutine"] is threading.current_thread() is not threads["function"]


async def test_a_cancelled_verifier_cancels_its_coroutine_and_gives_the_request_back(court: Court) -> None:
    statement = await court.ask()
    verifier, at_work, cancelled = await court.verifier(AsyncVerifier), asyncio.Event(), asyncio.Event()

    @verifier.criterion("source-accuracy")
    async def waits(material: Material) -> bool:
        at_work.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return True

    task = asyncio.create_task(verifier.run())
    await asyncio.wait_for(at_work.wait(), 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(cancelled.wait(), 5)
    (lease,) = await run_raw(court.platform.store, "MATCH (l:Lease) RETURN l.expires_micros AS until")
    assert lease["until"] / 1e6 - time.time() < 11
    assert await court.verdicts(statement) == []


@both
async def test_a_verifier_that_waits_for_requests_stops_at_once(court: Court, kind: KindOfVerifier) -> None:
    statement, answers = await court.ask(), threading.Event()
    verifier = await court.verifier(kind)

    @verifier.criterion("source-accuracy")
    def answer(material: Material) -> bool:
        answers.set()
        return True

    running = verifier.run() if isinstance(verifier, AsyncVerifier) else asyncio.to_thread(verifier.run)
    work = asyncio.create_task(running)
    assert await asyncio.to_thread(answers.wait, 30)
    while not await court.verdicts(statement):
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.3)  # It waits for requests now, for up to half a minute.
    began = time.monotonic()
    verifier.stop()
    assert (await work).verdicts == 1
    assert time.monotonic() - began < 5


@both
@pytest.mark.parametrize("is_sent", [False, True], ids=["before it is sent", "before the receipt"])
async def test_a_verifier_that_dies_after_it_has_signed_sends_the_same_verdict_once(
    court: Court, kind: KindOfVerifier, is_sent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("a2ap.verifier.worker._FIRST_RETRY", 0.01)
    statement = await court.ask()
    key, judged = await court.register("reader"), []

    def count(material: Material) -> bool:
        judged.append(material.claim)
        return True

    dying = kind.load(key, court.node, transport=Dropping("/verifications", is_sent=is_sent))
    dying.criterion("source-accuracy")(count)
    with pytest.raises(UnreachableError, match="the line is dead"):
        await answered(dying)
    (path,) = (court.folder / "reader.key.verifier").glob("*/signed.ndjson")
    (line,) = path.read_text().splitlines()

    other = kind.load(key, court.node)
    other.criterion("source-accuracy")(count)
    assert await answered(other) == Summary(verdicts=1)
    (verdict,) = await court.verdicts(statement)
    assert verdict.envelope.document == json.loads(line)["message"]
    assert judged == [CLAIM] and path.read_text().splitlines() == [line]


async def test_two_verifiers_answer_every_request_once_each(court: Court) -> None:
    statements = [await court.ask(f"Claim {number}.") for number in range(6)]
    first, second = await court.verifier(name="first"), await court.verifier(name="second")
    for verifier in (first, second):
        verifier.criterion("source-accuracy")(quoted)
    summaries = await asyncio.gather(answered(first, most=2), answered(second, most=2))
    rounds = [await answered(verifier) for verifier in (first, second)]

    found = [[one.envelope.agent_id for one in await court.verdicts(statement)] for statement in statements]
    assert sum(one.verdicts for one in (*summaries, *rounds)) == sum(map(len, found))
    assert all(len(set(authors)) == len(authors) >= 1 for authors in found)


async def test_one_run_at_a_time_works_as_a_verifier(court: Court) -> None:
    await court.ask()
    verifier, inside, go_on = await court.verifier(), threading.Event(), threading.Event()

    @verifier.criterion("source-accuracy")
    def wait(material: Material) -> bool:
        inside.set()
        return go_on.wait(30)

    work = asyncio.create_task(answered(verifier))
    assert await asyncio.to_thread(inside.wait, 30)
    other = await court.verifier()
    other.criterion("source-accuracy")(quoted)
    with pytest.raises(VerifierError, match="another process works as"):
        await answered(other)
    go_on.set()
    assert (await work).verdicts == 1


async def test_a_lease_is_renewed_while_a_function_works(court: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("a2ap.verifier.leasing._RENEWALS", 100)
    await court.ask()
    verifier, inside, go_on = await court.verifier(AsyncVerifier), asyncio.Event(), asyncio.Event()

    @verifier.criterion("source-accuracy")
    async def slow(material: Material) -> bool:
        inside.set()
        await asyncio.wait_for(go_on.wait(), 30)
        return True

    async def expiry() -> int:
        (row,) = await run_raw(court.platform.store, "MATCH (l:Lease) RETURN l.expires_micros AS until")
        return int(row["until"])

    work = asyncio.create_task(verifier.run(once=True, lease_seconds=10))
    await asyncio.wait_for(inside.wait(), 30)
    before = await expiry()
    while await expiry() < before + 1_000_000:
        await asyncio.sleep(0.1)
    go_on.set()
    assert (await work).verdicts == 1


async def test_budgets_bound_a_day_and_a_requester(court: Court) -> None:
    for number in range(3):
        await court.ask(f"Claim {number}.")
    verifier = await court.verifier()
    verifier.criterion("source-accuracy")(quoted)
    assert await answered(verifier, per_day=1, most=1) == Summary(verdicts=1)
    assert await answered(verifier, per_day=1) == Summary()
    assert await answered(verifier, per_requester=2) == Summary(verdicts=1, declines=1)


async def test_a_verdict_beyond_the_quota_of_the_node_is_kept_and_sent_later(court: Court) -> None:
    node = court.platform.node
    statement, verifier = await court.ask(), await court.verifier()
    verifier.criterion("source-accuracy")(quoted)
    tight, wide = ({"stranger": {"documents": most}} for most in (1, 100))
    await accept(court.platform, by_node(court.platform, admission_policy_message(node.agent_id, quotas=tight)))
    with pytest.raises(ProblemError, match=r"^429 .*stranger\.documents") as problem:
        await answered(verifier)
    assert problem.value.retry_after
    assert await court.verdicts(statement) == []

    await accept(court.platform, by_node(court.platform, admission_policy_message(node.agent_id, quotas=wide)))
    assert await answered(verifier) == Summary(verdicts=1)


async def test_receipts_are_checked_by_the_key_of_the_first_contact(court: Court) -> None:
    await court.ask()
    verifier = await court.verifier()
    verifier.criterion("source-accuracy")(quoted)
    await answered(verifier)
    known = json.loads((court.folder / "reader.key.logs.json").read_text())
    assert list(known) == [court.node]

    await court.ask("Another claim.")
    name = VerifierKey.parse(known[court.node]).name
    foreign = VerifierKey(name, SigningKey.generate(bytes(32)).public_key)
    pinned = Verifier.load(court.folder / "reader.key", court.node, log_key=foreign.text)
    pinned.criterion("source-accuracy")(quoted)
    with pytest.raises(LogError):
        await answered(pinned)


async def test_an_unregistered_agent_is_told_so(court: Court) -> None:
    key = await court.register("reader")
    text = key.read_text().replace("urn:agent:reader", "urn:agent:nobody")
    other = court.folder / "nobody.key"
    other.write_text(text)
    other.chmod(0o600)
    verifier = Verifier.load(other, court.node)
    verifier.criterion("source-accuracy")(quoted)
    with pytest.raises(ProblemError, match="is not registered"):
        await answered(verifier)


@pytest.fixture
def stranger(tmp_path: Path) -> Any:
    """Return a function that loads a verifier of an unregistered key; its node does not exist."""
    from a2ap import Agent

    Agent.create(tmp_path / "reader.key", name="Reader", publisher="Archive", node="http://127.0.0.1:9").close()
    return lambda kind, **settings: kind.load(tmp_path / "reader.key", "http://127.0.0.1:9", **settings)


@both
async def test_a_verifier_without_a_criterion_does_not_run(kind: KindOfVerifier, stranger: Any) -> None:
    with pytest.raises(CriterionError, match="no criterion is registered"):
        await answered(stranger(kind))


@both
def test_a_criterion_is_registered_once_by_its_name(kind: KindOfVerifier, stranger: Any) -> None:
    verifier = stranger(kind)
    assert verifier.criterion("source-accuracy")(quoted) is quoted
    with pytest.raises(CriterionError, match="the criterion source-accuracy is registered twice: quoted"):
        verifier.criterion("source-accuracy")(lambda material: True)
    with pytest.raises(CriterionError, match=r"takes the name of a criterion, not quoted"):
        verifier.criterion(quoted)
    with pytest.raises(CriterionError, match="'' is no name of a criterion"):
        verifier.criterion("")
    assert verifier.criteria == ("source-accuracy",)


def test_a_blocking_verifier_takes_no_coroutine_function(stranger: Any) -> None:
    async def waits(material: Material) -> bool:
        return True

    with pytest.raises(CriterionError, match="AsyncVerifier"):
        stranger(Verifier).criterion("source-accuracy")(waits)


@pytest.mark.parametrize(
    ("terms", "problem"),
    [
        ({"lease_seconds": 5}, "lease_seconds is 5, not from 10 to 3600"),
        ({"most": 0}, "most is 0, not from 1 to 100"),
        ({"per_day": -1}, "per_day is -1, less than 0"),
        ({"per_requester": -2}, "per_requester is -2, less than 0"),
    ],
)
async def test_terms_out_of_range_are_an_error(terms: dict[str, int], problem: str, stranger: Any) -> None:
    verifier = stranger(Verifier)
    verifier.criterion("source-accuracy")(quoted)
    with pytest.raises(ValueError, match=f"^{problem}$"):
        await answered(verifier, **terms)


async def test_a_node_that_does_not_answer_is_asked_five_times_at_once(
    stranger: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("a2ap.verifier.worker._FIRST_RETRY", 0.01)
    lines: list[str] = []
    verifier = stranger(Verifier, say=lines.append)
    verifier.criterion("source-accuracy")(quoted)
    with pytest.raises(UnreachableError, match="does not answer: connection refused"):
        await answered(verifier)
    assert len(lines) == 4 and all(line.endswith("; trying again") for line in lines)


PROGRAM = """
from a2ap import Verifier

verifier = Verifier.load("reader.key", node={node!r}, say=lambda line: print(line, flush=True))

@verifier.criterion("source-accuracy")
def quoted(material):
    print("judged", flush=True)
    return True

print(verifier.run(), flush=True)
"""


ASYNC_PROGRAM = (
    PROGRAM.replace("a2ap import Verifier", "a2ap import AsyncVerifier as Verifier")
    .replace("def quoted", "async def quoted")
    .replace("verifier.run()", "__import__('asyncio').run(verifier.run())")
)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("text", [PROGRAM, ASYNC_PROGRAM], ids=["blocking", "asynchronous"])
async def test_a_program_stops_cleanly_on_a_signal(court: Court, text: str, number: signal.Signals) -> None:
    await court.ask()
    await court.register("reader")
    command = [sys.executable, "-c", text.format(node=court.node)]
    start = partial(subprocess.Popen, command, cwd=court.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with start(text=True, env=dict(os.environ)) as program:
        assert program.stdout is not None and program.stderr is not None
        lines = [await asyncio.to_thread(program.stdout.readline) for _ in range(2)]
        await asyncio.sleep(0.3)
        program.send_signal(number)
        rest = await asyncio.to_thread(program.stdout.read)
        assert (program.wait(20), program.stderr.read()) == (0, "")
    assert lines[0] == "judged\n" and lines[1].startswith("VALIDATED on")
    assert rest == "Summary(verdicts=1, declines=0, refusals=0, held=0, left=0)\n"


def test_both_kinds_of_verifier_have_the_same_methods() -> None:
    def signatures(kind: type) -> dict[str, str]:
        public = inspect.getmembers(kind, lambda one: inspect.isfunction(one) or inspect.ismethod(one))
        return {name: str(inspect.signature(one)) for name, one in public if not name.startswith("_")}

    assert signatures(Verifier) == signatures(AsyncVerifier)


def test_importing_the_sdk_loads_no_client() -> None:
    code = (
        "import sys, a2ap, a2ap.verifier; print([name for name in ('httpx', 'nacl', 'graph') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
