// Builds the scripts and styles of the pages and of the playground into one folder, with a manifest of their names.
import { defineConfig } from "vite";

const HASHED = "[name]-[hash].js";

export default defineConfig({
  base: "./", // A node may be behind a path of another server.
  publicDir: false,
  build: {
    target: "es2022",
    manifest: "manifest.json",
    assetsDir: ".",
    assetsInlineLimit: 0, // The pages' policy refuses data: addresses of scripts.
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 8192, // The playground's editor is large, and loaded by the playground alone.
    rolldownOptions: {
      // Libraries of React mark their files "use client", which means nothing in a bundle.
      onLog: (level, log, handler) => log.code === "MODULE_LEVEL_DIRECTIVE" || handler(level, log),
      input: { page: "src/page.ts", playground: "src/playground/playground.ts" },
      output: {
        hashCharacters: "hex",
        entryFileNames: HASHED,
        chunkFileNames: HASHED,
        assetFileNames: "[name]-[hash][extname]",
      },
    },
  },
  worker: { format: "es", rolldownOptions: { output: { hashCharacters: "hex", entryFileNames: HASHED, chunkFileNames: HASHED } } },
});
