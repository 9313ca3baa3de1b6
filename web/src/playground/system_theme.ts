// GraphiQL asks for the colour scheme of the system once; its editors follow a change here.
import { useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { useEffect } from "react";

/** Has the editors follow the colour scheme of the system, unless the reader has chosen another theme. */
export function SystemTheme(): null {
  const { setTheme } = useGraphiQLActions();
  const chosen = useGraphiQL((state) => state.theme);
  useEffect(() => {
    if (chosen !== null) return undefined;
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    const follow = () => setTheme(null);
    scheme.addEventListener("change", follow);
    return () => scheme.removeEventListener("change", follow);
  }, [chosen, setTheme]);
  return null;
}
