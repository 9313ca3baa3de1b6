"""A graph for the tests of exports: every label and type, hostile texts, and sources of several boundary classes."""

from collections.abc import Awaitable, Callable

from builders import (
    SOURCE,
    TIME,
    admission_policy_message,
    agent_id,
    agent_key,
    description,
    envelope_of,
    gold_label_message,
    message_id,
    peer_agreement_message,
    peer_checkpoint_message,
    pointer_to,
    probe_message,
    reference_to,
    segment,
    sign,
    signed_agent_version,
    signed_answer,
    signed_decline,
    signed_endorsement,
    signed_equivocation,
    signed_gold_dispute,
    signed_key_registration,
    signed_record,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
    source_redaction_message,
    statement_message,
)
from pack_world import pack_submissions
from packet_world import packet_submissions
from passports import signed_world
from scenario import AUTHOR, OPERATOR_B, STRANGER, VERIFIER_A, VERIFIER_B, accept, pieces, settle, signed_node_policy

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from a2ap.log.checkpoint import Checkpoint, sign_checkpoint
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.evidence import ByteRange, build_segment
from a2ap.messages.gold_label import Label, RevealedProbe
from a2ap.messages.message import read_message
from a2ap.messages.possession import possession_mac
from a2ap.messages.probe import commit
from a2ap.messages.verification_response import Verdict
from a2ap.signing.disclosure import make_disclosure
from graph.platform import Platform
from graph.submission.submission import Submission

HOSTILE = (
    'It\'s "quoted"; back\\slash, \\u0027 and \\\\u0041;\nnext line;\r\n`tick` // no comment /* nor here */ '
    "$name {x: 1} \t\x00\x1f\x7f\x85\u2028 café 🏛 ');\nMATCH (n) DETACH DELETE n;\n"
)
SECRET = "The merger is announced on the ninth of May."
MEMO = f"Memo\n\n{SECRET}\n".encode()
MEMO_ID = "urn:doc:test:memo"
ASKED = (agent_id(VERIFIER_A), agent_id(VERIFIER_B))
DISCLOSED = "The map is of another year."
WORDS_ABOUT_SECRET = "it says: the ninth of May"


async def everything(platform: Platform, between: Callable[[], Awaitable[None]] | None = None) -> None:
    """Submit messages that make every label, every type of relationship and every property.

    Between its parts the graph is as it was at one moment, and `between` may look at it.
    """
    await _statements(platform)
    for part in (_asked_and_answered, _known, _taken_back_and_erased, _records, _keys_and_peers, _an_epoch):
        if between is not None:
            await between()
        await part(platform)


async def _statements(platform: Platform) -> None:
    """Have statements that refer to each other, verdicts on them, and agents of one family."""
    await settle(platform)
    first, second, third = _first_statements()
    revision = signed_statement(
        AUTHOR,
        claim="It keeps forty feet.",
        statement_id=message_id("revision"),
        was_revision_of=reference_to(first),
    )
    version = signed_registration(43, agent=description(43, family="urn:agent:test"))
    late = signed_registration(41, alias="agent:test-41:pubkey", recovery_seed=42)
    await accept(platform, first, second, third, revision, late)
    await accept(
        platform,
        signed_request(first, AUTHOR),
        signed_request(second, STRANGER, criteria=["source-accuracy", "tone; 'x'"]),
        signed_response(first, VERIFIER_A),
        signed_response(first, VERIFIER_B, confidence=0.5),
        signed_response(first, VERIFIER_B, verdict=Verdict.CHALLENGED, reason=HOSTILE),
        # A challenge whose words were taken away before it came.
        signed_response(
            third, VERIFIER_A, verdict=Verdict.CHALLENGED, findings=[], reason=make_disclosure(DISCLOSED, b"\x08" * 16)
        ),
        signed_response(third, 41, verdict=Verdict.INSUFFICIENT_EVIDENCE),
        signed_endorsement(late, OPERATOR_B),
        # The author's id ends in its version: it founded the family.
        version,
        signed_agent_version(version, AUTHOR, family="urn:agent:test"),
        signed_source(STRANGER, title=HOSTILE, publisher=None, origin=None, media_type=None),
    )


