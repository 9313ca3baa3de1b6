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
import { SystemTheme } from "./system_theme";
import { keepTabsReadable } from "./tabs";

interface Tab {
  query: string;
  variables?: string;
}

/** The props of GraphiQL that state its tabs. */
interface Tabs {
  defaultTabs: Tab[];
  initialQuery?: string;
  initialVariables?: string;
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
  createElement(
    GraphiQL,
    {
      fetcher,
      plugins: [HISTORY_PLUGIN, explorerPlugin()],
      ...tabsOf(new URLSearchParams(window.location.search)),
      defaultEditorToolsVisibility: true,
      inputValueDeprecation: true,
      isHeadersEditorEnabled: true,
    },
    createElement(SystemTheme),
  ),
);

/** The examples, preceded by the query of an address that brings one: `q`, with its variables as JSON in `v`. */
function tabsOf(parameters: URLSearchParams): Tabs {
  const query = parameters.get("q");
  if (query === null) return { defaultTabs: examples };
  const variables = parameters.get("v") ?? "";
  // Beside tabs of an earlier visit GraphiQL reads the initial texts alone. Its first editors show the initial texts
  // too, and not the first tab, whose variables would be missing. An absent text would be that of an earlier visit.
  return { defaultTabs: [{ query, variables }, ...examples], initialQuery: query, initialVariables: variables };
}
