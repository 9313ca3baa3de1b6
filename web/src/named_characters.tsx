// Texts with a visible name for each character that hides or reorders text, as on the pages of the node.

import { partsOf } from "./hidden_characters";

/** Show a text; each hidden character of it is its code. */
export function NamedCharacters({ text }: { readonly text: string }) {
  return (
    <>
      {partsOf(text).map((part, at) =>
        part.isCode ? (
          <span key={at} class="hidden-character">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </>
  );
}
