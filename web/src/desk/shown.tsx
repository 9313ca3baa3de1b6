// A text of an agent, whose direction does not reach the words around it.

import { NamedCharacters } from "../named_characters";

export function Shown({ text }: { readonly text: string }) {
  return (
    <bdi>
      <NamedCharacters text={text} />
    </bdi>
  );
}