def _first_statements() -> tuple[bytes, bytes, bytes]:
    """Return a statement, one that supports it, and one that contradicts both."""
    first = signed_statement(AUTHOR)
    second = signed_statement(
        AUTHOR, claim=HOSTILE, generation_method=HOSTILE, confidence=1.0, supports=[reference_to(first)]
    )
    third = signed_statement(
        STRANGER,
        claim="The map drops the limit.",
        confidence=0.001,
        evidence=[segment(), segment(), build_segment("urn:doc:test:elsewhere", 0, 2**31 - 1, quote="; 'x'")],
        contradicts=[reference_to(first), reference_to(second)],
    )
    return first, second, third


async def _records(platform: Platform) -> None:
    """Have passports, one of which nobody but the operator may read, and a statement and a verdict out of them."""
    passports = signed_world(agent_id(AUTHOR), agent_key(AUTHOR), f"{agent_id(AUTHOR)}#key-1")
    hashes = [sha256_digest(one) for one in passports]
    statement = signed_statement(AUTHOR, claim="It came out of a run.", generated_by=hashes[:1])
    verdict = signed_response(statement, VERIFIER_A, generated_by=hashes[1:2])
    records = [
        signed_record(AUTHOR, content=one, possession_mac=possession_mac(agent_id(AUTHOR), one))
        for one in passports[:-1]
    ]
    records.append(signed_record(AUTHOR, content=passports[-1], boundary=STRICTEST))
    submissions = [
        Submission(read_message(record), blobs=(one,)) for record, one in zip(records, passports, strict=True)
    ]
    submissions += pack_submissions(AUTHOR)
    about = envelope_of(signed_statement(AUTHOR)).signed_hash
    submissions += packet_submissions(AUTHOR, about, sha256_digest(SOURCE))
    for outcome in await platform.append(
        [*submissions, *(Submission(read_message(one)) for one in (statement, verdict))]
    ):
        assert not isinstance(outcome, Exception), outcome


async def _an_epoch(platform: Platform) -> None:
    """Have one epoch made, and no other for long."""
    await accept(platform, signed_node_policy(platform, 8, epoch_length=1))
    await platform.epochs.settled()
    await accept(platform, signed_node_policy(platform, 9, epoch_length=1_000_000))


async def _keys_and_peers(platform: Platform) -> None:
    """Have another key, an admission policy, and a peer whose log contradicts itself."""
    node, origin = platform.node.agent_id, "urn:agent:a2ap-node:0123456789abcdef"
    first, second = (sign_checkpoint(Checkpoint(origin, 1, bytes([number]) * 32), agent_key(77)) for number in (1, 2))
    log_key = VerifierKey(origin, agent_key(77).public_key).text
    for message in (
        admission_policy_message(node),
        peer_agreement_message(node, origin=origin, log_key=log_key),
        peer_checkpoint_message(node, origin=origin, checkpoint=first),
    ):
        await accept(platform, platform.node.sign(message).envelope.received)
    await accept(
        platform,
        signed_key_registration(STRANGER, 121),
        signed_equivocation(STRANGER, origin=origin, checkpoints=(first, second)),
    )


async def _asked_and_answered(platform: Platform) -> None:
    """Have a statement asked about, declined, challenged with a counter statement, and defended, in hostile words."""
    statement = signed_statement(AUTHOR, claim="It keeps thirty feet.")
    request = signed_request(
        statement, AUTHOR, number=2, deadline=TIME.replace(year=2999), wanted_verdicts=2, eligible_verifiers=ASKED
    )
    counter = signed_statement(VERIFIER_A, claim="It is fifty feet.", contradicts=[reference_to(statement)])
    first = signed_response(statement, VERIFIER_A, verdict=Verdict.CHALLENGED, confidence=0.1)
    challenge = signed_response(
        statement,
        VERIFIER_A,
        verdict=Verdict.CHALLENGED,
        confidence=0.2,
        reason=HOSTILE,
        request=reference_to(request),
        supersedes=reference_to(first),
        evidence=[pointer_to()],
        counter_statement=reference_to(counter),
        cross_references=[reference_to(counter), reference_to(statement)],
    )
    await accept(platform, statement, request, counter, first, challenge)
    await accept(platform, signed_decline(request, VERIFIER_B, reason=HOSTILE))
    await accept(platform, signed_answer(challenge, AUTHOR, text=HOSTILE, evidence=[pointer_to()]))


