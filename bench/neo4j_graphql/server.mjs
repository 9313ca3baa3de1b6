// Serves the page of P3 by @neo4j/graphql, on a port of the loopback that it prints, until its standard input ends.
import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import { Neo4jGraphQL } from "@neo4j/graphql";
import neo4j from "neo4j-driver";
import { readFileSync } from "node:fs";

const { NEO4J_URI, NEO4J_USER, NEO4J_PASSWORD, NEO4J_DATABASE } = process.env;
const driver = neo4j.driver(NEO4J_URI, neo4j.auth.basic(NEO4J_USER, NEO4J_PASSWORD));
const typeDefs = readFileSync(new URL("types.graphql", import.meta.url), "utf8");
const library = new Neo4jGraphQL({ typeDefs, driver });
const server = new ApolloServer({ schema: await library.getSchema() });
const { url } = await startStandaloneServer(server, {
  listen: { host: "127.0.0.1", port: 0 },
  context: async () => ({ sessionConfig: { database: NEO4J_DATABASE } }),
});
console.log(JSON.stringify({ url }));

process.stdin.on("end", async () => {
  await server.stop();
  await driver.close();
  process.exit();
});
process.stdin.resume();
