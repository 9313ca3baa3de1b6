// The form for a verdict: findings criterion by criterion, the verdict that follows, its reason; or a decline.

import { render } from "preact";
import { useState } from "preact/hooks";
import { type Bytes } from "../proof/encoding";
import { Problem, taskOf, useAction } from "./form";
import { useIdentities } from "./identities";
import { signerOf } from "./key";
import {
  buildDecline,
  buildVerdict,
  freshId,
  sign,
  STATUSES,
  verdictOf,
  verdictProblem,
  VERDICTS,
  type Finding,
  type Reference,
  type Status,
  type Verdict,
} from "./message";
import { submit, type Receipt } from "./node";
import { ReceiptView } from "./receipt";
import { canSign, SignerChoice } from "./signer_choice";
import { Shown } from "./shown";

interface Task {
  readonly logKeys: readonly string[];
  readonly statement: Reference;
  readonly request: Reference | null;
  readonly criteria: readonly string[];
  /** Criteria of the policy that the request does not name. */
  readonly others: readonly string[];
}

/** A criterion in the form; without a status it is not part of the verdict. */
interface Row {
  readonly criterion: string;
  readonly status: Status | "";
  readonly evidence: string;
  readonly confidence: string;
}

interface Sent {
  readonly receipt: Receipt;
  readonly document: Bytes;
  readonly folder: string;
}

const WORDS: Readonly<Record<Status | "", string>> = { PASS: "passes", FAIL: "fails", INCONCLUSIVE: "cannot be decided", "": "not judged" };
const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  VALIDATED: "Validated",
  CHALLENGED: "Challenged",
  INSUFFICIENT_EVIDENCE: "Insufficient evidence",
  INVALID_SIGNATURE: "Invalid signature",
};

export function enhance(element: HTMLElement): void {
  const place = document.createElement("div");
  element.append(place);
  render(<VerdictForm task={taskOf<Task>(element)} root={element.dataset.root ?? "./"} />, place);
}

