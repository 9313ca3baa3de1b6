"""Questions in plain language and a reader's own queries, with their answers."""

from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from graph.answers.answer import Answer as FoundAnswer
from graph.answers.answer import Sentence as FoundSentence
from graph.answers.own_query import OwnAnswer, text_named
from graph.errors import InputError
from graph.graphql.arguments import First
from graph.graphql.context import Info, check_first
from graph.graphql.fields import resolved
from graph.graphql.statement import Statement
from graph.verifier.claim_kind import as_sentence

COST = 1_000
"""The cost of one question or query, in objects of an answer."""

Question = Annotated[str, strawberry.argument(description="A question in plain English.")]
QueryName = Annotated[
    str | None, strawberry.argument(description="The name of a stored query, such as examples/agreements.")
]
QueryText = Annotated[str | None, strawberry.argument(description="A query in Cypher, instead of a name.")]
Parameters = Annotated[
    JSON | None, strawberry.argument(description="The parameters of the query, by name, as a JSON object.")
]


@strawberry.type(description="A query in Cypher as it ran, and its rows.")
class OwnQuery:
    """The result of a reader's own query."""

    cypher: str = strawberry.field(description="The query that ran, checked and rewritten.")
    parameters: JSON = strawberry.field(description="The parameters by name, including the literals of the query.")
    columns: list[str] = strawberry.field(description="The names of the columns.")
    kinds: list[str] = strawberry.field(
        description="The possible kinds of the values of each column: node, relationship, path, number, time, "
        "duration, scalar (a text or truth value), list, map, null or any."
    )
    rows: list[JSON] = strawberry.field(
        description="The rows, each a list of values in the order of the columns; a node is its label and properties."
    )
    truncated: bool = strawberry.field(description="Whether there are more rows than returned.")
    withheld: bool = strawberry.field(
        description="Whether text of sources is withheld from this reader, which their queries read as null."
    )

    @classmethod
    def from_found(cls, own: OwnAnswer) -> "OwnQuery":
        """Return the result of a query as the schema shows it."""
        return cls(
            cypher=own.query.text,
            parameters=JSON(dict(own.query.parameters)),
            columns=list(own.table.columns),
            kinds=[kind.word for kind in own.query.kinds],
            rows=[JSON(list(row)) for row in own.table.rows],
            truncated=own.table.truncated,
            withheld=own.withheld,
        )


@strawberry.type(description="One sentence of an answer, with its statement.")
class AnswerSentence:
    """The contribution of one statement."""

    missing: list[str] = strawberry.field(
        description="The conditions of acceptance that the claim does not meet: quorum, threshold, the gate; empty "
        "for a fact."
    )
    sentence: strawberry.Private[str]
    signed_hash: strawberry.Private[str]
    accepted: strawberry.Private[bool]

    @classmethod
    def from_found(cls, sentence: FoundSentence, *, accepted: bool) -> "AnswerSentence":
        """Return a sentence as the schema shows it."""
        return cls(
            sentence=sentence.text,
            missing=list(sentence.missing),
            signed_hash=sentence.statement,
            accepted=accepted,
        )

    @resolved
    async def text(self, info: Info) -> str:
        """The sentence: the claim, with its author if it is not accepted yet, and its source if it is only said."""
        if not self.accepted:
            return self.sentence
        claims = [(self.signed_hash, self.sentence)]
        (kind,) = await info.context.loaders.documents.claim_kinds_of(claims)
        return as_sentence(self.sentence, kind)

    @resolved
    async def statement(self, info: Info) -> Statement:
        """The statement of the sentence, with its evidence and verdicts."""
        return await info.context.loaders.statement_with(self.signed_hash)


@strawberry.type(
    name="QuestionAnswer",
    description="The answer to a question in plain language, with its query and statements.",
)
class Answer:
    """An answer."""

    question: str = strawberry.field(description="The question.")
    answered_by: str = strawberry.field(description="`templates`, or the name of the model that wrote the query.")
    template: str | None = strawberry.field(description="The stored query that answered, if templates answered.")
    note: str | None = strawberry.field(description="The reason why no model answered, otherwise null.")
    query: OwnQuery = strawberry.field(description="The query that answers the question, and its rows.")
    accepted: list[AnswerSentence] = strawberry.field(
        description="The accepted statements in the rows: claims of verified statements."
    )
    not_yet_accepted: list[AnswerSentence] = strawberry.field(
        description="The statements in the rows that are not accepted, each with the conditions that it does not meet."
    )

    @classmethod
    def from_found(cls, answer: FoundAnswer) -> "Answer":
        """Return an answer as the schema shows it."""
        return cls(
            question=answer.question,
            answered_by=answer.by,
            template=answer.template,
            note=answer.note,
            query=OwnQuery.from_found(answer.own),
            accepted=[AnswerSentence.from_found(one, accepted=True) for one in answer.accepted],
            not_yet_accepted=[AnswerSentence.from_found(one, accepted=False) for one in answer.not_yet_accepted],
        )


async def resolve_ask(info: Info, question: Question, first: First = 20) -> Answer:
    """Answer a question in plain language."""
    context = info.context
    context.loaders.spend(COST)
    asking, share = context.platform.asking, context.share
    found = await asking.answer(context.reader, question, first=check_first(first), share=share)
    return Answer.from_found(found)


async def resolve_cypher(
    info: Info, name: QueryName = None, text: QueryText = None, parameters: Parameters = None
) -> OwnQuery:
    """Run a stored query by its name, or one of the reader's own."""
    context = info.context
    context.loaders.spend(COST)
    given: object = {} if parameters is None else parameters
    query = chosen_text(name, text)
    return OwnQuery.from_found(await context.platform.asking.run(context.reader, query, given, context.share))


def chosen_text(name: str | None, text: str | None) -> str:
    """Return the text of a query that is named or given; raise InputError unless exactly one of both is given."""
    if (name is None) == (text is None):
        raise InputError("of name and text, one is given", "name")
    return text if text is not None else text_named(name or "")
