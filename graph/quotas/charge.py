"""What was counted for something that is handed in, so that it can be given back."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.quotas.decision import AccountKind, Part


@dataclass(frozen=True, slots=True)
class Charge:
    """The parts that were counted in an hour, none where the sender has no quota, and whether it is a stranger.

    What `stays` is counted whatever becomes of it.
    """

    parts: tuple[Part, ...] = ()
    hour: int = 0
    of_stranger: bool = False
    stays: bool = False

    def back(self, *, kept: bool, refused: bool) -> Sequence[Part]:
        """Return what is to be counted less, now that it is known what became of it.

        What is kept stays counted. What is refused counts for the address that it came from, and for no agent: anybody
        could send it.
        """
        if kept or self.stays:
            return ()
        return [
            Part(part.account, -part.amount)
            for part in self.parts
            if not refused or part.account.kind is not AccountKind.ADDRESS
        ]


FREE = Charge()
"""The charge of a sender without quotas: the operator, and what the process itself hands in."""
