// Names of agents and keys of another node's log: `id@origin`, so that agents of two logs never share a name.
//
// A name that certifies itself, a `did:key`, is the same everywhere. Only names change, never the bytes.

const SCOPE = /^(.+)@(urn:agent:a2ap-node:[0-9a-f]{16})$/s;

/** Return the origin that an agent id is scoped by, null for one of this node or one that certifies itself. */
export function originOf(name: string): string | null {
  return name.startsWith("did:key:") ? null : (SCOPE.exec(name)?.[2] ?? null);
}

/** Return the name, at the node `home`, of the node that keeps the log of another node's agent. */
export function operatorOf(agent: string): string | null {
  const origin = originOf(agent);
  return origin === null ? null : scopeAgent(origin, origin, null);
}

/** Return the name at the node `home` of an agent of the log `origin`. */
export function scopeAgent(name: string, origin: string, home: string | null): string {
  const scoped = originOf(name);
  if (scoped !== null && scoped === home) return name.slice(0, -`@${home}`.length);
  return scoped !== null || name.startsWith("did:key:") ? name : `${name}@${origin}`;
}

/** Return the name at the node `home` of a key that an agent uses, by its id, its alias or its `did:key`. */
export function scopeKey(reference: string, agent: string, origin: string, home: string): string {
  const at = reference.indexOf("#");
  if (at < 0 && agent.startsWith("did:key:")) return reference;
  const [holder, rest] = at < 0 ? [reference, ""] : [reference.slice(0, at), reference.slice(at)];
  return scopeAgent(holder, origin, home) + rest;
}
