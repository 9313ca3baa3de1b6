"""The parts that a platform's own program adds to a verifier."""

from collections.abc import Callable
from dataclasses import dataclass

from a2ap.verifier.budget import Budget
from a2ap.verifier.criteria import Panel
from a2ap.verifier.material import Source
from a2ap.verifier.packs import Packs
from a2ap.verifier.stop import Stop

ATTEMPTS = 5
"""The number of times that a single run asks a node that does not answer."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one verifier beyond its functions.

    `panel` makes further criteria, with the budget of a run, in which `per_model` bounds the questions to one model in
    a day. `source_of` reads a source into the form of these criteria. Runs are kept as `packs`. With `review` no
    verdict is signed until a person approves it. If there is a `stop`, its owner handles the signals.
    """

    panel: Callable[[Budget], Panel] | None = None
    per_model: int | None = None
    source_of: Callable[[bytes], Source] = Source
    packs: Packs | None = None
    review: bool = False
    attempts: int = ATTEMPTS
    stop: Stop | None = None
