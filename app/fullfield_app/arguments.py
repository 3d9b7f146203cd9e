"""The command line's grammar. It knows the options, and imports a command only when that command is to run: then all of
it, for here Ctrl-C ends the process at once (see `interrupts`)."""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
import re
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from fullfield import __version__, standard_output, system
from fullfield.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS = {
    "train": ("fullfield_app.cli.train", "train the network on the clinic's own images"),
    "scenes": ("fullfield_app.cli.scenes", "draw radiographs to train on, whose every pixel is known"),
    "node": ("fullfield_app.cli.node", "name other machines that compute for this one, over ssh"),
    "plan": ("fullfield_app.cli.plan", "say what a training will take, and what makes it fit"),
    "models": ("fullfield_app.cli.models", "list your models, choose one for a body part, go back to the one before"),
    "weights": ("fullfield_app.cli.weights", "list the ImageNet weights that are here, or fetch them"),
    "install": ("fullfield_app.cli.install", "bring what training and models need into an environment of its own"),
    "report": ("fullfield_app.cli.report", "put a run's settings, curves and memory into one HTML or PDF file"),
    "qa": ("fullfield_app.cli.qa", "measure edges, flat fields and discs before and after each method, with a trend"),
    "bench": ("fullfield_app.cli.bench", "measure this machine and this program, repeatably"),
    "doctor": ("fullfield_app.cli.doctor", "say what this machine can do, what is wrong, and what to do about it"),
}
DISCLAIMER = (
    "Research and image-quality tool. Not a medical device. Not for primary diagnosis. "
    "Always consult the original image."
)


class Parser(argparse.ArgumentParser):
    """An argument parser that meets a wrong option with the nearest right one."""

    def error(self, message: str) -> NoReturn:
        for word in message.removeprefix("unrecognized arguments:").split() if "unrecognized" in message else ():
            near = difflib.get_close_matches(word.split("=")[0], self._option_string_actions, n=1)
            if word.startswith("-") and near and near[0] != word:
                message += f" (did you mean {near[0]}?)"
                break
        super().error(message)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if file is sys.stdout:  # argparse passes over what cannot be written
            standard_output.write(message)
        else:
            super()._print_message(message, file)


def parse(given: Sequence[str]) -> Callable[[], int]:
    """The call that `given` asks for, not made yet. Exits with 2 on a wrong option, as the field's tools do."""
    if given and given[0] in COMMANDS:
        command = importlib.import_module(COMMANDS[given[0]][0])
        parser = Parser(prog=f"fullfield {given[0]}", description=COMMANDS[given[0]][1].capitalize() + ".")
        command.add_options(parser)
        values = parser.parse_args(_with_config(parser, list(given[1:])))
        values.command_line = given
        return lambda: int(command.run(values))
    values = _main_values(list(given))
    if values.batch:
        return _call("fullfield_app.cli.batch", values)
    system.require_screen()
    return _call("fullfield_app.gui.application", [Path(path) for path in values.inputs])


def _main_values(words: list[str]) -> argparse.Namespace:
    """The options of a batch or of the window. A refusal is in the log of the batch, too."""
    parser = _main_parser()
    try:
        words = _with_config(parser, words)
        values = parser.parse_args(words)
        mistake = _batch_mistake(values) if values.batch else _window_mistake(values, parser)
        if mistake:
            parser.error(mistake)
    except (UsageError, SystemExit) as refusal:
        file = _log_of_batch(words)
        if file is not None and getattr(refusal, "code", ExitCode.USAGE) == ExitCode.USAGE:  # not of --help
            from fullfield_app.cli import batch_log

            batch_log.tell_wrong_options(file)
        raise
    return values


def _log_of_batch(words: list[str]) -> Path | None:
    """The log that a batch is to have whose options cannot all be understood."""
    try:
        values = _log_parser().parse_known_args(words)[0]
    except argparse.ArgumentError:  # that one is wrong itself
        return None
    return values.log_file if values.batch else None


def _batch_mistake(values: argparse.Namespace) -> str:
    if values.output is None:
        return "--batch needs -o OUT, the folder for the enhanced images"
    if not values.inputs:
        return "--batch needs at least one input: a file, a folder, a ZIP or @list.txt"
    if not all(values.inputs):
        return "an input is empty: an unset variable?"
    if values.device != "auto" and not values.model:
        return "--device goes with --model: a preset computes on the CPU"
    if values.model and (values.jobs or 1) > 1:
        return "--jobs goes with presets: a network uses all cores for one image; leave --jobs out"
    return ""


