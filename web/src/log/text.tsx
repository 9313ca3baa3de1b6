// Bytes of others as text: nothing in it is markup, and each hidden character has a visible name.

import { NamedCharacters } from "../named_characters";

/** Show bytes as UTF-8; bytes that are none become U+FFFD. */
export function Text({ data }: { readonly data: Uint8Array }) {
  return (
    <pre class="document" tabIndex={0} dir="auto" role="region" aria-label="Bytes of the document as text">
      <NamedCharacters text={new TextDecoder().decode(data)} />
    </pre>
  );
}
