// The page's queries, asked of the node that served it.

interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string }[];
}

export class QueryError extends Error {}

/** Return the data of a query; raise `QueryError` with the node's first message if it gives an error. */
export async function ask<Data>(root: string, query: string, variables: Record<string, unknown>): Promise<Data> {
  let response: Response;
  try {
    response = await fetch(`${root}graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ query, variables }),
    });
  } catch {
    throw new QueryError("the node does not answer");
  }
  let answer: Answer<Data> & { detail?: string };
  try {
    answer = await response.json();
  } catch {
    throw new QueryError(`the node answers ${response.status} without data`);
  }
  const message = answer.errors?.[0]?.message ?? answer.detail;
  if (message || !answer.data) throw new QueryError(message ?? `the node answers ${response.status} without data`);
  return answer.data;
}
