"""Replaying a chain: the state at each record, from the root on (§04-03).

The state is the last output, and memory and variables as they have come together: a record's members replace those of
the same name before it. The effect of each of the fifteen events is in `event_type`. A payload that a `redact` hides is
left out of every state, before it and after, and each state lists the records that it lacks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from a2ap.passport.check_chain import ChainReport
from a2ap.passport.errors import PassportError
from a2ap.passport.event_type import Effect, EventType, effect_of
from a2ap.passport.finding import Status
from a2ap.passport.passport import Chain, Passport

# Of names that merges compare, in all; joining the same large states again and again would take for ever.
MAX_JOINED = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """Named values as layers, one a record: a chain of thousands would not fit in memory as thousands of copies."""

    own: Mapping[str, Any]
    below: "Values | None" = None
    depth: int = 0

    def members(self) -> dict[str, Any]:
        """Return the values by their names, the latest of each."""
        layers = [self]
        while (below := layers[-1].below) is not None:
            layers.append(below)
        found: dict[str, Any] = {}
        for layer in reversed(layers):
            found.update(layer.own)
        return found

    def with_values(self, own: Any) -> "Values":
        """Return these values with others over them; a value that is not an object has none."""
        return Values(own, self, self.depth + 1) if isinstance(own, dict) and own else self


_NONE = Values({})


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """The state from which an agent would start; `lacks` has the records that are missing from it, with the reasons."""

    output: Any = None
    memory: Values = _NONE
    variables: Values = _NONE
    lacks: Values = _NONE


@dataclass(frozen=True, slots=True, eq=False)
class ReplayStep:
    """A record of a chain, its effect, and the state after it.

    `status` is that of the chain up to the record. `conflicts` are the names, as `memory.x`, on which the parents of a
    merge disagree; the first parent's value stays. `words` describe any effect but applying the payload.
    """

    passport: Passport
    status: Status
    effect: Effect
    state: State
    words: str = ""
    conflicts: tuple[str, ...] = ()


def replay_chain(chain: Chain, report: ChainReport) -> tuple[ReplayStep, ...]:
    """Rebuild the state at every record of a chain, parents first. Raises PassportError if that is too much.

    Records that do not hold are replayed as well, with their status.
    """
    replay = _Replay(chain, report, report.hidden)
    for at in report.ancestry.order:
        replay.go_on(at)
    return tuple(replay.steps[at] for at in report.ancestry.order)


@dataclass(slots=True)
class _Replay:
    """The progress of a replay: by their positions, the records that were replayed and the states before them."""

    chain: Chain
    report: ChainReport
    hidden: Mapping[str, str]
    steps: dict[int, ReplayStep] = field(default_factory=dict)
    before: dict[int, State] = field(default_factory=dict)
    joined: int = 0

    def go_on(self, at: int) -> None:
        """Replay one more record, whose parents were replayed, but for those in a circle."""
        one = self.chain.passports[at]
        base, conflicts = self._start(one)
        self.before[at] = base
        effect = effect_of(one.event_type)
        match effect:
            case Effect.APPLIES:
                state, words = self._apply(one, base)
            case Effect.RESTORES:
                state, words = self._restore(one, base)
            case _:
                state, words = base, self._observed(one)
        status = self.report.records[at].status
        self.steps[at] = ReplayStep(one, status, effect, state, words, conflicts)

    def _start(self, one: Passport) -> tuple[State, tuple[str, ...]]:
        ancestry = self.report.ancestry
        found = [self.steps[parent].state for parent in ancestry.parents[one.position] if parent in self.steps]
        base, conflicts = self._join(found)
        missing = [f"sha256:{merged}" for merged in ancestry.missing_merged.get(one.position, ())]
        if one.parent_id is not None and not (found and ancestry.has_parent[one.position]):
            missing.append(one.parent_id)
        lacks = base.lacks.with_values(dict.fromkeys(missing, "it is not here"))
        return replace(base, lacks=lacks), conflicts

    def _join(self, states: Sequence[State]) -> tuple[State, tuple[str, ...]]:
        base = states[0] if states else State()
        conflicts: list[str] = []
        for other in states[1:]:
            memory, in_memory = self._overlay(base.memory, other.memory)
            variables, in_variables = self._overlay(base.variables, other.variables)
            lacks, _ = self._overlay(base.lacks, other.lacks)
            conflicts += [f"memory.{name}" for name in in_memory] + [f"variables.{name}" for name in in_variables]
            base = replace(base, memory=memory, variables=variables, lacks=lacks)
        return base, tuple(conflicts)

    def _overlay(self, first: Values, other: Values) -> tuple[Values, tuple[str, ...]]:
        mine, theirs = first.members(), other.members()
        self.joined += len(mine) + len(theirs) + first.depth + other.depth
        if self.joined > MAX_JOINED:
            raise PassportError(f"the merges of this chain compare more than {MAX_JOINED} values: it is not replayed")
        conflicts = tuple(name for name in theirs if name in mine and mine[name] != theirs[name])
        return first.with_values({name: value for name, value in theirs.items() if name not in mine}), conflicts

    def _apply(self, one: Passport, base: State) -> tuple[State, str]:
        hidden_by = self.hidden.get(one.id or "")
        if hidden_by is not None or not one.has_payload:
            why = f"its payload is hidden by {hidden_by}" if hidden_by is not None else "its payload is not here"
            return replace(base, lacks=base.lacks.with_values({one.label: why})), f"{why}; its hashes are kept"
        payload = one.payload if isinstance(one.payload, dict) else {"output": one.payload}
        output = payload.get("output")
        state = replace(
            base,
            output=base.output if output is None else output,
            memory=base.memory.with_values(payload.get("memory")),
            variables=base.variables.with_values(payload.get("variables")),
        )
        return state, ""

    def _restore(self, one: Passport, base: State) -> tuple[State, str]:
        at = self.report.restored.get(one.position)
        if at is None or at not in self.steps:
            target = (one.target or one.parent_id or "a record")[:80]
            return base, f"nothing is restored: it does not come from {target} by records that hold"
        if one.restores_before:
            return self.before[at], f"the state before {self.steps[at].passport.label} is back"
        return self.steps[at].state, f"the state at {self.steps[at].passport.label} is back"

    def _observed(self, one: Passport) -> str:
        if one.is_event(EventType.REDACT):
            target = one.target or one.parent_id or ""
            if target in self.hidden:
                return f"the payload of {target[:80]} is hidden"
            return f"nothing is hidden: it does not come from {target[:80] or 'a record'} by records that hold"
        hidden_by = self.hidden.get(one.id or "")
        return f"its payload is hidden by {hidden_by}; its hashes are kept" if hidden_by is not None else ""
