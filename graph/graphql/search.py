"""Search: statements found by words and by meaning, with the positions of the words."""

from typing import Annotated

import strawberry

from graph.graphql.arguments import First
from graph.graphql.context import Info, check_first
from graph.graphql.enums import show_enum
from graph.graphql.statement import Statement
from graph.search.expression import Field
from graph.search.fusion import FoundBy, Ranked
from graph.search.highlights import ShownEvidence, ShownText, evidence_of
from graph.search.matching import spans_of

show_enum(
    FoundBy,
    {"TEXT": "The text contains the words of the query.", "MEANING": "The text is close in meaning to the query."},
    description="The result list in which a statement was found.",
)

Words = Annotated[
    str,
    strawberry.argument(
        description='Words, "phrases", beginnings*, claim:, evidence:, title: and agent: before a required term, '
        "AND, OR, NOT or a minus sign, and parentheses."
    ),
]


@strawberry.type(description="A range in a text: half-open, counted in characters (Unicode code points).")
class Highlight:
    """The position of a word of the query."""

    start: int = strawberry.field(description="The first character.")
    end: int = strawberry.field(description="The character after the last one.")


@strawberry.type(description="A text with the positions of the query's words.")
class HighlightedText:
    """A text as the reader may see it."""

    text: str = strawberry.field(description='The text; "" if withheld.')
    highlights: list[Highlight] = strawberry.field(description="The positions, in order.")

    @classmethod
    def from_shown(cls, shown: ShownText) -> "HighlightedText":
        """Return a text with its highlights as the schema shows it."""
        return cls(text=shown.text, highlights=[Highlight(start=start, end=end) for start, end in shown.highlights])


@strawberry.type(description="A passage that a found statement cites.")
class HighlightedEvidence:
    """A passage, with its quote."""

    chunk_id: strawberry.ID = strawberry.field(description="The id of the passage.")
    source_document: str = strawberry.field(description="The name of the document, as cited.")
    quote: HighlightedText = strawberry.field(
        description="The quote in the statement, or the text of the source if the statement quotes nothing."
    )
    withheld: str | None = strawberry.field(
        description="The reason if the text is withheld from this reader, otherwise null."
    )

    @classmethod
    def from_shown(cls, shown: ShownEvidence) -> "HighlightedEvidence":
        """Return evidence as the schema shows it."""
        return cls(
            chunk_id=strawberry.ID(shown.chunk_id),
            source_document=shown.source_document,
            quote=HighlightedText.from_shown(shown.quote),
            withheld=shown.withheld,
        )


@strawberry.type(description="A statement that was found.")
class SearchHit:
    """One of the results, best first."""

    statement: Statement = strawberry.field(description="The statement.")
    rank: int = strawberry.field(description="The position among the results, from 1.")
    score: float = strawberry.field(
        description="The sum of 1 / (60 + position) over the lists in which the statement was found (reciprocal rank "
        "fusion)."
    )
    found_by: list[FoundBy] = strawberry.field(description="The lists in which the statement was found.")
    claim: HighlightedText = strawberry.field(description="The claim, with the positions of the query's words.")
    evidence: list[HighlightedEvidence] = strawberry.field(
        description="The cited passages; passages with words of the query come first."
    )


@strawberry.type(description="The result of a search.")
class SearchResult:
    """The answer to a search."""

    by_meaning: bool = strawberry.field(
        description="Whether the search by meaning ran: a model is configured, and it answered."
    )
    hits: list[SearchHit] = strawberry.field(description="The statements, best first.")


async def resolve_search(info: Info, query: Words, first: First = 20) -> SearchResult:
    """Find statements by words and meaning."""
    context = info.context
    answer = await context.platform.search.find(context.reader, query, first=check_first(first))
    statements = {one.signed_hash: one for one in await context.loaders.statements_with(answer.hashes)}
    terms = answer.query.terms
    cited = await evidence_of(context.platform.store, context.reader, answer.hashes, terms) if answer.found else {}

    def hit(ranked: Ranked, statement: Statement) -> SearchHit:
        claim = ShownText(statement.claim_text, spans_of(statement.claim_text, terms, Field.CLAIM))
        evidence = cited.get(ranked.signed_hash, ())
        context.loaders.spend(len(evidence))
        return SearchHit(
            statement=statement,
            rank=ranked.rank,
            score=ranked.score,
            found_by=list(ranked.places),
            claim=HighlightedText.from_shown(claim),
            evidence=[HighlightedEvidence.from_shown(one) for one in evidence],
        )

    hits = [hit(one, statements[one.signed_hash]) for one in answer.found if one.signed_hash in statements]
    return SearchResult(by_meaning=answer.by_meaning, hits=hits)
