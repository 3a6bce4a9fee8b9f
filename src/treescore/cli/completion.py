"""`treescore completion SHELL`: completion scripts made from the parsers themselves."""

from __future__ import annotations

import argparse

from . import COMMANDS, score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_BASH = """\
# treescore completion for bash: eval "$(treescore completion bash)"
_treescore() {{
    local IFS=$'\\n' word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    case $before in
{choices}
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(IFS=' ' compgen -W "{options}" -- "$word"))
    elif [[ $COMP_CWORD -eq 1 ]]; then
        COMPREPLY=($(IFS=' ' compgen -W "{commands}" -- "$word") $(compgen -f -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}}
complete -o filenames -F _treescore treescore
"""
_BASH_CHOICE = """        {names}) COMPREPLY=($(IFS=' ' compgen -W "{values}" -- "$word")); return;;"""
_ZSH = """\
#compdef treescore
# treescore completion for zsh: eval "$(treescore completion zsh)"
autoload -Uz bashcompinit && bashcompinit
"""


def _options() -> list[argparse.Action]:
    return [action for action in score.parser()._actions if action.option_strings]


def bash() -> str:
    """The script for bash."""
    choices = "\n".join(
        _BASH_CHOICE.format(names="|".join(action.option_strings), values=" ".join(action.choices))
        for action in _options()
        if action.choices
    )
    options = " ".join(option for action in _options() for option in action.option_strings)
    return _BASH.format(choices=choices, options=options, commands=" ".join(COMMANDS))


def zsh() -> str:
    """The script for zsh, which understands bash's."""
    return _ZSH + bash()


def fish() -> str:
    """The script for fish."""
    lines = ["# treescore completion for fish: treescore completion fish | source"]
    for name, note in COMMANDS.items():
        lines.append(f"complete -c treescore -n __fish_is_first_arg -a {name} -d {_quoted(note)}")
    for action in _options():
        words = ["complete -c treescore"]
        for option in action.option_strings:
            words.append(f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}")
        if action.choices:
            words.append(f"-x -a {_quoted(' '.join(action.choices))}")
        elif action.nargs != 0:
            words.append("-r")
        words.append(f"-d {_quoted(action.help or '')}")
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


def main(arguments: Sequence[str]) -> int:
    """Print the script for one shell."""
    made = argparse.ArgumentParser(
        prog="treescore completion",
        description="Print a completion script.",
        epilog='example: eval "$(treescore completion bash)"   # in ~/.bashrc',
    )
    made.add_argument("shell", choices=_SHELLS)
    print(_SHELLS[made.parse_args(arguments).shell](), end="")
    return 0
