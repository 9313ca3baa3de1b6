"""The caller of a door: where a request that hands something in comes from, and whether it is the operator's."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """The network that a request comes from (`graph.http.client_address`), and whether it brings the operator's token.

    What is handed in within the process has no caller, and no quota.
    """

    address: str
    is_operator: bool = False
