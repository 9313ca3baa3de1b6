"""Requests of every page as a browser makes them; a page that is not known here fails, so that a new one is walked."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from walk_names import PAGE, Asked, Names, spread
from walk_routes import PUBLIC_WORDS, SOME

from graph.export.format import ExportFormat
from graph.web.records import CONDITIONS
from graph.web.registry import PAGES

Addresses = Callable[[str, Names], Iterable[Asked]]


def pages_of(names: Names) -> list[Asked]:
    """Return requests of every page; raises KeyError for a page that is not known."""
    paths = {route.path: None for page in PAGES for route in page.router.routes}
    asked = (one for path in paths for one in _PAGES[path](path, names))
    return [replace(one, headers={"accept": PAGE}) for one in asked]


def past_pages_of(names: Names, size: int) -> list[Asked]:
    """Return requests of the pages of a past size of the log."""
    asked = [one for one in pages_of(names) if one.path not in _PRESENT]
    return [replace(one, params={**one.params, "asOf": str(size)}) for one in asked]


def pages_with(word: str) -> list[Asked]:
    """Return requests that look for a word by each page that takes words."""
    found = (
        ("/ask", {"q": f"What is said about {word}?"}),
        *(("/search", {"q": f"{where}{word}"}) for where in ("", "title:", "evidence:")),
        ("/statements", {"topic": word}),
        ("/statements", {"source": word}),
        ("/agents", {"name": word}),
        ("/disputes", {"topic": word}),
        ("/export", {"query": word}),
        ("/graph", {"of": word}),
        ("/find", {"name": word}),
        (f"/topics/{word}", {}),
        (f"/sources/{word}", {}),
        ("/records", {"kind": "packets", "task": word}),
    )
    return [Asked("GET", path, params, {"accept": PAGE}) for path, params in found]


_PRESENT = ("/docs", "/find", "/log/compare", "/operator", "/session", "/verify")
"""Pages that do not take a size of the log: their content has none, or they take two."""


def _itself(path: str, names: Names) -> Iterator[Asked]:
    yield Asked("GET", path)


def _each(found: str) -> Addresses:
    def asked(path: str, names: Names) -> list[Asked]:
        return [Asked("GET", re.sub(r"\{.*\}", name, path)) for name in getattr(names, found)]

    return asked


def _lists(**choices: str) -> Addresses:
    """Return what asks for a list as it is, and with each of these choices."""

    def asked(path: str, names: Names) -> list[Asked]:
        stated = ({name: value} for name, values in choices.items() for value in values.split())
        return [Asked("GET", path), *(Asked("GET", path, one) for one in stated)]

    return asked


def _statements(path: str, names: Names) -> list[Asked]:
    filters = [{"source": one} for one in names.sources] + [{"agent": one} for one in spread(names.agents, SOME)]
    choices = _lists(order="score uncertain", verified="true false", topic="quoted closed")
    return [*choices(path, names), *(Asked("GET", path, one) for one in filters)]


def _words(path: str, names: Names) -> list[Asked]:
    asked = ("What is quoted?", "Who verified closed sessions?", "How many statements are there?", *PUBLIC_WORDS)
    return [Asked("GET", path, {"q": one}) for one in ("", *asked)]


def _sources(path: str, names: Names) -> list[Asked]:
    found = [path.replace("{name:path}", name) for name in (*names.sources, *names.source_ids, *names.messages[:2])]
    return [*(Asked("GET", one) for one in found), *(Asked("GET", one, {"at": "30"}) for one in found[::3])]


def _entries(path: str, names: Names) -> list[Asked]:
    return [Asked("GET", path.replace("{index:int}", str(index))) for index in range(len(names.messages))]


def _compare(path: str, names: Names) -> list[Asked]:
    size = len(names.messages)
    ends = ((size // 2, size // 2 + 5), (size - 10, size))
    return [Asked("GET", path), *(Asked("GET", path, {"from": str(one), "to": str(two)}) for one, two in ends)]


def _graph(path: str, names: Names) -> list[Asked]:
    things = (*spread(names.statements, SOME), *names.sources, *names.packs, *names.packets, *names.packet_records)
    ends = {"from": names.statements[0], "to": names.agents[2]}
    of = (*things, *names.source_ids, *names.passports, *spread(names.agents, SOME), *spread(names.verifications, SOME))
    return [Asked("GET", path), Asked("GET", path, ends), *(Asked("GET", path, {"of": one}) for one in of)]


def _find(path: str, names: Names) -> list[Asked]:
    found = (*names.sources, *names.source_ids, *names.passports, *names.packs, *names.packets, *names.packet_records)
    return [Asked("GET", path, {"name": name}) for name in (*found, *spread(names.statements, SOME))]


def _exports(path: str, names: Names) -> list[Asked]:
    formats = [Asked("GET", path, {"format": one.value}) for one in ExportFormat]
    return [*formats, *(Asked("GET", path, {"source": one}) for one in names.sources)]


def _record(path: str, names: Names) -> list[Asked]:
    found = (*names.passports, *names.packs, *names.packets, *names.packet_records)
    return [Asked("GET", path.replace("{name}", name)) for name in found]


def _topics(path: str, names: Names) -> list[Asked]:
    return [Asked("GET", path.replace("{name:path}", topic)) for topic in (*PUBLIC_WORDS, "quoted")]


def _dossiers(path: str, names: Names) -> list[Asked]:
    some = spread(names.statements, 25)
    return [Asked("GET", path), Asked("GET", path, {"statement": " ".join(some)})]


_PAGES: dict[str, Addresses] = {
    **dict.fromkeys(
        ("/", "/docs", "/verify", "/desk", "/desk/new-statement", "/log", "/topics", "/session", "/operator"), _itself
    ),
    "/agents": _lists(name="clerk", active="true"),
    "/agents/{name:path}": _each("agents"),
    "/ask": _words,
    "/cite/{name}": _each("statements"),
    "/desk/statements/{name}": _each("statements"),
    "/disputes": _lists(topic="quoted closed", declared="true"),
    "/dossier": _dossiers,
    "/export": _exports,
    "/find": _find,
    "/graph": _graph,
    "/log/compare": _compare,
    "/log/{index:int}": _entries,
    "/packets/{name}": _each("packets"),
    "/packs/{name}": _each("packs"),
    "/passports/{name}": _each("passports"),
    "/records": _lists(kind=" ".join(CONDITIONS)),
    "/records/{name}": _record,
    "/search": _words,
    "/sources/{name:path}": _sources,
    "/statements": _statements,
    "/statements/{name}": _each("statements"),
    "/session/end": lambda path, names: (),  # takes a form, and shows nothing
    "/styles/{name}": lambda path, names: (),  # no text of the graph
    "/topics/{name:path}": _topics,
    "/verifications/{name}": _each("verifications"),
}
"""The requests of each page, by the path of its route."""
