// Runs the audits of npm's graphql-http against the address that is the one argument, and prints what each found.
import { serverAudits } from "graphql-http";

const results = [];
for (const audit of serverAudits({ url: process.argv[2] })) {
  const { id, name, status, reason } = await audit.fn();
  results.push({ id, name, status, reason });
}
console.log(JSON.stringify(results));
