"""Print a completion script for a shell: put `eval "$(rmp3d completion bash)"` into ~/.bashrc.

For zsh, put `autoload -U bashcompinit; bashcompinit` before the same line into ~/.zshrc.
"""

import argparse

SCRIPT = """\
_rmp3d() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" words=""
    if [ "$COMP_CWORD" = 1 ]; then
        words="{verbs}"
    else
        case "${{COMP_WORDS[1]}}" in
{cases}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
}}
complete -o filenames -F _rmp3d rmp3d
"""
SCENE_VERBS = ("demo", "inspect", "plan", "run", "view")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the shell."""
    parser.add_argument("shell", choices=("bash", "zsh"), metavar="SHELL", help="bash or zsh")


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    from rmp3d.cli import VERBS, verb_parsers
    from rmp3d.models import builtin_models
    from rmp3d.scenes import builtin_scenarios

    cases = []
    for name, parser in verb_parsers().items():
        words = [word for action in parser._actions for word in action.option_strings]
        words += builtin_scenarios() if name in SCENE_VERBS else ()
        words += builtin_models() if name == "models" else ()
        cases.append(f'            {name}) words="{" ".join(words)}" ;;')
    print(SCRIPT.format(verbs=" ".join(VERBS), cases="\n".join(cases)), end="")
    return 0
