// GraphiQL gives each tab the role "tab" and puts two buttons into it, which WAI-ARIA §6.6.19 forbids: a screen reader
// does not reach the button that closes the tab. As a list of buttons both are reached, and the open tab is the current.

/** Keeps the tabs of GraphiQL a list of buttons, whenever it draws them again. */
export function keepTabsReadable(place: HTMLElement): void {
  const watching: MutationObserverInit = { subtree: true, childList: true, attributeFilter: ["role", "aria-selected"] };
  const observer = new MutationObserver(() => {
    observer.disconnect();
    for (const list of place.querySelectorAll<HTMLElement>("ul.graphiql-tabs")) rewriteTabs(list);
    place.querySelector("#graphiql-session")?.setAttribute("role", "region");
    observer.observe(place, watching);
  });
  observer.observe(place, watching);
}

function rewriteTabs(list: HTMLElement): void {
  list.removeAttribute("role");
  for (const tab of list.querySelectorAll<HTMLElement>("li.graphiql-tab")) {
    tab.removeAttribute("role");
    tab.removeAttribute("aria-selected");
    const button = tab.querySelector(".graphiql-tab-button");
    if (tab.classList.contains("graphiql-tab-active")) button?.setAttribute("aria-current", "true");
    else button?.removeAttribute("aria-current");
  }
}
