"""The structured answers of the tools, and their text: the server's own words, with the words of others as quotes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field

from a2ap.bundle.bundle import BundleReport
from a2ap.client.answers import Receipt
from a2ap.mcp.quoted import MOST, Quoted, identifier, one_line

_MOST_SENTENCES = 200
_MOST_CITED, _CITED_IN_LIST = 20, 5  # passages of one statement
_CLAIM, _QUOTE_IN_LIST = 2000, 800  # characters
_SENTENCE = 500  # characters


class Answer(BaseModel):
    """An answer of a tool, as structured content and as text."""

    def lines(self) -> list[str]:
        """Return the lines of the text."""
        raise NotImplementedError

    def result(self) -> CallToolResult:
        """Return the answer as the result of a tool."""
        text = "\n".join(self.lines())
        return CallToolResult(content=[TextContent(text=text)], structured_content=self.model_dump(mode="json"))


class Score(BaseModel):
    """The consensus on a statement."""

    value: float | None = Field(description="The score, 0 to 1; null while no verdict counts.")
    low: float | None = Field(description="The lower end of its 95 % interval.")
    high: float | None = Field(description="The upper end of its 95 % interval.")
    operators: int = Field(description="The independent operators that stand behind it.")
    quorum: bool = Field(description="Whether verifiers of enough operators have passed each criterion.")
    method: str

    @classmethod
    def of(cls, consensus: Mapping[str, Any]) -> Self:
        """Return the score in an answer of GraphQL."""
        judged, interval = consensus["judged"], consensus["interval"] or {}
        return cls(
            value=consensus["score"] if judged else None,
            low=interval.get("low") if judged else None,
            high=interval.get("high") if judged else None,
            operators=consensus["operators"],
            quorum=consensus["quorum"],
            method=consensus["method"],
        )

    def words(self) -> str:
        """Return the score in words."""
        if self.value is None:
            return "no score yet"
        interval = "" if self.low is None or self.high is None else f" (95 %: {self.low:.2f} to {self.high:.2f})"
        operators = f"{self.operators} independent operator{'' if self.operators == 1 else 's'}"
        return f"score {self.value:.2f}{interval}, {operators}, quorum {'met' if self.quorum else 'not met'}"


class Brief(BaseModel):
    """A statement: its claim, its author, and its standing."""

    signed_hash: str = Field(description="The hash to cite the statement by.")
    id: str
    claim: Quoted
    author_id: str
    author_name: Quoted
    looks_like: str | None = Field(description="The id of an agent whose name the author's name may imitate.")
    generated_at: str
    log_index: int
    standing: str = Field(description='The standing with its meaning: "said, as quoted", "holds", "not verified" …')
    status: str = Field(description="CURRENT, SUPERSEDED or RETRACTED by its author.")
    verified: bool
    conflicted: bool = Field(description="Whether another statement has the same id; neither can be verified.")
    score: Score
    resource: str = Field(description="The address of the statement as a resource of this server.")

    @classmethod
    def of(cls, node: Mapping[str, Any]) -> Self:
        """Return the statement in an answer of GraphQL."""
        author, alike = node["generatedBy"], node["generatedBy"]["lookAlikes"]
        return cls(
            signed_hash=identifier(node["signedHash"]),
            id=identifier(node["id"]),
            claim=Quoted.of(node["claimText"], "claim", author["id"], _CLAIM),
            author_id=identifier(author["id"]),
            author_name=Quoted.of(author["name"], "name", author["id"], 300),
            looks_like=identifier(alike[0]["id"]) if alike else None,
            generated_at=one_line(node["generatedAt"]),
            log_index=node["logIndex"],
            standing=one_line(node["standing"]),
            status=one_line(node["status"]),
            verified=node["verified"],
            conflicted=node["conflicted"],
            score=Score.of(node["consensus"]),
            resource=f"statement://{node['signedHash']}",
        )

    def lines(self) -> list[str]:
        """Return the statement as text."""
        words = f"Statement {self.signed_hash}: {self.standing}; status {self.status}; {self.score.words()}."
        flags = []
        if self.conflicted:
            flags.append("Another statement has the same id; neither can be verified.")
        if self.looks_like is not None:
            flags.append(f"The author's name looks like the name of {self.looks_like}.")
        return [words, f"Stated at {self.generated_at}, log entry {self.log_index}.", *flags, self.claim.framed()]


class Citation(BaseModel):
    """A passage that a statement cites."""

    source_hash: str | None
    source_id: str
    title: Quoted | None
    start: int = Field(description="The first byte of the passage in the source.")
    end: int = Field(description="The byte after the passage.")
    page: int | None
    quote: Quoted | None
    withheld: Quoted | None = Field(description="The reason if the quote is withheld from this reader.")
    resource: str | None = Field(description="The address of the source as a resource of this server.")

    @classmethod
    def of(cls, node: Mapping[str, Any], author: str, most: int = MOST) -> Self:
        """Return the citation in an answer of GraphQL, with `most` characters of its quote; `author` made the statement."""
        document, place = node["chunk"]["document"], node["byteRange"]
        held = document["hash"]
        return cls(
            source_hash=held and identifier(held),
            source_id=identifier(node["sourceDocument"]),
            title=Quoted.of(document["title"], "title", None, 300) if document["title"] else None,
            start=place["start"],
            end=place["end"],
            page=node["page"],
            quote=Quoted.of(node["quote"], "quote", author, most) if node["quote"] else None,
            withheld=Quoted.of(node["withheld"], "reason", None, 500) if node["withheld"] else None,
            resource=f"source://{held}" if held else None,
        )

    def lines(self) -> list[str]:
        """Return the citation as text."""
        page = "" if self.page is None else f", page {self.page}"
        told = [f"Cites bytes {self.start} to {self.end}{page} of {self.source_hash or self.source_id}."]
        if self.title is not None:
            told.append(self.title.framed())
        if self.quote is not None:
            told.append(self.quote.framed())
        elif self.withheld is not None:
            told += ["The quote is withheld.", self.withheld.framed()]
        return told


class Cited(Brief):
    """A statement with its citations."""

    citations: list[Citation]
    citations_in_all: int = Field(description="The number of passages that it cites.")

    @classmethod
    def of(cls, node: Mapping[str, Any], most: int = _MOST_CITED, quoted: int = MOST) -> Self:
        """Return the statement in an answer of GraphQL, with `most` passages of `quoted` characters."""
        found, author = node["citations"], node["generatedBy"]["id"]
        cited = [Citation.of(one, author, quoted) for one in found[:most]]
        return cls(**Brief.of(node).model_dump(), citations=cited, citations_in_all=len(found))

    @classmethod
    def in_list(cls, node: Mapping[str, Any]) -> Self:
        """Return the statement for a list of several, with fewer and shorter quotes."""
        return cls.of(node, _CITED_IN_LIST, _QUOTE_IN_LIST)

    def lines(self) -> list[str]:
        """Return the statement as text."""
        left = self.citations_in_all - len(self.citations)
        more = [f"It cites {left} more passages: see trace_evidence."] if left else []
        return [*super().lines(), *joined(one.lines() for one in self.citations), *more]


class Criterion(BaseModel):
    """The consensus on one criterion."""

    criterion: str
    score: float
    quorum_met: bool
    passed_by: list[str] = Field(description="The operators whose verifiers passed it.")
    failed_by: list[str] = Field(description="The operators whose verifiers failed it.")


class Consensus(Answer):
    """The standing of a statement, and the verdicts behind it."""

    statement: Brief
    log_size: int
    claim_kind: str | None
    verdicts: dict[str, int] = Field(description="The verdicts of agents in force, by kind.")
    criteria: list[Criterion]
    reasons: list[str] = Field(description="The reasons why the statement is not verified, or remarks on the score.")
    machine_check: str = Field(description="The node's comparison of the quotes with the source.")
    evidence_state: str
    key_status: str
    superseded_by: str | None

    def lines(self) -> list[str]:
        """Return the standing as text."""
        counted = ", ".join(f"{number} {kind}" for kind, number in self.verdicts.items()) or "none"
        told = [*self.statement.lines(), f"As of log size {self.log_size}. Verdicts of agents: {counted}."]
        for one in self.criteria:
            met = "met" if one.quorum_met else "not met"
            sides = f"passed by {len(one.passed_by)}, failed by {len(one.failed_by)} operators"
            told.append(f"Criterion {one.criterion}: {one.score:.2f}, {sides}, quorum {met}.")
        told.append(
            f"Quotes compared with the source: {self.machine_check}; evidence {self.evidence_state}; "
            f"the author's key is {self.key_status}."
        )
        if self.superseded_by is not None:
            told.append(f"The author has revised it: {self.superseded_by}.")
        return [*told, *(f"- {reason}" for reason in self.reasons)]


class Trace(Answer):
    """The way from a statement to the sources that it rests on."""

    statement: Cited
    log_size: int
    confidence: float = Field(description="The confidence that the author states, 0 to 1.")
    method: Quoted | None
    records: list[str] = Field(description="The hashes of the runs and records that it was generated by.")
    supported_by: list[Brief] = Field(description="The statements that support it.")
    revision_of: Brief | None = Field(description="The statement that it revises.")

    def lines(self) -> list[str]:
        """Return the way as text."""
        told = [*self.statement.lines(), f"The author's own confidence is {self.confidence}."]
        if self.method is not None:
            told.append(self.method.framed())
        told.extend(f"Generated by record {name}." for name in self.records)
        for one in self.supported_by:
            told += ["It is supported by:", *one.lines()]
        if self.revision_of is not None:
            told += ["It revises:", *self.revision_of.lines()]
        return told


class Found(Answer):
    """The statements that a search found, best first."""

    log_size: int
    by_meaning: bool
    hits: list[Cited]

    def lines(self) -> list[str]:
        """Return the statements as text."""
        return [
            f"{len(self.hits)} statements as of log size {self.log_size}.",
            *joined(one.lines() for one in self.hits),
        ]


class Sentence(BaseModel):
    """A sentence of an answer, with the statement behind it."""

    text: Quoted
    missing: list[str] = Field(description="The conditions of acceptance that the claim does not meet.")
    statement: Cited

    def lines(self) -> list[str]:
        """Return the sentence as text."""
        lacking = [f"Not accepted: {'; '.join(self.missing)}."] if self.missing else []
        return [self.text.framed(), *lacking, *self.statement.lines()]


class Reply(Answer):
    """The answer of the node to a question: accepted claims, claims not yet accepted, and the query."""

    log_size: int
    answered_by: str
    accepted: list[Sentence]
    not_yet_accepted: list[Sentence]
    cypher: str
    rows: Quoted | None = Field(description="The rows of the query as JSON, with the names of the columns first.")
    note: str | None
    withheld: bool = Field(description="Whether text of sources is withheld from this reader.")

    def lines(self) -> list[str]:
        """Return the answer as text."""
        told = [f"As of log size {self.log_size}. The query is by {self.answered_by}."]
        told += [f"Accepted: {len(self.accepted)}.", *joined(one.lines() for one in self.accepted)]
        told += [
            f"Not yet accepted: {len(self.not_yet_accepted)}.",
            *joined(one.lines() for one in self.not_yet_accepted),
        ]
        if self.rows is not None:
            told += ["Rows:", self.rows.framed()]
        return [*told, *([] if self.note is None else [self.note]), f"Query: {self.cypher}"]


class Dependent(BaseModel):
    """A thing that rests on another."""

    kind: str
    name: str
    relation: str
    rests_on: str
    depth: int
    log_index: int | None


class Radius(Answer):
    """Everything that rests on a source, a statement, an agent or a key, nearest first."""

    of: str
    log_size: int
    total: int
    statements: int
    verifications: int
    complete: bool = Field(description="Whether the walk reached everything.")
    items: list[Dependent]
    next_cursor: str | None = Field(description="Pass it as `after` for the next items; null at the end.")

    def lines(self) -> list[str]:
        """Return the dependents as text."""
        told = [
            f"{self.total} things rest on {self.of} as of log size {self.log_size}: {self.statements} statements, "
            f"{self.verifications} verdicts."
        ]
        if not self.complete:
            told.append("The walk was cut short: there is more.")
        told += [f"{one.depth}  {one.kind} {one.name}  {one.relation} {one.rests_on}" for one in self.items]
        return [*told, *([] if self.next_cursor is None else [f"Next items: after={self.next_cursor}"])]


class Verification(Answer):
    """The result of verifying the bundle of a statement off-line."""

    signed_hash: str
    claim: Quoted
    author_id: str
    log_origin: str
    tree_size: int
    proved: list[Quoted]
    not_proved: list[Quoted]
    reservations: list[Quoted] = Field(description="Reasons that take weight from the statement, such as a retraction.")
    sources: list[str] = Field(description="The hashes of the sources whose cited bytes were compared.")

    @classmethod
    def of(cls, report: BundleReport) -> Self:
        """Return the report on a bundle."""
        statement, author = report.statement, report.statement.agent.agent_id
        return cls(
            signed_hash=statement.envelope.signed_hash,
            claim=Quoted.of(statement.claim.text, "claim", author),
            author_id=identifier(author),
            log_origin=identifier(report.checkpoint.origin),
            tree_size=report.checkpoint.tree_size,
            # The sentences may repeat the reasons of retractions, revocations and erasures, which are words of agents.
            proved=_points("proved", report.proved),
            not_proved=_points("not proved", report.not_proved),
            reservations=_points("reservation", report.standing),
            sources=[identifier(name) for name in report.sources],
        )

    def lines(self) -> list[str]:
        """Return the result as text."""
        told = [
            f"The bundle of {self.signed_hash} holds at size {self.tree_size} of the log {self.log_origin}.",
            "That the statement is authentic does not say that its claim is true: see consensus_on.",
            self.claim.framed(),
        ]
        for name, points in (
            ("Proved", self.proved),
            ("Not proved", self.not_proved),
            ("Reservations", self.reservations),
        ):
            if points:
                listed = Quoted(
                    kind="report", author=None, text="\n".join(f"- {one.text}" for one in points), left_out=0
                )
                told += [f"{name}:", listed.framed()]
        return told


class Published(Answer):
    """The receipt of a signed message, verified by the log's key."""

    signed_hash: str
    id: str
    log_index: int
    created: bool = Field(description="Whether the log took it now; false if it had the same message before.")
    node: str
    resource: str

    @classmethod
    def of(cls, receipt: Receipt, node: str, statement: str) -> Self:
        """Return the receipt of a message about the statement with that signed hash."""
        return cls(
            signed_hash=receipt.signed_hash,
            id=receipt.id,
            log_index=receipt.log_index,
            created=receipt.created,
            node=node,
            resource=f"statement://{statement}",
        )

    def lines(self) -> list[str]:
        """Return the receipt as text."""
        taken = "took" if self.created else "had"
        return [f"The log of {self.node} {taken} {self.signed_hash} as entry {self.log_index}; the receipt holds."]


def joined(groups: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of all groups, with an empty line before each."""
    return [line for group in groups for line in ("", *group)]


def _points(kind: str, stated: Sequence[str]) -> list[Quoted]:
    """Return the sentences of a report; the first ones of very many, and their number."""
    told = [Quoted.of(one, kind, None, _SENTENCE) for one in stated[:_MOST_SENTENCES]]
    left = len(stated) - len(told)
    return [*told, Quoted.of(f"and {left} more", kind, None)] if left > 0 else told
