// Builds the checker into one page with all in it: `npx vite build --config vite.verify.config.ts --outDir FOLDER`.
import { defineConfig } from "vite";

import { inlineAssets } from "./src/verify/inline_plugin.ts";

export default defineConfig({
  base: "./",
  root: "src/verify",
  publicDir: false,
  plugins: [inlineAssets()],
  build: {
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    emptyOutDir: true,
    rolldownOptions: { input: "src/verify/verify.html" },
  },
});
