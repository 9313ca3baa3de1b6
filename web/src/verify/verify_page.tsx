// The checker: files are dropped or chosen, verified in this browser, and never sent anywhere.

import { useRef, useState } from "preact/hooks";

import { namedText } from "../hidden_characters";
import { fails, passes } from "../proof/report";
import { examine, type FileReport, type GivenFile } from "./examine";
import { FileResult } from "./file_result";

const MAX_BYTES = 256 * 1_048_576;

export function VerifyPage() {
  const [files, setFiles] = useState<readonly GivenFile[]>([]);
  const [logKeys, setLogKeys] = useState("");
  const [reports, setReports] = useState<readonly FileReport[]>([]);
  const [said, setSaid] = useState("");
  const [isOver, setIsOver] = useState(false);
  // A slow verification must not overwrite the result of a later one.
  const latest = useRef(0);

  const verify = async (chosen: readonly GivenFile[], keys: string): Promise<void> => {
    latest.current += 1;
    const own = latest.current;
    setSaid(chosen.length === 0 ? "" : "The files are being verified.");
    const found = await examine(chosen, keys);
    if (own !== latest.current) return;
    setReports(found);
    setSaid(chosen.length === 0 ? "There are no files." : announcementOf(found));
  };
  const add = async (given: FileList | null | undefined): Promise<void> => {
    const added = await readFiles([...(given ?? [])], files, setSaid);
    if (added === null) return;
    const all = [...files, ...added];
    setFiles(all);
    await verify(all, logKeys);
  };
  const clear = async (): Promise<void> => {
    setFiles([]);
    await verify([], logKeys);
  };

  return (
    <main>
      <h1>Verify proofs</h1>
      <p>
        This page checks files of a provenance platform with this browser alone: signatures, hashes, and the place of
        messages in a public log. It asks no server, and sends nothing.
      </p>
      {window.location.protocol !== "file:" && (
        <p>
          <a href="verify" download="a2ap-verify.html">
            Save this page
          </a>{" "}
          to verify files without this node, or <a href="./">go to the node's home page</a>.
        </p>
      )}
      <div
        class={isOver ? "drop drop-over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          void add(event.dataTransfer?.files);
        }}
      >
        <label for="files">Drop files here, or choose them</label>
        <input
          id="files"
          type="file"
          multiple
          aria-describedby="files-help"
          onChange={(event) => {
            const input = event.currentTarget;
            void add(input.files).then(() => (input.value = ""));
          }}
        />
        <p id="files-help">
          Several at once: a document, its receipt, the bytes of its source, the registration of its key; a bundle; a
          checkpoint; a Context Passport, Pack or Packet; a policy of witnesses.
        </p>
      </div>
      <label for="log-keys">Key of the log, from a source that you believe</label>
      <textarea
        id="log-keys"
        rows={2}
        spellcheck={false}
        aria-describedby="log-keys-help"
        value={logKeys}
        onInput={(event) => setLogKeys(event.currentTarget.value)}
        onChange={(event) => void verify(files, event.currentTarget.value)}
      />
      <p id="log-keys-help">
        It looks like <code>name+id+key</code>, one a line. Without it no receipt, checkpoint or bundle holds: anybody can
        make a log of their own.
      </p>
      <h2>Results</h2>
      <p role="status" aria-live="polite">
        {namedText(said)}
      </p>
      {files.length > 0 && (
        <p>
          {files.length === 1 ? "1 file" : `${files.length} files`}: {namedText(files.map((one) => one.name).join(", "))}.{" "}
          <button type="button" onClick={clear}>
            Remove all files
          </button>
        </p>
      )}
      {reports.map((found) => (
        <FileResult key={found.name} found={found} files={files} logKeys={logKeys} announce={setSaid} />
      ))}
    </main>
  );
}

/** Read files under names of their own; null if one is too large, which is said. */
async function readFiles(
  given: readonly File[],
  files: readonly GivenFile[],
  say: (words: string) => void,
): Promise<GivenFile[] | null> {
  const large = given.find((one) => one.size > MAX_BYTES);
  if (large !== undefined) {
    say(`${large.name} has ${large.size} bytes, more than ${MAX_BYTES}.`);
    return null;
  }
  const names = new Set(files.map((one) => one.name));
  const added: GivenFile[] = [];
  for (const one of given) {
    let name = one.name;
    for (let number = 2; names.has(name); number += 1) name = `${one.name} (${number})`;
    names.add(name);
    added.push({ name, data: new Uint8Array(await one.arrayBuffer()) });
  }
  return added;
}

function announcementOf(reports: readonly FileReport[]): string {
  const failed = reports.filter((one) => fails(one.report));
  const open = reports.filter((one) => !passes(one.report) && !fails(one.report));
  if (reports.length === 0) return "These files support others, and there is none to verify.";
  if (failed.length + open.length === 0) return reports.length === 1 ? "The file holds." : `All ${reports.length} files hold.`;
  const sentences: string[] = [];
  if (failed.length > 0) sentences.push(`${countOf(failed, reports)} ${failed.length === 1 ? "fails" : "fail"}: ${namesOf(failed)}.`);
  if (open.length > 0) {
    sentences.push(`A key or a file is missing to check ${countOf(open, reports)}: ${namesOf(open)}.`);
  }
  return sentences.join(" ");
}

function countOf(some: readonly FileReport[], all: readonly FileReport[]): string {
  return `${some.length} of ${all.length} ${all.length === 1 ? "file" : "files"}`;
}

function namesOf(reports: readonly FileReport[]): string {
  return reports.map((one) => one.name).join(", ");
}
