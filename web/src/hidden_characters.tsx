// Texts with a visible name for each character that hides or reorders text, as on the pages of the node.

const HIDDEN = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}])/u;
const KEPT = new Set(["\n", "\t", "\u200c", "\u200d"]);

/** Show a text; each hidden character of it is its code. */
export function NamedCharacters({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(HIDDEN).map((part, at) => {
        if (at % 2 === 0 || KEPT.has(part)) return part;
        const name = `U+${(part.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
        return (
          <span key={at} class="hidden-character">
            {name}
          </span>
        );
      })}
    </>
  );
}
