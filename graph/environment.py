"""The environment variables of a process: the form that each value must have, and the value that it is read as.

An empty value counts as absent. Errors name the variable and never show a value that could be a secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit


class SettingsError(ValueError):
    """A variable of the environment is missing or its value is not usable; the message names it."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Variables by their names; every method raises SettingsError for a value of the wrong kind."""

    variables: Mapping[str, str] = field(repr=False)

    def text(self, name: str) -> str | None:
        """Return a variable as it is, None if it is absent."""
        return self.variables.get(name) or None

    def data_folder(self) -> Path:
        """Return the data folder: that of A2AP_DATA, or one below XDG_DATA_HOME or HOME."""
        named = self.path("A2AP_DATA")
        if named is not None:
            return named
        if (data_home := self.text("XDG_DATA_HOME")) is not None:
            return Path(data_home) / "a2ap"
        if (home := self.text("HOME")) is None:
            raise SettingsError("A2AP_DATA is not set and neither is HOME")
        return Path(home) / ".local" / "share" / "a2ap"

    def path(self, name: str) -> Path | None:
        """Return a path with `~` expanded."""
        value = self.text(name)
        if value is None:
            return None
        try:
            return Path(value).expanduser()
        except RuntimeError as error:
            raise SettingsError(f"{name} is {value!r}, a home folder that is not known") from error

    def signer(self, name: str) -> str | None:
        """Return the command that signs with a key; such a key is in no file."""
        command, prefix = self.text(name), name.removesuffix("_SIGNER")
        if command is not None and self.text(f"{prefix}_KEY"):
            raise SettingsError(f"{name} and {prefix}_KEY are both set, and a key is in one place")
        if command is None and self.text(f"{prefix}_PUBLIC_KEY"):
            raise SettingsError(f"{prefix}_PUBLIC_KEY is set although {name} is not")
        return command

    def url(self, name: str, schemes: tuple[str, ...]) -> str | None:
        """Return an address of one of these schemes, without a user or password."""
        value = self.text(name)
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in schemes or not parts.netloc:
            raise SettingsError(f"{name} is not a URL that begins with {' or '.join(f'{s}://' for s in schemes)}")
        if "@" in parts.netloc:
            raise SettingsError(f"{name} carries a user or password")
        return value

    def public_url(self, name: str) -> str | None:
        """Return the address under which others reach the node."""
        value = self.url(name, ("https", "http"))
        if value is not None and (urlsplit(value).query or urlsplit(value).fragment):
            raise SettingsError(f"{name} is {value!r}, an address with a query or fragment")
        return value.rstrip("/") if value is not None else None

    def names(self, name: str) -> tuple[str, ...]:
        """Return hosts, each with a port or without, separated by commas or spaces."""
        stated = (self.text(name) or "").replace(",", " ").split()
        for one in stated:
            try:
                parts = urlsplit(f"//{one}")
                found = parts.hostname, parts.port
            except ValueError:
                found = None, None
            if found[0] is None or parts.netloc != one or "@" in one or "*" in one:
                raise SettingsError(f"{name} holds {one!r}, and a name is a host or host:port")
        return tuple(stated)

    def networks(self, name: str) -> tuple[str, ...]:
        """Return IP addresses and networks, separated by commas or spaces."""
        stated = (self.text(name) or "").replace(",", " ").split()
        for one in stated:
            try:
                ip_network(one)
            except ValueError as error:
                raise SettingsError(
                    f"{name} holds {one!r}, and a proxy is an IP address or a network: {error}"
                ) from None
        return tuple(stated)

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """Return one of the given words, the first if the variable is absent."""
        value = self.text(name) or choices[0]
        if value not in choices:
            raise SettingsError(f"{name} is {value!r}, not one of {', '.join(choices)}")
        return value

    def heap(self, name: str, default: str) -> str:
        """Return a size in Java's notation, such as `512m`."""
        value = (self.text(name) or default).lower()
        if not (_is_digits(value[:-1]) and value[-1] in "mg"):
            raise SettingsError(f"{name} is {value!r}, not a size such as 512m or 1g")
        return value

    def options(self, name: str) -> tuple[str, ...]:
        """Return the options of a command, separated by spaces."""
        options = tuple((self.text(name) or "").split())
        for option in options:
            if not option.startswith("-"):
                raise SettingsError(f"{name} holds {option!r}, and an option begins with -")
        return options

    def port(self, name: str, default: int) -> int:
        """Return the number of a port."""
        return self._whole(name, default, range(65_536), "not a port number")

    def bytes(self, name: str, default: int) -> int:
        """Return a number of bytes."""
        return self._whole(name, default, range(10**15), "not a number of bytes")

    def number(self, name: str, default: int) -> int:
        """Return a number above 0."""
        return self._whole(name, default, range(1, 10**9), "not a number above 0")

    def small_number(self, name: str, default: int) -> int:
        """Return a number from 0 to 99."""
        return self._whole(name, default, range(100), "not a number from 0 to 99")

    def share(self, name: str, default: float) -> float:
        """Return a number from 0 to 1."""
        share = self._decimal(name, default, "not a number from 0 to 1")
        if not 0 <= share <= 1:
            raise SettingsError(f"{name} is {self.text(name)!r}, not a number from 0 to 1")
        return share

    def seconds(self, name: str, default: float) -> float:
        """Return a number of seconds above 0 and below a day."""
        seconds = self._decimal(name, default, "not a number of seconds")
        if not 0 < seconds < 86_400:
            raise SettingsError(f"{name} is {self.text(name)!r}, not between 0 and 86400 seconds")
        return seconds

    def _whole(self, name: str, default: int, allowed: range, what: str) -> int:
        value = self.text(name)
        if value is None:
            return default
        if not (_is_digits(value) and len(value) < 16 and int(value) in allowed):
            raise SettingsError(f"{name} is {value!r}, {what}")
        return int(value)

    def _decimal(self, name: str, default: float, what: str) -> float:
        value = self.text(name)
        if value is None:
            return default
        try:
            return float(value)
        except ValueError as error:
            raise SettingsError(f"{name} is {value!r}, {what}") from error


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()
