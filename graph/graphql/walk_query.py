"""Queries about dependence in the graph and growth over time; a part of `graph.graphql.query`."""

import strawberry

from graph.graphql.impact import Impact, resolve_impact
from graph.graphql.lineage import BlastRadius, resolve_blast_radius
from graph.graphql.over_time import StatsOverTime, resolve_stats_over_time
from graph.graphql.path import Paths, resolve_path
from graph.graphql.story import Lineage, resolve_lineage


@strawberry.type(description="Queries about dependence in the graph and growth over time.")
class WalkQuery:
    """Root fields that walk along the graph or count along the log."""

    lineage: Lineage = strawberry.field(
        resolver=resolve_lineage,
        description="The whole story of a statement: its origins back to the first input, and its consequences.",
    )
    blast_radius: BlastRadius = strawberry.field(
        resolver=resolve_blast_radius,
        description="The dependents of a key, an agent, a source (by hash or name) or a statement (by hash or id), "
        "nearest first, as of a size of the log.",
    )
    impact: Impact = strawberry.field(
        resolver=resolve_impact,
        description="The dependents of anything with a name, which would fall with it, nearest first, as of a size "
        "of the log.",
    )
    path: Paths = strawberry.field(
        resolver=resolve_path,
        description="The connections of two things: the shortest paths of provenance between them that the reader "
        "may see, as of a size of the log.",
    )
    stats_over_time: StatsOverTime = strawberry.field(
        resolver=resolve_stats_over_time,
        description="The entries of the log counted by buckets of time, by time of receipt by this node. Up to 1,000 "
        "whole buckets, including empty ones.",
    )
