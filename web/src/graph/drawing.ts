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
  private readonly graph = new MultiDirectedGraph();
  private readonly sigma: Sigma;
  private view: View = { visible: new Set(), selected: null, marked: new Set(), layout: "automatic" };
  private layoutOf: string | null = null;
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
    this.scheme.addEventListener("change", () => this.paint());
  }

  /** Show a state of the page; the layout is computed again if things or the chosen layout changed. */
  show(view: View): void {
    this.view = view;
    this.addThings();
    this.paint();
    this.place();
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
        hideEdgesOnMove: false,
        stagePadding: 60,
      },
    };
    // The options are the declared ones of sigma, whose generics follow each name of a style.
    return new Sigma(this.graph, container, options as ConstructorParameters<typeof Sigma>[2]);
  }

  private addThings(): void {
    for (const thing of this.model.things.values()) {
      if (this.graph.hasNode(thing.key)) continue;
      const near = this.model.linksAt(thing.key).map((link) => this.positions.get(link.later === thing.key ? link.earlier : link.later));
      const start = near.find((position) => position !== undefined) ?? { x: 0, y: 0 };
      const turn = this.graph.order * 2.4;
      const position = { x: start.x + Math.cos(turn), y: start.y + Math.sin(turn) };
      if (near.length > 0 && this.positions.size > 0) this.positions.set(thing.key, position);
      this.graph.addNode(thing.key, { ...position, shape: `prov_${thing.shape}` });
    }
    for (const link of this.model.links.values()) {
      if (!this.graph.hasEdge(link.key)) this.graph.addDirectedEdgeWithKey(link.key, link.later, link.earlier, {});
    }
  }

  /** Give each node and edge the looks that the view asks for. */
  private paint(): void {
    const { visible, selected, marked } = this.view;
    const dark = this.scheme.matches;
    const [text, line, quiet] = dark ? ["#e6e9ed", "#6b7480", "#a5aeb8"] : ["#1b1f24", "#9aa3ad", "#57606a"];
    const isFaded = (key: string) => marked.size > 0 && !marked.has(key);
    const isLayered = this.isLayered();
    const isLarge = visible.size > MAX_LAYERED;
    const size = isLarge ? Math.max(3, 9 - Math.log10(visible.size) * 1.6) : 9;
    // Attributes are set in place: each event of the graph would have sigma read all of it again.
    this.graph.forEachNode((key, attributes) => {
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
    const isWritten = isWide && this.graph.size <= TERMS_SHOWN;
    const isNearWritten = isWide && selected !== null && this.model.linksAt(selected).length <= TERMS_NEAR;
    this.graph.forEachEdge((key, attributes, later, earlier) => {
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
    this.sigma.refresh();
  }

  private place(): void {
    const { visible } = this.view;
    const things = [...this.model.things.values()].filter((thing) => visible.has(thing.key));
    const links = [...this.model.links.values()].filter((link) => visible.has(link.later) && visible.has(link.earlier));
    const isLayered = this.isLayered();
    const wanted = `${isLayered} ${this.model.things.size} ${this.model.links.size} ${isLayered ? things.length : ""}`;
    if (wanted === this.layoutOf) return;
    this.layoutOf = wanted;
    this.stopForces();
    this.handlers.onMoving();
    if (isLayered) {
      this.move(layeredPositions(things, links));
      this.fit();
      this.handlers.onSettled();
      return;
    }
    const [keys, all] = [[...this.model.things.keys()], [...this.model.links.values()]];
    this.stopForces = startForces(keys, all, this.byForces, (positions, isLast) => {
      this.byForces = positions;
      this.move(positions);
      if (!isLast) return;
      this.fit();
      this.handlers.onSettled();
    });
  }

  private isLayered(): boolean {
    const { layout, visible } = this.view;
    return layout === "layers" || (layout === "automatic" && visible.size <= MAX_LAYERED);
  }

  private move(positions: ReadonlyMap<string, Position>): void {
    for (const [key, position] of positions) this.positions.set(key, position);
    this.graph.forEachNode((key, attributes) => Object.assign(attributes, positions.get(key)));
    this.sigma.refresh({ schedule: true });
  }
}

function duration(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : SETTLED;
}
