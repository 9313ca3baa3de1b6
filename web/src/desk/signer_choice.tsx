// The key that a form signs with, or the way to one if this browser has none that the form can use.

import { type Identities } from "./identities";
import { nameOf } from "./keys";
import { type AgentType } from "./message";
import { Shown } from "./shown";

interface SignerChoiceProps {
  readonly identities: Identities;
  readonly root: string;
  /** The type of agent that the form needs; any if it is left out. */
  readonly needs?: AgentType;
}

/** Whether the chosen key can sign here. */
export function canSign({ chosen }: Identities, needs?: AgentType): boolean {
  return chosen !== null && chosen.registered !== null && (needs === undefined || chosen.agent.type === needs);
}

export function SignerChoice({ identities, root, needs }: SignerChoiceProps) {
  const { all, chosen, choose, ready, problem } = identities;
  if (problem !== "") return <p class="notice notice-bad">{problem}</p>;
  if (!ready) return <p role="status">This browser looks for its keys.</p>;
  const desk = <a href={`${root}desk`}>the desk</a>;
  return (
    <>
      {all.length > 0 && (
        <label>
          Signed by
          <select value={chosen?.publicKey ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
            {all.map((one) => (
              <option key={one.publicKey} value={one.publicKey}>
                {one.agent.name}, {nameOf(one.agent.type)}
                {one.registered === null ? ", not registered" : ""}
              </option>
            ))}
          </select>
        </label>
      )}
      {all.length === 0 && <p class="notice">This browser has no key. Make one at {desk}.</p>}
      {chosen !== null && chosen.registered === null && (
        <p class="notice">
          The node does not know <Shown text={chosen.agent.name} /> yet. Register the agent at {desk}.
        </p>
      )}
      {chosen !== null && needs !== undefined && chosen.agent.type !== needs && (
        <p class="notice">
          This message is signed by {nameOf(needs)}, and <Shown text={chosen.agent.name} /> is {nameOf(chosen.agent.type)}. Make another key at {desk}.
        </p>
      )}
    </>
  );
}
