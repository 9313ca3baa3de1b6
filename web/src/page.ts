// The script of every page: loads the module that an element of the page names in `data-module`. Pages read without it.

interface Module {
  enhance(element: HTMLElement): void | Promise<void>;
}

const MODULES: Record<string, () => Promise<Module>> = {
  "desk-keys": () => import("./desk/keys"),
  "desk-new-statement": () => import("./desk/new_statement"),
  "desk-requests": () => import("./desk/requests"),
  "desk-verdict": () => import("./desk/verdict"),
  download: () => import("./download"),
  graph: () => import("./graph/graph"),
  "log-compare": () => import("./log/compare"),
  "log-entry": () => import("./log/entry"),
  "record-check": () => import("./records/record_check"),
  source: () => import("./source/source"),
};

async function enhanceAll(): Promise<void> {
  const elements = [...document.querySelectorAll<HTMLElement>("[data-module]")];
  await Promise.all(elements.map(async (element) => (await MODULES[element.dataset.module ?? ""]?.())?.enhance(element)));
  performance.mark("interactive"); // for measurements: each part of the page answers its reader
}

void enhanceAll();
