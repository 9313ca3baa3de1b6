// Bundles GraphiQL into the folder that is the one argument, with a manifest of what the page has to load.
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";

const folder = process.argv[2];
const workers = {
  editor: "monaco-editor/esm/vs/editor/editor.worker.js",
  graphql: "monaco-graphql/esm/graphql.worker.js",
  json: "monaco-editor/esm/vs/language/json/json.worker.js",
};
const common = {
  bundle: true,
  minify: true,
  metafile: true,
  outdir: folder,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  define: { "process.env.NODE_ENV": '"production"' },
  loader: { ".ttf": "file", ".woff2": "file" },
  legalComments: "linked",
  logLevel: "warning",
  target: "es2022",
};

const page = await build({
  ...common,
  entryPoints: { playground: "playground.js" },
  format: "esm",
  splitting: true,
});
const background = await build({ ...common, entryPoints: workers, format: "iife" });

const entries = (result) => Object.entries(result.metafile.outputs).filter(([, output]) => output.entryPoint);
// What is imported later is an entry as well.
const [script, { cssBundle }] = entries(page).find(([, { entryPoint }]) => entryPoint === "playground.js");
const byEntry = entries(background).map(([path, { entryPoint }]) => [
  Object.keys(workers).find((label) => entryPoint.endsWith(workers[label])),
  basename(path),
]);
const manifest = { script: basename(script), style: basename(cssBundle), workers: Object.fromEntries(byEntry) };
await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest, null, 2) + "\n");
