// Follows the log at the address that is the one argument with three clients at once, each of which goes on by itself
// when its connection is lost, and prints a line of JSON for each event: which client, and the entries that it was told.
import { EventSource } from "eventsource";
import * as sse from "graphql-sse";
import * as ws from "graphql-ws";
import WebSocket from "ws";

const url = process.argv[2];
const query = `subscription ($after: String) {
  logGrowth(after: $after, first: 3) { size entries { logIndex } }
}`;
const retry = () => new Promise((resolve) => setTimeout(resolve, 200));

function tell(client, result) {
  if (result.errors) throw new Error(`${client}: ${JSON.stringify(result.errors)}`);
  const { size, entries } = result.data.logGrowth;
  console.log(JSON.stringify({ client, size, entries: entries.map((entry) => entry.logIndex) }));
  return result.extensions.cursor;
}

function sink(client, next) {
  return {
    next,
    error: (error) => { throw new Error(`${client}: ${error.message ?? JSON.stringify(error)}`); },
    complete: () => console.log(JSON.stringify({ client, complete: true })),
  };
}

// graphql-sse asks for its headers whenever it connects.
let cursor;
const streams = sse.createClient({
  url,
  retry,
  retryAttempts: 1000,
  headers: () => (cursor ? { "last-event-id": cursor } : {}),
});
streams.subscribe({ query }, sink("graphql-sse", (result) => { cursor = tell("graphql-sse", result); }));
streams.subscribe({ query: "{ log { size } }" }, sink("query", () => {}));

// graphql-ws sends the operation again as it is then.
const sockets = ws.createClient({
  url: url.replace("http", "ws"),
  webSocketImpl: WebSocket,
  retryWait: retry,
  retryAttempts: 1000,
  shouldRetry: () => true,
});
const operation = { query, variables: { after: undefined } };
sockets.subscribe(operation, sink("graphql-ws", (result) => { operation.variables.after = tell("graphql-ws", result); }));

// An EventSource remembers the last id by itself.
const events = new EventSource(`${url}?query=${encodeURIComponent(query)}`);
events.addEventListener("next", (event) => tell("EventSource", JSON.parse(event.data)));
events.addEventListener("complete", () => events.close());
