// The keys of a bundle: each message is signed with a key of its agent that was in use at its place in the log.
//
// (1) An agent registers once, and a key once.
// (2) The recovery key is the first registration's, or the one that the recovery key itself has named since.
// (3) An agent speaks for its own keys only; the node speaks for all, and a peer for those of its agents.
// (4) A deactivated agent makes no further messages; its recovery key may still revoke its keys.

import { verifyProof } from "./data_integrity";
import { registeredKey, registeredKeyId, verifyPossession, verifySignature, type Document } from "./document";
import { PublicKey } from "./ed25519";
import { type LogEntry } from "./entry";
import { FormatError, VerificationError } from "./errors";
import { sha256Name } from "./hash";
import { readInstant } from "./instant";
import { isTrustedAt, readKeyHistory, speaksAt, type Authority, type KeyEvent, type KeyHistory } from "./key_history";
import { readCount, readObject, readOptionalText, readText, readTexts } from "./members";
import { operatorOf, scopeAgent, scopeKey } from "./scoping";

export const KEY_IN_USE = "key in use";

/** A message at its place in the log; `document` is null if it is withheld. */
export interface BundledMessage {
  readonly logIndex: number;
  readonly entry: LogEntry;
  readonly document: Document | null;
  readonly withheld: string | null;
  readonly redactedHash: string | null;
}

interface Key {
  readonly keyId: string;
  readonly agent: string;
  readonly publicKey: PublicKey;
  readonly alias: string | null;
}

/** The names of agents and keys in a message, as the log at hand has them. */
interface Names {
  readonly agent: (name: string) => string;
  readonly key: (reference: string, agent: string) => string;
}

/** Verifies the messages of a bundle in log order; `home` is the node that keeps the log. */
export class BundleKeys {
  private readonly keys: Key[] = [];
  private readonly recovery = new Map<string, string>();
  private readonly events: KeyEvent[] = [];
  private known: KeyHistory | null = null;

  constructor(
    private readonly home: string,
    private readonly messages: readonly BundledMessage[],
  ) {}

  get history(): KeyHistory {
    this.known ??= readKeyHistory(this.events);
    return this.known;
  }

  /** Throw unless the next message of the log is signed as it must be; return the id of the key that signed it. */
  async verify(document: Document, { entry, logIndex }: BundledMessage): Promise<string> {
    const names = this.namesIn(entry);
    const registers = document.type === "AgentRegistration" || document.type === "KeyRegistration";
    const registered = registers ? this.readKey(document, names) : null;
    if (registered !== null) this.checkNew(document, registered);
    const keyId = await this.verifySigners(document, entry, logIndex, names, registered);
    if (registered !== null) {
      this.keys.push(registered);
      const hash = readOptionalText(document.members, "recoveryKeyHash");
      if (hash !== null) this.recovery.set(registered.agent, hash);
    }
    return keyId;
  }

  /** Say whether the key is trusted at the place where it signed. */
  isTrusted(keyId: string, logIndex: number): boolean {
    const status = this.history.keys.get(keyId);
    return status !== undefined && isTrustedAt(status, logIndex);
  }

  private namesIn(entry: LogEntry): Names {
    if (entry.originIndex === null) return { agent: (name) => name, key: (reference) => reference };
    return {
      agent: (name) => scopeAgent(name, entry.origin, this.home),
      key: (reference, agent) => scopeKey(reference, agent, entry.origin, this.home),
    };
  }

  private readKey(document: Document, names: Names): Key {
    const publicKey = registeredKey(document);
    if (document.agent.startsWith("did:key:") && document.type === "AgentRegistration") {
      if (document.agent !== publicKey.didKey) throw new FormatError(`the agent's id is another key than ${publicKey.didKey}`);
    }
    const alias = readOptionalText(readObject(document.members, "key"), "alias", "key");
    return {
      keyId: names.key(registeredKeyId(document), document.agent),
      agent: names.agent(document.agent),
      publicKey,
      alias: alias === null ? null : names.key(alias, document.agent),
    };
  }

