"""The graph that `parent_id` makes of a chain: the parents of each record, their order, and circles."""

from dataclasses import dataclass

from a2ap.passport.passport import Chain, Passport


@dataclass(frozen=True, slots=True)
class Ancestry:
    """Relations between the records of a chain, which are named by their positions.

    `parents` has the parent first and then the further parents of a merge, as far as the chain has them; `order` lists
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
        """Return the records without children."""
        return tuple(position for position, found in enumerate(self.children) if not found)


def trace_ancestry(chain: Chain) -> Ancestry:
    """Find the parents and the order of a chain's records, for any order in the file and any content."""
    names = _Names(chain)
    parents: list[tuple[int, ...]] = []
    without_parent: list[int] = []
    renamed: set[int] = set()
    missing_merged: dict[int, tuple[str, ...]] = {}
    for one in chain.passports:
        found: dict[int, None] = {}
        if one.parent_id is not None:
            by_id, by_hash = names.parent_of(one), names.other_with_hash(one, one.parent_hash)
            if by_id is None and by_hash is None:
                without_parent.append(one.position)
            elif by_id is not None:
                found[by_id] = None
            elif by_hash is not None:
                found[by_hash] = None
                renamed.add(one.position)
        merged = {digits: names.other_with_hash(one, digits) for digits in one.merged_hashes}
        found |= {position: None for position in merged.values() if position is not None}
        if lost := tuple(digits for digits, position in merged.items() if position is None):
            missing_merged[one.position] = lost
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
        first_with_id=names.first_with_id,
        root=_roots(parents, order),
    )


class _Names:
    """Finds records by the ids and hashes that others name; files may have thousands of one id or one hash."""

    def __init__(self, chain: Chain) -> None:
        self.first_with_id: dict[str, int] = {}
        self._with_both: dict[tuple[str, str | None], int] = {}
        self._with_hash: dict[str, tuple[int, ...]] = {}
        for one in chain.passports:
            if one.id is not None:
                self.first_with_id.setdefault(one.id, one.position)
                self._with_both.setdefault((one.id, one.integrity_hash), one.position)
            if one.integrity_hash is not None:
                found = self._with_hash.get(one.integrity_hash, ())
                self._with_hash[one.integrity_hash] = (*found, one.position)[:2]

    def parent_of(self, passport: Passport) -> int | None:
        """Return the record that is named as parent: of several with that id, the one whose hash is stated."""
        name = passport.parent_id or ""
        return self._with_both.get((name, passport.parent_hash), self.first_with_id.get(name))

    def other_with_hash(self, passport: Passport, digits: str | None) -> int | None:
        """Return the first other record with an integrity hash."""
        found = self._with_hash.get(digits or "", ())
        return next((position for position in found if position != passport.position), None)


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
    component = [open_ones.pop()]
    while component[-1] != first:
        component.append(open_ones.pop())
    return tuple(reversed(component))
