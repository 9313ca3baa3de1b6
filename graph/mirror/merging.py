"""SQL that merges the rows of a step into the tables: new rows are added, differing ones changed, missing ones deleted.

Unchanged rows are not written again. Tables come in their order, so that rows exist before references to them.
"""

from collections.abc import Iterator

from graph.export.steps import NODE_STEPS, Change
from graph.mirror.schema import listed, quoted, stage_of, stage_of_link
from graph.mirror.table import Link, Table
from graph.mirror.tables import FINDINGS, mirror_tables

_AGAIN = frozenset(step.label for step in NODE_STEPS if step.change is not Change.NONE)


def merging(replaced: frozenset[str], *, is_whole: bool) -> Iterator[str]:
    """Yield the statements of a step; `replaced` are the tables that came whole, beside those that always do."""
    for table in mirror_tables():
        if table.label is not None:
            for link in table.links:
                yield from _linking(table, link, is_whole=is_whole)
            yield _upserting(table, f"SELECT {listed(_names(table))} FROM {quoted(stage_of(table))}")
        elif table.edges is not None:
            yield _upserting(table, _with_ends(table))
        elif table.name == "findings":
            yield from _finding(table)
            continue
        else:
            yield _upserting(table, f"SELECT {listed(_names(table))} FROM {quoted(stage_of(table))}")
            continue
        if is_whole or table.name in replaced or table.label in _AGAIN:
            yield _deleting(table)


def _linking(table: Table, link: Link, *, is_whole: bool) -> Iterator[str]:
    stage, column, key = quoted(stage_of(table)), quoted(link.column), quoted(table.key[0])
    (target,) = (one for one in mirror_tables() if one.name == link.table)
    there = f"EXISTS (SELECT FROM {quoted(target.name)} t WHERE t.{quoted(target.key[0])} = l.other)"
    yield (
        f"UPDATE {stage} s SET {column} = l.other FROM {quoted(stage_of_link(table, link))} l"
        f" WHERE l.node = s.{key} AND {there}"
    )
    if not (is_whole or link.is_whole):
        kept = f"{quoted(table.name)} t WHERE t.{key} = s.{key} AND s.{column} IS NULL"
        yield f"UPDATE {stage} s SET {column} = t.{column} FROM {kept}"


def _with_ends(table: Table) -> str:
    """Return the rows whose two ends exist: a row may have arrived during the read without one of its ends."""
    ends = " AND ".join(
        f"EXISTS (SELECT FROM {quoted(one.table)} t WHERE t.{quoted(_key_of(one.table))} = s.{quoted(one.columns[0])})"
        for one in table.references
    )
    names = ", ".join(f"s.{quoted(name)}" for name in _names(table))
    return f"SELECT {names} FROM {quoted(stage_of(table))} s WHERE {ends}"


def _finding(table: Table) -> Iterator[str]:
    """Yield the statements that turn the parallel lists of verdicts into rows."""
    criteria, *_ = FINDINGS
    lists = ", ".join(f"s.{quoted(name)}" for name in FINDINGS)
    yield (
        f"DELETE FROM findings f USING stage_verdicts s WHERE f.verdict_hash = s.signed_hash"
        f" AND f.position >= coalesce(cardinality(s.{quoted(criteria)}), 0)"
    )
    yield _upserting(
        table,
        f"SELECT s.signed_hash, f.number - 1, f.criterion, f.status, f.confidence, f.evidence FROM stage_verdicts s,"
        f" unnest({lists}) WITH ORDINALITY AS f (criterion, status, confidence, evidence, number)",
    )


def _upserting(table: Table, rows: str) -> str:
    names = _names(table)
    others = tuple(name for name in names if name not in table.key)
    insert = f"INSERT INTO {quoted(table.name)} AS t ({listed(names)}) {rows} ON CONFLICT ({listed(table.key)})"
    if not others:
        return f"{insert} DO NOTHING"
    sets = ", ".join(f"{quoted(name)} = excluded.{quoted(name)}" for name in others)
    old = ", ".join(f"t.{quoted(name)}" for name in others)
    new = ", ".join(f"excluded.{quoted(name)}" for name in others)
    return f"{insert} DO UPDATE SET {sets} WHERE ROW({old}) IS DISTINCT FROM ROW({new})"


def _deleting(table: Table) -> str:
    same = " AND ".join(f"s.{quoted(name)} = t.{quoted(name)}" for name in table.key)
    stage = quoted(stage_of(table))
    return f"DELETE FROM {quoted(table.name)} t WHERE NOT EXISTS (SELECT FROM {stage} s WHERE {same})"


def _names(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.kept)


def _key_of(name: str) -> str:
    (table,) = (one for one in mirror_tables() if one.name == name)
    return table.key[0]
