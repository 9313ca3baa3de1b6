"""What is found of a passport, and the state that replaying its chain gives."""

from collections.abc import Sequence

import strawberry

from a2ap.passport.check_chain import RecordReport
from a2ap.passport.finding import Finding, Severity, Status
from graph.graphql.enums import show_enum
from graph.records.passport_chain import PassportChain

show_enum(
    Status,
    {
        "VALID": "Everything that can be checked holds.",
        "UNVERIFIED": "Nothing is wrong, and something cannot be checked.",
        "BROKEN": "Something does not hold.",
    },
    name="PassportStatus",
    description="What was found of a passport, in the words of §03, and never taken from it.",
)
show_enum(
    Severity,
    {
        "ERROR": "Something does not hold: the status is BROKEN.",
        "GAP": "Something cannot be checked with what is here: UNVERIFIED at best.",
        "WARNING": "It holds, and somebody should look.",
        "NOTE": "Worth knowing.",
    },
    name="PassportSeverity",
    description="What a finding means for the status.",
)


@strawberry.type(description="One thing that was found; docs/passports.md explains the codes.")
class PassportFinding:
    """A finding of `a2ap.passport`."""

    code: str = strawberry.field(description="Which of the things that can be found.")
    severity: Severity = strawberry.field(description="What it means for the status.")
    words: str = strawberry.field(description="The finding in words.")
    passport: str | None = strawberry.field(description="The id of the record; null for the chain.")
    path: str = strawberry.field(description="The member that it is about.")

    @classmethod
    def from_finding(cls, finding: Finding) -> "PassportFinding":
        """Return a finding as the schema shows it."""
        return cls(
            code=finding.code.value,
            severity=finding.severity,
            words=finding.words,
            passport=finding.passport,
            path=finding.path,
        )


@strawberry.type(description="What verification finds of a passport among the records of its chain that are here.")
class PassportCheck:
    """A report of `a2ap.passport.check_chain`."""

    status: Status = strawberry.field(description="Of the chain up to it.")
    own: Status = strawberry.field(description="Without what it comes from.")
    profile: str | None = strawberry.field(description="The form that matched, of several the one that covers most.")
    profiles: list[str] = strawberry.field(description="All forms that matched.")
    uncovered: list[str] = strawberry.field(description="The paths of the payload that no matching form covers.")
    chaining: str | None = strawberry.field(description="How its hashes are joined.")
    signing: str = strawberry.field(description="What its signature is worth, with the keys that are registered here.")
    not_bound: list[str] = strawberry.field(description="What can be altered without changing a hash.")
    findings: list[PassportFinding] = strawberry.field(description="Those of this record.")
    chain_findings: list[PassportFinding] = strawberry.field(description="Those of no single record.")
    records: int = strawberry.field(description="How many records of its chain this rests on.")
    left_out: list[strawberry.ID] = strawberry.field(description="Records of the chain that this reader cannot have.")
    complete: bool = strawberry.field(description="Whether the whole chain was looked at, for there is a limit.")

    @classmethod
    def from_report(
        cls, report: RecordReport, whole: Sequence[PassportFinding], found: PassportChain
    ) -> "PassportCheck":
        """Return what was found of a record as the schema shows it."""
        match = report.match
        return cls(
            status=report.status,
            own=report.own,
            profile=None if match is None else match.profile.value,
            profiles=[] if match is None else [profile.value for profile in match.profiles],
            uncovered=[] if match is None else list(match.uncovered),
            chaining=None if report.chaining is None else report.chaining.value,
            signing=report.signing.value,
            not_bound=list(report.not_bound),
            findings=[PassportFinding.from_finding(finding) for finding in report.findings],
            chain_findings=list(whole),
            records=len(found.hashes),
            left_out=[strawberry.ID(name) for name in found.left_out],
            complete=found.complete,
        )


@strawberry.type(description="The state after a passport, rebuilt from the root of its chain; values are JSON texts.")
class PassportState:
    """A step of `a2ap.passport.replay`."""

    effect: str = strawberry.field(description="What an event of its type does.")
    words: str = strawberry.field(description="What was done other than to apply the payload.")
    status: str = strawberry.field(description="Of the chain up to the record.")
    output: str = strawberry.field(description="The last output.")
    memory: str = strawberry.field(description="The memory as it came together.")
    variables: str = strawberry.field(description="The variables as they came together.")
    lacks: str = strawberry.field(description="The records that should have gone into it, and why they did not.")
    conflicts: list[str] = strawberry.field(description="Names on which the parents of a merge disagree.")
