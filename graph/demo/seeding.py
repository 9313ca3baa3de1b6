"""The node's policy with the demonstration's operators as additional seeds."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from a2ap.messages.policy import Policy, build_policy
from graph.demo.agent import new_id
from graph.node import Node

_KEPT = ("threshold", "quorum", "method", "criteria", "unseededWeight", "version", "epochLength", "priors")


def seed_policy(
    node: Node, operators: Sequence[str], in_force: Policy | None, clock: Callable[[], datetime]
) -> dict[str, Any] | None:
    """Return the policy to set, signed by the node; None if the one in force has these operators already.

    Only the seeds change.
    """
    seeds = in_force.seeds if in_force is not None else ()
    missing = [operator for operator in operators if operator not in seeds]
    if not missing:
        return None
    message = build_policy(policy_id=new_id(), issued_at=clock(), issuing_agent=node.agent_id, seeds=(*seeds, *missing))
    if in_force is not None:
        stated = in_force.envelope.document
        message |= {name: stated[name] for name in _KEPT if name in stated}
    return dict(node.sign(message).envelope.document)
