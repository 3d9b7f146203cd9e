"""A node, another machine that computes for this one, or this computer among several; and those that this user has
named, kept in `nodes.toml` beside the settings."""

from __future__ import annotations

import contextlib
import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from fullfield import change_lock, checked, files, toml_text
from fullfield.checked import Fields
from fullfield.errors import UsageError
from fullfield.protocol.places import LOCAL

COMMAND, FILE = "fullfield", "nodes.toml"
QUEUE = "--ntasks=1"
"""Of srun, where nothing else is said."""
HEADING = "The nodes of Fullfield; changed by its page Train, and by fullfield node add and remove."
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_INTERFACE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}")
_OPTION = re.compile(r"--[a-z][a-z-]+(?:=\S+)?")
_ADDRESS = re.compile(
    r"(?:(?P<user>[A-Za-z0-9_][A-Za-z0-9_.-]*)@)?"
    r"(?:(?P<host>[A-Za-z0-9_][A-Za-z0-9_.-]*)|\[(?P<v6>[0-9A-Fa-f:]+(?:%[A-Za-z0-9]+)?)\])"
    r"(?::(?P<port>[0-9]{1,5}))?"
)


@dataclass(frozen=True, kw_only=True)
class Node:
    """`name`: what this user calls it. `address`: [user@]host[:port], or a name of the user's ~/.ssh/config.

    `command`: how Fullfield is called there. `allow_images`: its user has said that pixels of images may go there.
    `interface`: the network interface there on which an administrator lets it train with other nodes; "": none.
    `allow_unencrypted`: its user has said that what they say to one another may travel there as it is. `slurm`: it is
    the login node of a cluster, in whose queue a training waits with these options of srun; "": it trains itself.

    Name and address of this computer, where it trains with others, are both "local": it is reached without ssh.
    """

    name: str
    address: str
    command: str = COMMAND
    allow_images: bool = False
    interface: str = ""
    allow_unencrypted: bool = False
    slurm: str = ""

    def __post_init__(self) -> None:
        wrong = ""
        if not _NAME.fullmatch(self.name) or (self.name == LOCAL and (self.address != LOCAL or self.slurm)):
            wrong = f"Its name {self.name[:60]!r} is not made of letters, digits, points and dashes, or is {LOCAL!r}."
        elif (found := _ADDRESS.fullmatch(self.address)) is None or not 0 < int(found["port"] or 22) < 65536:
            wrong = f"Its address {self.address[:60]!r} is not [user@]host[:port], or a name of ~/.ssh/config."
        elif not self.words or not self.command.isprintable():
            wrong = "The command that calls Fullfield there is empty, or has a quote that does not end."
        elif self.interface and not _INTERFACE.fullmatch(self.interface):
            wrong = f"{self.interface[:20]!r} is no name of a network interface."
        elif self.slurm and not (self.queue and all(_OPTION.fullmatch(word) for word in self.queue)):
            wrong = f"{self.slurm[:60]!r} is not made of srun's options, such as --partition=gpu --gres=gpu:1."
        if wrong:
            raise UsageError("Cannot use this node.", detail=wrong, hint="Example: fullfield node add gpu user@host.")

    @property
    def here(self) -> bool:
        """Whether it is this computer."""
        return self.name == LOCAL

    @property
    def may_have_images(self) -> bool:
        """Whether its user need not be asked: they are on this computer anyway."""
        return self.here or self.allow_images

    @property
    def title(self) -> str:
        """What a sentence calls it."""
        return "this computer" if self.here else f"the node {self.name}"

    @property
    def words(self) -> list[str]:
        """The words of `command`; [] where they are none. ssh begins in the user's home, so ~/ is that."""
        try:
            words = shlex.split(self.command)
        except ValueError:
            return []
        return [*(f"./{word[2:]}" if word.startswith("~/") else word for word in words)]

    @property
    def queue(self) -> tuple[str, ...]:
        """The words of `slurm`; none where it trains itself, or where they are none."""
        try:
            return tuple(shlex.split(self.slurm))
        except ValueError:
            return ()

    @property
    def destination(self) -> list[str]:
        """The arguments of ssh that name the machine, the last of its own."""
        found = _ADDRESS.fullmatch(self.address)
        assert found is not None
        port = ["-p", found["port"]] if found["port"] else []
        user = f"{found['user']}@" if found["user"] else ""
        return [*port, "--", f"{user}{found['host'] or found['v6']}"]


def listed() -> dict[str, Node]:
    """This user's other machines by their names. Raises UsageError where the file is damaged."""
    return {name: one for name, one in _all().items() if not one.here}


def _all() -> dict[str, Node]:
    try:
        return {name: checked.make(Node, {**one, "name": name}) for name, one in _read().get("nodes", {}).items()}
    except (OSError, ValueError, TypeError, AttributeError, UsageError) as error:
        raise UsageError(
            "Cannot read the list of nodes.", detail="nodes.toml is damaged.", hint="Mend or delete it, and add anew."
        ) from error


def _read() -> Fields:
    """What the file says. Raises OSError, ValueError."""
    try:
        return tomllib.loads((files.settings_folder() / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}


def find(name: str) -> Node:
    """The node of this name; this computer need not be listed. Raises UsageError."""
    nodes = _all()
    if name == LOCAL:
        return nodes.get(name) or Node(name=LOCAL, address=LOCAL)
    if name not in nodes:
        known = f"Known: {', '.join(nodes)}." if nodes else "None is known yet."
        raise UsageError(f"There is no node {name[:60]!r}.", detail=known, hint="Add it: fullfield node add.")
    return nodes[name]


def require_consent(node: Node, images_to: str, *, title: str) -> None:
    """Raise UsageError where this user has allowed images to go to a node neither at any time nor, by its address
    among `images_to` (with a comma between two), now."""
    if not node.may_have_images and node.address not in images_to.split(","):
        raise UsageError(
            title,
            detail=f"Pixels of your images would go to {node.address}, and nobody has allowed that.",
            hint=f"Allow it: fullfield node add {node.name} {node.address} --allow-images.",
        )


def keep(node: Node) -> None:
    """Add a node, or change the one of its name. Raises UsageError, CannotWrite."""
    with _changing():
        _write({**_all(), node.name: node})


def allow_images(asked: Node) -> None:
    """Pixels of images may go to this node at any time; what else was said of it meanwhile stays, and one that is gone
    or has another address by now is left alone. Raises UsageError, CannotWrite."""
    with _changing():
        nodes = _all()
        found = nodes.get(asked.name)
        if found is not None and found.address == asked.address:
            _write({**nodes, found.name: replace(found, allow_images=True)})


def drop(name: str) -> None:
    """Forget a node, or what was said of this computer. Raises UsageError where there is none of this name,
    CannotWrite."""
    with _changing():
        find(name)
        _write({other: node for other, node in _all().items() if other != name})


@contextlib.contextmanager
def _changing() -> Iterator[None]:
    try:
        files.private_folder(files.settings_folder())
    except OSError as error:
        raise files.cannot_write(error) from error
    with change_lock.held(files.settings_folder() / FILE):
        yield


def _write(nodes: dict[str, Node]) -> None:
    """These, and all that a newer version says of them or beside them."""
    before = _read()
    known = before.get("nodes", {})
    tables = {name: known.get(name, {}) | asdict(one) for name, one in nodes.items()}
    for table in tables.values():
        del table["name"]
    with files.atomic_write(files.settings_folder() / FILE, private=True) as stream:
        stream.write(toml_text.write({**before, "nodes": tables}, heading=HEADING).encode())
