// New verification requests as the node takes them in, over a WebSocket (graphql-transport-ws).

import { createClient } from "graphql-ws";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { taskOf } from "./form";
import { useIdentities } from "./identities";
import { socketAddress } from "./node";
import { Shown } from "./shown";

interface Task {
  readonly cursor: string;
  readonly criterion: string;
  readonly requester: string;
  readonly verifier: string;
}

interface Request {
  readonly signedHash: string;
  readonly criteria: readonly string[];
  readonly logIndex: number;
  readonly eligibleVerifiers: readonly string[] | null;
  readonly agent: { readonly id: string; readonly name: string };
  readonly statement: { readonly signedHash: string; readonly claimText: string };
}

type State = "connecting" | "live" | "lost";

const SUBSCRIPTION = `subscription ($criteria: [String!], $after: String) {
  verificationRequests(criteria: $criteria, after: $after) {
    signedHash criteria logIndex eligibleVerifiers agent { id name } statement { signedHash claimText }
  }
}`;
const MOST = 50;

export function enhance(element: HTMLElement): void {
  const place = document.createElement("div");
  element.append(place);
  render(<LiveRequests task={taskOf<Task>(element)} root={element.dataset.root ?? "./"} />, place);
}

/** Say whether a request meets the conditions that the node does not apply to events. */
export function meets(request: Request, task: Task): boolean {
  if (task.requester !== "" && request.agent.id !== task.requester) return false;
  return task.verifier === "" || request.eligibleVerifiers === null || request.eligibleVerifiers.includes(task.verifier);
}

function LiveRequests({ task, root }: { readonly task: Task; readonly root: string }) {
  const [found, setFound] = useState<readonly Request[]>([]);
  const [state, setState] = useState<State>("connecting");
  const { chosen } = useIdentities(root);
  useEffect(() => {
    const variables = { criteria: task.criterion === "" ? null : [task.criterion], after: task.cursor };
    const client = createClient({
      url: socketAddress(root),
      shouldRetry: () => true,
      retryAttempts: Number.POSITIVE_INFINITY,
      on: { connected: () => setState("live"), closed: () => setState("lost") },
    });
    const stop = client.subscribe<{ verificationRequests: Request }>(
      { query: SUBSCRIPTION, variables },
      {
        next: ({ data, extensions }) => {
          // A connection that is made again begins behind the last event.
          const cursor = (extensions as { cursor?: unknown } | undefined)?.cursor;
          if (typeof cursor === "string") variables.after = cursor;
          const request = data?.verificationRequests;
          if (request && meets(request, task)) setFound((before) => [request, ...before].slice(0, MOST));
        },
        error: () => setState("lost"),
        complete: () => setState("lost"),
      },
    );
    return () => {
      stop();
      void client.dispose();
    };
  }, []);
  return (
    <>
      <p class="facts" role="status">
        {{ connecting: "The page connects to the node.", live: "New requests appear here.", lost: "The connection is lost. New requests appear when the page is loaded again." }[state]}
        {chosen !== null && (
          <>
            {" "}
            <a href={`${root}desk?verifier=${encodeURIComponent(chosen.agent.id)}`}>
              Only requests for <Shown text={chosen.agent.name} />
            </a>
          </>
        )}
      </p>
      <div role="log" aria-label="New requests">
        {found.map((one) => (
          <article key={one.signedHash} class="card card-new">
            <h3 class="claim">
              <a href={`${root}desk/statements/${encodeURI(one.statement.signedHash)}?request=${encodeURIComponent(one.signedHash)}`}>
                <Shown text={one.statement.claimText} />
              </a>
            </h3>
            <p class="facts">
              <span class="badge badge-open">new</span> Criteria: {one.criteria.join(", ")} · asked by{" "}
              <a href={`${root}agents/${encodeURI(one.agent.id)}`}>
                <Shown text={one.agent.name || one.agent.id} />
              </a>{" "}
              · <a href={`${root}log/${one.logIndex}`}>log entry {one.logIndex}</a>
            </p>
          </article>
        ))}
      </div>
    </>
  );
}
