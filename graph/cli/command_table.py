"""The commands of `a2ap` by name: the module of each, which is imported if the command is run.

A command imports all that it needs, some of them the whole platform; the help of all needs this table alone.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

_HELP = ("-h", "--help")


@dataclass(frozen=True, slots=True)
class Entry:
    """One command: its module in `graph.cli`, its function or group there, and the first line of its help."""

    module: str
    attribute: str
    summary: str

    def load(self, name: str) -> Any:
        """Return the command under a name."""
        loaded = getattr(import_module(f"graph.cli.{self.module}"), self.attribute)
        if isinstance(loaded, typer.Typer):
            command: Any = typer.main.get_group(loaded)
            command.name = name
            return command
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name)(loaded)
        return typer.main.get_command(alone)


@dataclass(frozen=True, slots=True)
class Group:
    """Commands that belong together, and their help; `default` runs if the first word is an option, an id or a hash."""

    summary: str
    entries: Mapping[str, Entry]
    default: str | None = None

    def load(self, name: str) -> Any:
        """Return the group under a name."""
        return _Group(self, name)


COMMANDS: Mapping[str, Entry | Group] = {
    "serve": Entry("serve", "serve", "Run the platform as a server."),
    "doctor": Entry("doctor", "doctor", "Examine a node, and list its problems."),
    "demo": Entry("demo", "demo", "Run the demonstration on captions."),
    "ask": Entry("ask", "ask", "Answer a question about the claims."),
    "search": Entry("search", "app", "Find statements by words and by meaning."),
    "verify": Entry("verify", "verify", "Check a document or a bundle off-line."),
    "mcp": Entry("mcp", "mcp", "Serve an agent's tools to language models over MCP."),
    "agent": Group(
        "Register, endorse and compare agents.",
        {
            "register": Entry("agents", "register", "Register an agent and its key."),
            "endorse": Entry("agents", "endorse", "Answer for another agent."),
            "announce-version": Entry("agents", "announce", "Announce a version of a family of agents."),
            "deactivate": Entry("agents", "deactivate", "End an agent."),
            "drift": Entry("drift", "drift", "Compare two versions of an agent."),
        },
    ),
    "key": Group(
        "Make, register, rotate and revoke keys.",
        {
            "generate": Entry("keygen", "generate", "Make a new Ed25519 key for an agent."),
            "add": Entry("keys", "add", "Register another key beside the one that signs."),
            "rotate": Entry("keys", "rotate", "Put another key in the place of the one that signs."),
            "recover": Entry("keys", "recover", "Register a key with the recovery key."),
            "revoke": Entry("keys", "revoke", "Revoke a key."),
            "list": Entry("keys", "list_keys", "List the keys of an agent, and the state of each."),
        },
    ),
    "statement": Group(
        "Make, retract and trace statements.",
        {
            "create": Entry("statement", "create", "Make, sign and submit a statement."),
            "retract": Entry("statement", "retract", "Take back a statement or verdict of yours."),
            "lineage": Entry("lineage", "lineage", "Tell the whole story of a statement, causes first."),
            "bundle": Entry("bundle", "bundle", "Fetch the bundle of a statement."),
        },
    ),
    "document": Group(
        "Sign and submit documents of any type.",
        {
            "sign": Entry("documents", "sign_file", "Sign a document and print it."),
            "submit": Entry("documents", "submit", "Submit signed documents of any type."),
        },
    ),
    "request": Group(
        "Request verifications, and take the requests of others.",
        {
            "create": Entry("requests", "request", "Ask for a statement to be verified."),
            "list": Entry("request_list", "list_requests", "List the requests that wait for verdicts."),
            "show": Entry("request_list", "show", "Show the requests on a statement, and the drawn operators."),
            "lease": Entry("requests", "lease", "Take verification requests to answer."),
            "decline": Entry("requests", "decline", "Say that you will not answer a request, and why."),
        },
        default="create",
    ),
    "verdict": Group(
        "Give verdicts, and answer challenges.",
        {
            "create": Entry("verdicts", "respond", "Give your verdict on a statement."),
            "answer": Entry("verdicts", "answer", "Answer a challenge of a statement of yours."),
        },
    ),
    "verifier": Entry("verifier", "verifier", "Answer verification requests."),
    "review": Entry("verifier", "app", "Approve or reject the verdicts that a verifier holds."),
    "source": Group(
        "Register and check the files that claims rest on.",
        {
            "add": Entry("source", "add", "Register a file as a source and upload it."),
            "requests": Entry("source", "requests", "List the requests for a stricter class of sources."),
            "tighten": Entry("source", "tighten", "Give a source a stricter class."),
            "recheck": Entry("source_checks", "recheck", "Read every source, and check its citations again."),
            "expire": Entry("source_checks", "expire", "Erase the sources that may be kept no longer."),
        },
    ),
    "redact": Entry("redact", "app", "Erase disclosures of a message, or text of a source, that law takes away."),
    "log": Group(
        "Audit, follow and export the log, and change its key.",
        {
            "audit": Entry("audit", "audit", "Audit a node."),
            "entries": Entry("log", "entries", "List the log's entries of an agent."),
            "export": Entry("log", "export", "Write the log for a static file server."),
            "key": Entry("log", "key", "Print the verifier key that the log is signed with."),
            "rotate": Entry("log", "rotate", "Hand the log to a new key."),
            "watch": Entry("watch", "watch", "Print events as they happen."),
            "stats": Entry("stats", "stats", "Count the entries of the log by buckets of time."),
            "rebuild": Entry("rebuild", "rebuild_graph", "Write a graph anew from its log."),
            "replay": Entry("replay", "replay", "Work out scores again from the first entries of a log."),
        },
    ),
    "graph": Group(
        "Query, walk and copy the graph.",
        {
            "cypher": Entry("cypher", "cypher", "Run a query in Cypher on the platform, and print its rows."),
            "sparql": Entry("sparql", "sparql", "Answer a SPARQL query over the exported triples."),
            "path": Entry("walks", "path", "Show how two things are connected, by the shortest paths."),
            "impact": Entry("walks", "impact", "Show all that rests on something, nearest first."),
            "blast-radius": Entry("walks", "blast_radius", "Show all that rests on a key, agent or source."),
            "mirror": Entry("mirror", "mirror", "Keep a relational copy of the graph in PostgreSQL."),
            "dictionary": Entry("dictionary", "dictionary", "Print the data dictionary as a page."),
        },
    ),
    "export": Entry("export", "app", "Export messages and the graph, or check an export."),
    "policy": Entry("policy", "app", "Show and change the rules of scoring."),
    "admission": Entry("admission", "app", "Decide which agents may join a node."),
    "gold": Entry("gold", "app", "Add, withdraw and dispute gold labels."),
    "probe": Entry("probe", "app", "Prepare and reveal hidden probes of verifiers."),
    "peer": Entry("peer", "app", "Exchange log entries with other nodes."),
    "passport": Entry("passport", "app", "Read, verify and submit Context Passports."),
    "pack": Entry("pack", "app", "Create, verify and submit Context Packs."),
    "packet": Entry("packet", "app", "Assemble, receive and close Context Packets."),
}

ALIASES: Mapping[str, tuple[str, str]] = {
    "keygen": ("key", "generate"),
    "register": ("agent", "register"),
    "endorse": ("agent", "endorse"),
    "announce": ("agent", "announce-version"),
    "deactivate": ("agent", "deactivate"),
    "drift": ("agent", "drift"),
    "claim": ("statement", "create"),
    "retract": ("statement", "retract"),
    "lineage": ("statement", "lineage"),
    "bundle": ("statement", "bundle"),
    "sign": ("document", "sign"),
    "submit": ("document", "submit"),
    "lease": ("request", "lease"),
    "decline": ("request", "decline"),
    "respond": ("verdict", "create"),
    "answer": ("verdict", "answer"),
    "recheck": ("source", "recheck"),
    "retention": ("source", "expire"),
    "audit": ("log", "audit"),
    "watch": ("log", "watch"),
    "stats": ("log", "stats"),
    "rebuild": ("log", "rebuild"),
    "replay": ("log", "replay"),
    "cypher": ("graph", "cypher"),
    "sparql": ("graph", "sparql"),
    "path": ("graph", "path"),
    "impact": ("graph", "impact"),
    "blast-radius": ("graph", "blast-radius"),
    "mirror": ("graph", "mirror"),
    "dictionary": ("graph", "dictionary"),
}
"""The names that commands had before they were in groups: no help lists them."""


class _Listed(TyperGroup):
    """Commands of the table, whose help lists them by their summaries, without importing them."""

    def __init__(self, entries: Mapping[str, Entry | Group], **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _Commands(entries)
        self._entries = entries

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each name and summary."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self._entries.items()])


class CommandTable(_Listed):
    """The group of all commands."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(COMMANDS, **attributes)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name, or by the name that it had before."""
        if cmd_name in ALIASES:
            group, name = ALIASES[cmd_name]
            return _entries_of(group)[name].load(cmd_name)
        return super().get_command(ctx, cmd_name)


