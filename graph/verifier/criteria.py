"""Criteria as plug-ins: entry points of the group `a2ap.criteria` define how each criterion is judged.

The name of an entry point is the criterion's name on the wire; its value is a `Maker`, which gets the `Tools` of this
verifier and returns a `Criterion`. A criterion may answer several names at once: it is made once for all entry points
with the same maker, and called once for each statement.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from a2ap.verifier.criteria import MODEL_BYTES, Asked, Judgement, Panel
from a2ap.verifier.criteria import Criterion as AnyCriterion
from a2ap.verifier.errors import OutageError, RetryError, VerifierError
from a2ap.verifier.material import Material as AnyMaterial
from graph.models.chat_model import LanguageModel
from graph.models.errors import ModelDownError, ModelError
from graph.verifier.material import Material

__all__ = [
    "GROUP",
    "METHODS",
    "MODEL_BYTES",
    "Asked",
    "Criterion",
    "Judgement",
    "Maker",
    "Plugin",
    "Tools",
    "find_plugins",
    "installed",
    "panel_of",
]

GROUP = "a2ap.criteria"
METHODS = ("words", "search", "embeddings", "model")


Criterion = AnyCriterion[Material]
"""A method of answering one criterion or several; it raises ModelError if a model that it needs does not answer."""


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


def panel_of(names: Sequence[str], tools: Tools) -> Panel:
    """Return the panel for some criteria.

    Raises VerifierError if one is not installed or cannot be made, and ModelError if its model is not installed.
    """
    plugins = {plugin.name: plugin for plugin in find_plugins(names)}
    made: dict[Maker, Plugged] = {}
    for name in dict.fromkeys(names):
        if name not in plugins:
            raise VerifierError(f"no installed package says how to judge {name!r}")
        if plugins[name].maker not in made:
            made[plugins[name].maker] = Plugged(plugins[name].maker(tools))
    criteria = {name: made[plugins[name].maker] for name in dict.fromkeys(names)}
    model = tools.model.name if tools.model is not None and tools.method == "model" else None
    return Panel(criteria, tools.method, model, tools.model_bytes)


class Plugged:
    """A plug-in as a criterion of `a2ap.verifier`: its material has transcripts, and a model that fails is retried."""

    def __init__(self, criterion: Criterion) -> None:
        self._criterion = criterion
        self.name = criterion.name
        self.version = criterion.version

    def judge(self, material: AnyMaterial) -> Judgement:
        """Judge a statement; raises OutageError if the model is down, and RetryError if it fails."""
        try:
            return self._criterion.judge(Material.of(material))
        except ModelDownError as error:
            raise OutageError(str(error), "the model") from error
        except ModelError as error:
            raise RetryError(str(error), "the model") from error


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
