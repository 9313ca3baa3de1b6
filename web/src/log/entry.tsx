// The page of a log entry: fetches the document, checks everything, and lets the reader change keys and flip a byte.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";

import { encodeHex, encodeUtf8 } from "../proof/encoding";
import { FormatError } from "../proof/errors";
import { changedLines, checkMaterial, isSameKey, type AgentKey, type Checked, type Keys, type Line, type Material } from "./checks";
import { Lines, summary } from "./lines";
import { byteWords, PARTS, sabotage, type Part, type Sabotage } from "./sabotage";
import { Text } from "./text";

const UNCOVERED = "No check fails: the byte is in a signature line of a witness whose key is not given.";

/** The data block of the page. */
interface Block {
  readonly entry: string;
  readonly proof: string;
  readonly checkpoint: string;
  readonly logKey: string;
  readonly successions: readonly string[];
  readonly witnesses: readonly string[];
  readonly agentKeys: readonly AgentKey[];
}

export async function enhance(element: HTMLElement): Promise<void> {
  const block: Block = JSON.parse(element.querySelector("script")?.textContent ?? "");
  const { root = "", document: address = "" } = element.dataset;
  const leaf = element.querySelector<HTMLElement>(".merkle-steps [data-hash]")?.dataset.hash ?? "";
  const material: Material = {
    ...(await fetchDocument(root + address)),
    entry: encodeUtf8(block.entry),
    proof: encodeUtf8(block.proof),
    checkpoint: encodeUtf8(block.checkpoint),
  };
  const shown = element.querySelector("[data-part=document]");
  if (shown !== null && material.document !== null) render(<Text data={material.document} />, shown);
  const panel = element.querySelector("[data-part=checks]");
  if (panel === null) return;
  panel.replaceChildren();
  render(<Panel material={material} block={block} leaf={leaf} onChecked={(found) => markPath(element, found)} />, panel);
}

async function fetchDocument(address: string): Promise<Pick<Material, "document" | "withheld">> {
  const answer = await fetch(address, { headers: { accept: "application/json" } });
  if (answer.ok) return { document: new Uint8Array(await answer.arrayBuffer()), withheld: "" };
  const problem = await answer.json().catch(() => ({}));
  return { document: null, withheld: typeof problem.detail === "string" ? problem.detail : `status ${answer.status}` };
}

/** Mark each node of the drawing and of its list that this browser computed too. */
function markPath(element: HTMLElement, found: Checked): void {
  const computed = new Set([found.leaf, ...found.steps.map((step) => encodeHex(step.node))]);
  for (const node of element.querySelectorAll<HTMLElement | SVGElement>(".merkle [data-hash]")) {
    node.classList.toggle("held", computed.has(node.dataset.hash ?? ""));
  }
}

interface PanelProps {
  readonly material: Material;
  readonly block: Block;
  readonly leaf: string;
  readonly onChecked: (found: Checked) => void;
}

function Panel({ material, block, leaf, onChecked }: PanelProps) {
  const [keys, setKeys] = useState<Keys>({ ...block, leaf });
  const [found, setFound] = useState<Checked | null>(null);
  useEffect(() => {
    void checkMaterial(material, keys).then((checked) => {
      setFound(checked);
      onChecked(checked);
    });
  }, [keys]);
  return (
    <>
      <div aria-live="polite">
        {found === null ? (
          <p class="quiet">Checking…</p>
        ) : (
          <>
            <p class="verdict-line" data-part="summary">{summary(found.lines)}</p>
            <Lines lines={found.lines} />
          </>
        )}
      </div>
      <div class="panels">
        <KeyPanel block={block} onChange={(changes) => setKeys({ ...keys, ...changes })} />
        <SabotagePanel material={material} keys={keys} />
      </div>
    </>
  );
}

