// The check of a record on its page: each line is a check with its result in words, and a changed copy turns red.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ProofChecks, summaryOf } from "../verify/proof_checks";
import "../verify/proof_checks.css";
import { fetchBytes } from "../node_bytes";
import { passes, type Report } from "../proof/report";
import { integer } from "../number";
import { fetchFiles, sabotage, verifyFiles, type Files, type Kind } from "./check";

const ACCEPTED = "application/json, application/octet-stream";

interface Subject {
  readonly kind: Kind;
  readonly record: string;
  readonly chain: readonly string[];
  readonly root: string;
  readonly isLarge: boolean;
}

export function enhance(element: HTMLElement): void {
  const { kind, record, records, root, size } = element.dataset;
  const subject: Subject = {
    kind: kind as Kind,
    record: record ?? "",
    chain: records?.split(" ").filter(Boolean) ?? [],
    root: root ?? "./",
    isLarge: size === "large",
  };
  const place = document.createElement("div");
  element.append(place);
  render(<RecordCheck subject={subject} />, place);
}

function RecordCheck({ subject }: { readonly subject: Subject }) {
  const [begun, setBegun] = useState(!subject.isLarge);
  const [original, setOriginal] = useState<Files | null>(null);
  const [changed, setChanged] = useState<number | null>(null);
  const [found, setFound] = useState<Report | null>(null);
  const [problem, setProblem] = useState("");

  const verify = (files: Files) => verifyFiles(files, subject.chain).then(setFound, tell);
  const tell = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));

  useEffect(() => {
    if (!begun) return;
    fetchFiles(subject.kind, subject.record, subject.chain, (address) => fetchBytes(subject.root + address, ACCEPTED)).then((files) => {
      setOriginal(files);
      return verify(files);
    }, tell);
  }, [begun]);

  if (problem !== "") {
    return (
      <p role="alert" class="notice notice-bad">
        The check could not be made: {problem}
      </p>
    );
  }
  if (!begun) {
    return (
      <p>
        <button type="button" onClick={() => setBegun(true)}>
          Fetch and check
        </button>
      </p>
    );
  }
  const change = () => {
    if (original === null) return;
    const [copy, place] = changed === null ? sabotage(original) : [original, null];
    setChanged(place);
    void verify(copy);
  };
  return (
    <>
      <div role="status" aria-live="polite">
        {found === null ? (
          <p>This browser fetches the bytes and computes the hashes.</p>
        ) : (
          <p class={`proof-summary ${passes(found) ? "good" : "bad"}`}>
            {passes(found) ? "✓" : "✗"} {changed !== null && `One bit of byte ${integer(changed)} of this browser's copy is changed: `}
            {summaryOf(found)}.
          </p>
        )}
      </div>
      {found !== null && (
        <>
          <p>
            <button type="button" onClick={change} aria-pressed={changed !== null}>
              {changed === null ? "Sabotage: change one bit of this browser's copy" : "Repair this browser's copy"}
            </button>
          </p>
          <details open={!passes(found)}>
            <summary>The checks, one by one</summary>
            <ProofChecks report={found} />
          </details>
        </>
      )}
    </>
  );
}
