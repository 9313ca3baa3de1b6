"""Criteria as plug-ins: entry points of the group `a2ap.criteria` define how each criterion is judged.

The name of an entry point is the criterion's name on the wire; its value is a `Maker`, which gets the `Tools` of this
verifier and returns a `Criterion`. A criterion may answer several names at once: it is made once for all entry points
with the same maker, and called once for each statement.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

from a2ap.messages.finding import Finding
from graph.models.chat_model import LanguageModel
from graph.models.errors import ModelError
from graph.verifier.errors import VerifierError
from graph.verifier.judging import undecided
from graph.verifier.material import Material

GROUP = "a2ap.criteria"
MODEL_BYTES = 24_000  # some 6,000 tokens of English
METHODS = ("words", "search", "embeddings", "model")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a model and its answer, word for word."""

    model: str
    instructions: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """Findings, at most one for each criterion, and the questions to a model for them."""

    findings: tuple[Finding, ...]
    asked: tuple[Asked, ...] = ()


class Criterion(Protocol):
    """A method of answering one criterion or several; another `version` may answer otherwise."""

    @property
    def name(self) -> str:
        """The name of the method."""
        ...

    @property
    def version(self) -> str:
        """The version of the method."""
        ...

    def judge(self, material: Material) -> Judgement:
        """Judge a statement by its sources; raises ModelError if a model that it needs does not answer."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools of this verifier: the chosen method, and a model if there is one.

    `model_bytes` is the maximum number of bytes of claim and cited words in a question to the model.
    """

    method: str = "words"
    model: LanguageModel | None = None
    model_bytes: int = MODEL_BYTES


Maker = Callable[[Tools], Criterion]


@dataclass(frozen=True, slots=True)
class Plugin:
    """An installed criterion: its name on the wire, its maker, and the package that defines it."""

    name: str
    maker: Maker
    package: str


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """The criteria that a verifier answers, by name on the wire."""

    criteria: dict[str, Criterion]

    @classmethod
    def of(cls, names: Sequence[str], tools: Tools) -> "Panel":
        """Return the panel for some criteria.

        Raises VerifierError if one is not installed or cannot be made, and ModelError if its model is not installed.
        """
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
        """The names of the criteria that the panel can answer."""
        return tuple(self.criteria)

    def judge(self, material: Material, wanted: Sequence[str]) -> Judgement:
        """Answer the wanted criteria that the panel has; one finding each, in the order of the panel."""
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
        """Return the name and version of the method that judges each criterion."""
        return {name: f"{self.criteria[name].name} {self.criteria[name].version}" for name in names}


def _judge(criterion: Criterion, material: Material, names: Collection[str]) -> Judgement:
    """Run one criterion. A failure of its code leaves it undecided, so that all other criteria are still answered."""
    try:
        return criterion.judge(material)
    except (VerifierError, ModelError):
        raise
    except Exception as error:
        why = f"{criterion.name} {criterion.version} failed: {type(error).__name__}"
        return Judgement(tuple(undecided(name, why) for name in sorted(names)))


def installed() -> tuple[str, ...]:
    """Return the names of the criteria for which a method is installed, sorted."""
    return tuple(sorted(entry_points(group=GROUP).names))


def find_plugins(names: Sequence[str]) -> tuple[Plugin, ...]:
    """Load the plug-ins of some criteria. Raises VerifierError if one cannot be loaded, or is defined twice."""
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
        raise VerifierError(f"the judge of {entry.name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not callable(maker):
        raise VerifierError(f"the judge of {entry.name!r} is {entry.value}, which cannot be called")
    return Plugin(entry.name, maker, entry.dist.name if entry.dist is not None else "")
