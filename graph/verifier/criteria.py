"""Criteria as plug-ins: entry points of the group `a2ap.criteria` say how each criterion is judged.

The name of an entry point is that of the criterion as it stands on the wire; what it names is a `Maker`, which gets the
`Tools` of this verifier and returns a `Criterion`. A criterion may answer several names at once: it is made once for
all entry points with the same maker, and asked once for each statement.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

from a2ap.finding import Finding
from graph.verifier.chat_model import LanguageModel
from graph.verifier.errors import VerifierError
from graph.verifier.judging import undecided
from graph.verifier.material import Material

GROUP = "a2ap.criteria"
MODEL_BYTES = 24_000  # some 6,000 tokens of English
METHODS = ("words", "search", "embeddings", "model")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model was asked and what it answered, word for word."""

    model: str
    instructions: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """Findings, at most one for each criterion, and what a model was asked for them."""

    findings: tuple[Finding, ...]
    asked: tuple[Asked, ...] = ()


class Criterion(Protocol):
    """A way of answering one criterion or several; another `version` may answer otherwise."""

    @property
    def name(self) -> str:
        """What the way is called."""
        ...

    @property
    def version(self) -> str:
        """Which state of it this is."""
        ...

    def judge(self, material: Material) -> Judgement:
        """Judge a statement by its sources; raises ModelError where a model that it needs does not answer."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What this verifier has to judge with: the method that was chosen, and a model where there is one.

    `model_bytes` are the most bytes of claim and cited words that the model is asked about.
    """

    method: str = "words"
    model: LanguageModel | None = None
    model_bytes: int = MODEL_BYTES


Maker = Callable[[Tools], Criterion]


@dataclass(frozen=True, slots=True)
class Plugin:
    """A criterion that is installed: its name on the wire, and what makes it."""

    name: str
    maker: Maker
    package: str


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """The criteria that a verifier answers, by name on the wire."""

    criteria: dict[str, Criterion]

    @classmethod
    def of(cls, names: Sequence[str], tools: Tools) -> "Panel":
        """Return the panel for some criteria. Raises VerifierError where one is not installed or cannot be made."""
        plugins = {plugin.name: plugin for plugin in find_plugins(names)}
        made: dict[Maker, Criterion] = {}
        for name in dict.fromkeys(names):
            if name not in plugins:
                raise VerifierError(f"no installed package says how to judge {name!r}")
            if plugins[name].maker not in made:
                made[plugins[name].maker] = plugins[name].maker(tools)
        return cls({name: made[plugins[name].maker] for name in dict.fromkeys(names)})

    @property
    def names(self) -> tuple[str, ...]:
        """The criteria that can be answered."""
        return tuple(self.criteria)

    def judge(self, material: Material, wanted: Sequence[str]) -> Judgement:
        """Answer those of the wanted criteria that can be; one finding each, in the order of the panel."""
        names = [name for name in self.criteria if name in wanted]
        findings: dict[str, Finding] = {}
        asked: list[Asked] = []
        for criterion in dict.fromkeys(self.criteria[name] for name in names):
            mine = {name for name in names if self.criteria[name] is criterion}
            judgement = _judge(criterion, material, mine)
            asked += judgement.asked
            findings |= {one.criterion: one for one in judgement.findings if one.criterion in mine}
        silent = {name: undecided(name, f"{self.criteria[name].name} says nothing of it") for name in names}
        return Judgement(tuple((silent | findings)[name] for name in names), tuple(asked))

    def versions(self, names: Sequence[str]) -> dict[str, str]:
        """Return by criterion what judges it, and which version of that."""
        return {name: f"{self.criteria[name].name} {self.criteria[name].version}" for name in names}


def _judge(criterion: Criterion, material: Material, names: Collection[str]) -> Judgement:
    """Ask one criterion. What somebody else's code fails on is left open: it must not keep all else from an answer."""
    try:
        return criterion.judge(material)
    except VerifierError:
        raise
    except Exception as error:
        why = f"{criterion.name} {criterion.version} failed: {type(error).__name__}"
        return Judgement(tuple(undecided(name, why) for name in sorted(names)))


def installed() -> tuple[str, ...]:
    """Return the names of the criteria for which a way of judging is installed, sorted."""
    return tuple(sorted(entry_points(group=GROUP).names))


def find_plugins(names: Sequence[str]) -> tuple[Plugin, ...]:
    """Load what is installed for some criteria. Raises VerifierError where one cannot be loaded, or is there twice."""
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        if entry.name in names:
            other = found.setdefault(entry.name, entry)
            if other.value != entry.value:
                raise VerifierError(f"two packages say how to judge {entry.name!r}: {other.value} and {entry.value}")
    return tuple(_load(entry) for entry in found.values())


def _load(entry: EntryPoint) -> Plugin:
    try:
        maker = entry.load()
    except Exception as error:
        raise VerifierError(f"what judges {entry.name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not callable(maker):
        raise VerifierError(f"what judges {entry.name!r} is {entry.value}, which makes nothing")
    return Plugin(entry.name, maker, entry.dist.name if entry.dist is not None else "")
