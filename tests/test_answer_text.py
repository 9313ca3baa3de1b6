"""Answers in a terminal: what a person sees, and what captions cannot do to the terminal."""

import io
from dataclasses import replace
from typing import Any

import httpx
from rich.console import Console

from a2ap.client import Client
from graph.demo.answer import Answer, Quotation, VerdictGiven
from graph.demo.answer_text import print_answers, print_statements
from graph.demo.asking import answers_of, ask, best_first
from graph.scoring.standing import ClaimKind

FOUND: tuple[dict[str, Any], ...] = (
    {"criterion": "logical-consistency", "status": "FAIL", "evidence": "a negation is missing", "confidence": 0.95},
)
ANSWER = Answer(
    statement="urn:uuid:1",
    claim="The Clerk said: “The vote is 5 to 2.”",
    confidence=0.97,
    consensus_score=0.8,
    verified=True,
    machine_check="PASS",
    agent="urn:agent:a",
    agent_name="Scribe",
    claim_kind=ClaimKind.REPORTS,
    interval=(0.71, 0.889),
    operators=2,
    evidence=(
        Quotation("urn:doc:m", "sha256:a", "The meeting", 10, 20, ("00:00:01", "00:00:03"), 1500, "The vote\nis", 1.0),
        Quotation("urn:doc:m", "sha256:a", "The meeting", 30, 40, ("00:00:03", "00:00:05"), 3000, "5 to 2.", 1.0),
        Quotation("urn:doc:m", "sha256:a", "The meeting", 1, 5, ("00:00:00", "00:00:01"), 0, "Item 1", 0.4),
    ),
    verifications=(
        VerdictGiven("urn:agent:n", "Node", (), "VALIDATED", 1.0, (), "2025-01-01T00:00:00Z", True),
        VerdictGiven("urn:agent:v", "Checker", ("Archive",), "VALIDATED", 0.96, (), "2025-01-01T00:00:00Z", False),
    ),
    accepted=True,
)
OPEN = replace(ANSWER, verified=False, accepted=False, missing=("No verdict that counts has been given.",))


def shown(*answers: Answer, **options: Any) -> str:
    written = io.StringIO()
    console = Console(file=written, width=100, force_terminal=False)
    print_answers(console, "What about the vote?", answers, **options)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines())


def test_an_answer_says_who_when_what_and_who_checked_it() -> None:
    text = shown(ANSWER, media="https://youtu.be/abc", speaker_of=lambda _: "Clerk")

    assert text.strip() == "\n".join(
        (
            "What about the vote?",
            "1 statement on The meeting: 1 said, as quoted.",
            "",
            "Said, as quoted:",
            "(the verdicts establish that the cited source says it, not that it is so)",
            "",
            "  1 Clerk, 00:00:01–00:00:05  https://youtu.be/abc?t=1",
            "    The Clerk said:",
            "    “The vote is  bytes 10–20",
            "    5 to 2.”      bytes 30–40",
            "    (and 1 more cited for context)",
            "    ✓ said, as quoted, score 0.80 (95 %: 0.71–0.89, 2 operators)",
            "      by Checker (Archive) 0.96",
            "    urn:uuid:1, stated by Scribe",
        )
    )


def test_a_claim_of_the_source_is_no_fact_and_one_of_the_author_is_not_said() -> None:
    spoken = replace(ANSWER, claim="The vote is 5 to 2.")
    own = replace(ANSWER, claim="Five members were in favor.", claim_kind=ClaimKind.ASSERTS)
    hidden = replace(spoken, claim_kind=None)
    text = shown(hidden, own, spoken)

    assert "3 statements on The meeting: 1 said, as quoted; 1 holds; 1 said or holds." in text
    said, rest = text.split("\nHolds:\n(the verdicts establish the claim by the evidence that it cites)\n")
    holds, neither = rest.split("\nSaid or holds:\n(verified; this reader sees no words of the evidence that tell")
    assert "    The cited source says: “The vote is 5 to 2.”\n" in said and "✓ said, as quoted, score" in said
    assert "    Five members were in favor.\n" in holds and "✓ holds, score 0.80 (95 %: 0.71–0.89, 2" in holds
    assert "✓ said or holds, score 0.80" in neither and "verified, score" not in text
    told = own.as_json()
    assert (told["claimKind"], told["standing"].split(":")[0]) == ("ASSERTS", "holds")
    assert (told["interval"], told["operators"]) == ({"low": 0.71, "high": 0.889}, 2)


