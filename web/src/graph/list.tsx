// The list beside the drawing: the selected thing with its relations, and all things that are shown.

import { useEffect, useState } from "preact/hooks";

import { integer } from "../number";
import type { Link, Rest } from "./model";
import { counted, type Session } from "./session";
import { capital, shortText, type Thing } from "./thing";

const AT_FIRST = 60; // things of a kind in the list
const TURTLE = new Set(["STATEMENT", "VERIFICATION", "AGENT"]);

interface Shown {
  session: Session;
  visible: ReadonlySet<string>;
  onSelect: (key: string) => void;
}

/** The selected thing: its addresses, more of its neighbours, the things that rest on it, and its relations. */
export function Details({ session, thing, visible, onSelect }: Shown & { thing: Thing }) {
  const { model, root } = session;
  const words = model.words.kind(thing.kind);
  const groups = groupsAt(session, thing, visible);
  const rests = model.restsOf(thing.key);
  return (
    <section class="card graph-details" aria-label="Selected thing" data-selected={thing.key}>
      <h2><Mark thing={thing} />{capital(words.one)}</h2>
      <p><bdi>{shortText(thing.label, 300)}</bdi></p>
      <p class="facts">
        {thing.verified !== null && (thing.verified ? "verified · " : "not verified · ")}
        {thing.address && <a href={root + thing.address}>Page</a>}
        {thing.named && <> · <a href={`${root}graph?of=${encodeURIComponent(thing.name)}`}>Own graph</a></>}
        {TURTLE.has(thing.kind) && <> · <a href={`${root}${thing.address}?_mediatype=${encodeURIComponent("text/turtle")}`}>Turtle</a></>}
        {thing.logIndex !== null && <> · <a href={`${root}log/${thing.logIndex}`}>log entry {integer(thing.logIndex)}</a></>}
      </p>
      {thing.named && (
        <div class="graph-actions">
          {!model.expanded.has(thing.key) && <button type="button" disabled={session.isLoading} onClick={() => void session.expand(thing)}>Load its neighbours</button>}
          {rests.map((rest) => <More key={`${rest.relation} ${rest.kind} ${rest.direction}`} session={session} thing={thing} rest={rest} />)}
          {session.impact?.of.key === thing.key || session.path.size > 0 ? (
            <button type="button" onClick={() => session.clearMarks()}>Show all things alike</button>
          ) : null}
          {session.impact?.of.key !== thing.key && <button type="button" disabled={session.isLoading} onClick={() => void session.showImpact(thing)}>Show all that rests on it</button>}
        </div>
      )}
      {[...groups].map(([heading, { term, things }]) => (
        <div key={heading}>
          <h3>{heading} <code class="term">{term}</code></h3>
          <Things things={things} session={session} onSelect={onSelect} marked={new Set()} />
        </div>
      ))}
    </section>
  );
}

function More({ session, thing, rest }: { session: Session; thing: Thing; rest: Rest }) {
  const kind = session.model.words.kind(rest.kind);
  const total = rest.total === null ? "" : ` of ${integer(rest.total)}`;
  return <button type="button" disabled={session.isLoading} onClick={() => void session.expand(thing, rest)}>Load more{total} {kind.many}</button>;
}

/** All things that are shown, by kind. */
export function ThingList({ session, visible, marked, onSelect }: Shown & { marked: ReadonlySet<string> }) {
  const byKind = new Map<string, Thing[]>();
  for (const thing of session.model.things.values()) {
    if (!visible.has(thing.key)) continue;
    const things = byKind.get(thing.kind);
    if (things) things.push(thing);
    else byKind.set(thing.kind, [thing]);
  }
  const kinds = Object.keys(session.model.words.kinds).filter((kind) => byKind.has(kind));
  return (
    <section class="graph-list" aria-label="Things shown">
      <h2>Things shown</h2>
      {kinds.map((kind) => {
        const things = byKind.get(kind)!;
        const words = session.model.words.kind(kind);
        return (
          <details key={kind} open={things.length <= AT_FIRST}>
            <summary>{counted(things.length, words.one, words.many)}</summary>
            <Things things={things} session={session} onSelect={onSelect} marked={marked} />
          </details>
        );
      })}
    </section>
  );
}

function Things({ things, session, onSelect, marked }: { things: readonly Thing[]; session: Session; onSelect: (key: string) => void; marked: ReadonlySet<string> }) {
  const [most, setMost] = useState(AT_FIRST);
  useEffect(() => setMost(AT_FIRST), [session.selected]);
  const mark = session.impact ? `rests on ${shortText(session.impact.of.label, 40)}` : "on the path";
  return (
    <>
      <ul class="plain things">
        {things.slice(0, most).map((thing) => (
          <li key={thing.key}>
            <button type="button" class="thing-button" data-key={thing.key} aria-current={thing.key === session.selected ? "true" : undefined} onClick={() => onSelect(thing.key)}>
              <Mark thing={thing} /><bdi>{shortText(thing.label, 120)}</bdi>
            </button>
            {marked.has(thing.key) && thing.key !== session.impact?.of.key && <span class="quiet"> {mark}</span>}
          </li>
        ))}
      </ul>
      {things.length > most && <button type="button" onClick={() => setMost(most + 200)}>List {Math.min(200, things.length - most)} more</button>}
    </>
  );
}

function Mark({ thing }: { thing: Thing }) {
  return <span class={`prov prov-${thing.shape}`} aria-hidden="true" />;
}

/** Return the shown neighbours of a thing by the headings of their relations. */
function groupsAt(session: Session, thing: Thing, visible: ReadonlySet<string>): Map<string, { term: string; things: Thing[] }> {
  const groups = new Map<string, { term: string; things: Thing[] }>();
  for (const link of session.model.linksAt(thing.key)) {
    for (const { heading, other } of endsOf(link, thing)) {
      if (!visible.has(other)) continue;
      const group = groups.get(heading) ?? { term: link.words.term, things: [] };
      group.things.push(session.model.things.get(other)!);
      groups.set(heading, group);
    }
  }
  return groups;
}

function endsOf(link: Link, thing: Thing): { heading: string; other: string }[] {
  return link.later === thing.key
    ? [{ heading: link.words.onward, other: link.earlier }]
    : [{ heading: link.words.back, other: link.later }];
}