def _window_mistake(values: argparse.Namespace, parser: Parser) -> str:
    for name, value in vars(values).items():  # the window takes inputs alone
        if name != "inputs" and value != parser.get_default(name):
            return f"--{name.replace('_', '-')} goes with --batch; without it the window opens"
    for path in values.inputs:
        if not os.path.lexists(path):
            near = difflib.get_close_matches(path, COMMANDS, n=1)
            return f"there is no file {path!r}" + (f"; did you mean fullfield {near[0]}?" if near else "")
    return ""


def _call(module: str, argument: Any) -> Callable[[], int]:
    run = importlib.import_module(module).run
    return lambda: int(run(argument))


def _log_parser() -> argparse.ArgumentParser:
    """What says whether there is a batch and where its log goes."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--batch", action="store_true", help="enhance without a window")
    parser.add_argument("--log-file", type=file, metavar="FILE", help="append a log without patient data")
    return parser


def _main_parser() -> Parser:
    commands = "\n".join(f"  fullfield {name:<7} {text}" for name, (_, text) in COMMANDS.items())
    parser = Parser(
        prog="fullfield",
        description="Improve the contrast of radiographs at their native resolution.\n\n"
        "  fullfield                     open the window\n"
        "  fullfield FILE…               open the window with these images\n"
        "  fullfield --batch IN… -o OUT  enhance without a window",
        epilog=f"commands:\n{commands}\n\n{DISCLAIMER}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[_log_parser()],
    )
    parser.add_argument("inputs", nargs="*", metavar="IN", help="files, folders, DICOMDIR, ZIP, or @list.txt")
    parser.add_argument("--version", action="version", version=f"fullfield {__version__}")
    parser.add_argument("-o", "--output", metavar="OUT", type=folder, help="folder for the enhanced images")
    parser.add_argument(
        "--recursive", action=argparse.BooleanOptionalAction, default=True, help="also folders in folders (default)"
    )
    method = parser.add_mutually_exclusive_group()
    method.add_argument("--preset", default="auto", type=named, metavar="NAME", help="preset (default: by body part)")
    method.add_argument("--model", type=named, metavar="FILE", help="model: a .safetensors file, its name, or shipped")
    parser.add_argument(
        "--force-result",
        action="store_true",
        help="keep what a model makes even where it is very doubtful, off its scale, or no better than none",
    )
    parser.add_argument("--strict", action="store_true", help="fail images whose result is doubtful")
    parser.add_argument(
        "--kind",
        default="auto",
        choices=("auto", "raw", "processed"),
        help="of the inputs (default: told from each file)",
    )
    parser.add_argument(
        "--device",
        default="auto",
        metavar="auto|cpu|cuda:0[,cuda:1…]",
        type=device,
        help="where a model computes (auto: on all cards, else on the CPU)",
    )
    parser.add_argument(
        "--on",
        metavar="NODE[,NODE…]",
        type=named,
        help="compute on this machine (fullfield node add), or on several that share the images, with this computer as "
        "local; files are read and written here, and what none of them can do is done here",
    )
    parser.add_argument("--format", default="dicom", choices=("dicom", "png16", "tiff"), help="of the results")
    parser.add_argument("--jobs", type=positive, metavar="N", help="images at once (default: by cores and method)")
    again = parser.add_mutually_exclusive_group()
    help = "do only what is missing (default); an image's result by another method is replaced by this run's"
    again.add_argument("--skip-existing", action="store_true", help=help)
    again.add_argument(
        "--overwrite",
        action="store_true",
        help="also make anew what is there, and replace other files; never another image's result",
    )
    parser.add_argument(
        "--contact-sheet",
        action="store_true",
        help="also OUT/contact-sheet.png: before and after of what this run enhances",
    )
    parser.add_argument(
        "--seed", type=natural, default=0, metavar="N", help="of chance: which images a contact sheet of many shows"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="list inputs and the names of their results; read nothing"
    )
    parser.add_argument("--fail-fast", action="store_true", help="stop after the first image that fails")
    parser.add_argument(
        "--timeout", type=positive, default=300, metavar="S", help="seconds for one image (default 300)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON event per line on standard output")
    parser.add_argument("-v", "--verbose", action="store_true", help="also warnings about single images")
    add_common(parser)
    return parser


def add_common(parser: argparse.ArgumentParser, *, quiet: str = "only errors, damaged files and the last line") -> None:
    """The options that every run has. `quiet`: what is left with -q."""
    parser.add_argument("-q", "--quiet", action="store_true", help=quiet)
    parser.add_argument("--config", type=file, metavar="run.toml", help="options from a file; the command line wins")


def positive(text: str) -> int:
    """A whole number from 1, of no more digits than anybody has use for."""
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to 999999999")
    return int(text)


def natural(text: str) -> int:
    """A whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0")
    return int(text)


