// The form for a statement: a claim, and passages of sources that the browser finds in their bytes and hashes.

import { render } from "preact";
import { useState } from "preact/hooks";
import { namedText } from "../hidden_characters";
import { type Bytes } from "../proof/encoding";
import { integer } from "../number";
import { Problem, taskOf, useAction } from "./form";
import { useIdentities } from "./identities";
import { signerOf } from "./key";
import { buildStatement, sign, type Segment } from "./message";
import { submit, type Receipt } from "./node";
import { citedSegment, findPlaces, type Place } from "./passage";
import { ReceiptView } from "./receipt";
import { canSign, SignerChoice } from "./signer_choice";
import { Shown } from "./shown";

interface Source {
  readonly id: string;
  readonly hash: string;
  readonly title: string | null;
  readonly mediaType: string | null;
}

interface Task {
  readonly logKeys: readonly string[];
  readonly sources: readonly Source[];
  readonly chosen: string | null;
}

/** A citation, and the title of its source. */
interface Cited {
  readonly segment: Segment;
  readonly title: string;
}

const AUTHOR = "prov:SoftwareAgent";

export function enhance(element: HTMLElement): void {
  const place = document.createElement("div");
  element.append(place);
  render(<StatementForm task={taskOf<Task>(element)} root={element.dataset.root ?? "./"} />, place);
}

function StatementForm({ task, root }: { readonly task: Task; readonly root: string }) {
  const identities = useIdentities(root);
  const action = useAction();
  const [claim, setClaim] = useState("");
  const [confidence, setConfidence] = useState("0.8");
  const [cited, setCited] = useState<readonly Cited[]>([]);
  const [sent, setSent] = useState<{ receipt: Receipt; document: Bytes } | null>(null);
  const send = async (): Promise<void> => {
    const { chosen } = identities;
    if (chosen === null) return;
    if (cited.length === 0) throw new Error("A statement cites at least one passage.");
    const evidence = cited.map((one) => one.segment);
    const message = await buildStatement({ time: new Date(), agent: chosen.agent, claim: claim.trim(), confidence: Number(confidence), evidence });
    const document = await sign(message, signerOf(chosen));
    setSent({ receipt: await submit(root, "submitStatement", document), document });
  };
  if (sent !== null) {
    return <ReceiptView {...sent} root={root} logKeys={task.logKeys} folder="statements" />;
  }
  return (
    <>
      <section aria-labelledby="passages">
        <h2 id="passages">Passages</h2>
        {cited.map(({ segment, title }, at) => (
          <figure key={`${segment.source} ${segment.start}`} class="quote">
            <blockquote dir="auto">
              <Shown text={segment.quote} />
            </blockquote>
            <figcaption>
              <Shown text={title} />, bytes {integer(segment.start)} to {integer(segment.end)}{" "}
              <button type="button" onClick={() => setCited(cited.filter((_, place) => place !== at))}>
                Remove
              </button>
            </figcaption>
          </figure>
        ))}
        <PassageForm task={task} root={root} add={(one) => setCited([...cited, one])} />
      </section>
      <section aria-labelledby="claim">
        <h2 id="claim">Claim</h2>
        <form
          class="desk-form"
          onSubmit={(event) => {
            event.preventDefault();
            action.run(send);
          }}
        >
          <SignerChoice identities={identities} root={root} needs={AUTHOR} />
          <label>
            The claim, in one sentence
            <textarea rows={3} value={claim} onInput={(event) => setClaim(event.currentTarget.value)} required maxLength={10_000} />
          </label>
          <label class="short">
            Confidence, 0 to 1
            <input type="number" min="0" max="1" step="0.01" value={confidence} onInput={(event) => setConfidence(event.currentTarget.value)} required />
          </label>
          <p class="quiet">The statement is public and stays in the log. A later retraction stands beside it and removes nothing.</p>
          <button disabled={action.busy || !canSign(identities, AUTHOR)}>Sign and submit the statement</button>
          <Problem words={action.problem} />
        </form>
      </section>
    </>
  );
}

function PassageForm({ task, root, add }: { readonly task: Task; readonly root: string; readonly add: (cited: Cited) => void }) {
  const action = useAction();
  const [hash, setHash] = useState(task.chosen ?? task.sources[0]?.hash ?? "");
  const [words, setWords] = useState("");
  const [found, setFound] = useState<{ bytes: Bytes; places: readonly Place[] } | null>(null);
  const source = task.sources.find((one) => one.hash === hash);
  const search = async (): Promise<void> => {
    if (source === undefined) return;
    const bytes = await fetchSource(`${root}sources/${encodeURI(source.hash)}`);
    const places = findPlaces(bytes, words);
    if (places.length === 0) throw new Error("These words do not stand in the bytes of the source.");
    if (places.length === 1 && places[0] !== undefined) await take(bytes, places[0]);
    else setFound({ bytes, places });
  };
  const take = async (bytes: Bytes, place: Place): Promise<void> => {
    if (source === undefined) return;
    add({ segment: await citedSegment(source, bytes, words, place), title: source.title ?? source.id });
    setWords("");
    setFound(null);
  };
  return (
    <form
      class="desk-form"
      onSubmit={(event) => {
        event.preventDefault();
        action.run(search);
      }}
    >
      <label>
        Source
        <select
          value={hash}
          onChange={(event) => {
            setHash(event.currentTarget.value);
            setFound(null);
          }}
        >
          {task.sources.map((one) => (
            <option key={one.hash} value={one.hash}>
              {namedText(one.title ?? one.id)}
            </option>
          ))}
        </select>
      </label>
      {source !== undefined && (
        <p class="facts">
          <a href={`${root}sources/${encodeURI(source.hash)}`}>Read the source</a>
        </p>
      )}
      <label>
        Words of the source, letter by letter; white space between them may differ
        <textarea
          rows={3}
          value={words}
          onInput={(event) => {
            setWords(event.currentTarget.value);
            setFound(null);
          }}
          required
        />
      </label>
      <button disabled={action.busy}>Find the words and cite them</button>
      {found !== null && (
        <fieldset>
          <legend>The words stand at {found.places.length} places. Which one?</legend>
          {found.places.map((place) => (
            <p key={place.start}>
              <button type="button" onClick={() => action.run(() => take(found.bytes, place))}>
                Byte {integer(place.start)}
              </button>{" "}
              <Shown text={`… ${place.before}`} />
              <mark>
                <Shown text={words} />
              </mark>
              <Shown text={`${place.after} …`} />
            </p>
          ))}
        </fieldset>
      )}
      <Problem words={action.problem} />
    </form>
  );
}

async function fetchSource(address: string): Promise<Bytes> {
  const answer = await fetch(address, { headers: { accept: "application/octet-stream" } });
  if (!answer.ok) throw new Error(`The node answered ${answer.status} about the source.`);
  return new Uint8Array(await answer.arrayBuffer());
}
