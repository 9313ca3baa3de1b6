// Counts as the node's pages show them.

/** Return a count with a thin space between thousands. */
export function integer(value: number): string {
  return value.toLocaleString("en").replaceAll(",", "\u202f");
}
