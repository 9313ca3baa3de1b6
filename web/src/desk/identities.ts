// The agents of this browser and the one that signs now; whether the node knows an agent is asked of the node.

import { useEffect, useState } from "preact/hooks";
import { encodeUtf8 } from "../proof/encoding";
import { readJson } from "../proof/json";
import { readObject, readText } from "../proof/members";
import { type Identity } from "./key";
import { storedIdentities, store } from "./key_store";
import { type Agent } from "./message";
import { ask } from "./node";

// The public key of the agent that signs; it is no secret.
const CHOSEN = "a2ap-desk-key";

export interface Identities {
  readonly all: readonly Identity[];
  readonly chosen: Identity | null;
  /** Whether the keys have been read. */
  readonly ready: boolean;
  readonly problem: string;
  choose(publicKey: string): void;
  reload(): Promise<void>;
}

export function useIdentities(root: string): Identities {
  const [all, setAll] = useState<readonly Identity[]>([]);
  const [name, setName] = useState(() => localStorage.getItem(CHOSEN));
  const [ready, setReady] = useState(false);
  const [problem, setProblem] = useState("");
  const reload = async (): Promise<void> => {
    try {
      const stored = await storedIdentities();
      setAll(stored);
      setReady(true);
      const known = await Promise.all(stored.map((one) => withRegistration(root, one)));
      setAll(known);
    } catch (error) {
      setProblem(`The keys of this browser could not be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  useEffect(() => void reload(), []);
  const choose = (publicKey: string): void => {
    localStorage.setItem(CHOSEN, publicKey);
    setName(publicKey);
  };
  const chosen = all.find((one) => one.publicKey === name) ?? all[0] ?? null;
  return { all, chosen, ready, problem, choose, reload };
}

/** Return the agent as its registration describes it; null if the node does not know it. */
export async function registeredAgent(root: string, id: string): Promise<{ agent: Agent; logIndex: number } | null> {
  const logIndex = await registeredAt(root, id);
  if (logIndex === null) return null;
  const response = await fetch(`${root}agents/${encodeURI(id)}`, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`the node answered ${response.status} about the agent ${id}`);
  const described = readObject(readJson(encodeUtf8(await response.text())), "agent");
  const type = readText(described, "@type") === "prov:Person" ? "prov:Person" : "prov:SoftwareAgent";
  const [name, version, publisher] = ["name", "version", "publisher"].map((member) => readText(described, member));
  return { agent: { id, type, name: name!, version: version!, publisher: publisher! }, logIndex };
}

async function withRegistration(root: string, identity: Identity): Promise<Identity> {
  const registered = await registeredAt(root, identity.agent.id);
  if (registered === identity.registered) return identity;
  const known = { ...identity, registered };
  await store(known);
  return known;
}

async function registeredAt(root: string, id: string): Promise<number | null> {
  const { agent } = await ask<{ agent: { logIndex: number } | null }>(root, "query ($id: ID!) { agent(id: $id) { logIndex } }", { id });
  return agent?.logIndex ?? null;
}
