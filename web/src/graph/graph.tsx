// The page of the graph: a drawing, the controls, and a list of the same things for keyboards and screen readers.

import { render } from "preact";
import { useEffect, useMemo, useReducer, useRef } from "preact/hooks";

import { Controls, PathAndFiles } from "./controls";
import { canDraw, Drawing } from "./drawing";
import { Details, ThingList } from "./list";
import { Session, type PageData } from "./session";

export function enhance(element: HTMLElement): void {
  const data = document.getElementById("graph-data")?.textContent;
  if (!data) return;
  render(<Graph data={JSON.parse(data) as PageData} root={element.dataset.root ?? "./"} element={element} />, element);
  const replaced = document.getElementById(element.dataset.replaces ?? "");
  if (replaced) replaced.hidden = true;
}

function Graph({ data, root, element }: { data: PageData; root: string; element: HTMLElement }) {
  const [version, changed] = useReducer<number, void>((count) => count + 1, 0);
  const session = useMemo(() => new Session(data, root, changed), []);
  const drawing = useRef<Drawing | null>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const drawable = useMemo(canDraw, []);
  const { model } = session;
  const visible = useMemo(() => model.visible(session), [version]);
  const marked = useMemo(() => session.marked, [version]);
  const selected = session.selected ? model.things.get(session.selected) : undefined;

  useEffect(() => {
    if (!drawable || !canvas.current) return;
    drawing.current = new Drawing(model, canvas.current, {
      onSelect: (key) => session.select(key),
      onExpand: (key) => void session.expand(model.things.get(key)!),
      onMoving: () => (element.dataset.state = "moving"),
      onSettled: () => (element.dataset.state = "settled"),
    });
    return () => drawing.current?.kill();
  }, []);
  useEffect(() => {
    element.dataset.things = String(visible.size);
    element.dataset.unnamed = String(session.unnamed);
    drawing.current?.show({ visible, selected: session.selected, marked, layout: session.layout });
  }, [version]);

  const show = (key: string) => {
    session.select(key);
    drawing.current?.centre(key);
  };
  return (
    <section class="graph" aria-label="Graph">
      <Controls session={session} drawing={drawing.current} visible={visible} marked={marked} drawable={drawable} />
      <p class="graph-message" role="status">{session.message}</p>
      <div class="graph-panes">
        {drawable ? (
          <div class="graph-canvas-pane">
            <div class="graph-canvas" ref={canvas} aria-hidden="true" />
            <div class="graph-zoom" role="group" aria-label="View of the drawing">
              <button type="button" aria-label="Zoom in" onClick={() => drawing.current?.zoom(1.5)}>+</button>
              <button type="button" aria-label="Zoom out" onClick={() => drawing.current?.zoom(1 / 1.5)}>−</button>
              <button type="button" onClick={() => drawing.current?.fit()}>Fit</button>
            </div>
            <p class="quiet graph-hint">Click a thing to select it. Double-click it to load its neighbours. The list has the same things.</p>
          </div>
        ) : (
          <p class="notice">This browser draws no graph, because WebGL 2 is not available. The list has the same things.</p>
        )}
        <div class="graph-side">
          {selected && <Details session={session} thing={selected} visible={visible} onSelect={show} />}
          <ThingList session={session} visible={visible} marked={marked} onSelect={show} />
        </div>
      </div>
      <PathAndFiles session={session} drawing={drawing.current} visible={visible} marked={marked} drawable={drawable} />
    </section>
  );
}
