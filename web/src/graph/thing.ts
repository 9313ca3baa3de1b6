// A thing of the graph as the page shows it: its words, its shape and its addresses.

import type { ThingAnswer } from "./answers";
import type { Shape, Words } from "./words";
import { namedText } from "../hidden_characters";

export interface Thing {
  /** The kind and the name: unique in the graph. */
  key: string;
  kind: string;
  name: string;
  id: string | null;
  logIndex: number | null;
  label: string;
  shape: Shape;
  /** The address of its page from the root. */
  address: string | null;
  /** Whether a name leads to it, so that its neighbours can be asked for. */
  named: boolean;
  /** Whether the platform says that the statement is verified; null for other kinds. */
  verified: boolean | null;
}

const HASH_SHOWN = 12;

export function keyOf(kind: string, name: string): string {
  return `${kind === "VOUCHED_FOR" ? "AGENT" : kind} ${name}`;
}

export function thingOf(answer: ThingAnswer, words: Words): Thing {
  const kind = answer.kind === "VOUCHED_FOR" ? "AGENT" : answer.kind;
  return {
    key: keyOf(kind, answer.name),
    kind,
    name: answer.name,
    id: answer.id,
    logIndex: answer.logIndex,
    label: namedText(labelOf(answer, words)),
    shape: words.kind(kind).shape,
    address: addressOf(answer, words),
    named: words.kind(kind).named,
    verified: answer.node?.verified ?? null,
  };
}

/** Return a text cut to a length, on one line. */
export function shortText(text: string, length: number): string {
  const line = text.replace(/\s+/gu, " ").trim();
  const characters = [...line];
  return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : line;
}

function labelOf({ kind, name, id, node }: ThingAnswer, words: Words): string {
  const unnamed = `${capital(words.kind(shownKind(kind, node)).one)} ${name.replace(/^sha256:/u, "").slice(0, HASH_SHOWN)}…`;
  switch (kind) {
    case "STATEMENT":
      return node?.claimText || unnamed;
    case "VERIFICATION":
      return node?.verdict
        ? `${capital(node.verdict.replaceAll("_", " ").toLowerCase())} by ${node.machine ? "this node" : (node.agent?.name ?? "an agent")}`
        : unnamed;
    case "AGENT":
    case "VOUCHED_FOR":
      return (node?.name || name) + (node?.lookAlikes ?? []).map((one) => ` (looks like ${one.name})`).join("");
    case "KEY":
      return name;
    case "SOURCE":
      return node?.title || (!node?.recordKind && id) || unnamed;
    case "CHUNK":
      return node ? node.text || `Passage, bytes ${node.byteStart} to ${node.byteEnd}` : unnamed;
    case "PASSPORT":
      return [node?.eventType, node?.agentName].filter(Boolean).join(" of ") || unnamed;
    case "PACK":
      return node?.model ? `Run of ${node.model}${node.created ? `, ${node.created}` : ""}` : unnamed;
    case "PACKET":
      return node?.packetId || unnamed;
    default:
      return unnamed;
  }
}

function addressOf({ kind, name, logIndex, node }: ThingAnswer, words: Words): string | null {
  if (kind === "KEY") return pathOf("agents", name.split("#")[0]!);
  if (kind === "CHUNK" && node?.document) {
    const place = `?at=${node.byteStart}#bytes-${node.byteStart}-${node.byteEnd}`;
    return pathOf("sources", node.document.hash ?? node.document.id) + place;
  }
  const folder = words.kind(shownKind(kind, node)).folder;
  if (folder) return pathOf(folder, name);
  return logIndex === null ? null : `log/${logIndex}`;
}

/** Return the kind by which a thing is named and linked: of bytes that are a record, that of the record. */
function shownKind(kind: string, node: ThingAnswer["node"]): string {
  return node?.recordKind?.toUpperCase() ?? (kind === "VOUCHED_FOR" ? "AGENT" : kind);
}

function pathOf(...parts: string[]): string {
  return parts.map((part) => segmentsOf(part).map(encodeURIComponent).join("/").replaceAll("%3A", ":")).join("/");
}

/** Return the segments of a name between its slashes; a name such as `a/../b` is one, because browsers resolve dots. */
function segmentsOf(part: string): string[] {
  const segments = part.split("/");
  return segments.includes(".") || segments.includes("..") ? [part] : segments;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
