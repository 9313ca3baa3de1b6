"""What an audit found, what it compared, and what it could not: each finding names what and where."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

MAX_FINDINGS = 10_000
"""Findings that are kept; further ones are counted only."""


class FindingKind(StrEnum):
    """Which part of a node does not hold."""

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
    """Something that does not hold: the place (`log entry 12`, `tile/0/001`), and what is there instead."""

    kind: FindingKind
    where: str
    what: str
    log_index: int | None = None

    @property
    def line(self) -> str:
        """Return it as one line for people."""
        return f"{self.kind.value}: {self.where}: {self.what}"

    @property
    def members(self) -> dict[str, Any]:
        """Return it for programs."""
        found = {"kind": self.kind.value, "where": self.where, "what": self.what}
        return found if self.log_index is None else {**found, "logIndex": self.log_index}


@dataclass(slots=True)
class AuditReport:
    """The outcome of an audit, as it grows; `on_finding` is told of each finding at once.

    `not_compared` counts what was not, by reason, of which `assumed` is taken on trust. `unfinished` are steps that an
    audit has and that this one could not do; it is `whole` where none of them was left out on purpose either.
    """

    on_finding: Callable[[Finding], None] = lambda finding: None
    origin: str = ""
    tree_size: int = 0
    findings: list[Finding] = field(default_factory=list)
    more: int = 0
    whole: bool = True
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
        """Whether every step was gone through."""
        return not self.unfinished

    @property
    def partial(self) -> bool:
        """Whether something was not compared that a reader of everything, at a node that stands still, would."""
        return bool(self.not_compared.keys() - self.assumed)

    def add(self, kind: FindingKind, where: str, what: str, log_index: int | None = None) -> None:
        """Note something that does not hold."""
        finding = Finding(kind, where, what, log_index)
        if len(self.findings) == MAX_FINDINGS:
            self.more += 1
            return
        self.findings.append(finding)
        self.on_finding(finding)

    def hold(self, what: str) -> None:
        """Note that something holds."""
        self.held.append(what)

    def leave(self, why: str, number: int = 1) -> None:
        """Note something that was not compared."""
        self.not_compared[why] += number

    def assume(self, what: str) -> None:
        """Note something that the auditor takes on trust."""
        self.assumed.add(what)
        self.leave(what)

    def stop(self, why: str) -> None:
        """Note a step that could not be done, or not to its end."""
        self.unfinished.append(why)
        self.leave(why)

    @property
    def members(self) -> dict[str, Any]:
        """Return all of it for programs."""
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
