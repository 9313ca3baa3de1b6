import { expect, test } from "vitest";

import { namedText } from "./hidden_characters";
import { vector } from "./proof/vectors";

test.each<{ text: string; named: string }>(vector("hidden_characters"))(
  "the hidden characters of $named have their codes, as on the pages of the node",
  ({ text, named }) => {
    expect(namedText(text)).toBe(named);
  },
);
