"""The process in which a session's work is done."""

import signal
from collections.abc import Sequence
from multiprocessing.connection import Connection

from rmp3d.extensions import load_extension, words_of_fault
from rmp3d.geometry.compiled import tell_of_compiling
from rmp3d.geometry.errors import Rmp3dError
from rmp3d.live.backend import CancelledError, LiveBackend
from rmp3d.viewer.panel.protocol import COMPILING, Failed, Working


def serve(connection: Connection, extensions: Sequence[str] = ()) -> None:
    """Load the user's own files, and carry out commands until the other end hangs up.

    When it is up it says None. Each command is answered by its reports and, at last, by None. A
    command that comes in while another is carried out ends that one.
    """
    backend = LiveBackend(connection.send, connection.poll)
    tell_of_compiling(lambda: connection.send(Working(COMPILING)))
    try:
        for path in extensions:
            load_extension(path)
        connection.send(None)
        while True:
            command = connection.recv()
            if command is not None:  # None does nothing but end what is under way
                _carry_out(backend, command, connection)
            connection.send(None)
    except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        return


def _carry_out(backend: LiveBackend, command: object, connection: Connection) -> None:
    # Ended in the middle of it, unfinished files are removed.
    usual = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        backend.handle(command)  # type: ignore[arg-type]
    except CancelledError:
        connection.send(Failed("cancelled", cancelled=True))
    except Rmp3dError as error:
        connection.send(Failed(str(error)))
    except MemoryError:
        connection.send(Failed("out of memory; try fewer `members` or `nodes`"))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise
    except Exception as error:
        # The panel says it and goes on; the command line would show where it comes from.
        connection.send(Failed(words_of_fault(error)))
    finally:
        signal.signal(signal.SIGTERM, usual)
