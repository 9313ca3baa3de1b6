// The exports of the graph as files: a picture, a script of Cypher, a document of PROV.

import { cypherOf } from "./cypher";
import type { Part } from "./picture";
import { svgOf } from "./picture";
import { provJson } from "./prov_json";
import type { Words } from "./words";

export type Format = "svg" | "png" | "cypher" | "prov.json";

export async function download(format: Format, part: Part, words: Words, title: string, base: string): Promise<void> {
  save(await contentOf(format, part, words, title, base), `graph.${format}`);
}

async function contentOf(format: Format, part: Part, words: Words, title: string, base: string): Promise<Blob> {
  switch (format) {
    case "svg":
      return new Blob([svgOf(part, title)], { type: "image/svg+xml" });
    case "png":
      return await painted(svgOf(part, title));
    case "cypher":
      return new Blob([cypherOf(part.things, part.links, words)], { type: "text/plain" });
    case "prov.json":
      return new Blob([`${JSON.stringify(provJson(part.things, part.links, words, base), null, 2)}\n`], { type: "application/json" });
  }
}

/** Return the picture as PNG; the policy of the page lets it be loaded from a data address alone. */
async function painted(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d")!.drawImage(image, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("this browser makes no PNG of the picture");
  return blob;
}

function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
