// A reader's session with the graph: loads more of it on demand, and keeps the reader's choices.

import { integer } from "../number";
import { ask } from "./asking";
import type { ImpactAnswer, ImpactItem, NamesAnswer, NeighboursAnswer, PathAnswer } from "./answers";
import type { Layout } from "./drawing";
import { GraphModel, type Rest } from "./model";
import { keyOf, type Thing } from "./thing";
import { Words, type KindWords, type RelationWords } from "./words";

/** The data that the page brings (graph/web/graph.py). */
export interface PageData {
  neighbours?: NeighboursAnswer;
  path?: PathAnswer;
  asOf: { logSize: number } | null;
  queries: { neighbours: string; path: string; impact: string; names: string };
  kinds: Record<string, KindWords>;
  relations: RelationWords[];
}

const FIRST = 50; // neighbours of a group in one answer
const PAGE = 200; // things of which the words are asked for at once
const PAGES_PAINTED = 5;
/** The most things that rest on another which are drawn. */
export const MAX_IMPACT = 6_000;

/** Everything that rests on a thing, as far as it is shown. */
export interface Impact {
  of: Thing;
  keys: Set<string>;
}

export class Session {
  readonly model: GraphModel;
  readonly hiddenKinds = new Set<string>();
  logSize = Infinity;
  layout: Layout = "automatic";
  selected: string | null = null;
  impact: Impact | null = null;
  /** The things on the paths that were found last. */
  path: Set<string> = new Set();
  /** The last message to the reader, and whether an answer is awaited. */
  message = "";
  isLoading = false;
  /** The number of things whose words are still asked for. */
  unnamed = 0;

  constructor(
    private readonly data: PageData,
    readonly root: string,
    private readonly onChange: () => void,
  ) {
    this.model = new GraphModel(new Words(data.kinds, data.relations));
    if (data.neighbours) this.model.addNeighbours(data.neighbours, true);
    if (data.path) this.takePath(data.path);
    this.selected = [...this.model.roots][0] ?? null;
  }

  /** Return the things to emphasise: those that rest on a thing, or those on the paths. */
  get marked(): Set<string> {
    return this.impact ? new Set([this.impact.of.key, ...this.impact.keys]) : this.path;
  }

  change(change: () => void): void {
    change();
    this.onChange();
  }

  select(key: string): void {
    this.change(() => (this.selected = key));
  }

  /** Load the neighbours of a thing, or more of one group of them. */
  expand(thing: Thing, rest?: Rest): Promise<void> {
    return this.load(async () => {
      const group = rest && { relations: [rest.relation], direction: rest.direction, kinds: [rest.kind], after: rest.after };
      const before = this.model.things.size;
      const { neighbours } = await this.ask<{ neighbours: NeighboursAnswer }>("neighbours", { ...this.named(thing), first: FIRST, ...group });
      this.model.addNeighbours(neighbours);
      return `${counted(this.model.things.size - before, "new thing", "new things")} around ${thing.label}.`;
    });
  }

  /** Load everything that rests on a thing, and emphasise it; the words that name it follow. */
  async showImpact(thing: Thing): Promise<void> {
    let unnamed: ImpactItem[] = [];
    await this.load(async () => {
      const { impact } = await this.ask<{ impact: ImpactAnswer }>("impact", this.named(thing));
      const items = impact.allItems.slice(0, MAX_IMPACT);
      unnamed = items.filter((item) => !this.model.things.has(keyOf(item.kind, item.name)));
      const keys = new Set(this.model.addImpact(items));
      keys.delete(thing.key);
      this.impact = { of: thing, keys };
      this.path = new Set();
      const shown = items.length < impact.total ? `; the nearest ${items.length} are shown` : impact.complete ? "" : ", and more";
      return `${counted(impact.total, "thing rests", "things rest")} on ${thing.label}${shown}.`;
    });
    await this.nameAll(unnamed);
  }

  /** Load the words that name things, page by page; without them things are named by their kinds and hashes. */
  private async nameAll(items: readonly ImpactItem[]): Promise<void> {
    const things = new Map(items.flatMap(({ thing }) => (thing.globalId === null ? [] : [[thing.globalId, thing] as const])));
    const ids = [...things.keys()];
    this.unnamed = ids.length;
    for (let start = 0; start < ids.length; start += PAGE) {
      let answer: NamesAnswer;
      try {
        answer = await this.ask<NamesAnswer>("names", { ids: ids.slice(start, start + PAGE) });
      } catch {
        break;
      }
      for (const node of answer.nodes) if (node) this.model.name({ ...things.get(node.globalId)!, node });
      this.unnamed = Math.max(0, ids.length - start - PAGE);
      // Each change paints all things again: of many pages only some are worth it.
      if (this.unnamed === 0 || (start / PAGE) % PAGES_PAINTED === 0) this.onChange();
    }
    this.change(() => (this.unnamed = 0));
  }

  /** Load the shortest paths between two names, and emphasise them. */
  showPath(from: string, to: string): Promise<void> {
    return this.load(async () => {
      const { path } = await this.ask<{ path: PathAnswer }>("path", { from, to });
      this.impact = null;
      this.takePath(path);
      if (path.paths.length > 0) return `${counted(path.total ?? path.paths.length, "shortest path", "shortest paths")} of ${counted(path.length ?? 0, "step", "steps")}.`;
      return path.complete ? "No path of visible things leads from one to the other." : "No path was found within the bounds of the search.";
    });
  }

  clearMarks(): void {
    this.change(() => {
      this.impact = null;
      this.path = new Set();
      this.message = "";
    });
  }

  private takePath(path: PathAnswer): void {
    const roots = new Set(this.model.roots);
    this.model.addPaths(path);
    if (roots.size > 0) for (const key of [...this.model.roots]) if (!roots.has(key)) this.model.roots.delete(key);
    this.path = new Set(
      path.paths.flatMap((one) => [one.start, ...one.steps.map((step) => step.to)]).map((thing) => `${thing.kind} ${thing.name}`),
    );
  }

  private named(thing: Thing): Record<string, unknown> {
    return { of: thing.name, kind: thing.kind };
  }

  private ask<Data>(query: keyof PageData["queries"], variables: Record<string, unknown>): Promise<Data> {
    return ask<Data>(this.root, this.data.queries[query], { ...variables, asOf: this.data.asOf });
  }

  /** Run a request, unless another one runs, and tell the reader how it ended. */
  private async load(request: () => Promise<string>): Promise<void> {
    if (this.isLoading) return;
    this.change(() => {
      this.isLoading = true;
      this.message = "Loading…";
    });
    let message: string;
    try {
      message = await request();
    } catch (error) {
      message = `That could not be loaded: ${error instanceof Error ? error.message : String(error)}.`;
    }
    this.change(() => {
      this.isLoading = false;
      this.message = message;
    });
  }
}

export function counted(count: number, one: string, many: string): string {
  return `${integer(count)} ${count === 1 ? one : many}`;
}
