// The download of a file of the node: if the node refuses it, the page shows the node's sentence.

/** Has the link of a download ask the node first; a refusal is shown below the link. */
export function enhance(element: HTMLElement): void {
  const link = element.querySelector("a");
  const said = element.querySelector("[role=status]");
  if (link === null || said === null) return;
  let isAllowed = false;
  link.addEventListener("click", (event) => {
    if (isAllowed) return;
    event.preventDefault();
    said.textContent = "";
    void refusalOf(link.href).then((refusal) => {
      said.textContent = refusal;
      if (refusal !== "") return;
      isAllowed = true;
      link.click();
      isAllowed = false;
    });
  });
}

/** Return the reason why the node does not give a file, in a sentence; empty if it does. */
async function refusalOf(address: string): Promise<string> {
  const asking = new AbortController();
  try {
    const answer = await fetch(address, { signal: asking.signal });
    if (answer.ok) return "";
    const problem: unknown = await answer.json().catch(() => null);
    const { detail, title } = (problem ?? {}) as { readonly detail?: unknown; readonly title?: unknown };
    const reason = [detail, title].find((one) => typeof one === "string" && one !== "") ?? `status ${answer.status}`;
    return `The node does not give the file: ${reason}.`;
  } catch {
    return "The node does not answer.";
  } finally {
    asking.abort(); // The file itself is for the browser's own download.
  }
}
