"""The caller of an endpoint: the network that a submission comes from, and whether it is the operator's."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """The network that a request comes from (`graph.http.client_address`), and whether it brings the operator's token.

    A submission from within the process has no caller, and no quota.
    """

    address: str
    is_operator: bool = False
