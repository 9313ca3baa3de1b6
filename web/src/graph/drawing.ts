// The drawing of the graph with WebGL (sigma). It shows a model; it has no data of its own but positions.

import { MultiDirectedGraph } from "graphology";
import Sigma from "sigma";
import { extremityArrow } from "sigma/rendering";

import { startForces } from "./forces";
import { isAbove, layeredPositions, MAX_LAYERED, type Position } from "./layers";
import type { GraphModel } from "./model";
import { COLOURS, NODE_SHAPES } from "./shapes";
import { shortText } from "./thing";

/** The chosen layout; the automatic one is by layers for small graphs and by forces for others. */
export type Layout = "automatic" | "layers" | "forces";

/** The state of the page that the drawing shows. */
export interface View {
  visible: ReadonlySet<string>;
  selected: string | null;
  /** The things that are emphasised among all; empty for none. */
  marked: ReadonlySet<string>;
  layout: Layout;
}

export interface Handlers {
  onSelect(key: string): void;
  onExpand(key: string): void;
  onMoving(): void;
  onSettled(): void;
}

const LABEL = 34; // characters
const SHORT_LABEL = 22; // characters, if there is less room
const ALL_LABELLED = 40; // things; above that labels make room for each other
const TERMS_SHOWN = 30; // links; above that the terms of the selected thing's links alone are written
const TERMS_NEAR = 12; // links; above that none is written
const MANY_LINKS = 1_000;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const NARROW = 500; // pixels: no drawing of this width has terms on its links
const SETTLED = 400; // milliseconds of the camera's moves

/** Return whether this browser draws with WebGL 2. */
export function canDraw(): boolean {
  try {
    return document.createElement("canvas").getContext("webgl2") !== null;
  } catch {
    return false;
  }
}

export class Drawing {
  readonly positions = new Map<string, Position>();
  private graph = new MultiDirectedGraph();
  private readonly sigma: Sigma;
  private view: View = { visible: new Set(), selected: null, marked: new Set(), layout: "automatic" };
  private layoutOf: string | null = null;
  private isMoving = false;
  private byForces: ReadonlyMap<string, Position> = new Map();
  private stopForces: () => void = () => {};
  private readonly scheme = window.matchMedia("(prefers-color-scheme: dark)");

  constructor(
    private readonly model: GraphModel,
    container: HTMLElement,
    private readonly handlers: Handlers,
  ) {
    this.sigma = this.start(container);
    this.sigma.on("clickNode", ({ node, preventSigmaDefault }) => {
      preventSigmaDefault();
      handlers.onSelect(node);
    });
    this.sigma.on("doubleClickNode", ({ node, preventSigmaDefault }) => {
      preventSigmaDefault();
      handlers.onExpand(node);
    });
    this.scheme.addEventListener("change", () => this.draw(!this.isMoving));
  }

  /** Show a state of the page; the layout is computed again if things or the chosen layout changed. */
  show(view: View): void {
    this.view = view;
    const moves = this.place();
    // Without a graphics processor the links of a large graph take most of the time: they come when its layout stands.
    this.draw(!moves || this.model.links.size <= MANY_LINKS);
    if (!moves) this.handlers.onSettled();
  }

  /** Draw things, and links if wanted; all of them at once, because sigma reads the graph again at each change. */
  private draw(hasLinks: boolean): void {
    const grown = this.grown(hasLinks);
    this.paint(grown ?? this.graph);
    const isLarge = this.model.links.size > MANY_LINKS;
    if (this.sigma.getSetting("hideEdgesOnMove") !== isLarge) {
      this.sigma.setSettings({ hideEdgesOnMove: isLarge, hideLabelsOnMove: isLarge });
    }
    if (!grown) return void this.sigma.refresh();
    this.graph = grown;
    this.sigma.setGraph(grown);
  }

  /** Move the camera to a thing. */
  centre(key: string): void {
    const shown = this.sigma.getNodeDisplayData(key);
    if (shown) void this.sigma.getCamera().animate({ x: shown.x, y: shown.y }, { duration: duration() });
  }

  zoom(factor: number): void {
    const camera = this.sigma.getCamera();
    void camera.animate({ ratio: camera.ratio / factor }, { duration: duration() });
  }

  fit(): void {
    void this.sigma.getCamera().reset({ duration: duration() });
  }

  kill(): void {
    this.stopForces();
    this.sigma.kill();
  }

  private start(container: HTMLElement): Sigma {
    const options = {
      primitives: {
        depthLayers: ["edges", "topEdges", "nodes", "topNodes"],
        nodes: { shapes: NODE_SHAPES, label: { font: { family: "system-ui, sans-serif", size: 12 } } },
        edges: { extremities: [extremityArrow()], defaultHead: "arrow" },
      },
      styles: {
        nodes: {
          shape: { attribute: "shape" },
          x: { attribute: "x" },
          y: { attribute: "y" },
          size: { attribute: "size" },
          color: { attribute: "color" },
          opacity: { attribute: "opacity" },
          label: { attribute: "label" },
          labelColor: { attribute: "labelColor" },
          labelVisibility: { attribute: "labelVisibility" },
          labelPosition: { attribute: "labelPosition" },
          visibility: { attribute: "visibility" },
          depth: { attribute: "depth" },
          cursor: "pointer",
        },
        edges: {
          size: { attribute: "size" },
          color: { attribute: "color" },
          opacity: { attribute: "opacity" },
          label: { attribute: "label" },
          labelColor: { attribute: "labelColor" },
          labelSize: 9,
          visibility: { attribute: "visibility" },
        },
      },
      settings: {
        allowInvalidContainer: true,
        itemSizesReference: "screen",
        renderEdgeLabels: true,
        labelRenderedSizeThreshold: 5,
        enableCameraRotation: false,
        gestureTarget: "shared",
        stagePadding: container.clientWidth > NARROW ? 115 : 60, // half a label of a thing at the side
      },
    };
    // The options are the declared ones of sigma, whose generics follow each name of a style.
    return new Sigma(this.graph, container, options as ConstructorParameters<typeof Sigma>[2]);
  }