/** Show the verdicts on the statement as the page has them now; without an answer they stay as they were. */
async function showGiven(): Promise<void> {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (answer === null || !answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const given = page.querySelector("section[aria-labelledby=given]");
  if (given !== null) document.querySelector("section[aria-labelledby=given]")?.replaceWith(given);
}

function VerdictForm({ task, root }: { readonly task: Task; readonly root: string }) {
  const identities = useIdentities(root);
  const action = useAction();
  const [rows, setRows] = useState<readonly Row[]>(() => [...task.criteria, ...task.others].map(emptyRow));
  const [choice, setChoice] = useState<Verdict | "">("");
  const [confidence, setConfidence] = useState("0.8");
  const [reason, setReason] = useState("");
  const [sent, setSent] = useState<Sent | null>(null);

  const findings = findingsOf(rows);
  const following = verdictOf(findings);
  const verdict = choice === "" ? following : choice;

  const send = async (): Promise<void> => {
    const { chosen } = identities;
    if (chosen === null) return;
    if (verdict === null) throw new Error("Judge a criterion, or choose a verdict.");
    const refused = verdictProblem(verdict, findings, reason);
    if (refused !== null) throw new Error(refused);
    const message = buildVerdict({
      ...about(task, chosen.agent.id),
      verdict,
      confidence: Number(confidence),
      findings,
      reason: reason.trim(),
    });
    const document = await sign(message, signerOf(chosen));
    setSent({ receipt: await submit(root, "submitVerification", document), document, folder: "verifications" });
    await showGiven();
  };
  const decline = async (): Promise<void> => {
    const { chosen } = identities;
    if (chosen === null || task.request === null) return;
    if (reason.trim() === "") throw new Error("A decline says why: fill in the reason.");
    const message = buildDecline({ ...about(task, chosen.agent.id), request: task.request, reason: reason.trim() });
    const document = await sign(message, signerOf(chosen));
    setSent({ receipt: await submit(root, "declineVerification", document), document, folder: "" });
  };

  if (sent !== null) {
    return (
      <>
        <ReceiptView {...sent} root={root} logKeys={task.logKeys} />
        <p>
          <a href={`${root}desk`}>Back to the desk</a>
        </p>
      </>
    );
  }
  const change = (at: number, part: Partial<Row>): void => setRows(rows.map((row, place) => (place === at ? { ...row, ...part } : row)));
  return (
    <form
      class="desk-form"
      onSubmit={(event) => {
        event.preventDefault();
        action.run(send);
      }}
    >
      <SignerChoice identities={identities} root={root} />
      {rows.map((row, at) => (
        <CriterionFields key={row.criterion} row={row} isAsked={task.request === null || at < task.criteria.length} change={(part) => change(at, part)} />
      ))}
      <fieldset>
        <legend>Verdict</legend>
        <label class="choice">
          <input type="radio" name="verdict" checked={choice === ""} onChange={() => setChoice("")} /> As it follows from the criteria:{" "}
          <strong>{following === null ? "nothing is judged yet" : VERDICT_WORDS[following]}</strong>
        </label>
        {VERDICTS.map((one) => (
          <label key={one} class="choice">
            <input type="radio" name="verdict" checked={choice === one} onChange={() => setChoice(one)} /> {VERDICT_WORDS[one]}
          </label>
        ))}
      </fieldset>
      <label class="short">
        Confidence in the verdict, 0 to 1
        <input type="number" min="0" max="1" step="0.01" value={confidence} onInput={(event) => setConfidence(event.currentTarget.value)} required />
      </label>
      <label>
        Reason{verdict === "CHALLENGED" ? ", or words for a criterion that fails" : ""}
        <textarea rows={3} value={reason} onInput={(event) => setReason(event.currentTarget.value)} maxLength={10_000} />
      </label>
      <p class="quiet">The message is public and stays in the log. A later retraction stands beside it and removes nothing.</p>
      <p class="buttons">
        <button disabled={action.busy || !canSign(identities)}>Sign and submit the verdict</button>
        {task.request !== null && (
          <button type="button" disabled={action.busy || !canSign(identities)} onClick={() => action.run(decline)}>
            Decline the request
          </button>
        )}
      </p>
      <Problem words={action.problem} />
    </form>
  );
}

interface CriterionProps {
  readonly row: Row;
  readonly isAsked: boolean;
  readonly change: (part: Partial<Row>) => void;
}

function CriterionFields({ row, isAsked, change }: CriterionProps) {
  return (
    <fieldset class="criterion">
      <legend>
        <Shown text={row.criterion.replaceAll("-", " ")} />
        {!isAsked && <span class="quiet"> (the request does not ask for it)</span>}
      </legend>
      <div class="choices">
        {([...STATUSES, ""] as const).map((status) => (
          <label key={status} class="choice">
            <input type="radio" name={`status-${row.criterion}`} checked={row.status === status} onChange={() => change({ status })} /> {WORDS[status]}
          </label>
        ))}
      </div>
      {row.status !== "" && (
        <div class="finding-fields">
          <label>
            Words for the finding
            <textarea rows={2} value={row.evidence} onInput={(event) => change({ evidence: event.currentTarget.value })} maxLength={10_000} />
          </label>
          <label class="short">
            Confidence
            <input type="number" min="0" max="1" step="0.01" value={row.confidence} onInput={(event) => change({ confidence: event.currentTarget.value })} required />
          </label>
        </div>
      )}
    </fieldset>
  );
}

function emptyRow(criterion: string): Row {
  return { criterion, status: "", evidence: "", confidence: "0.8" };
}

function findingsOf(rows: readonly Row[]): Finding[] {
  return rows.flatMap(({ criterion, status, evidence, confidence }) =>
    status === "" ? [] : [{ criterion, status, evidence: evidence.trim(), confidence: Number(confidence) }],
  );
}

function about(task: Task, agent: string) {
  return { id: freshId(), time: new Date(), agent, statement: task.statement, request: task.request };
}
