"""Changes of a policy on the command line: the policy in force, the rules that change, and the lines that show them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from a2ap.client import Client, ProblemError, UnreachableError
from a2ap.messages.message import Message, read_message
from graph.cli.errors import CommandError
from graph.cli.options import open_client
from graph.cli.terminal import remark, say

Rules = dict[str, Any]
M = TypeVar("M", bound=Message)


def policy_in_force(url: str, read: Callable[[Client], bytes | None], kind: type[M]) -> M | None:
    """Return the policy in force of a platform, None if it has none. Raises `CommandError` if it cannot be read."""
    try:
        with open_client(url) as client:
            received = read(client)
    except (ProblemError, UnreachableError) as error:
        raise CommandError(f"the policy in force cannot be read, and --replace does not need it: {error}") from error
    if received is None:
        return None
    message = read_message(received)
    if not isinstance(message, kind):
        raise CommandError(f"{url} gives {message.envelope.id} as its policy, which is another type of message")
    return message


def policy_before(
    url: str, read: Callable[[Client], bytes | None], kind: type[M], *, replace: bool, print_only: bool
) -> M | None:
    """Return the policy in force with which a new one is compared, None if there is none.

    A policy that replaces it does not need it: if that is printed, the platform is not asked, and an answer that cannot
    be read counts as none.
    """
    if replace and print_only:
        return None
    try:
        return policy_in_force(url, read, kind)
    except CommandError:
        if replace:
            return None
        raise


def change_list(
    before: Sequence[str], add: Sequence[str] | None, drop: Sequence[str] | None, name: str
) -> tuple[str, ...]:
    """Return a list with some entries added and some dropped. Raises `CommandError` if one to drop is not in it."""
    missing = [entry for entry in drop or () if entry not in before]
    if missing:
        raise CommandError(f"{missing[0]} is not among the {name} of the policy in force")
    left = [entry for entry in before if entry not in (drop or ())]
    return tuple(dict.fromkeys([*left, *(add or ())]))


def is_new_policy(policy: Message | None, before: Rules, after: Rules, *, print_only: bool) -> bool:
    """Return whether there is a new policy to make, and say so if there is none.

    There is none if no rule of `policy`, the policy in force, changes and it is not to be printed all the same.
    """
    if policy is None or print_only or any(_changes(before, after)):
        return True
    remark(f"{policy.envelope.id}, the policy in force, has these rules already; nothing is sent")
    return False


def show_changes(before: Rules, after: Rules, *, print_only: bool, as_json: bool) -> None:
    """Write a line for each rule that differs between `before` and `after`.

    If the output is a document or JSON, the lines go to standard error.
    """
    for line in _changes(before, after):
        (remark if print_only or as_json else say)(line)


def rule_lines(rules: Rules) -> Iterator[str]:
    """Yield a line for each rule; an entry of a list has a line of its own."""
    for name, value in _flat(rules).items():
        if isinstance(value, tuple):
            yield from (f"{name} {entry}" for entry in value)
        else:
            yield f"{name} {value}"


def _changes(before: Rules, after: Rules) -> Iterator[str]:
    old, new = _flat(before), _flat(after)
    for name in new:
        if isinstance(new[name], tuple):
            yield from (f"{name} - {entry}" for entry in old[name] if entry not in new[name])
            yield from (f"{name} + {entry}" for entry in new[name] if entry not in old[name])
        elif new[name] != old[name]:
            yield f"{name} {old[name]} → {new[name]}"


def _flat(rules: Rules, prefix: str = "") -> Rules:
    """Return rules by names as options have them; the members of an object are named below it, lists are tuples."""
    flat: Rules = {}
    for name, value in rules.items():
        path = f"{prefix}{name}"
        if isinstance(value, Mapping):
            flat |= _flat(dict(value), f"{path}.")
        else:
            flat[path] = value
    return flat
