// The check of a source in the reader's browser: fetches the bytes, hashes them, and compares each cited passage.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fetchBytes } from "../node_bytes";
import { integer } from "../number";
import { compare, sabotage, type Range, type Result } from "./check";

const AT_ONCE = 16 * 1024 * 1024; // bytes; a longer source is fetched when the reader asks for it

interface Source {
  address: string;
  hash: string;
  length: number | null;
  ranges: readonly Range[];
}

export function enhance(element: HTMLElement): void {
  const lead = () => leadToPassage(element.dataset.here ?? "");
  if (lead()) return;
  addEventListener("hashchange", lead);
  const results = element.querySelector(".check-results");
  const data = element.querySelector("script[type='application/json']")?.textContent;
  if (!results || !data) return;
  const source: Source = {
    address: element.dataset.bytes ?? "",
    hash: element.dataset.hash ?? "",
    length: element.dataset.length ? Number(element.dataset.length) : null,
    ranges: JSON.parse(data) as Range[],
  };
  results.replaceChildren();
  render(<Check source={source} panel={results} />, results);
}

/** A link to a passage of another section names its bytes behind `#`, which no server sees: opens that section. */
function leadToPassage(here: string): boolean {
  const passage = /^#bytes-(\d+)-\d+$/.exec(location.hash);
  if (!passage || document.getElementById(location.hash.slice(1))) return false;
  const there = new URL(`${here}${passage[1]}${location.hash}`, location.href);
  if (there.search === location.search) return false;
  location.replace(there);
  return true;
}

function Check({ source, panel }: { source: Source; panel: Element }) {
  const [bytes, setBytes] = useState<Uint8Array<ArrayBuffer> | null>(null);
  const [flipped, setFlipped] = useState<number | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const [problem, setProblem] = useState("");
  const [begun, setBegun] = useState(source.length !== null && source.length <= AT_ONCE);

  useEffect(() => {
    if (begun) fetchBytes(source.address, "application/octet-stream").then(setBytes, (error: unknown) => setProblem(String(error)));
  }, [begun]);
  useEffect(() => {
    if (bytes) compare(bytes, source.ranges).then(setResult, (error: unknown) => setProblem(String(error)));
  }, [bytes]);
  useEffect(() => {
    if (result) mark(result, panel, result.hash === source.hash);
  }, [result]);

  if (problem) return <p class="byte-check bad" role="alert">The bytes could not be checked. {problem}</p>;
  if (!begun) {
    const size = source.length === null ? "The source" : `The source has ${integer(source.length)} bytes, and`;
    return <p>{size} is checked when you ask for it. <button type="button" onClick={() => setBegun(true)}>Fetch and check</button></p>;
  }
  if (!bytes || !result) return <p role="status">This browser fetches the bytes and hashes them.</p>;
  const change = () => {
    const [copy, place] = sabotage(bytes, source.ranges);
    setFlipped(flipped === null ? place : null); // The same bit again is the original.
    setBytes(copy);
  };
  return (
    <>
      <div aria-live="polite" role="status">
        <Words source={source} bytes={bytes} result={result} flipped={flipped} />
      </div>
      <p>
        <button type="button" onClick={change} aria-pressed={flipped !== null}>
          {flipped === null ? "Sabotage: flip a bit of this browser's copy" : "Repair this browser's copy"}
        </button>
      </p>
    </>
  );
}

function Words(props: { source: Source; bytes: Uint8Array; result: Result; flipped: number | null }) {
  const { source, bytes, result, flipped } = props;
  const passages = [...result.passages.values()];
  const held = passages.filter((one) => one.held).length;
  const quoted = passages.filter((one) => one.held && one.quoted).length;
  const all = passages.length;
  const isCited = result.hash === source.hash;
  return (
    <>
      {flipped !== null && <p>One bit of byte {integer(flipped)} of this browser's copy is flipped.</p>}
      <p class={`byte-check ${isCited ? "good" : "bad"}`}>
        {isCited
          ? `✓ These are the cited bytes: this browser read ${integer(bytes.length)} bytes with the cited SHA-256.`
          : "✗ These are not the cited bytes: their SHA-256 is another."}
      </p>
      <p><code>{result.hash.replace("sha256:", "")}</code></p>
      {all > 0 && (
        <p class={`byte-check ${held === all ? "good" : "bad"}`}>
          {held === all
            ? `✓ All ${all} cited passages of this section have their cited hash; ${quoted} hold their quotes word for word.`
            : `✗ Of ${all} cited passages of this section, ${all - held} ${all - held === 1 ? "is" : "are"} not as cited.`}
        </p>
      )}
    </>
  );
}

/** Says beside each passage, and on its words, whether it holds. */
function mark(result: Result, panel: Element, isCited: boolean): void {
  panel.classList.toggle("held", isCited);
  panel.classList.toggle("broken", !isCited);
  for (const note of document.querySelectorAll<HTMLElement>("[data-check]")) {
    const found = result.passages.get(note.dataset.check ?? "");
    note.textContent = !found ? "" : !found.held ? "✗ other bytes than cited" : found.quoted ? "✓ holds its quote" : "✓ the cited bytes";
    note.classList.toggle("good", found?.held === true);
    note.classList.toggle("bad", found?.held === false);
  }
  for (const words of document.querySelectorAll<HTMLElement>("mark[data-passage]")) {
    words.classList.toggle("broken", result.passages.get(words.dataset.passage ?? "")?.held === false);
  }
}