def test_a_claim_in_other_words_is_shown_above_the_words_that_it_rests_on() -> None:
    text = shown(replace(ANSWER, claim="Five members were in favor.", claim_kind=ClaimKind.ASSERTS))

    assert "    Five members were in favor.\n    “The vote is”  bytes 10–20\n    “5 to 2.”      bytes 30–40" in text


def test_what_is_not_verified_says_why() -> None:
    verdict = replace(ANSWER.verifications[1], verdict="CHALLENGED", findings=FOUND)
    text = shown(replace(OPEN, verifications=(verdict,), consensus_score=0.25))

    assert "Not yet accepted:\n\n  1 00:00:01" in text and "as quoted" not in text
    assert "    Scribe states: The Clerk said:\n" in text
    assert "      missing: No verdict that counts has been given.\n" in text
    assert "✗ not verified, score 0.25 (95 %: 0.71–0.89, 2 operators)\n      judged by Checker (Archive)" in text
    assert "Checker on logical-consistency: fail, a negation is missing" in text


def test_a_finding_without_words_ends_where_it_ends_and_a_challenge_has_its_reason() -> None:
    findings = ({**FOUND[0], "evidence": ""},)
    verdict = replace(ANSWER.verifications[1], verdict="CHALLENGED", findings=findings, reason="Nobody\nvoted.")
    text = shown(replace(OPEN, verifications=(verdict,)))

    assert "Checker on logical-consistency: fail\n" in text
    assert "Checker: Nobody voted.\n" in text


def test_verdicts_that_do_not_count_are_not_listed_as_judges() -> None:
    verdict = ANSWER.verifications[1]
    text = shown(replace(ANSWER, verifications=(replace(verdict, name="Onlooker", counts=False), verdict)))

    assert "by Checker (Archive) 0.96 (1 more not counted)" in text
    assert "Onlooker" not in text


def test_of_an_agents_verdicts_the_unbound_and_then_the_oldest_do_not_count() -> None:
    def row(agent: str, binds: bool = True) -> dict[str, Any]:
        return {
            "agent": {"id": agent, "name": agent, "endorsedBy": []},
            "verdict": "VALIDATED",
            "confidence": 1.0,
            "findings": [],
            "verifiedAt": "2025-01-01T00:00:00Z",
            "machine": False,
            "binds": binds,
            "retraction": None,
            "reason": None,
        }

    rows = [row("author"), row("judge"), row("judge"), row("judge", binds=False), row("other")]
    client = Client("http://a2ap.test", transport=httpx.MockTransport(lambda _: httpx.Response(200, json=answer(rows))))

    (found,) = ask(client, "What about the vote?")

    assert [verdict.counts for verdict in found.verifications] == [False, False, True, False, True]
    assert (found.accepted, found.missing) == (False, ("It waits.",))


def answer(rows: list[dict[str, Any]]) -> dict[str, Any]:
    statement = {
        "id": "urn:uuid:1",
        "claimText": "The vote is 5 to 2.",
        "claimKind": None,
        "confidence": 1.0,
        "consensusScore": 0.5,
        "verified": False,
        "machineCheck": "PASS",
        "status": "CURRENT",
        "retraction": None,
        "supersededBy": None,
        "generatedBy": {"id": "author", "name": "Scribe"},
        "citations": [],
        "verifications": rows,
        "consensus": {
            "reasons": ["It waits."],
            "interval": None,
            "operators": 0,
            "ignored": [{"verifier": name} for name in ("author", "judge", "judge")],
        },
    }
    return {"data": {"statementsAbout": [statement]}}


def test_nobody_has_judged_a_new_statement_and_its_source_may_not_be_here() -> None:
    text = shown(
        replace(OPEN, verifications=(), consensus_score=0.0, machine_check="INCONCLUSIVE", interval=None, operators=0)
    )

    assert "✗ not verified, score 0.00 (no interval, 0 operators)\n      judged by nobody" in text
    assert "This node does not hold the source" in text


