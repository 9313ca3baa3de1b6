// The page of two sizes of the log: checks that the larger continues the smaller, and takes a checkpoint kept before.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";

import { CHECKPOINT, openCheckpoint, readHash } from "../proof/checkpoint";
import { sameBytes } from "../proof/encoding";
import { VerificationError } from "../proof/errors";
import { CONSISTENCY, verifyConsistency } from "../proof/merkle";
import { keysOf, lineOf, type Line } from "./checks";
import { Lines, summary } from "./lines";

/** The data block of the page: roots and hashes of proofs in base64. */
export interface Comparison {
  readonly from: number;
  readonly to: number;
  readonly fromRoot: string;
  readonly toRoot: string;
  readonly between: readonly string[];
  readonly onward: readonly string[];
  readonly checkpoint: string;
  readonly logKey: string;
  readonly successions: readonly string[];
}

type ProofOf = (from: bigint, to: bigint) => Promise<readonly string[]>;

export function enhance(element: HTMLElement): void {
  const block: Comparison = JSON.parse(element.querySelector("script")?.textContent ?? "");
  const panel = element.querySelector("[data-part=checks]");
  if (panel === null) return;
  panel.replaceChildren();
  render(<Panel block={block} proofOf={(from, to) => fetchProof(element.dataset.root ?? "", from, to)} />, panel);
}

/** Check that the larger size continues the smaller, and the signed checkpoint both. */
export async function checkComparison(block: Comparison): Promise<Line[]> {
  const { from, to } = block;
  const signed = await lineOf(CHECKPOINT, async () => {
    const { treeSize } = await openCheckpoint(block.checkpoint, await keysOf(block));
    return `The key of the log signed the root of its first ${treeSize} entries.`;
  });
  return [
    await lineOf(`consistency from ${from} to ${to}`, async () => {
      const steps = await verifyConsistency(
        BigInt(from),
        BigInt(to),
        readHash(block.fromRoot, "the smaller root"),
        readHash(block.toRoot, "the larger root"),
        hashesOf(block.between),
      );
      return `The log of ${to} entries begins with the log of ${from}: ${steps.length} steps lead to both roots.`;
    }),
    await lineOf(`consistency from ${to} to the checkpoint`, async () => {
      const newest = await openCheckpoint(block.checkpoint, await keysOf(block));
      const root = readHash(block.toRoot, "the larger root");
      await verifyConsistency(BigInt(to), newest.treeSize, root, newest.rootHash, hashesOf(block.onward));
      return `The signed checkpoint of ${newest.treeSize} entries continues the log of ${to}.`;
    }),
    signed,
  ];
}

/** Check that the newest checkpoint continues one that the reader has kept. */
export function checkKept(note: string, block: Comparison, proofOf: ProofOf): Promise<Line> {
  return lineOf("your checkpoint", async () => {
    const keys = await keysOf(block);
    const [kept, newest] = [await openCheckpoint(note, keys), await openCheckpoint(block.checkpoint, keys)];
    if (kept.treeSize > newest.treeSize) {
      const words = `your checkpoint has ${kept.treeSize} entries, and the checkpoint of this page ${newest.treeSize}: load the page again`;
      throw new VerificationError(CONSISTENCY, words);
    }
    if (kept.treeSize === newest.treeSize && !sameBytes(kept.rootHash, newest.rootHash)) {
      const words = `the log signed two roots of ${kept.treeSize} entries: your checkpoint and the one of this page prove it`;
      throw new VerificationError(CONSISTENCY, words);
    }
    const hashes = hashesOf(await proofOf(kept.treeSize, newest.treeSize));
    await verifyConsistency(kept.treeSize, newest.treeSize, kept.rootHash, newest.rootHash, hashes);
    return `The log of this page continues your checkpoint of ${kept.treeSize} entries.`;
  });
}

function hashesOf(texts: readonly string[]) {
  return texts.map((text) => readHash(text, "a hash of the proof"));
}

async function fetchProof(root: string, from: bigint, to: bigint): Promise<readonly string[]> {
  const query = "query ($from: Int!, $to: Int!) { log { consistencyProof(from: $from, to: $to) } }";
  const body = JSON.stringify({ query, variables: { from: Number(from), to: Number(to) } });
  const answer = await fetch(`${root}graphql`, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { data, errors } = await answer.json();
  if (data?.log === undefined || data.log === null) {
    throw new VerificationError(CONSISTENCY, `this node gives no proof: ${errors?.[0]?.message ?? answer.status}`);
  }
  return data.log.consistencyProof;
}

function Panel({ block, proofOf }: { readonly block: Comparison; readonly proofOf: ProofOf }) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [kept, setKept] = useState<Line | null>(null);
  useEffect(() => {
    void checkComparison(block).then(setLines);
  }, []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get("note") ?? "").replace(/\r\n/g, "\n");
    setKept(await checkKept(text.endsWith("\n") ? text : `${text}\n`, block, proofOf));
  };
  return (
    <>
      <div aria-live="polite">
        {lines.length > 0 && (
          <>
            <p class="verdict-line" data-part="summary">{summary(lines)}</p>
            <Lines lines={lines} />
          </>
        )}
      </div>
      <form class="panels" onSubmit={(event) => void submit(event as unknown as SubmitEvent)}>
        <fieldset>
          <legend>A checkpoint that you kept</legend>
          <p>The roots and the key above came from this node. Paste a checkpoint of this log that you kept earlier, or have from another reader: your browser then checks that the log of this page continues it.</p>
          <label class="field">
            Checkpoint, a signed note
            <textarea name="note" rows={6} spellcheck={false} required />
          </label>
          <div class="buttons"><button>Check the checkpoint</button></div>
          <div aria-live="polite" data-part="kept-result">{kept !== null && <Lines lines={[kept]} />}</div>
        </fieldset>
      </form>
    </>
  );
}
