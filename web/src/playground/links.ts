// Hashes and ids in answers are links to their pages: Ctrl-click, or Cmd-click, opens one.
import "monaco-editor/esm/vs/editor/contrib/links/browser/links.js";
import { languages } from "monaco-editor";

/** A name in an answer: a string that is a SHA-256 hash, or the URN of a message or an agent. */
const NAME = /"((?:sha256:[0-9a-f]{64})|(?:urn:(?:uuid|agent|doc):[^"\s\\]{1,512}))"/g;

/** Makes names in the editors of JSON links. */
export function linkNames(root: string): void {
  languages.registerLinkProvider("json", {
    provideLinks(model) {
      const links: languages.ILink[] = [];
      const text = model.getValue();
      for (const found of text.matchAll(NAME)) {
        const name = found[1]!;
        const start = model.getPositionAt(found.index + 1);
        const end = model.getPositionAt(found.index + 1 + name.length);
        const range = {
          startLineNumber: start.lineNumber,
          startColumn: start.column,
          endLineNumber: end.lineNumber,
          endColumn: end.column,
        };
        links.push({ range, url: new URL(`find?name=${encodeURIComponent(name)}`, root).toString(), tooltip: "Open the page" });
      }
      return { links };
    },
  });
}