async def _known(platform: Platform) -> None:
    """Have a probe revealed, and gold disputed, answered and withdrawn, in words that are hard to write."""
    _, _, statement = _first_statements()
    node, salt = platform.node, "A" * 22 + "=="
    probe = signed_statement(STRANGER, claim="The limit is sixty feet.")
    digest = commit(salt, envelope_of(probe).signed_hash, "source-accuracy", Label.FAIL)
    committed = node.sign(probe_message([digest], committing_agent=node.agent_id)).envelope
    reveal = gold_label_message(
        probe, labelling_agent=node.agent_id, reason=HOSTILE, probe=RevealedProbe(committed.signed_hash, salt)
    )
    label = node.sign(gold_label_message(statement, labelling_agent=node.agent_id)).envelope.received
    dispute = signed_gold_dispute(label, VERIFIER_A, reason=HOSTILE, evidence=[envelope_of(probe).signed_hash])
    answers = [envelope_of(dispute).signed_hash]
    answer = gold_label_message(statement, Label.PASS, labelling_agent=node.agent_id, answers=answers)
    await accept(platform, committed.received, probe, node.sign(reveal).envelope.received)
    await accept(platform, label, dispute, node.sign(answer).envelope.received)


async def _taken_back_and_erased(platform: Platform) -> None:
    """Have a statement and a verdict retracted, and a passage of a source erased, in words that are hard to write."""
    text = b"Name: somebody. The rest stays."
    cited = segment("The rest stays.", source=text, source_id="urn:doc:test:erased")
    statement = signed_statement(AUTHOR, claim="The rest stays.", evidence=[cited])
    verdict = signed_response(statement, VERIFIER_A)
    await accept(platform, signed_source(AUTHOR, source=text, source_id="urn:doc:test:erased"))
    await platform.sources.put(sha256_digest(text), pieces(text))
    await accept(platform, statement, verdict)
    erasure = source_redaction_message(
        sha256_digest(text),
        redacting_agent=platform.node.agent_id,
        byte_ranges=[ByteRange(6, 14)],
        redacted_document_hash=sha256_digest(text[:6] + b" " * 8 + text[14:]),
        reason=HOSTILE,
    )
    await accept(
        platform,
        signed_retraction(statement, AUTHOR, reason=HOSTILE),
        signed_retraction(verdict, VERIFIER_A),
        platform.node.sign(erasure).envelope.received,
    )


async def secrets(platform: Platform) -> tuple[bytes, bytes, bytes]:
    """Submit statements on a confidential memo: with a quote in clear, with one in a disclosure, and without one."""
    await settle(platform)
    return await add_secrets(platform)


async def add_secrets(platform: Platform) -> tuple[bytes, bytes, bytes]:
    """Submit the same to a platform where everybody is registered."""
    await accept(platform, signed_source(AUTHOR, source=MEMO, source_id=MEMO_ID, boundary=Boundary.CONFIDENTIAL))
    await platform.sources.put(sha256_digest(MEMO), pieces(MEMO))
    disclosure = make_disclosure(SECRET, b"\x07" * 16)
    cited = segment(SECRET, source=MEMO, source_id=MEMO_ID)
    silent = {name: value for name, value in cited.items() if name not in ("quoteText", "contentHash")}
    clear = signed_statement(AUTHOR, claim="There is a memo.", evidence=[segment(), cited])
    disclosed = sign(
        statement_message(
            AUTHOR,
            claim="A memo exists.",
            evidence=[{**silent, "quoteText": disclosure.reference}],
            disclosures=[disclosure],
        ),
        AUTHOR,
    )
    quiet = signed_statement(AUTHOR, claim="One memo.", evidence=[silent])
    await accept(platform, signed_statement(AUTHOR), clear, disclosed, quiet)
    await accept(
        platform,
        signed_response(clear, VERIFIER_A, verdict=Verdict.CHALLENGED, reason=WORDS_ABOUT_SECRET),
        signed_response(quiet, VERIFIER_B, verdict=Verdict.CHALLENGED, reason=WORDS_ABOUT_SECRET),
    )
    return clear, disclosed, quiet
