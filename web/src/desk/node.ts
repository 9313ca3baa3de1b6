// The desk and the node: operations of GraphQL, and the submission of a signed document.

import { decodeUtf8, type Bytes } from "../proof/encoding";

/** The receipt of a document as GraphQL gives it. */
export interface Receipt {
  readonly logIndex: number;
  readonly id: string;
  readonly type: string;
  readonly signedHash: string;
  readonly documentHash: string;
  readonly entry: string;
  readonly proof: string;
  readonly created: boolean;
}

/** The refusal of a document: a sentence, and the member at fault if there is one. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";

  constructor(
    sentence: string,
    readonly path: string | null = null,
  ) {
    super(sentence);
  }
}

export type Mutation = "registerAgent" | "submitVerification" | "declineVerification" | "submitStatement";

const RECEIPT = "... on Receipt { logIndex id type signedHash documentHash entry proof created }";
const PROBLEM = "... on Problem { title message path }";

/** Submit a signed document, byte for byte. Throws RefusedError. */
export async function submit(root: string, mutation: Mutation, document: Bytes): Promise<Receipt> {
  const query = `mutation ($document: String!) { ${mutation}(document: $document) { __typename ${RECEIPT} ${PROBLEM} } }`;
  const { [mutation]: found } = await ask<Record<string, Receipt & Problem & { __typename: string } | null>>(root, query, {
    document: decodeUtf8(document),
  });
  if (!found) throw new RefusedError("The node gave no answer about the document.");
  if (found.__typename !== "Receipt") throw new RefusedError(`${found.title}: ${found.message}`, found.path);
  return found;
}

/** Run an operation. Throws RefusedError. */
export async function ask<T>(root: string, query: string, variables: Record<string, unknown>): Promise<T> {
  const response = await fetch(`${root}graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await response.json().catch(() => null)) as Answer<T> | null;
  const [error] = body?.errors ?? [];
  if (error !== undefined) throw new RefusedError(`The node refused the operation: ${error.message}`);
  if (!response.ok || !body?.data) throw new RefusedError(`The node answered ${response.status}${body?.detail ? `: ${body.detail}` : ""}.`);
  return body.data;
}

/** Return the address of the node's subscriptions. */
export function socketAddress(root: string): string {
  const address = new URL(`${root}graphql`, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}

interface Problem {
  readonly title: string;
  readonly message: string;
  readonly path: string | null;
}

interface Answer<T> {
  readonly data?: T;
  readonly errors?: readonly { readonly message: string }[];
  readonly detail?: string;
}
