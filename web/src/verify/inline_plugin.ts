/// <reference types="node" />
// A Vite plugin that puts the script and the style of a page into the page, under a policy that allows these alone.
//
// The page then works from a disk, without a server, and can load and send nothing.

import { createHash } from "node:crypto";

import { type Plugin } from "vite";

const SCRIPT = /<script\b[^>]*\bsrc="(?:\.\/)?([^"]+)"[^>]*><\/script>/g;
const STYLE = /<link\b[^>]*\brel="stylesheet"[^>]*\bhref="(?:\.\/)?([^"]+)"[^>]*>/g;

export function inlineAssets(): Plugin {
  return {
    name: "inline-assets",
    enforce: "post",
    generateBundle(_, bundle) {
      for (const page of Object.values(bundle)) {
        if (page.type !== "asset" || !page.fileName.endsWith(".html")) continue;
        const used = new Set<string>();
        const take = (name: string): string => {
          const file = bundle[name];
          if (file === undefined) throw new Error(`${page.fileName} names ${name}, which is not built`);
          used.add(name);
          return file.type === "chunk" ? file.code : textOf(file.source);
        };
        page.source = inlinePage(textOf(page.source), take);
        for (const name of used) delete bundle[name];
      }
    },
  };
}

/** Return a page with its scripts and styles in it; `take` gives the text of a file by its name. */
export function inlinePage(html: string, take: (name: string) => string): string {
  const scripts: string[] = [];
  const styles: string[] = [];
  // A module runs when the page is parsed, wherever it stands; it goes to the end, below the style.
  const bare = html
    .replace(STYLE, (_, name: string) => `${styles.push(take(name).trim()) && ""}`)
    .replace(SCRIPT, (_, name: string) => `${scripts.push(scriptText(take(name))) && ""}`);
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hashSource).join(" ")}`,
    `style-src ${styles.map(hashSource).join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  const style = styles.map((text) => `<style>${text}</style>`).join("");
  const script = scripts.map((text) => `<script type="module">${text}</script>`).join("");
  // The policy stands before all that it governs. Functions, since $ has a meaning in a replacement.
  return bare
    .replace(/(<meta charset="utf-8" ?\/?>)/, (found) => `${found}\n    ${head}`)
    .replace("</head>", () => `${style}\n  </head>`)
    .replace("</body>", () => `${script}\n  </body>`);
}

/** Return a script without the texts that would end its element or begin a comment. */
function scriptText(code: string): string {
  return code.trim().replace(/<\/(?=script)/gi, "<\\/").replace(/<!--/g, "<\\!--");
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function textOf(source: string | Uint8Array): string {
  return typeof source === "string" ? source : new TextDecoder().decode(source);
}
