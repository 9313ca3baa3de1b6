"""The graph that `parent_id` makes of a chain: who comes from whom, in which order, and where that goes in a circle."""

from collections import defaultdict
from dataclasses import dataclass

from a2ap.passport.passport import Chain, Passport


@dataclass(frozen=True, slots=True)
class Ancestry:
    """Relations between the records of a chain, which are named by their positions.

    `parents` has the parent first and then the further parents of a merge, as far as they are here; `order` lists
    every record after its parents, but for those in `cycles`. `renamed` are those whose parent was found by its hash,
    under another id. `first_with_id` leaves out later records of the same id. `root` has for every record the first
    that it comes from, going from parent to parent.
    """

    parents: tuple[tuple[int, ...], ...]
    children: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    cycles: tuple[tuple[int, ...], ...]
    roots: tuple[int, ...]
    without_parent: tuple[int, ...]
    has_parent: tuple[bool, ...]
    renamed: frozenset[int]
    missing_merged: dict[int, tuple[str, ...]]
    first_with_id: dict[str, int]
    root: tuple[int, ...]

    @property
    def tips(self) -> tuple[int, ...]:
        """Return the records that nothing comes from."""
        return tuple(position for position, found in enumerate(self.children) if not found)


def trace_ancestry(chain: Chain) -> Ancestry:
    """Work out who comes from whom in a chain, however its records are listed and whatever they say."""
    with_id: dict[str, list[Passport]] = defaultdict(list)
    with_hash: dict[str, list[Passport]] = defaultdict(list)
    for one in chain.passports:
        if one.id is not None:
            with_id[one.id].append(one)
        if one.integrity_hash is not None:
            with_hash[one.integrity_hash].append(one)
    parents: list[tuple[int, ...]] = []
    without_parent: list[int] = []
    renamed: set[int] = set()
    missing_merged: dict[int, tuple[str, ...]] = {}
    for one in chain.passports:
        found: list[int] = []
        if one.parent_id is not None:
            by_id = with_id.get(one.parent_id, [])
            by_hash = [other for other in with_hash.get(one.parent_hash or "", []) if other is not one]
            if by_id:
                # Of several with that id, the one whose hash the record states.
                found.append(
                    next((other for other in by_id if other.integrity_hash == one.parent_hash), by_id[0]).position
                )
            elif by_hash:
                found.append(by_hash[0].position)
                renamed.add(one.position)
            else:
                without_parent.append(one.position)
        lost = []
        for merged in one.merged_hashes:
            others = [other.position for other in with_hash.get(merged, []) if other is not one]
            if others:
                found.extend(position for position in others[:1] if position not in found)
            else:
                lost.append(merged)
        if lost:
            missing_merged[one.position] = tuple(lost)
        parents.append(tuple(found))
    order, cycles = _sort(parents)
    lost_parent = frozenset(without_parent)
    return Ancestry(
        parents=tuple(parents),
        children=_children(parents),
        order=order,
        cycles=cycles,
        roots=tuple(one.position for one in chain.passports if one.parent_id is None),
        without_parent=tuple(without_parent),
        has_parent=tuple(one.parent_id is not None and one.position not in lost_parent for one in chain.passports),
        renamed=frozenset(renamed),
        missing_merged=missing_merged,
        first_with_id={name: found[0].position for name, found in with_id.items()},
        root=_roots(parents, order),
    )


def _roots(parents: list[tuple[int, ...]], order: tuple[int, ...]) -> tuple[int, ...]:
    root = list(range(len(parents)))
    for position in order:
        if parents[position]:
            root[position] = root[parents[position][0]]
    return tuple(root)


def _children(parents: list[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    children: list[list[int]] = [[] for _ in parents]
    for position, found in enumerate(parents):
        for parent in found:
            children[parent].append(position)
    return tuple(map(tuple, children))


def _sort(parents: list[tuple[int, ...]]) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Return the records with parents first, and the sets of them that come from one another.

    Tarjan's strongly connected components, without recursion: each is complete before those that come from it.
    """
    order: list[int] = []
    cycles: list[tuple[int, ...]] = []
    index: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_ones: list[int] = []
    is_open: set[int] = set()
    for start in range(len(parents)):
        if start in index:
            continue
        path = [(start, iter(parents[start]))]
        while path:
            at, rest = path[-1]
            if at not in index:
                index[at] = lowest[at] = len(index)
                open_ones.append(at)
                is_open.add(at)
            deeper = next((parent for parent in rest if parent not in index or parent in is_open), None)
            if deeper is not None and deeper not in index:
                path.append((deeper, iter(parents[deeper])))
                continue
            if deeper is not None:
                lowest[at] = min(lowest[at], index[deeper])
                continue
            path.pop()
            if path:
                lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[at])
            if lowest[at] == index[at]:
                component = _take(open_ones, at)
                is_open.difference_update(component)
                order.extend(component)
                if len(component) > 1 or at in parents[at]:
                    cycles.append(component)
    return tuple(order), tuple(cycles)


def _take(open_ones: list[int], first: int) -> tuple[int, ...]:
    start = open_ones.index(first) if open_ones[-1] != first else len(open_ones) - 1
    component = tuple(open_ones[start:])
    del open_ones[start:]
    return component
