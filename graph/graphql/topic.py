"""The topics of the newest statements."""

import asyncio

import strawberry

from graph.answers.topics import Topic as FoundTopic
from graph.answers.topics import topics_of
from graph.graphql.arguments import First
from graph.graphql.context import Info, check_first
from graph.graphql.fields import resolved

MOST_READ = 1_000
"""The number of statements whose claims are read for topics."""


@strawberry.type(description=f"A topic that claims among the newest {MOST_READ:,} statements share.")
class Topic:
    """A `graph.answers.topics.Topic`."""

    name: str = strawberry.field(description="The name: words of the claims.")
    phrase: str = strawberry.field(description="The name in a sentence: with the article that the claims have, if any.")
    statements: int = strawberry.field(description="The number of these statements that are counted for the topic.")

    @resolved
    def query(self) -> str:
        """The query that finds the statements with these words, for `search`, `statementsAbout` and filters."""
        return f'"{self.name}"'

    @classmethod
    def from_found(cls, found: FoundTopic) -> "Topic":
        """Return a topic as the schema shows it."""
        return cls(name=found.name, phrase=found.phrase, statements=found.claims)


async def resolve_topics(info: Info, first: First = 20) -> list[Topic]:
    """Return the topics of the newest statements, those of most statements first."""
    most = check_first(first)
    rows = await info.context.platform.store.read("claims_newest", first=MOST_READ)
    claims = tuple(row["claim_text"] for row in rows)
    found = await asyncio.to_thread(topics_of, claims)
    info.context.loaders.spend(len(found[:most]))
    return [Topic.from_found(one) for one in found[:most]]
