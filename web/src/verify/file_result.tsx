// The result of one file, and beside it the sabotaged copy.

import { useState } from "preact/hooks";

import { namedText } from "../hidden_characters";
import { NamedCharacters } from "../named_characters";
import { KINDS } from "../proof/kind";
import { fails, passes, type Report } from "../proof/report";
import { type FileReport, type GivenFile } from "./examine";
import { ProofChecks, summaryOf } from "./proof_checks";
import { sabotage, shownByte, type Sabotage } from "./sabotage";

const CLASSES = { holds: "file-holds", fails: "file-fails", open: "file-open" };
const MARKS = { holds: "✓", fails: "✗", open: "?" };

interface FileResultProps {
  readonly found: FileReport;
  readonly files: readonly GivenFile[];
  readonly logKeys: string;
  readonly announce: (words: string) => void;
}

export function FileResult({ found, files, logKeys, announce }: FileResultProps) {
  const holds = passes(found.report);
  return (
    <section class={`file ${CLASSES[resultOf(found.report)]}`}>
      <h3>
        <bdi>
          <NamedCharacters text={found.name} />
        </bdi>
      </h3>
      <p>
        It is {KINDS[found.kind]}
        {found.with.length > 0 && <NamedCharacters text={`, verified with ${found.with.join(" and ")}`} />}.{" "}
        <strong>
          <span aria-hidden="true">{MARKS[resultOf(found.report)]}</span> {summaryOf(found.report)}.
        </strong>
      </p>
      <div class={holds ? "beside" : ""}>
        <ProofChecks report={found.report} path={found.path} />
        {holds && <SabotagedCopy found={found} files={files} logKeys={logKeys} announce={announce} />}
      </div>
    </section>
  );
}

function resultOf(report: Report): "holds" | "fails" | "open" {
  if (passes(report)) return "holds";
  return fails(report) ? "fails" : "open";
}

function SabotagedCopy({ found, files, logKeys, announce }: FileResultProps) {
  const [round, setRound] = useState(0);
  const [copy, setCopy] = useState<Sabotage | null | undefined>(undefined);
  const names = [found.name, ...found.with];
  const [altered, setAltered] = useState(found.name);
  const run = async (): Promise<void> => {
    const made = await sabotage(files, found.name, altered, logKeys, round);
    setRound(round + 1);
    setCopy(made);
    announce(made === null ? "No change of one byte made a check fail." : `${describe(made)} ${summaryOf(made.report.report)}.`);
  };
  return (
    <div class="sabotage">
      <h4>The sabotaged copy</h4>
      <p>Change one byte in a copy, and see which check fails. Your file stays as it is.</p>
      {names.length > 1 && (
        <label>
          In the copy of{" "}
          <select value={altered} onChange={(event) => setAltered(event.currentTarget.value)}>
            {names.map((name) => (
              <option key={name} value={name}>
                {namedText(name)}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="button" onClick={run}>
        {copy === undefined ? "Change one byte" : "Change another byte"}
      </button>
      {copy === null && <p>No change of one byte made a check fail.</p>}
      {copy && (
        <>
          <p>
            <NamedCharacters text={describe(copy)} />
            {copy.ignored > 0 && ` ${copy.ignored} other places were tried first, which no check here covers.`}
          </p>
          <ProofChecks report={copy.report.report} />
        </>
      )}
    </div>
  );
}

function describe({ file, place, before, after }: Sabotage): string {
  return `Byte ${place} of the copy of ${file} was ${shownByte(before)} and is ${shownByte(after)}.`;
}
