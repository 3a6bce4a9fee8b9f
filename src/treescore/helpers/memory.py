"""The memory budget of the process, and garbage collection.

The budget is the memory that all threads together may use for work that can need much more than its input. It also
limits the text of one tree, and text that can only be read whole.
"""

from __future__ import annotations

import os

from .. import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: The environment variable with the budget.
VARIABLE = "TREESCORE_MEMORY"
_UNITS = {"": 0, "K": 10, "M": 20, "G": 30}
_SHARE = 2  # the default budget is the memory of the machine divided by this
_LEAST = 1 << 20
#: The budget divided by the text of one tree, and by text that is read whole: reading and scoring need so much more.
_PER_TREE, _PER_TEXT = 32, 8
#: The folder and the name of files with limits by controller in /proc/self/cgroup: in version 2 it has no name.
_CGROUP_LIMITS = {
    "": ("sys/fs/cgroup", "memory.max"),
    "memory": ("sys/fs/cgroup/memory", "memory.limit_in_bytes"),
}

_is_set = False


def parse_size(text: str) -> int:
    """A number of bytes.

    >>> parse_size("64M"), parse_size("1000")
    (67108864, 1000)
    """
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].isalpha() else (text, "")
    if not number.isdecimal() or len(number) > 12 or unit not in _UNITS or int(number) < 1:
        raise ValueError(f"{text!r} is not a size such as 500K, 64M or 2G")
    return int(number) << _UNITS[unit]


def shown_size(size: int) -> str:
    """A number of bytes in the largest unit that fits.

    >>> shown_size(5 << 19), shown_size(3 << 30)
    ('2.5 MB', '3 GB')
    """
    unit = next(unit for unit in ("G", "M", "K", "") if size >= 1 << _UNITS[unit] or not unit)
    return f"{round(size / (1 << _UNITS[unit]), 1):g} {unit}B"


def set_budget(size: int) -> None:
    """Set the budget of the process in bytes; results are the same with any budget that suffices."""
    global _is_set
    _core.set_memory_limit(max(size, _LEAST))
    _is_set = True


def budget() -> int:
    """The budget in bytes: the last one that was set, else TREESCORE_MEMORY, else half of the memory."""
    if not _is_set:
        text = os.environ.get(VARIABLE)
        try:
            set_budget(parse_size(text) if text else _machine_memory() // _SHARE)
        except ValueError as error:
            from ..values.problem import UsageError

            raise UsageError(f"{VARIABLE}: {error}") from None
    return _core.memory_limit()


def longest_tree() -> int:
    """Maximum number of bytes of the text of one tree."""
    return budget() // _PER_TREE


def longest_text() -> int:
    """Maximum number of bytes of text that is read whole from a pipe or a packed file."""
    return budget() // _PER_TEXT


def _machine_memory(root: str = "/") -> int:
    """The memory of the machine, or of the cgroup (container) of the process if that is smaller."""
    sizes = [_physical_memory()]
    for path in _cgroup_limits(root):
        try:
            with open(path, encoding="utf-8") as file:
                sizes.append(int(file.read()))
        except (OSError, ValueError):  # "max" is no number
            continue
    return min(sizes)


def _cgroup_limits(root: str) -> Iterator[str]:
    """The files with the limits of the cgroup of the process and of those that contain it.

    In a container, the path may be that outside; its own cgroup is the root then.
    """
    try:
        with open(os.path.join(root, "proc/self/cgroup"), encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        parts = path.strip("/").split("/")
        for controller in controllers.split(","):
            if controller in _CGROUP_LIMITS:
                folder, name = _CGROUP_LIMITS[controller]
                yield from (os.path.join(root, folder, *parts[:depth], name) for depth in range(len(parts) + 1))


def _physical_memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # unknown, as on Windows
        return 4 << 30
