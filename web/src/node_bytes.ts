// The bytes at an address of the node.

import { type Bytes } from "./proof/encoding";

/** Fetch bytes in one of the accepted media types; throws an error with the status if the node gives none. */
export async function fetchBytes(address: string, accept: string): Promise<Bytes> {
  const answer = await fetch(address, { headers: { accept } });
  if (!answer.ok) throw new Error(`the node answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}
