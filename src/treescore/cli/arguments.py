"""The argument parser of all commands: usage errors have one line and a suggestion."""

from __future__ import annotations

import argparse

from ..values.problem import UsageError
from ..values.suggestions import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

_EXITS = "exit code: 0 success, 1 problems with --strict, 2 unusable input"


class Parser(argparse.ArgumentParser):
    """The arguments of a command. Its help has a description, then examples and the meaning of the exit codes.

    >>> Parser("compare", "Compare systems.").parse_args(["--fromat"])
    Traceback (most recent call last):
    treescore.UsageError: there is no option --fromat; known: --help (see: treescore compare --help)
    """

    #: The command for more files than this one takes.
    for_more_files: str | None = None

    def __init__(self, command: str, help: str | None, **settings: Any) -> None:
        description, _, epilog = (help or "").partition("\n\n")
        epilog = epilog.rstrip()
        if "exit code:" not in epilog:
            epilog = f"{epilog}\n\n{_EXITS}"
        super().__init__(
            f"treescore {command}".strip(),
            description=" ".join(description.split()),
            epilog=epilog,
            formatter_class=_Formatter,
            **settings,
        )

    def parse_args(self, args: Sequence[str], namespace: Any = None) -> Any:  # type: ignore[override]
        """The values of the arguments."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self._refuse(options, unknown)
        if getattr(options, "memory", None):
            from ..helpers.memory import set_budget

            set_budget(options.memory)
        return options

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments."""
        raise UsageError(f"{message} (see: {self.prog} --help)")

    def _refuse(self, options: argparse.Namespace, unknown: Sequence[str]) -> NoReturn:
        name = unknown[0].partition("=")[0]
        if name.startswith("-"):
            known = [option for action in self._actions for option in action.option_strings if option.startswith("--")]
            self.error(f"there is no option {name}; {suggestion(name, known)}")
        if self.for_more_files:
            files = [getattr(options, action.dest) for action in self._actions if not action.option_strings]
            files += [word for word in unknown if not word.startswith("-")]
            self.error(f"there are {len(files)} files; did you mean: {self.for_more_files} {' '.join(files)}?")
        self.error(f"unexpected argument {name!r}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            advice = suggestion(str(value), map(str, action.choices))
            raise argparse.ArgumentError(action, f"invalid choice {value!r}; {advice}")


def named(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The values of these options by name, as arguments of a function that has parameters of the same names."""
    return {name: getattr(options, name) for name in names}


class _Formatter(argparse.HelpFormatter):
    """Keeps the line breaks of examples and wraps other text."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)
