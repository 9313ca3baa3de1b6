// The list of the checks of one file: each with its name, its result in words and a sentence.

import { NamedCharacters } from "../named_characters";
import { encodeHex } from "../proof/encoding";
import { type Step } from "../proof/merkle";
import { failedChecks, passes, type Check, type Report } from "../proof/report";

/** `path` are the nodes from a leaf of the log to its root, if the file has such a path. */
export interface ProofChecksProps {
  readonly report: Report;
  readonly path?: readonly Step[];
}

/** The checks of a report. A page mounts it with the report of any verification. */
export function ProofChecks({ report, path = [] }: ProofChecksProps) {
  return (
    <div class="proof-checks">
      <ul class="proof-list">
        {report.checks.map((one, at) => (
          <li key={at} class={`proof-${resultOf(one)}`}>
            <Result of={resultOf(one)} /> <strong>{one.check}</strong>
            <p>
              <NamedCharacters text={sentence(one.sentence)} />
            </p>
          </li>
        ))}
      </ul>
      {path.length > 0 && <Path steps={path} />}
      <Sentences title="To know" sentences={report.remarks} isOpen />
      <Sentences title="Not checked" sentences={report.notChecked} />
    </div>
  );
}

/** The result of all checks of a report, in words. */
export function summaryOf(report: Report): string {
  const failed = failedChecks(report);
  const open = report.checks.filter((one) => one.isOpen);
  const count = report.checks.length;
  if (passes(report)) return count === 1 ? "1 check holds" : `${count} checks hold`;
  const words = open.length === 0 ? [] : [`not checked: ${namesOf(open)}`];
  if (failed.length > 0) words.unshift(`${failed.length} of ${count} checks failed: ${namesOf(failed)}`);
  return words.join("; ");
}

function namesOf(checks: readonly Check[]): string {
  return [...new Set(checks.map((one) => one.check))].join(", ");
}

type CheckResult = "passed" | "failed" | "open";

// A sign and a word, since colour alone tells some readers nothing.
const MARKS: Record<CheckResult, string> = { passed: "✓", failed: "✗", open: "?" };
const WORDS: Record<CheckResult, string> = { passed: "holds", failed: "fails", open: "not checked" };

function resultOf(one: Check): CheckResult {
  if (one.isOpen) return "open";
  return one.passed ? "passed" : "failed";
}

function Result({ of }: { readonly of: CheckResult }) {
  return (
    <span class="proof-result">
      <span aria-hidden="true">{MARKS[of]}</span> {WORDS[of]}
    </span>
  );
}

function Path({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <details>
      <summary>The path from the entry to the root, {steps.length} hashes</summary>
      <ol class="proof-path">
        {steps.map((step, at) => (
          <li key={at}>
            with <code>{encodeHex(step.sibling).slice(0, 16)}…</code> on the {step.side}:{" "}
            <code>{encodeHex(step.node).slice(0, 16)}…</code>
          </li>
        ))}
      </ol>
    </details>
  );
}

interface SentencesProps {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly isOpen?: boolean;
}

function Sentences({ title, sentences, isOpen = false }: SentencesProps) {
  if (sentences.length === 0) return null;
  return (
    <details open={isOpen}>
      <summary>
        {title}: {sentences.length}
      </summary>
      <ul>
        {sentences.map((one, at) => (
          <li key={at}>
            <NamedCharacters text={sentence(one)} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function sentence(words: string): string {
  const first = /^[a-z]+\b(?![.[_:])/.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  return /[.!?`]$/.test(first) ? first : `${first}.`;
}
