/// <reference types="node" />
import { createHash } from "node:crypto";
import { expect, test } from "vitest";

import { inlinePage } from "./inline_plugin";

const PAGE = `<!doctype html><html><head><meta charset="utf-8" />
<script type="module" crossorigin src="./a.js"></script><link rel="stylesheet" crossorigin href="./a.css"></head>
<body><div></div></body></html>`;
const CODE = 'const a = "</script>$&";';
const take = (name: string): string => (name === "a.js" ? CODE : "body{color:red}");

test("a page has its script and style in it, and a policy that allows these alone", () => {
  const html = inlinePage(PAGE, take);
  const script = /<script type="module">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
  const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  expect(script).toBe('const a = "<\\/script>$&";');
  expect(html).toContain(
    `content="default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'"`,
  );
  expect(html).not.toMatch(/src="|href="/);
  expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<style>"));
});

test("a file that is not built is an error that names it", () => {
  expect(() => inlinePage(PAGE.replace("./a.js", "./b.js"), (name) => (name === "a.css" ? "" : fail(name)))).toThrow("b.js");
});

function fail(name: string): never {
  throw new Error(name);
}
