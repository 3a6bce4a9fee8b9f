"""`treescore completion SHELL`: completion scripts made from the parsers themselves."""

from __future__ import annotations

import argparse

from . import COMMANDS, parsers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BASH = """\
# treescore completion for bash: eval "$(treescore completion bash)"
_treescore() {{
    local IFS=$'\\n' word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= words=
    if [[ $COMP_CWORD -gt 1 ]]; then
        case ${{COMP_WORDS[1]}} in
            {commands}) command=${{COMP_WORDS[1]}};;
        esac
        [[ $command == study && $COMP_CWORD -gt 2 ]] && command="study ${{COMP_WORDS[2]}}"
    fi
    [[ $word == = ]] && word=
    [[ $before == = ]] && before=${{COMP_WORDS[COMP_CWORD-2]}}
    case $command:$before in
{values}
    esac
    if [[ -n $words ]]; then
        COMPREPLY=($(IFS=' ' compgen -W "$words" -- "$word"))
        return
    fi
    if [[ $word == -* ]]; then
        case $command in
{options}
        esac
        COMPREPLY=($(IFS=' ' compgen -W "$words" -- "$word"))
        return
    fi
    if [[ $COMP_CWORD -eq 1 ]]; then
        words="{names}"
    else
        case $command in
{operands}
        esac
    fi
    COMPREPLY=($(IFS=' ' compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
}}
complete -o filenames -F _treescore treescore
"""
_ZSH = """\
#compdef treescore
# treescore completion for zsh: eval "$(treescore completion zsh)"
_treescore() {{
    local command=
    local -a commands=(
{notes}
    )
    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
        _describe -t commands command commands
        _files
        return
    fi
    case $words[2] in
        ({commands}) command=$words[2]; shift words; (( CURRENT-- ));;
    esac
    if [[ $command == study ]] && (( CURRENT > 2 )); then
        command="study $words[2]"; shift words; (( CURRENT-- ))
    fi
    case $command in
{cases}
    esac
}}
if [[ $funcstack[1] == _treescore ]]; then
    _treescore "$@"  # the file itself is the function that zsh has just loaded
else
    compdef _treescore treescore
fi
"""
_FISH = """\
# treescore completion for fish: treescore completion fish | source
function __treescore_command
    set -l words (commandline -opc)
    set -l command
    if contains -- "$words[2]" {commands}
        set command $words[2]
        if test "$command" = study; and set -q words[3]
            set command "study $words[3]"
        end
    end
    test "$command" = "$argv"
end
"""


class _Command:
    """A command and its arguments."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parser = parsers.parser(name)
        actions = [action for action in self.parser._actions if action.help is not argparse.SUPPRESS]
        self.options = [action for action in actions if action.option_strings]
        self.operands = [action for action in actions if not action.option_strings]

    def note(self, action: argparse.Action) -> str:
        """What an argument is for."""
        return parsers.help_of(self.parser, action)

    def operand_values(self) -> list[str]:
        """Words that the arguments without a name may be."""
        return [value for action in self.operands for value in parsers.choices_of(action)]


def _commands() -> list[_Command]:
    return [_Command(name) for name in parsers.names()]


def _grouped(pairs: Iterator[tuple[str, str]], line: str) -> str:
    """Branches of a case, one for each value and all the patterns that lead to it."""
    patterns: dict[str, list[str]] = {}
    for pattern, value in pairs:
        patterns.setdefault(value, []).append(pattern)
    return "\n".join(line.format(patterns="|".join(found), value=value) for value, found in patterns.items())


def bash() -> str:
    """The script for bash."""
    commands = _commands()
    values = (
        (f"{_quoted_key(one.name)}:{option}", " ".join(parsers.choices_of(action)))
        for one in commands
        for action in one.options
        if action.choices
        for option in action.option_strings
    )
    options = (
        (_quoted_key(one.name), " ".join(option for action in one.options for option in action.option_strings))
        for one in commands
    )
    operands = ((one.name, " ".join(one.operand_values())) for one in commands if one.operand_values())
    return _BASH.format(
        commands="|".join(COMMANDS),
        names=" ".join(COMMANDS),
        values=_grouped(values, '        {patterns}) words="{value}";;'),
        options=_grouped(options, '            {patterns}) words="{value}";;'),
        operands=_grouped(operands, '            {patterns}) words="{value}";;'),
    )


def zsh() -> str:
    """The script for zsh."""
    cases = []
    for one in _commands():
        specs = [_zsh_option(one, action) for action in one.options]
        values = one.operand_values()
        specs += ["'1:what:(" + " ".join(values) + ")'"] if values else []
        specs.append("'*:file:_files'")
        lines = " \\\n                ".join(specs)
        cases.append(f"        ({_quoted_key(one.name)})\n            _arguments -s -S \\\n                {lines};;")
    notes = (f"        {_single(name + ':' + note.replace(':', chr(92) + ':'))}" for name, note in COMMANDS.items())
    return _ZSH.format(notes="\n".join(notes), commands="|".join(COMMANDS), cases="\n".join(cases))


def _zsh_option(one: _Command, action: argparse.Action) -> str:
    """An option as `_arguments` takes it."""
    note = one.note(action).replace("\\", "\\\\")
    for sign in "[]:":
        note = note.replace(sign, "\\" + sign)
    value = ""
    if action.nargs != 0:
        choices = parsers.choices_of(action)
        value = f":{action.metavar or 'value'}:" + (f"({' '.join(choices)})" if choices else "_files")
    again = isinstance(action, argparse._AppendAction)
    names = action.option_strings
    shut_out = "*" if again else f"({' '.join(names)})"
    if len(names) == 1:
        return _single(f"{shut_out}{names[0]}[{note}]{value}")
    return f"{_single(shut_out)}{{{','.join(names)}}}{_single(f'[{note}]{value}')}"


def fish() -> str:
    """The script for fish."""
    lines = [_FISH.format(commands=" ".join(COMMANDS))]
    for name, note in COMMANDS.items():
        lines.append(f"complete -c treescore -n __fish_is_first_arg -a {name} -d {_quoted(note)}\n")
    for one in _commands():
        where = f"complete -c treescore -n {_quoted(f'__treescore_command {one.name}'.rstrip())}"
        if one.operand_values():
            lines.append(f"{where} -a {_quoted(' '.join(one.operand_values()))}\n")
        for action in one.options:
            words = [where]
            for option in action.option_strings:
                words.append(f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}")
            if action.choices:
                words.append(f"-x -a {_quoted(' '.join(parsers.choices_of(action)))}")
            elif action.nargs != 0:
                words.append("-r")
            words.append(f"-d {_quoted(one.note(action))}")
            lines.append(" ".join(words) + "\n")
    return "".join(lines)


def _quoted_key(name: str) -> str:
    """A command as a pattern of a case in bash and zsh."""
    return name if name and " " not in name else f"'{name}'"


def _quoted(text: str) -> str:
    """Text in quotes for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _single(text: str) -> str:
    """Text in quotes for zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


_SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    made = argparse.ArgumentParser(
        prog="treescore completion",
        description="Print a completion script.",
        epilog='example: eval "$(treescore completion bash)"   # in ~/.bashrc',
    )
    made.add_argument("shell", choices=_SHELLS)
    return made


def main(arguments: Sequence[str]) -> int:
    """Print the script for one shell."""
    print(_SHELLS[parser().parse_args(arguments).shell](), end="")
    return 0