def test_what_its_author_took_back_or_revised_is_said_first() -> None:
    retracted = shown(replace(OPEN, status="RETRACTED", retracted_because="I misheard."))
    superseded = shown(replace(OPEN, status="SUPERSEDED", superseded_by="urn:uuid:9"))

    assert "✗ retracted by its author: I misheard." in retracted
    assert "✗ superseded by its author's revision urn:uuid:9" in superseded
    assert "retracted" not in shown(ANSWER) and "superseded" not in shown(ANSWER)


def test_captions_cannot_steer_the_terminal() -> None:
    hostile = "\x1b[2J\x1b]0;title\x07[bold]gone[/bold] \u202eevil"
    quotation = replace(ANSWER.evidence[0], quote=hostile, title=hostile)
    text = shown(
        replace(ANSWER, claim=hostile, evidence=(quotation,), statement="urn:uuid:2"), speaker_of=lambda _: hostile
    )

    assert "\x1b" not in text and "\x07" not in text and "\u202e" not in text
    assert "[bold]gone[/bold]" in text


def test_the_best_answers_are_shown_in_the_order_of_the_source() -> None:
    later = replace(ANSWER, evidence=(replace(ANSWER.evidence[0], start=90, end=99),), claim="Later.")
    last = replace(ANSWER, claim="Least.")

    text = shown(later, ANSWER, last, shown=2)

    assert text.index("The Clerk said") < text.index("Later.")
    assert "Least." not in text
    assert (
        "3 statements on The meeting: 3 said, as quoted.\n\nSaid, as quoted, the 2 of 3 that say most, in the" in text
    )


def test_a_withheld_quotation_is_not_an_empty_one() -> None:
    empty = replace(ANSWER.evidence[0], quote="")
    assert "no quote  bytes 10–20" in shown(replace(ANSWER, evidence=(empty,)))
    assert "withheld from this reader" in shown(replace(ANSWER, evidence=(replace(empty, withheld=True),)))


def test_what_is_not_accepted_stands_below_what_is_whoever_says_more_of_it() -> None:
    text = shown(replace(OPEN, claim="Nobody voted."), ANSWER, shown=1)

    assert "2 statements on The meeting: 1 said, as quoted; 1 not yet accepted." in text
    facts, others = text.split("Not yet accepted:")
    assert "  1 Clerk" not in others and "The Clerk said:" in facts and "Nobody voted." not in facts
    assert "  2 00:00:01" in others and "Scribe states: Nobody voted." in others and "missing: No verdict" in others


def test_of_several_documents_each_statement_says_on_which_it_rests() -> None:
    other = replace(ANSWER, evidence=(replace(ANSWER.evidence[0], document="urn:doc:n", title=None),))
    text = shown(ANSWER, other)

    assert "00:00:01–00:00:05, The meeting\n" in text and "00:00:01–00:00:03, urn:doc:n\n" in text


def test_statements_behind_rows_keep_the_order_of_the_answer() -> None:
    later = replace(ANSWER, evidence=(replace(ANSWER.evidence[0], start=90, end=99),), claim="Later.")
    written = io.StringIO()
    print_statements(Console(file=written, width=100), [later, ANSWER, OPEN, OPEN], shown=2)
    text = written.getvalue()

    assert text.index("Later.") < text.index("The Clerk said:")
    assert "\nSaid, as quoted:\n" in text and "\nNot yet accepted:\n" in text


def test_an_answer_of_the_platform_is_read_as_it_says_what_is_accepted() -> None:
    def sentence(claim: str, *missing: str) -> dict[str, Any]:
        (row,) = answer([])["data"]["statementsAbout"]
        return {"text": claim, "missing": list(missing), "statement": row | {"claimText": claim, "verified": True}}

    told = {
        "accepted": [sentence("The harbor was discussed."), sentence("The vote is 5 to 2.")],
        "notYetAccepted": [sentence("The vote was late.", "Its author has taken it back.")],
    }
    found = best_first("What did they say about the vote?", answers_of(told))

    assert {(one.claim, one.accepted, one.missing) for one in found} == {
        ("The harbor was discussed.", True, ()),
        ("The vote is 5 to 2.", True, ()),
        ("The vote was late.", False, ("Its author has taken it back.",)),
    }
    assert found[-1].claim == "The harbor was discussed.", "what does not speak of the topic comes last, and is there"
