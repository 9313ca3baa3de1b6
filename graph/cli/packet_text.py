"""The output of `a2ap packet`: findings under their numbers, as a review reads, and as JSON; safe to show a model."""

from collections.abc import Sequence
from typing import Any

from a2ap.packet.canon import match_hash
from a2ap.packet.check_packet import Report
from a2ap.packet.closure import ClosureReport
from a2ap.packet.duties import DUTIES
from a2ap.packet.errors import PacketHashError
from a2ap.packet.finding import Finding
from a2ap.packet.rules import RULES
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import Level
from graph.cli.terminal import counted, print_json, say

# §18-3: the claims that a level does not make.
DISCLAIMER = (
    "Conformance is no security guarantee, no protection from prompt injection, and no substitute for enforcement,"
    " credential hygiene, sandboxing or human oversight."
)


def print_report(report: Report, asked: Level, as_json: bool) -> None:
    """Print the findings about a packet, worst first, and the level that it reaches."""
    if as_json:
        print_json(
            {
                "packet": shown(report.document.packet_id),
                "level": report.level,
                "claimed": report.claimed,
                "asked": asked,
                "conforms": report.conforms(asked),
                "hash": _hash(report),
                "findings": [_finding(finding) for finding in report.findings],
                "unlisted": dict(report.unlisted),
                "disclaimer": DISCLAIMER,
            }
        )
        return
    for finding in report.findings:
        say(f"{finding.severity:<8} {finding.rule.level or 'claim':<12} {finding}")
    for number, more in report.unlisted.items():
        say(f"{'':<21} §{number}: {counted(more, 'more finding')}")
    reached = f"reaches {report.level}" if report.level is not None else "does not reach CP-Core"
    against = "conforms" if report.conforms(asked) else "does not conform"
    say(f"{shown(report.document.packet_id)} {reached}; asked for {asked}, it {against}")


def print_rules(as_json: bool) -> None:
    """Print the rules of the text in its order, and then the duties that no packet shows."""
    if as_json:
        rules = [
            {
                "rule": f"§{rule.number}",
                "requirements": list(rule.requirements),
                "level": rule.level,
                "severity": rule.severity,
                "text": rule.text,
            }
            for rule in RULES.values()
        ]
        duties = [{"requirement": one.requirement, "section": one.section, "met": one.met} for one in DUTIES]
        print_json({"rules": rules, "duties": duties})
        return
    for rule in RULES.values():
        say(f"{rule.severity:<8} {rule.level or 'claim':<12} §{rule.number}: {rule.text}")
    for one in DUTIES:
        say(f"{one.whose:<8} {one.requirement:<12} {one.section}: {one.met}")


def print_findings(findings: Sequence[Finding], state: str, as_json: bool) -> None:
    """Print findings, and the result at the end."""
    if as_json:
        print_json({"state": state, "findings": [_finding(finding) for finding in findings]})
        return
    for finding in findings:
        say(f"{finding.severity:<8} {finding}")
    say(f"{counted(len(findings), 'finding')}: {state}")


def print_closure(report: ClosureReport, as_json: bool) -> None:
    """Print the places at which the loop of a thread is open, and the remarks."""
    if as_json:
        print_json(
            {
                "state": report.state,
                "closed": report.is_closed,
                "breaks": [
                    {
                        "link": one.link.value,
                        "name": one.link.words,
                        "packet": one.packet,
                        "following": one.following,
                        "words": one.words,
                    }
                    for one in report.breaks
                ],
                "remarks": list(report.remarks),
            }
        )
        return
    for one in report.breaks:
        say(f"open     {one}")
    for words in report.remarks:
        say(f"remark   {words}")
    say(report.state)


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": f"§{finding.rule.number}",
        "requirements": list(finding.rule.requirements),
        "level": finding.rule.level,
        "severity": finding.severity,
        "path": finding.path,
        "words": finding.words,
    }


def _hash(report: Report) -> dict[str, Any] | None:
    try:
        match = match_hash(report.document)
    except PacketHashError:
        match = None
    return None if match is None else {"domain": match.domain, "algorithm": match.algorithm, "ours": match.is_ours}
