// graphology-layout-forceatlas2 describes its main file alone.
declare module "graphology-layout-forceatlas2/iterate.js" {
  export default function iterate(settings: object, nodes: Float32Array, edges: Float32Array): object;
}
