// The page of /graphql: GraphiQL with a tab for each example, talking to the address that it came from.
import { explorerPlugin } from "@graphiql/plugin-explorer";
import { createGraphiQLFetcher } from "@graphiql/toolkit";
import { GraphiQL, HISTORY_PLUGIN } from "graphiql";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import "graphiql/setup-workers/vite";
import "graphiql/style.css";
import "@graphiql/plugin-explorer/style.css";
import "./playground.css";
import { linkNames } from "./links";
import { keepTabsReadable } from "./tabs";

interface Tab {
  query: string;
  variables?: string;
}

const place = document.getElementById("graphiql")!;
const examples: Tab[] = JSON.parse(document.getElementById("examples")!.textContent!);
const address = new URL("graphql", document.baseURI);

const subscriptions = new URL(address);
subscriptions.protocol = address.protocol === "https:" ? "wss:" : "ws:";

const fetcher = createGraphiQLFetcher({
  url: address.toString(),
  subscriptionUrl: subscriptions.toString(),
});

keepTabsReadable(place);
linkNames(document.baseURI);
createRoot(place).render(
  createElement(GraphiQL, {
    fetcher,
    plugins: [HISTORY_PLUGIN, explorerPlugin()],
    defaultTabs: linkedTab(new URLSearchParams(window.location.search)) ?? examples,
    defaultEditorToolsVisibility: true,
    inputValueDeprecation: true,
    isHeadersEditorEnabled: true,
  }),
);

/** The tab of an address that brings a query: `q`, with its variables as JSON in `v`. */
function linkedTab(parameters: URLSearchParams): Tab[] | undefined {
  const query = parameters.get("q");
  if (query === null) return undefined;
  const variables = parameters.get("v");
  return [variables === null ? { query } : { query, variables }];
}