class _Group(_Listed):
    """A group of the table: without a command it prints its help, and ends with status 2."""

    def __init__(self, group: Group, name: str) -> None:
        settings = {"help_option_names": list(_HELP)}
        super().__init__(group.entries, name=name, help=group.summary, context_settings=settings, rich_markup_mode=None)
        self._default = group.default

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Print the help if there are no arguments; put the default command in front of those that name none."""
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            raise typer.Exit(2)
        if args and self._default and self._is_argument(args[0]):
            args = [self._default, *args]
        return super().parse_args(ctx, args)

    @staticmethod
    def _is_argument(word: str) -> bool:
        """Return whether a word is an option, an id, a hash or a path, and no command."""
        return word not in _HELP and (word.startswith("-") or not word.isidentifier())


def _entries_of(name: str) -> Mapping[str, Entry]:
    group = COMMANDS[name]
    if not isinstance(group, Group):
        raise TypeError(f"{name} is no group")
    return group.entries


class _Commands(MutableMapping[str, Any]):
    """The commands of entries by name, each loaded when it is looked up."""

    def __init__(self, entries: Mapping[str, Entry | Group]) -> None:
        self._entries = entries

    def __getitem__(self, name: str) -> Any:
        return self._entries[name].load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __setitem__(self, name: str, command: Any) -> None:
        raise TypeError("a command is an entry of the table")

    def __delitem__(self, name: str) -> None:
        raise TypeError("a command is an entry of the table")
