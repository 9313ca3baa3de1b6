"""Pages for the tests: a request as a browser makes it, and the elements of the answer."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

_EMPTY = {"meta", "link", "input", "br", "img", "hr", "wbr", "path", "circle", "line", "rect"}


@dataclass
class Element:
    """An element of a page: its name, attributes, and the text in it."""

    name: str
    attributes: dict[str, str]
    text: str = ""


@dataclass
class Parsed(HTMLParser):
    """The elements of a page in their order; fails if an element is closed that is not open."""

    elements: list[Element] = field(default_factory=list)
    open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in _EMPTY:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1].name == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data

    def named(self, name: str) -> Iterator[Element]:
        """Yield the elements of this name."""
        return (element for element in self.elements if element.name == name)

    def one(self, name: str) -> Element:
        """Return the one element of this name."""
        (element,) = self.named(name)
        return element

    @property
    def links(self) -> list[str]:
        """Return the addresses that the page links to."""
        return [element.attributes["href"] for element in self.named("a")]


def parsed(page: str) -> Parsed:
    """Return the elements of a page whose elements are all closed."""
    parser = Parsed()
    parser.feed(page)
    parser.close()
    assert parser.open == [], parser.open[0].name
    return parser


async def open_page(client: httpx.AsyncClient, address: str, status: int = 200) -> Parsed:
    """Return the page at an address, with the headers that each page has."""
    answer = await client.get(address, headers={"accept": BROWSER})
    assert answer.status_code == status, answer.text[:2000]
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert (policy["default-src"], policy["script-src"], policy["style-src"]) == ("'none'", "'self'", "'self'")
    assert "Accept" in answer.headers["vary"] and answer.headers["referrer-policy"] == "same-origin"
    return parsed(answer.text)


async def open_past_page(client: httpx.AsyncClient, address: str, patience: float = 60.0) -> Parsed:
    """Return the page of a size of the log, once the graph of that size is made; each page until then loads itself."""
    for _ in range(int(patience)):
        answer = await client.get(address, headers={"accept": BROWSER})
        if answer.status_code != 503:
            break
        (refresh,) = [e for e in parsed(answer.text).named("meta") if e.attributes.get("http-equiv") == "refresh"]
        await asyncio.sleep(float(refresh.attributes["content"]))
    return await open_page(client, address)