function KeyPanel({ block, onChange }: { readonly block: Block; readonly onChange: (changes: Partial<Keys>) => void }) {
  const [said, setSaid] = useState("");
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const own = String(form.get("key") ?? "").trim();
    const witnesses = String(form.get("witnesses") ?? "").split("\n").map((line) => line.trim()).filter((line) => line !== "");
    setSaid(own === "" ? "" : await compared(own, block.logKey));
    onChange({ logKey: own || block.logKey, witnesses: witnesses.length > 0 ? witnesses : block.witnesses });
  };
  return (
    <form onSubmit={(event) => void submit(event as unknown as SubmitEvent)}>
      <fieldset>
        <legend>Keys from another place</legend>
        <p>The key of the log above came from this node, and so did the keys of its witnesses. A node that forges its log would give a key to match. Paste the keys that you have from another place.</p>
        <label class="field">
          Verifier key of the log
          <textarea name="key" rows={2} placeholder={block.logKey} spellcheck={false} />
        </label>
        <label class="field">
          Verifier keys of witnesses, one a line
          <textarea name="witnesses" rows={2} spellcheck={false} />
        </label>
        <div class="buttons"><button>Check with these keys</button></div>
        <p aria-live="polite" data-part="key-result">{said}</p>
      </fieldset>
    </form>
  );
}

async function compared(text: string, known: string): Promise<string> {
  try {
    return (await isSameKey(text, known))
      ? "Your key is the key that this node names. The checks above use it."
      : "Your key is another than the key that this node names. The checks above use your key.";
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return `Your text is not a verifier key: ${error.message}.`;
  }
}

function SabotagePanel({ material, keys }: { readonly material: Material; readonly keys: Keys }) {
  const [done, setDone] = useState<{ readonly copy: Sabotage; readonly lines: readonly Line[] } | null>(null);
  const [refusal, setRefusal] = useState("");
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const part = String(form.get("part")) as Part;
    const place = String(form.get("place") ?? "").trim();
    const size = material[part]?.length ?? 0;
    const copy = sabotage(material, part, place === "" ? Math.floor(Math.random() * size) : Number(place));
    setRefusal(copy === null ? `There is no byte ${place} in the ${PARTS[part]}: its bytes are 0 to ${size - 1}.` : "");
    if (copy === null) return setDone(null);
    const [original, checked] = [await checkMaterial(material, keys), await checkMaterial(copy.material, keys)];
    setDone({ copy, lines: changedLines(original, checked) });
  };
  const parts = (Object.keys(PARTS) as Part[]).filter((part) => material[part] !== null);
  return (
    <form onSubmit={(event) => void submit(event as unknown as SubmitEvent)} data-part="sabotage">
      <fieldset>
        <legend>Sabotaged copy</legend>
        <p>One bit of one byte is changed in a copy of these bytes, in this browser alone. The same checks run on the copy.</p>
        <label class="field">
          Part
          <select name="part">
            {parts.map((part) => <option value={part} key={part}>{PARTS[part]}</option>)}
          </select>
        </label>
        <label class="field">
          Byte, counted from 0; empty for a random byte
          <input name="place" inputMode="numeric" maxLength={20} />
        </label>
        <div class="buttons"><button>Flip the byte</button></div>
        <div aria-live="polite" data-part="sabotage-result">
          {refusal !== "" && <p class="notice">{refusal}</p>}
          {done !== null && (
            <>
              <p>
                Byte {done.copy.place} of the {PARTS[done.copy.part]} was {byteWords(done.copy.before)} and is{" "}
                {byteWords(done.copy.after)}.
              </p>
              <p class="verdict-line">{sentenceOf(done.lines)}</p>
              <Lines lines={done.lines} />
            </>
          )}
        </div>
      </fieldset>
    </form>
  );
}

function sentenceOf(lines: readonly Line[]): string {
  if (lines.some((line) => line.result === "fails")) return summary(lines);
  return lines.length > 0 ? "No check fails, and the check below cannot be made any longer." : UNCOVERED;
}
