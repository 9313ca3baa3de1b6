// Parts of the desk's forms: the state of an action, files to save, and the data of the page.

import { type ComponentChildren, type VNode } from "preact";
import { useState } from "preact/hooks";
import { NamedCharacters } from "../named_characters";
import { RefusedError } from "./node";

/** The data that the page holds for a script in this element. */
export function taskOf<T>(element: HTMLElement): T {
  return JSON.parse(element.querySelector("script[type='application/json']")?.textContent ?? "null") as T;
}

/** An action that is under way or has failed, for one button at a time. */
export function useAction(): { busy: boolean; problem: string; run(action: () => Promise<void>): void; clear(): void } {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const run = (action: () => Promise<void>): void => {
    setBusy(true);
    setProblem("");
    action().then(
      () => setBusy(false),
      (error: unknown) => {
        setBusy(false);
        setProblem(sentenceOf(error));
      },
    );
  };
  return { busy, problem, run, clear: () => setProblem("") };
}

/** A problem of a form, which a screen reader reads when it appears. */
export function Problem({ words }: { readonly words: string }): VNode | null {
  if (words === "") return null;
  return (
    <p role="alert" class="notice notice-bad">
      <NamedCharacters text={words} />
    </p>
  );
}

/** A file made in the browser, saved by the reader. */
export function SaveFile({ name, text, children }: { readonly name: string; readonly text: string; readonly children: ComponentChildren }) {
  const save = (): void => {
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };
  return (
    <button type="button" onClick={save}>
      {children}
    </button>
  );
}

function sentenceOf(error: unknown): string {
  if (error instanceof RefusedError) return error.path ? `${error.message} (${error.path})` : error.message;
  return error instanceof Error ? error.message : String(error);
}
