// Builds everything into the folder that is the one argument: scripts and styles with their manifest, and verify.html.
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";

const folder = resolve(process.argv[2]);
const here = import.meta.dirname;

await build({ root: here, configFile: join(here, "vite.config.ts"), build: { outDir: folder } });

const apart = await mkdtemp(join(tmpdir(), "a2ap-verify-"));
try {
  await build({ root: join(here, "src/verify"), configFile: join(here, "vite.verify.config.ts"), build: { outDir: apart } });
  await copyFile(join(apart, "verify.html"), join(folder, "verify.html"));
} finally {
  await rm(apart, { recursive: true });
}
