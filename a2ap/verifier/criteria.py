"""Criteria: the methods by which a verifier answers them, and the panel of all that it answers."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from a2ap.messages.finding import Finding
from a2ap.verifier.errors import VerifierError
from a2ap.verifier.findings import undecided
from a2ap.verifier.material import Material
from a2ap.verifier.stop import StoppedError

M_contra = TypeVar("M_contra", contravariant=True)

MODEL_BYTES = 24_000  # some 6,000 tokens of English

logger = logging.getLogger(__name__)


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


class Criterion(Protocol[M_contra]):
    """A method of answering one criterion or several; another `version` may answer otherwise."""

    @property
    def name(self) -> str:
        """The name of the method."""
        ...

    @property
    def version(self) -> str:
        """The version of the method."""
        ...

    def judge(self, material: M_contra) -> Judgement:
        """Judge a statement by its sources; raises `VerifierError` if that is not possible now or here."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """The criteria that a verifier answers, by name on the wire.

    `method` is the name of the way in which it judges, as its records have it. `model` is the model without which it
    answers nothing, None if there is none, and `model_bytes` the most bytes of a question to a model.
    """

    criteria: Mapping[str, Criterion[Material]]
    method: str = "criteria"
    model: str | None = None
    model_bytes: int = MODEL_BYTES

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


def _judge(criterion: Criterion[Material], material: Material, names: Collection[str]) -> Judgement:
    """Run one criterion. A failure of its code leaves it undecided, so that all other criteria are still answered."""
    try:
        return criterion.judge(material)
    except (VerifierError, StoppedError):
        raise
    except Exception as error:
        # The type alone is signed: a message may tell secrets of the machine.
        why = f"{criterion.name} {criterion.version} failed: {type(error).__name__}"
        logger.warning("%s on %s", why, material.statement.envelope.id, exc_info=True)
        return Judgement(tuple(undecided(name, why) for name in sorted(names)))
