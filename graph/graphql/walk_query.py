"""What can be asked about how things hang together, and how they came over time; a part of `graph.graphql.query`."""

import strawberry

from graph.graphql.impact import Impact, resolve_impact
from graph.graphql.lineage import BlastRadius, resolve_blast_radius
from graph.graphql.over_time import StatsOverTime, resolve_stats_over_time
from graph.graphql.path import Paths, resolve_path
from graph.graphql.story import Lineage, resolve_lineage


@strawberry.type(description="What can be asked about how things hang together.")
class WalkQuery:
    """Root fields that walk along the graph or count along the log."""

    lineage: Lineage = strawberry.field(
        resolver=resolve_lineage,
        description="The whole story of a statement: what it came out of, back to the first input, and what became of "
        "it.",
    )
    blast_radius: BlastRadius = strawberry.field(
        resolver=resolve_blast_radius,
        description="What rests on a key, an agent, a source (by hash or name) or a statement (by hash or id), nearest "
        "first, as of a size of the log.",
    )
    impact: Impact = strawberry.field(
        resolver=resolve_impact,
        description="What rests on anything that has a name and would fall with it, nearest first, as of a size of the "
        "log.",
    )
    path: Paths = strawberry.field(
        resolver=resolve_path,
        description="How two things are connected: the shortest paths of provenance between them that the reader may "
        "see, as of a size of the log.",
    )
    stats_over_time: StatsOverTime = strawberry.field(
        resolver=resolve_stats_over_time,
        description="What the log took in, counted by buckets of time: by when this node took it in. At most 1,000 "
        "of them, whole ones, also those in which nothing came.",
    )
