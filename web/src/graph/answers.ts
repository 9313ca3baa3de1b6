// The answers of the page's queries (graph/web/queries/graph*.graphql).

export interface ThingAnswer {
  kind: string;
  name: string;
  id: string | null;
  logIndex: number | null;
  node: NodeAnswer | null;
}

/** The fields that name a thing; each kind has some of them. */
export interface NodeAnswer {
  claimText?: string;
  status?: string;
  verified?: boolean;
  verdict?: string;
  machine?: boolean;
  agent?: { name: string };
  name?: string;
  lookAlikes?: { name: string }[];
  title?: string | null;
  withheld?: string | null;
  /** The kind of record that the bytes of a source are. */
  recordKind?: string | null;
  text?: string;
  byteStart?: number;
  byteEnd?: number;
  document?: { hash: string | null; id: string };
  eventType?: string | null;
  agentName?: string | null;
  model?: string | null;
  created?: string | null;
  packetId?: string | null;
}

export interface PageInfo {
  hasNextPage: boolean;
  endCursor: string | null;
}

export type Direction = "FORWARD" | "BACKWARD";

export interface GroupAnswer {
  relation: string;
  direction: Direction;
  kind: string;
  complete: boolean;
  total: number | null;
  of: { kind: string; name: string };
  things: { pageInfo: PageInfo; nodes: ThingAnswer[] };
}

export interface NeighboursAnswer {
  asOf: number;
  of: ThingAnswer[];
  groups: GroupAnswer[];
}

export interface PathAnswer {
  asOf: number;
  complete: boolean;
  length: number | null;
  total: number | null;
  paths: { start: ThingAnswer; steps: { relation: string; direction: Direction; to: ThingAnswer }[] }[];
}

export interface ImpactItem {
  kind: string;
  name: string;
  relation: string;
  parent: string;
  thing: Omit<ThingAnswer, "node"> & { globalId: string | null };
}

export interface ImpactAnswer {
  asOf: number;
  complete: boolean;
  total: number;
  allItems: ImpactItem[];
}

export interface NamesAnswer {
  nodes: ((NodeAnswer & { globalId: string }) | null)[];
}
