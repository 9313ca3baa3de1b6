"""The findings of an audit with their places, the parts that it compared, and the parts that it could not."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

MAX_FINDINGS = 10_000
"""Maximum findings kept; further ones are only counted."""


class FindingKind(StrEnum):
    """The part of a node in which a fault was found."""

    CHECKPOINT = "checkpoint"
    CONSISTENCY = "consistency"
    TREE = "tree"
    ENTRY = "entry"
    DOCUMENT = "document"
    SIGNATURE = "signature"
    SOURCE = "source"
    GRAPH = "graph"
    EPOCH = "epoch"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault: its place (`log entry 12`, `tile/0/001`), and the content found there."""

    kind: FindingKind
    where: str
    what: str
    log_index: int | None = None

    @property
    def line(self) -> str:
        """Return the finding as one line of text for people."""
        return f"{self.kind.value}: {self.where}: {self.what}"

    @property
    def members(self) -> dict[str, Any]:
        """Return the finding as JSON members for programs."""
        found = {"kind": self.kind.value, "where": self.where, "what": self.what}
        return found if self.log_index is None else {**found, "logIndex": self.log_index}


@dataclass(slots=True)
class AuditReport:
    """The outcome of an audit, as it grows; `on_finding` is called with each finding at once.

    `not_compared` counts the comparisons left out, by reason; reasons in `assumed` are taken on trust. `unfinished`
    names steps of an audit that could not be completed; the audit is `whole` if no step was left out on purpose. The
    node has `grown` if its log was longer at the end than its first checkpoint, or bytes of sources came meanwhile.
    """

    on_finding: Callable[[Finding], None] = lambda finding: None
    origin: str = ""
    tree_size: int = 0
    findings: list[Finding] = field(default_factory=list)
    more: int = 0
    whole: bool = True
    grown: bool = False
    checked: Counter[str] = field(default_factory=Counter)
    not_compared: Counter[str] = field(default_factory=Counter)
    assumed: set[str] = field(default_factory=set)
    unfinished: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    equivocation: tuple[str, str] | None = None
    equivocation_hashes: tuple[bytes, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no fault was found."""
        return not self.findings

    @property
    def finished(self) -> bool:
        """Whether every step was completed."""
        return not self.unfinished

    @property
    def partial(self) -> bool:
        """Whether a comparison is missing that full clearance, at a node whose log does not grow, would allow."""
        return bool(self.not_compared.keys() - self.assumed)

    def add(self, kind: FindingKind, where: str, what: str, log_index: int | None = None) -> None:
        """Note a fault."""
        finding = Finding(kind, where, what, log_index)
        if len(self.findings) == MAX_FINDINGS:
            self.more += 1
            return
        self.findings.append(finding)
        self.on_finding(finding)

    def take(self, other: "AuditReport") -> None:
        """Take over the content of another report, and tell its findings."""
        for name in (one.name for one in fields(other) if one.name != "on_finding"):
            setattr(self, name, getattr(other, name))
        for finding in self.findings:
            self.on_finding(finding)

    def hold(self, what: str) -> None:
        """Note a check that passed."""
        self.held.append(what)

    def leave(self, why: str, number: int = 1) -> None:
        """Note a comparison that was left out."""
        self.not_compared[why] += number

    def assume(self, what: str) -> None:
        """Note an assumption that the auditor takes on trust."""
        self.assumed.add(what)
        self.leave(what)

    def stop(self, why: str) -> None:
        """Note a step that could not be started or completed."""
        self.unfinished.append(why)
        self.leave(why)

    @property
    def members(self) -> dict[str, Any]:
        """Return the whole report as JSON members for programs."""
        return {
            "origin": self.origin,
            "treeSize": self.tree_size,
            "passed": self.passed,
            "finished": self.finished,
            "holds": self.held,
            "findings": [finding.members for finding in self.findings],
            "furtherFindings": self.more,
            "checked": dict(self.checked),
            "notCompared": dict(self.not_compared),
            "equivocation": list(self.equivocation) if self.equivocation else None,
        }