  /** Return a copy of the drawn graph with the things and links that are new; null if nothing is. */
  private grown(hasLinks: boolean): MultiDirectedGraph | null {
    const things = [...this.model.things.values()].filter((thing) => !this.graph.hasNode(thing.key));
    const links = hasLinks ? [...this.model.links.values()].filter((link) => !this.graph.hasEdge(link.key)) : [];
    if (things.length + links.length === 0) return null;
    const grown = this.graph.copy();
    for (const thing of things) {
      grown.addNode(thing.key, { ...(this.positions.get(thing.key) ?? this.near(thing.key)), shape: `prov_${thing.shape}` });
    }
    for (const link of links) grown.addDirectedEdgeWithKey(link.key, link.later, link.earlier, {});
    return grown;
  }

  /** Return a place beside a thing's neighbours, until the layout gives it one. */
  private near(key: string): Position {
    const ends = this.model.linksAt(key).map((link) => (link.later === key ? link.earlier : link.later));
    const start = ends.map((end) => this.positions.get(end)).find((position) => position !== undefined) ?? { x: 0, y: 0 };
    const turn = this.positions.size * GOLDEN_ANGLE;
    const position = { x: start.x + Math.cos(turn), y: start.y + Math.sin(turn) };
    this.positions.set(key, position);
    return position;
  }

  /** Give each node and edge the looks that the view asks for. */
  private paint(graph: MultiDirectedGraph): void {
    const { visible, selected, marked } = this.view;
    const dark = this.scheme.matches;
    const [text, line, quiet] = dark ? ["#e6e9ed", "#6b7480", "#a5aeb8"] : ["#1b1f24", "#9aa3ad", "#57606a"];
    const isFaded = (key: string) => marked.size > 0 && !marked.has(key);
    const isLayered = this.isLayered();
    const isLarge = visible.size > MAX_LAYERED;
    const size = isLarge ? Math.max(3, 9 - Math.log10(visible.size) * 1.6) : 9;
    graph.forEachNode((key, attributes) => {
      const thing = this.model.things.get(key)!;
      const isMain = key === selected || this.model.roots.has(key);
      Object.assign(attributes, {
        color: COLOURS[thing.shape],
        size: size * (key === selected ? 1.7 : isMain ? 1.45 : marked.has(key) ? 1.25 : 1),
        opacity: isFaded(key) && !isMain ? 0.25 : 1,
        labelColor: text,
        label: shortText(thing.label, isMain || visible.size <= ALL_LABELLED ? LABEL : SHORT_LABEL),
        labelVisibility: isMain || visible.size <= ALL_LABELLED ? "visible" : "auto",
        labelPosition: !isLayered ? "right" : isAbove(thing) ? "above" : "below",
        visibility: visible.has(key) ? "visible" : "hidden",
        depth: isMain ? "topNodes" : "nodes",
      });
    });
    const isWide = this.sigma.getDimensions().width > NARROW;
    const isWritten = isWide && graph.size <= TERMS_SHOWN;
    const isNearWritten = isWide && selected !== null && this.model.linksAt(selected).length <= TERMS_NEAR;
    graph.forEachEdge((key, attributes, later, earlier) => {
      const isNear = later === selected || earlier === selected;
      Object.assign(attributes, {
        color: isNear ? text : line,
        size: isNear ? 2 : isLarge ? 0.6 : 1.2,
        opacity: isFaded(later) || isFaded(earlier) ? 0.15 : isLarge ? 0.5 : 0.9,
        label: (isNear && isNearWritten) || isWritten ? this.model.links.get(key)!.words.term : "",
        labelColor: quiet,
        visibility: visible.has(later) && visible.has(earlier) ? "visible" : "hidden",
      });
    });
  }

  /** Compute the layout if it is of other things than the last; return whether it is still being computed. */
  private place(): boolean {
    const { visible } = this.view;
    const isLayered = this.isLayered();
    const wanted = `${isLayered} ${this.model.things.size} ${this.model.links.size} ${isLayered ? [...visible].join() : ""}`;
    if (wanted === this.layoutOf) return this.isMoving;
    this.layoutOf = wanted;
    this.stopForces();
    this.isMoving = !isLayered;
    if (isLayered) {
      const things = [...this.model.things.values()].filter((thing) => visible.has(thing.key));
      const links = [...this.model.links.values()].filter((link) => visible.has(link.later) && visible.has(link.earlier));
      this.move(layeredPositions(things, links));
      this.fit();
      return false;
    }
    this.handlers.onMoving();
    const [keys, links] = [[...this.model.things.keys()], [...this.model.links.values()]];
    this.stopForces = startForces(keys, links, this.byForces, (positions, isLast) => {
      this.byForces = positions;
      this.move(positions);
      if (!isLast) return void this.sigma.refresh({ schedule: true });
      this.isMoving = false;
      this.draw(true);
      this.fit();
      this.handlers.onSettled();
    });
    return true;
  }

  private isLayered(): boolean {
    const { layout, visible } = this.view;
    return layout === "layers" || (layout === "automatic" && visible.size <= MAX_LAYERED);
  }

  private move(positions: ReadonlyMap<string, Position>): void {
    for (const [key, position] of positions) this.positions.set(key, position);
    this.graph.forEachNode((key, attributes) => Object.assign(attributes, positions.get(key)));
  }
}

function duration(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : SETTLED;
}
