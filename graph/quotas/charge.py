"""The amounts counted for a submission, so that they can be given back."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.quotas.decision import AccountKind, Part


@dataclass(frozen=True, slots=True)
class Charge:
    """The parts that were counted in an hour, none if the sender has no quota, and whether the sender is a stranger.

    A charge that `stays` is counted for every outcome.
    """

    parts: tuple[Part, ...] = ()
    hour: int = 0
    of_stranger: bool = False
    stays: bool = False

    @property
    def of_endorsed(self) -> bool:
        """Whether the charge is for a new document of an endorsed agent."""
        return bool(self.parts) and not self.of_stranger

    def back(self, *, kept: bool, refused: bool) -> Sequence[Part]:
        """Return the amounts to give back for a submission with this outcome.

        A kept submission stays counted. A refused one counts for the address that it came from, and for no agent:
        anyone could have sent it.
        """
        if kept or self.stays:
            return ()
        return [
            Part(part.account, -part.amount)
            for part in self.parts
            if not refused or part.account.kind is not AccountKind.ADDRESS
        ]


FREE = Charge()
"""The charge of a sender without quotas: the operator, and submissions of the process itself."""