  private checkNew(document: Document, registered: Key): void {
    const own = this.keys.filter((key) => key.agent === registered.agent);
    if (own.length > 0 && document.type === "AgentRegistration") fail(`agent ${registered.agent} is already registered`);
    for (const key of own) {
      if (isCalled(key, registered.keyId) || isCalled(key, registered.publicKey.didKey)) {
        fail(`key ${registered.keyId} is already registered as ${key.keyId}`);
      }
    }
  }

  private async verifySigners(
    document: Document,
    entry: LogEntry,
    logIndex: number,
    names: Names,
    registered: Key | null,
  ): Promise<string> {
    if (document.type === "AgentRegistration" && registered !== null) {
      return this.verifyRegistration(document, logIndex, registered, names);
    }
    if (document.type === "KeyRegistration") await verifyPossession(document);
    const agent = names.agent(document.agent);
    const recovery = await this.recoveryKey(document, agent, names);
    if (recovery === null || document.type !== "KeyRevocation") this.checkActive(agent);
    const signers: string[] = [];
    const { signature } = document;
    if (signature !== null) {
      const reference = names.key(signature.reference, document.agent);
      const key = recovery === null ? this.keyInUse(reference, agent, logIndex) : null;
      await verifySignature(document, key?.publicKey ?? (recovery as PublicKey));
      signers.push(key?.keyId ?? reference);
    }
    for (const proof of document.proofs) {
      // If there are both, both must hold.
      const key = this.keyInUse(names.key(proof.keyReference, document.agent), agent, logIndex);
      await verifyProof(document.members, proof, key.publicKey);
      signers.push(key.keyId);
    }
    const [first] = signers;
    if (first === undefined) throw new VerificationError(KEY_IN_USE, `${document.id} is not signed`);
    const event = this.eventOf(document, entry, logIndex, names, first, recovery !== null);
    if (event !== null) this.note(event);
    return first;
  }

  private async verifyRegistration(document: Document, logIndex: number, key: Key, names: Names): Promise<string> {
    const stated = names.key(document.signature?.reference ?? "", document.agent);
    if (stated !== key.keyId) fail(`signature.publicKey is ${stated}, not ${key.keyId}`);
    await verifySignature(document, key.publicKey);
    for (const proof of document.proofs) {
      const reference = names.key(proof.keyReference, document.agent);
      if (reference !== key.keyId && proof.keyReference !== key.publicKey.didKey) {
        fail(`the proof is in the name of ${reference}, not of ${key.keyId}`);
      }
      await verifyProof(document.members, proof, key.publicKey);
    }
    const { agent, keyId } = key;
    this.note({ kind: "added", logIndex, agent, keyId, signedBy: keyId, authority: "key", replaces: [] });
    return keyId;
  }

  /** Return the recovery key if an agent's message about its own keys is signed in its name. */
  private async recoveryKey(document: Document, agent: string, names: Names): Promise<PublicKey | null> {
    const committed = this.recovery.get(agent);
    const reference = document.signature?.reference;
    if (committed === undefined || reference === undefined || !reference.startsWith("did:key:")) return null;
    if (subjectOf(document, names) !== agent) return null;
    let key: PublicKey;
    try {
      key = PublicKey.fromDidKey(reference);
    } catch {
      return null;
    }
    return (await sha256Name(key.data)) === committed ? key : null;
  }

  private checkActive(agent: string): void {
    const ended = this.history.deactivatedAt.get(agent);
    if (ended !== undefined) fail(`agent ${agent} was deactivated by log entry ${ended}`);
  }

  private keyInUse(reference: string, agent: string, logIndex: number): Key {
    const known = this.keys.filter((key) => key.agent === agent && isCalled(key, reference));
    if (known.length === 0) fail(`no key ${reference} of ${agent} is registered before it in the bundle`);
    const found = known.find((key) => {
      const status = this.history.keys.get(key.keyId);
      return status !== undefined && speaksAt(status, logIndex);
    });
    return found ?? fail(`key ${reference} of ${agent} is not in use there`);
  }

