"""Statements in the answers of the tools: score, claim, author and citations, as structured content and as text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from pydantic import BaseModel, Field

from a2ap.mcp.quoted import MOST, Quoted, identifier, one_line

_MOST_CITED, _CITED_IN_LIST = 20, 5  # passages of one statement
_CLAIM, _QUOTE_IN_LIST = 2000, 800  # characters


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
        """Return the citation in an answer of GraphQL; `author` made the statement, `most` is of characters."""
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


def joined(groups: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of all groups, with an empty line before each."""
    return [line for group in groups for line in ("", *group)]
