// The worker of forces.ts: iterations of ForceAtlas2 over the matrices that it is given.

import iterate from "graphology-layout-forceatlas2/iterate.js";

import type { ForcesTask } from "./forces";

/** Return the milliseconds between two messages: without a graphics processor, large graphs take long to draw. */
function pauseFor(order: number): number {
  return order > 1000 ? 1500 : 250;
}

// The settings that graphology-layout-forceatlas2 infers for a number of nodes.
function settingsFor(order: number) {
  return {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 1,
    scalingRatio: 10,
    strongGravityMode: true,
    gravity: 0.05,
    slowDown: 1 + Math.log(order),
    barnesHutOptimize: order > 500,
    barnesHutTheta: 0.8,
  };
}

self.onmessage = ({ data }: MessageEvent<ForcesTask>) => {
  const order = Math.max(2, data.nodes.length / 10);
  const settings = settingsFor(order);
  let last = performance.now();
  for (let count = 1; count <= data.iterations; count += 1) {
    iterate(settings, data.nodes, data.edges);
    if (count === data.iterations || performance.now() - last > pauseFor(order)) {
      self.postMessage({ nodes: data.nodes, isLast: count === data.iterations });
      last = performance.now();
    }
  }
};
