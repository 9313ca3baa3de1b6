// Bytes of others as text: nothing in it is markup, and each hidden character has a visible name.

const HIDDEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Show bytes as UTF-8; bytes that are none become U+FFFD. */
export function Text({ data }: { readonly data: Uint8Array }) {
  const parts = new TextDecoder().decode(data).split(new RegExp(`(${HIDDEN.source})`, "u"));
  return (
    <pre class="document" tabIndex={0} dir="auto" role="region" aria-label="Bytes of the document as text">
      {parts.map((part) =>
        HIDDEN.test(part) ? <span class="hidden-character">U+{codeOf(part)}</span> : part,
      )}
    </pre>
  );
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
