"""Admission of agents and their messages under the admission policy in force: checks only, no I/O.

See docs/how-to/keys.md.

Rules:

- Without a policy the mode is `open`. Registered agents stay in every mode; the node itself is always admitted.
- `invitation`: a registration carries a secret whose hash the policy lists; each is good for one agent.
- `allow-list`: the policy names the agents that may register.
- `endorsed`: anyone may register, and do nothing else until a seed has endorsed the agent. Messages about an agent's
  own keys are taken from it all the same.
- Agents of a peer are subject to the agreement with that peer.
"""

from a2ap.messages.admission_policy import AdmissionMode, invitation_hash
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.key_events import KeyMessage
from a2ap.messages.message import Message
from a2ap.messages.scoping import origin_of
from graph.errors import ForbiddenError
from graph.kinds.state import State


def check_admitted(message: Message, state: State) -> None:
    """Raise `ForbiddenError` unless the policy in force takes this message from its agent."""
    agent_id = message.envelope.agent_id
    if agent_id == state.node_agent or origin_of(agent_id) is not None:
        return
    match state.admission.mode:
        case AdmissionMode.INVITATION if isinstance(message, AgentRegistration):
            _check_invitation(message, state)
        case AdmissionMode.ALLOW_LIST if isinstance(message, AgentRegistration):
            if agent_id not in state.admission.allowed_agents:
                raise ForbiddenError(f"agent {agent_id} is not on this node's list", "agent.@id")
        case AdmissionMode.ENDORSED if not isinstance(message, AgentRegistration | KeyMessage):
            seeds = state.admission.seeds
            if agent_id not in seeds and not state.endorsers.get(agent_id, set()) & seeds:
                raise ForbiddenError(f"agent {agent_id} is not endorsed by a seed of this node's policy")
        case _:
            pass


def _check_invitation(message: AgentRegistration, state: State) -> None:
    if message.invitation is None:
        raise ForbiddenError("invitation is missing; this node registers invited agents only", "invitation")
    invited = invitation_hash(message.invitation)
    if invited not in state.admission.invitations:
        raise ForbiddenError("invitation is none of this node's", "invitation")
    if invited in state.used_invitations:
        raise ForbiddenError("invitation was used by another agent", "invitation")