  private authorityOf(document: Document, subject: string, names: Names): Authority {
    const speaker = names.agent(document.agent);
    if (speaker === subject) {
      if (document.type === "KeyRegistration" && document.members.has("recoveryKeyHash")) {
        fail("recoveryKeyHash is for the recovery key to change");
      }
      return "key";
    }
    if (speaker !== this.home && speaker !== operatorOf(subject)) fail(`${speaker} does not speak for the keys of ${subject}`);
    return "operator";
  }

  private eventOf(
    document: Document,
    entry: LogEntry,
    logIndex: number,
    names: Names,
    signedBy: string,
    byRecovery: boolean,
  ): KeyEvent | null {
    const agent = subjectOf(document, names);
    if (agent === null) return null;
    const authority = byRecovery ? "recovery" : this.authorityOf(document, agent, names);
    const event = { logIndex, agent, signedBy, authority };
    const { members } = document;
    if (document.type === "AgentDeactivation") return { ...event, kind: "deactivated" };
    if (document.type === "KeyRegistration") {
      const replaces = members.has("replaces") ? readTexts(members, "replaces") : [];
      const keyId = names.key(registeredKeyId(document), document.agent);
      return { ...event, kind: "added", keyId, replaces: replaces.map((name) => names.key(name, document.agent)) };
    }
    const keyId = names.key(readText(members, "key"), readText(members, "agent"));
    const notTrustedSince = authority === "key" ? logIndex : this.sinceOf(document, entry, logIndex, agent);
    return { ...event, kind: "revoked", keyId, reason: readText(members, "reason"), notTrustedSince };
  }

  /**
   * Return the place since which a revocation means its key not to be trusted.
   *
   * A time, or a place in a peer's log, means the first entry of the bundle that was received then or later, or stands
   * there or after it. No place after the revocation's own is meant.
   */
  private sinceOf(document: Document, entry: LogEntry, logIndex: number, agent: string): number {
    if (!document.members.has("notTrustedSince")) return logIndex;
    const since = readObject(document.members, "notTrustedSince");
    const isPeers = entry.originIndex !== null;
    const places = [logIndex];
    if (since.has("receivedAt")) {
      const time = readInstant(readText(since, "receivedAt", "notTrustedSince"), "notTrustedSince.receivedAt");
      for (const one of this.messages) {
        const received = (isPeers ? one.entry.originReceivedAt : null) ?? one.entry.receivedAt;
        const isMeant = !isPeers || one.entry.origin === entry.origin || one.entry.agent === agent;
        if (isMeant && readInstant(received, "receivedAt") >= time) places.push(one.logIndex);
      }
    } else {
      const index = readCount(since, "logIndex", "notTrustedSince");
      if (!isPeers) places.push(index);
      for (const one of isPeers ? this.messages : []) {
        const there = one.entry.origin === entry.origin ? one.entry.originIndex : null;
        if (there !== null && there >= index) places.push(one.logIndex);
      }
    }
    return places.reduce((first, place) => Math.min(first, place));
  }

  private note(event: KeyEvent): void {
    this.events.push(event);
    this.known = null;
  }
}

/** Return the agent whose keys, or whose deactivation, a message is about; null for other messages. */
function subjectOf(document: Document, names: Names): string | null {
  if (document.type === "KeyRegistration") return names.agent(document.agent);
  const isAboutKeys = document.type === "KeyRevocation" || document.type === "AgentDeactivation";
  return isAboutKeys ? names.agent(readText(document.members, "agent")) : null;
}

function isCalled(key: Key, reference: string): boolean {
  return [key.keyId, key.alias, key.publicKey.didKey].includes(reference);
}

function fail(sentence: string): never {
  throw new VerificationError(KEY_IN_USE, sentence);
}