def named(text: str) -> str:
    """The name of something; an unset variable names nothing."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty: an unset variable?")
    return text


def file(text: str) -> Path:
    """The name of a file; an empty one names none."""
    return Path(named(text))


def folder(text: str) -> Path:
    """The name of a folder; an empty one is not this one."""
    if re.match("[A-Za-z][A-Za-z0-9+.-]*://", named(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is an address: name the folder under which it is mounted")
    return Path(text)


def device(text: str) -> str:
    """auto, cpu, cuda, cuda:N, or several for as many processes: cuda:0,cuda:2, or cuda:0,cpu."""
    if not re.fullmatch(r"auto|cpu|cuda|cuda:\d+(,cuda:\d+)*(,cpu)?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is none of auto, cpu, cuda:0, nor such a list as cuda:0,cpu")
    return text


def _with_config(parser: argparse.ArgumentParser, given: list[str]) -> list[str]:
    """`given` with the options of its `--config` file put first, so that argparse checks both alike."""
    early = argparse.ArgumentParser(add_help=False)
    early.add_argument("--config", type=file)
    path = early.parse_known_args(given)[0].config
    if path is None:
        return given
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        str(settings)  # raises where a number has thousands of digits
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"Cannot read the settings file {path.name}.", detail=_reason(error)) from error
    flags, unknown = list[str](), list[str]()
    options = parser._option_string_actions
    for name, value in settings.items():
        flag = f"--{name.replace('_', '-')}"
        if flag not in options:
            near = difflib.get_close_matches(flag, options, n=1)
            unknown.append(name + (f" (did you mean {near[0][2:]}?)" if near else ""))
        elif isinstance(value, bool):
            off = f"--no-{flag[2:]}"
            flags += [flag] if value else [off] if off in options else []
        elif isinstance(value, list) and options[flag].nargs is not None:
            flags += [flag, *(_path_beside(path, one, options[flag]) for one in value)]
        elif isinstance(value, list) and options[flag].type in (file, folder):
            unknown.append(f"{name} (it takes no list)")
        elif isinstance(value, list):  # of machines, or of devices
            flags.append(f"{flag}={','.join(map(str, value))}")
        else:
            flags.append(f"{flag}={_path_beside(path, value, options[flag])}")
    if unknown:
        raise UsageError(f"Cannot use the settings file {path.name}.", detail=f"Unknown: {', '.join(unknown)}.")
    typed = tuple(name for word in given if len(name := word.split("=")[0]) > len("--"))
    for group in parser._mutually_exclusive_groups:  # what is typed replaces its rivals of the file
        rivals = {name for action in group._group_actions for name in action.option_strings}
        if any(name.startswith(typed) for name in rivals):  # an option may be typed in short
            if "--model" in rivals:  # what goes with the method that is replaced goes with it
                rivals.add("--device" if "--preset".startswith(typed) else "--jobs")
            flags = [flag for flag in flags if flag.split("=")[0] not in rivals]
    return [*flags, *given]


def _reason(error: Exception) -> str:
    why = error if isinstance(error, UnicodeDecodeError | tomllib.TOMLDecodeError) else "a value is beyond all measure"
    return f"The system says: {error.strerror}." if isinstance(error, OSError) else f"It is no TOML: {why}."


def _path_beside(config: Path, value: Any, action: argparse.Action) -> str:
    """A path of a settings file is meant from that file's folder. A name stays a name: of a preset, say, beside a
    DICOM file without a suffix that is called so."""
    beside, text = config.parent / str(value), str(value)
    if not text or "://" in text:  # for argparse to refuse
        return text
    named = isinstance(value, str) and bool(beside.suffix or beside.name != text) and beside.is_file()
    return os.fspath(beside) if named or action.type in (file, folder) else text
