// A reader's session with the graph: loads more of it on demand, and keeps the reader's choices.

import { ask } from "./asking";
import type { ImpactAnswer, NeighboursAnswer, PathAnswer } from "./answers";
import type { Layout } from "./drawing";
import { GraphModel, type Rest } from "./model";
import type { Thing } from "./thing";
import { Words, type KindWords, type RelationWords } from "./words";

/** The data that the page brings (graph/web/graph.py). */
export interface PageData {
  neighbours?: NeighboursAnswer;
  path?: PathAnswer;
  asOf: { logSize: number } | null;
  queries: { neighbours: string; path: string; impact: string };
  kinds: Record<string, KindWords>;
  relations: RelationWords[];
}

const FIRST = 50;
/** The most things that rest on another which are drawn. */
export const MAX_IMPACT = 6_000;

/** Everything that rests on a thing, as far as it is loaded. */
export interface Impact {
  of: Thing;
  keys: Set<string>;
  total: number;
  isComplete: boolean;
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

  /** Load everything that rests on a thing, page by page, and emphasise it. */
  showImpact(thing: Thing): Promise<void> {
    return this.load(async () => {
      const impact: Impact = { of: thing, keys: new Set(), total: 0, isComplete: true };
      for (let after: string | null = null, more = true; more; ) {
        const page: { impact: ImpactAnswer } = await this.ask("impact", { ...this.named(thing), after });
        for (const key of this.model.addImpact(page.impact)) impact.keys.add(key);
        const { hasNextPage, endCursor } = page.impact.items.pageInfo;
        impact.total = page.impact.total;
        more = hasNextPage && impact.keys.size < MAX_IMPACT;
        impact.isComplete = page.impact.complete && !hasNextPage;
        after = endCursor;
        this.change(() => (this.message = `Loaded ${impact.keys.size} of ${impact.total} things that rest on ${thing.label}.`));
      }
      impact.keys.delete(thing.key);
      this.impact = impact;
      this.path = new Set();
      return `${counted(impact.total, "thing rests", "things rest")} on ${thing.label}${impact.isComplete ? "" : `; ${impact.keys.size} are shown`}.`;
    });
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
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
