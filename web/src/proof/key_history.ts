// The history of keys: at which places of a log each is trusted, by the order of the log's entries alone.
//
// (1) A place is an index of the log. A document's own times decide nothing.
// (2) Revocations by a recovery key or the operator hold first and are never void. Only they reach into the past.
// (3) The rest is read in log order. A message about keys is void if its key does not speak at its place.
// (4) A key whose registration is void is not trusted from its registration on; the keys that it replaces stay.
// (5) A revocation by an ordinary key takes effect at its own place.
// (6) Of several revocations of a key the one that reaches furthest back counts.

export type Authority = "key" | "recovery" | "operator";

interface Event {
  readonly logIndex: number;
  readonly agent: string;
  /** The id of the key that signed, its own if an agent registers. */
  readonly signedBy: string;
  readonly authority: Authority;
}

export interface KeyAdded extends Event {
  readonly kind: "added";
  readonly keyId: string;
  readonly replaces: readonly string[];
}

export interface KeyRevoked extends Event {
  readonly kind: "revoked";
  readonly keyId: string;
  readonly reason: string;
  readonly notTrustedSince: number;
}

export interface AgentDeactivated extends Event {
  readonly kind: "deactivated";
}

export type KeyEvent = KeyAdded | KeyRevoked | AgentDeactivated;

/** The status of a key, in places of the log. */
export interface KeyStatus {
  readonly keyId: string;
  readonly agent: string;
  readonly validFrom: number;
  readonly retiredAt: number | null;
  readonly notTrustedSince: number | null;
  readonly reason: string | null;
}

export interface KeyHistory {
  readonly keys: ReadonlyMap<string, KeyStatus>;
  readonly deactivatedAt: ReadonlyMap<string, number>;
}

/** Say whether a signature of the key at this place is trusted. */
export function isTrustedAt(status: KeyStatus, place: number): boolean {
  return status.notTrustedSince === null || place < status.notTrustedSince;
}

/** Say whether the key may sign at this place: registered before it, not replaced before it, and trusted. */
export function speaksAt(status: KeyStatus, place: number): boolean {
  const inUse = status.validFrom < place && (status.retiredAt === null || place <= status.retiredAt);
  return inUse && isTrustedAt(status, place);
}

/** Return the history that these events, in log order, give to the keys that they name. */
export function readKeyHistory(events: readonly KeyEvent[]): KeyHistory {
  const overruled = overruledBy(events);
  const keys = new Map<string, KeyStatus>();
  const deactivatedAt = new Map<string, number>();
  for (const event of events) {
    const isValid = holds(event, keys);
    if (event.kind === "added" && !keys.has(event.keyId)) add(event, isValid, keys, overruled);
    else if (event.kind === "revoked" && isValid && event.authority === "key") end(event, keys);
    else if (event.kind === "deactivated" && isValid && !deactivatedAt.has(event.agent)) {
      deactivatedAt.set(event.agent, event.logIndex);
    }
  }
  return { keys, deactivatedAt };
}

/** Return for each key the revocation by recovery key or operator that reaches furthest back. */
function overruledBy(events: readonly KeyEvent[]): Map<string, KeyRevoked> {
  const found = new Map<string, KeyRevoked>();
  for (const event of events) {
    if (event.kind !== "revoked" || event.authority === "key") continue;
    const known = found.get(event.keyId);
    if (known === undefined || event.notTrustedSince < known.notTrustedSince) found.set(event.keyId, event);
  }
  return found;
}

function holds(event: KeyEvent, keys: ReadonlyMap<string, KeyStatus>): boolean {
  if (event.authority !== "key") return true;
  if (event.kind === "added" && event.signedBy === event.keyId) return !keys.has(event.keyId);
  const signer = keys.get(event.signedBy);
  return signer !== undefined && signer.agent === event.agent && speaksAt(signer, event.logIndex);
}

function add(
  event: KeyAdded,
  isValid: boolean,
  keys: Map<string, KeyStatus>,
  overruled: ReadonlyMap<string, KeyRevoked>,
): void {
  const { logIndex, agent, keyId } = event;
  const revoked = overruled.get(keyId);
  const status = { keyId, agent, validFrom: logIndex, retiredAt: null, notTrustedSince: null, reason: null };
  if (!isValid && (revoked === undefined || revoked.notTrustedSince >= logIndex)) {
    keys.set(keyId, { ...status, notTrustedSince: logIndex, reason: "registeredByUntrustedKey" });
  } else if (revoked !== undefined) {
    keys.set(keyId, { ...status, notTrustedSince: revoked.notTrustedSince, reason: revoked.reason });
  } else {
    keys.set(keyId, status);
  }
  for (const name of isValid ? event.replaces : []) {
    const known = keys.get(name);
    if (known !== undefined && known.agent === agent && known.retiredAt === null) {
      keys.set(name, { ...known, retiredAt: logIndex });
    }
  }
}

function end(event: KeyRevoked, keys: Map<string, KeyStatus>): void {
  const status = keys.get(event.keyId);
  if (status !== undefined && status.agent === event.agent && isTrustedAt(status, event.logIndex)) {
    keys.set(event.keyId, { ...status, notTrustedSince: event.logIndex, reason: event.reason });
  }
}
