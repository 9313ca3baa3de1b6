// The page of /graphql: GraphiQL with a tab for each example, talking to the address that it came from.
import { explorerPlugin } from "@graphiql/plugin-explorer";
import { createGraphiQLFetcher } from "@graphiql/toolkit";
import { GraphiQL, HISTORY_PLUGIN } from "graphiql";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import "graphiql/style.css";
import "@graphiql/plugin-explorer/style.css";
import "./playground.css";

const given = JSON.parse(document.getElementById("given").textContent);
const linked = new URLSearchParams(window.location.search).get("q");
const address = new URL("graphql", document.baseURI);

const subscriptions = new URL(address);
subscriptions.protocol = address.protocol === "https:" ? "wss:" : "ws:";

// The editor asks for a worker by the language that it is for.
globalThis.MonacoEnvironment = {
  getWorker(_id, label) {
    return new Worker(new URL(given.workers[label] ?? given.workers.editor, document.baseURI));
  },
};

const fetcher = createGraphiQLFetcher({
  url: address.toString(),
  subscriptionUrl: subscriptions.toString(),
});

// A link that brings a query opens that one alone.
const tabs = linked === null ? given.examples : [{ query: linked }];

createRoot(document.getElementById("graphiql")).render(
  createElement(GraphiQL, {
    fetcher,
    plugins: [HISTORY_PLUGIN, explorerPlugin()],
    defaultTabs: tabs,
    defaultEditorToolsVisibility: true,
    inputValueDeprecation: true,
    isHeadersEditorEnabled: true,
  }),
);
