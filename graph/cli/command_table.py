"""The commands of `a2ap` by name: the module of each, which is imported if the command is run.

A command imports all that it needs, some of them the whole platform; the help of all needs this table alone.
"""

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup


@dataclass(frozen=True, slots=True)
class Entry:
    """One command: its module in `graph.cli`, its function or group there, and the first line of its help."""

    module: str
    attribute: str
    summary: str


ENTRIES = {
    "serve": Entry("serve", "serve", "Run the platform as a server."),
    "doctor": Entry("doctor", "doctor", "Examine a node, and list its problems."),
    "demo": Entry("demo", "demo", "Run the demonstration on captions."),
    "ask": Entry("ask", "ask", "Answer a question about the claims."),
    "cypher": Entry("cypher", "cypher", "Run a query in Cypher on the platform, and print its rows."),
    "keygen": Entry("keygen", "keygen", "Make a new Ed25519 key for an agent."),
    "register": Entry("agents", "register", "Register an agent and its key."),
    "endorse": Entry("agents", "endorse", "Answer for another agent."),
    "announce": Entry("agents", "announce", "Announce a version of a family of agents."),
    "deactivate": Entry("deactivate", "deactivate", "End an agent."),
    "claim": Entry("claim", "claim", "Make, sign and submit a statement."),
    "sign": Entry("sign", "sign_file", "Sign a document and print it."),
    "submit": Entry("submit", "submit", "Submit signed documents of any type."),
    "request": Entry("requests", "request", "Ask for a statement to be verified."),
    "lease": Entry("requests", "lease", "Take verification requests to answer."),
    "respond": Entry("verdicts", "respond", "Give your verdict on a statement."),
    "decline": Entry("requests", "decline", "Say that you will not answer a request, and why."),
    "answer": Entry("verdicts", "answer", "Answer a challenge of a statement of yours."),
    "verifier": Entry("verifier", "verifier", "Answer verification requests."),
    "verify": Entry("verify", "verify", "Check a document or a bundle off-line."),
    "retract": Entry("retract", "retract", "Take back a statement or verdict of yours."),
    "retention": Entry("retention", "retention", "Erase the sources that may be kept no longer."),
    "recheck": Entry("recheck", "recheck", "Read every source, and check its citations again."),
    "drift": Entry("drift", "drift", "Compare two versions of an agent."),
    "bundle": Entry("bundle", "bundle", "Fetch the bundle of a statement."),
    "audit": Entry("audit", "audit", "Audit a node."),
    "blast-radius": Entry("blast_radius", "blast_radius", "Show all that rests on something, nearest first."),
    "impact": Entry("impact", "impact", "Show all that rests on something, nearest first."),
    "path": Entry("path", "path", "Show how two things are connected, by the shortest paths."),
    "watch": Entry("watch", "watch", "Print events as they happen."),
    "lineage": Entry("lineage", "lineage", "Tell the whole story of a statement, causes first."),
    "stats": Entry("stats", "stats", "Count the entries of the log by buckets of time."),
    "mirror": Entry("mirror", "mirror", "Keep a relational copy of the graph in PostgreSQL."),
    "dictionary": Entry("dictionary", "dictionary", "Print the data dictionary, as docs/dictionary.md has it."),
    "sparql": Entry("sparql", "sparql", "Answer a SPARQL query over the exported triples."),
    "rebuild": Entry("rebuild", "rebuild_graph", "Write a graph anew from its log."),
    "replay": Entry("replay", "replay", "Work out scores again from the first entries of a log."),
    "search": Entry("search", "app", "Find statements by words and by meaning."),
    "key": Entry("keys", "app", "Keys: more than one, others, none any more."),
    "admission": Entry("admission", "app", "Who may join a node."),
    "policy": Entry("policy", "app", "How a node scores."),
    "review": Entry("verifier", "app", "Approve or reject the verdicts that a verifier holds."),
    "redact": Entry("redact", "app", "Erase what law takes away: disclosures of a message, text of a source."),
    "gold": Entry("gold", "app", "What the operator knows."),
    "probe": Entry("probe", "app", "Hidden probes of verifiers."),
    "source": Entry("source", "app", "Sources: the files that claims rest on."),
    "export": Entry("export", "app", "Export what was accepted, or check an export."),
    "log": Entry("log", "app", "The log: its files, its key, and changes of its key."),
    "peer": Entry("peer", "app", "Other nodes: what is agreed with them, and what is taken from them."),
    "passport": Entry("passport", "app", "Context Passports: what agents did and handed on."),
    "pack": Entry("pack", "app", "Context Packs: what a run of an agent was."),
    "packet": Entry("packet", "app", "Context Packets: what an agent is given, under which conditions."),
}


class CommandTable(TyperGroup):
    """The group of all commands; its help lists them by their summaries."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _Commands()

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each name and summary."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in ENTRIES.items()])


class _Commands(MutableMapping[str, Any]):
    """The commands by name, each loaded when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        entry = ENTRIES[name]
        loaded = getattr(import_module(f"graph.cli.{entry.module}"), entry.attribute)
        if isinstance(loaded, typer.Typer):
            command: Any = typer.main.get_group(loaded)
            command.name = name
            return command
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name)(loaded)
        return typer.main.get_command(alone)

    def __iter__(self) -> Iterator[str]:
        return iter(ENTRIES)

    def __len__(self) -> int:
        return len(ENTRIES)

    def __setitem__(self, name: str, command: Any) -> None:
        raise TypeError("a command is an entry of the table")

    def __delitem__(self, name: str) -> None:
        raise TypeError("a command is an entry of the table")
