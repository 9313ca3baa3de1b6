"""The result of verifying a passport, and the state from replaying its chain."""

from collections.abc import Sequence

import strawberry

from a2ap.passport.check_chain import RecordReport
from a2ap.passport.finding import Finding, Severity, Status
from graph.graphql.enums import show_enum
from graph.records.passport_chain import PassportChain

show_enum(
    Status,
    {
        "VALID": "Every check that can be made succeeded.",
        "UNVERIFIED": "No check failed, and some checks could not be made.",
        "BROKEN": "A check failed.",
    },
    name="PassportStatus",
    description="The result of verifying a passport, in the terms of §03; it is never taken from the passport.",
)
show_enum(
    Severity,
    {
        "ERROR": "A check failed: the status is BROKEN.",
        "GAP": "A check cannot be made with the data on this node: the status is UNVERIFIED at best.",
        "WARNING": "The check succeeded, and a person should look at the finding.",
        "NOTE": "Information only.",
    },
    name="PassportSeverity",
    description="The effect of a finding on the status.",
)


@strawberry.type(description="A finding about a passport or its chain; docs/reference/passports.md explains the codes.")
class PassportFinding:
    """A finding of `a2ap.passport`."""

    code: str = strawberry.field(description="The code of the finding.")
    severity: Severity = strawberry.field(description="The effect on the status.")
    words: str = strawberry.field(description="The finding in words.")
    passport: str | None = strawberry.field(description="The id of the record; null for the chain.")
    path: str = strawberry.field(description="The member at issue.")

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


@strawberry.type(description="The verification of a passport against the records of its chain on this node.")
class PassportCheck:
    """A report of `a2ap.passport.check_chain`."""

    status: Status = strawberry.field(description="The status of the chain up to this passport.")
    own: Status = strawberry.field(description="The status of the passport without its ancestors.")
    profile: str | None = strawberry.field(description="The form that matched; of several, the one that covers most.")
    profiles: list[str] = strawberry.field(description="All forms that matched.")
    uncovered: list[str] = strawberry.field(description="The paths of the payload that no matching form covers.")
    chaining: str | None = strawberry.field(description="The way in which its hashes are joined.")
    signing: str = strawberry.field(
        description="The result of the check of the signature with the keys registered on this node."
    )
    not_bound: list[str] = strawberry.field(description="The members that can be altered without changing a hash.")
    findings: list[PassportFinding] = strawberry.field(description="The findings on this record.")
    chain_findings: list[PassportFinding] = strawberry.field(description="The findings on the chain as a whole.")
    records: int = strawberry.field(description="The number of records of the chain that the result is based on.")
    left_out: list[strawberry.ID] = strawberry.field(
        description="The records of the chain that this reader may not have."
    )
    complete: bool = strawberry.field(description="Whether the whole chain was examined; false if a limit cut it off.")

    @classmethod
    def from_report(
        cls, report: RecordReport, whole: Sequence[PassportFinding], found: PassportChain
    ) -> "PassportCheck":
        """Return the report on a record as the schema shows it."""
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

    effect: str = strawberry.field(description="The effect of an event of its type.")
    words: str = strawberry.field(description="The actions other than applying the payload, in words.")
    status: str = strawberry.field(description="The status of the chain up to this record.")
    output: str = strawberry.field(description="The last output.")
    memory: str = strawberry.field(description="The accumulated memory.")
    variables: str = strawberry.field(description="The accumulated variables.")
    lacks: str = strawberry.field(description="The records missing from the state, with the reason for each.")
    conflicts: list[str] = strawberry.field(description="The names on which the parents of a merge disagree.")
