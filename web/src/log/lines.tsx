// The lines of checks as a list: a mark, the name of the check, its result in words, and a sentence.

import { NamedCharacters } from "../named_characters";
import { type Line, type Result } from "./checks";

const MARKS: Record<Result, string> = { holds: "check-good", fails: "check-bad", open: "check-open" };
const WORDS: Record<Result, string> = { holds: "holds", fails: "fails", open: "not checked" };

export function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <ul class="check-lines">
      {lines.map((line) => (
        <li class={`check-line ${MARKS[line.result]}`} data-check={line.check} data-result={line.result} key={line.check}>
          <span class="check-mark" aria-hidden="true" />
          <span>
            <strong>{capital(line.check)}</strong> {WORDS[line.result]}
          </span>
          <p><NamedCharacters text={line.sentence} /></p>
        </li>
      ))}
    </ul>
  );
}

/** Return the result of all lines in one sentence. */
export function summary(lines: readonly Line[]): string {
  const failing = lines.filter((line) => line.result === "fails");
  const open = lines.filter((line) => line.result === "open").length;
  const unchecked = open === 0 ? "" : ` ${open === 1 ? "One could" : `${open} could`} not be made.`;
  if (failing.length > 0) return `${names(failing)} ${failing.length === 1 ? "fails" : "fail"}.${unchecked}`;
  const held = lines.length - open;
  return `${held} ${held === 1 ? "check holds" : "checks hold"}, computed in this browser.${unchecked}`;
}

function names(lines: readonly Line[]): string {
  const words = lines.map((line) => line.check);
  const last = words.pop() ?? "";
  return capital(words.length === 0 ? last : `${words.join(", ")} and ${last}`);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
