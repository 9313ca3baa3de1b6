// The controls of the graph: kinds, time, layout, paths, and exports.

import { useState } from "preact/hooks";

import { integer } from "../number";
import { download, type Format } from "./download";
import type { Drawing, Layout } from "./drawing";
import { layeredPositions } from "./layers";
import { matricesOf, positionsIn } from "./forces";
import { counted, type Session } from "./session";
import { capital, shortText } from "./thing";

interface Props {
  session: Session;
  drawing: Drawing | null;
  visible: ReadonlySet<string>;
  marked: ReadonlySet<string>;
  drawable: boolean;
}

const FORMATS: readonly [Format, string][] = [
  ["svg", "SVG"],
  ["png", "PNG"],
  ["cypher", "Cypher"],
  ["prov.json", "PROV-JSON"],
];

export function Controls(props: Props) {
  const { session, visible, drawable } = props;
  return (
    <div class="graph-controls">
      <Kinds session={session} />
      <Time session={session} />
      {drawable && <Layouts session={session} />}
      <p class="quiet" data-count={visible.size}>
        {counted(visible.size, "thing", "things")} of {integer(session.model.things.size)} shown.
      </p>
    </div>
  );
}

/** The path from the selected thing to another, and the files of the shown things. */
export function PathAndFiles(props: Props) {
  return (
    <div class="graph-controls graph-after">
      <PathForm session={props.session} />
      <Exports {...props} />
    </div>
  );
}

function Kinds({ session }: { session: Session }) {
  const counts = new Map<string, number>();
  for (const thing of session.model.things.values()) counts.set(thing.kind, (counts.get(thing.kind) ?? 0) + 1);
  const toggle = (kind: string, isShown: boolean) =>
    session.change(() => (isShown ? session.hiddenKinds.delete(kind) : session.hiddenKinds.add(kind)));
  const kinds = Object.keys(session.model.words.kinds).filter((kind) => counts.has(kind));
  return (
    <fieldset>
      <legend>Kinds</legend>
      {kinds.map((kind) => {
        const words = session.model.words.kind(kind);
        return (
          <label key={kind}>
            <input type="checkbox" checked={!session.hiddenKinds.has(kind)} onChange={(event) => toggle(kind, event.currentTarget.checked)} />
            <span class={`prov prov-${words.shape}`} aria-hidden="true" />
            {capital(words.many)} ({integer(counts.get(kind)!)})
          </label>
        );
      })}
    </fieldset>
  );
}

function Time({ session }: { session: Session }) {
  const indices = session.model.logIndices();
  if (indices.length < 2) return null;
  const last = indices.length - 1;
  const place = session.logSize === Infinity ? last : indices.findLastIndex((index) => index < session.logSize);
  const set = (to: number) => session.change(() => (session.logSize = to >= last ? Infinity : indices[to]! + 1));
  return (
    <div class="graph-time">
      <label for="graph-time">Up to log entry {integer(indices[place]!)}{place === last ? ", the last shown" : ""}</label>
      <input id="graph-time" type="range" min={0} max={last} value={place} aria-valuetext={`log entry ${indices[place]}`} onInput={(event) => set(Number(event.currentTarget.value))} />
    </div>
  );
}

function Layouts({ session }: { session: Session }) {
  return (
    <label class="graph-layout">
      Layout
      <select value={session.layout} onChange={(event) => session.change(() => (session.layout = event.currentTarget.value as Layout))}>
        <option value="automatic">automatic</option>
        <option value="layers">layers of PROV</option>
        <option value="forces">forces</option>
      </select>
    </label>
  );
}

function PathForm({ session }: { session: Session }) {
  const from = session.selected ? session.model.things.get(session.selected) : undefined;
  const [to, setTo] = useState("");
  if (!from?.named) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    void session.showPath(from.name, to.trim());
  };
  return (
    <form class="graph-path" onSubmit={submit}>
      <label for="graph-path-to">Path from “{shortText(from.label, 40)}” to the hash or id</label>
      <div>
        <input id="graph-path-to" required maxLength={500} value={to} onInput={(event) => setTo(event.currentTarget.value)} />
        <button disabled={session.isLoading}>Show the path</button>
      </div>
    </form>
  );
}

function Exports({ session, drawing, visible, marked }: Props) {
  const save = (format: Format) => {
    const { model } = session;
    const things = [...model.things.values()].filter((thing) => visible.has(thing.key));
    const links = [...model.links.values()].filter((link) => visible.has(link.later) && visible.has(link.earlier));
    // A browser that draws nothing has positions too: layers, or the spiral on which forces begin.
    const keys = things.map((thing) => thing.key);
    const positions =
      drawing?.positions ?? (things.length > 120 ? positionsIn(matricesOf(keys, links, new Map()).nodes, keys) : layeredPositions(things, links));
    const title = document.title;
    const base = new URL(session.root, location.href).href;
    download(format, { things, links, positions, marked }, model.words, title, base).catch((error: unknown) =>
      session.change(() => (session.message = `The file could not be made: ${String(error)}.`)),
    );
  };
  return (
    <div class="graph-exports" role="group" aria-label="Save the shown graph">
      <span class="quiet">Save as</span>
      {FORMATS.map(([format, name]) => (
        <button key={format} type="button" data-format={format} onClick={() => save(format)}>{name}</button>
      ))}
    </div>
  );
}
