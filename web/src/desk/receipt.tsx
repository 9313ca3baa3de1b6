// The receipt of a submitted document: its place in the log, and the proof, checked in this browser.

import { useEffect, useState } from "preact/hooks";
import { LogKeys } from "../proof/checkpoint";
import { VerifierKey } from "../proof/note";
import { decodeUtf8, encodeUtf8, type Bytes } from "../proof/encoding";
import { readEntry } from "../proof/entry";
import { passes, report, type Report } from "../proof/report";
import { verifyReceipt } from "../proof/receipt";
import { ProofChecks, summaryOf } from "../verify/proof_checks";
import "../verify/proof_checks.css";
import { SaveFile } from "./form";
import { type Receipt } from "./node";

interface ReceiptProps {
  readonly receipt: Receipt;
  readonly document: Bytes;
  readonly root: string;
  readonly logKeys: readonly string[];
  /** The folder of the document's page. */
  readonly folder: string;
}

export function ReceiptView({ receipt, document, root, logKeys, folder }: ReceiptProps) {
  const [found, setFound] = useState<Report | null>(null);
  const text = receiptText(receipt);
  useEffect(() => {
    void checkReceipt(text, document, logKeys).then(setFound);
  }, [text]);
  return (
    <div class="card">
      <p role="status">
        <strong>{receipt.created ? "The node took in the message." : "The node has had this message before."}</strong> It is{" "}
        <a href={`${root}log/${receipt.logIndex}`}>log entry {receipt.logIndex}</a>, {folder !== "" && (
          <a href={`${root}${folder}/${encodeURI(receipt.signedHash)}`}>on its page</a>
        )}
        {folder !== "" && ", "}
        <code>{receipt.signedHash}</code>.
      </p>
      <div role="status" aria-live="polite">
        {found === null ? (
          <p>This browser checks the receipt.</p>
        ) : (
          <p class={`proof-summary ${passes(found) ? "good" : "bad"}`}>
            {passes(found) ? "✓" : "✗"} The receipt and its proof: {summaryOf(found)}.
          </p>
        )}
      </div>
      <p>
        <SaveFile name="receipt.json" text={text}>Save the receipt</SaveFile>{" "}
        <SaveFile name="document.json" text={decodeUtf8(document)}>Save the message</SaveFile>
      </p>
      {found !== null && (
        <details>
          <summary>The checks, one by one</summary>
          <p class="quiet">The key of the log is the one that this node states. Compare it with one from elsewhere.</p>
          <ProofChecks report={found} />
        </details>
      )}
    </div>
  );
}

/** Verify the receipt of a document under the keys that the node states for its log. */
export async function checkReceipt(text: string, document: Bytes, logKeys: readonly string[]): Promise<Report> {
  return report(async (reporter) => {
    const key = logKeys.at(-1);
    const keys = key === undefined ? null : new LogKeys(await VerifierKey.parse(key));
    await verifyReceipt(encodeUtf8(text), document, { keys }, reporter);
    reporter.finish();
  });
}

/** Return a receipt as the HTTP interface writes it. */
export function receiptText(receipt: Receipt): string {
  const { logIndex, id, type, signedHash, documentHash, entry, proof } = receipt;
  const { receivedAt } = readEntry(entry);
  return `${JSON.stringify({ logIndex, id, type: type.replace(/^a2ap:/, ""), signedHash, documentHash, receivedAt, entry, proof }, null, 1)}\n`;
}
