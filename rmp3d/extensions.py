"""Python files of a user: they are loaded before a verb runs, and register what they define."""

import importlib.util
import sys
import traceback
from pathlib import Path

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.given import path_given
from rmp3d.geometry.input_files import shown_path
from rmp3d.geometry.printable import printable, shortened

PREFIX = "rmp3d_extension_"
LONGEST = 1000
"""Letters at most of what an error says."""
_loaded: list[str] = []


def loaded_extensions() -> tuple[str, ...]:
    """Return the files that this process has loaded, in order; another process can do the same."""
    return tuple(_loaded)


def load_extension(path: Path | str) -> None:
    """Run a Python file, once in each process.

    Samplers, steering behaviors, group behaviors, formations and exporters that it registers can
    be used by their names afterwards, like built-in ones.

    Args:
        path: The file.

    Raises:
        InputError: The file is missing, or it fails; the error names the line.
    """
    try:
        path = path_given(path).resolve()
    except (OSError, ValueError):
        raise InputError(f"--with {shown_path(path)}: not the name of a file") from None
    name = PREFIX + path.with_suffix("").as_posix().replace("/", "_")
    if name in sys.modules:
        return
    if path.suffix != ".py" or not path.is_file():
        raise InputError(f"--with {path}: no such Python file (its name must end in .py)")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise InputError(f"--with {path}: {_place(error, path)}{_words(error)}") from error
    _loaded.append(str(path))


def words_of_fault(error: Exception) -> str:
    """Return what an error that nobody foresaw says, and whose fault it is.

    It is that of a user's file if a line of one was at work.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if str(Path(frame.filename).resolve()) in _loaded
    ]
    words = shortened(printable(f"{type(error).__name__}: {_text(error)}"), LONGEST)
    if not frames:
        return f"unexpected {words}\nthis is a bug of rmp3d; `--debug` shows where it happened"
    where = f"{frames[-1].filename}, line {frames[-1].lineno}, in `{frames[-1].name}`"
    return f"{where}: {words}\nthis is in your file; `--debug` shows how it came there"


def _place(error: BaseException, path: Path) -> str:
    """Return the line of the file that raised the error; an empty text if it is not known."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: " if error.lineno else ""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) == path
    ]
    return f"line {lines[-1]}: " if lines else ""


def _words(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return "it ends the program (SystemExit); a file of --with only registers classes"
    text = error.msg if isinstance(error, SyntaxError) else _text(error)
    return text if isinstance(error, InputError) else f"{type(error).__name__}: {text}"


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # of a user's class whose text fails, too
        return "(its text cannot be made)"
