// Characters that hide or reorder text, or pile up over other lines, as on the pages of the node (graph/web/text.py).

const SUSPECT = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\p{Mn}\p{Me}\u2800])+/gu;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800]/u;
const MARK = /[\p{Mn}\p{Me}]/u;
const KEPT = new Set(["\u200c", "\u200d", "\ufe0e", "\ufe0f"]);
const MOST_MARKS = 4; // on one letter (Unicode Technical Standard #39 §5.4)

/** A part of a text: its characters as they are, or the code of a hidden one. */
export interface Part {
  readonly text: string;
  readonly isCode: boolean;
}

/** Return the parts of a text, with a code for each hidden character. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const found of text.matchAll(SUSPECT)) {
    let marks = 0;
    let place = found.index;
    for (const character of found[0]) {
      const isKept = KEPT.has(character);
      if (!isKept) marks = MARK.test(character) ? marks + 1 : 0;
      if (!isKept && (HIDDEN.test(character) || marks > MOST_MARKS)) {
        if (place > end) parts.push({ text: text.slice(end, place), isCode: false });
        parts.push({ text: codeOf(character), isCode: true });
        end = place + character.length;
      }
      place += character.length;
    }
  }
  if (end < text.length) parts.push({ text: text.slice(end), isCode: false });
  return parts;
}

/** Return a text with the code of each hidden character in brackets. */
export function namedText(text: string): string {
  return partsOf(text)
    .map((part) => (part.isCode ? `[${part.text}]` : part.text))
    .join("");
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}
