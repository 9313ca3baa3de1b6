"""Whose endorsements count: a policy of the node that names the demonstration's operators beside those it had."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from a2ap.policy import Policy, build_policy
from graph.demo.agent import new_id
from graph.demo.outbox import Outbox
from graph.node import Node

_KEPT = ("threshold", "quorum", "method", "criteria", "unseededWeight")


def seed_policy(
    node: Node, operators: Sequence[str], current: Policy | None, outbox: Outbox, clock: Callable[[], datetime]
) -> dict[str, Any] | None:
    """Return the policy to set, signed by the node; None when the one in force has these operators already.

    Only the seeds change. The same change is signed once, so that it is one entry of the log however often it is sent.
    """
    before = current.seeds if current is not None else ()
    seeds = tuple(dict.fromkeys((*before, *operators)))
    if seeds == before:
        return None

    def sign() -> dict[str, Any]:
        message = build_policy(policy_id=new_id(), issued_at=clock(), issuing_agent=node.agent_id, seeds=seeds)
        if current is not None:
            message |= {name: current.envelope.document[name] for name in _KEPT}
        return dict(node.sign(message).envelope.document)

    based_on = current.envelope.signed_hash if current is not None else "no policy"
    return outbox.once(f"policy of {node.agent_id} with {' '.join(seeds)} after {based_on}", sign)
