"""Where the commands `easecc` and `ease` start: no interruption, closed stream or full disk may show a traceback.

The commands are imported inside, because importing takes long enough for somebody to press Ctrl-C.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Callable

from ease.base import interrupts
from ease.base.printable import make_messages_printable
from vpo.base.collector import COLLECT_AFTER, LOOKS

# What numpy multiplies matrices by starts threads when it is loaded, and interrupts the process where it cannot.
ALONE = {"OPENBLAS_NUM_THREADS": "1"}
LIBRARY = ".so"  # the end of the name of a module that is machine code


def easecc() -> int:
    """Run `easecc`; returns the exit status."""

    def command() -> int:
        from ease.commands.easecc import main

        return main()

    return shielded("easecc", command)


def ease_cc() -> int:
    """Run `ease-cc`, that is `easecc` with the defaults of other compilers; returns the exit status."""

    def command() -> int:
        from ease.commands.easecc import main

        return main(links=True)

    return shielded("ease-cc", command)


def ease_ar() -> int:
    """Run `ease-ar`, another name of `ease ar`; returns the exit status."""
    return _archiver("ar")


def ease_ranlib() -> int:
    """Run `ease-ranlib`, another name of `ease ranlib`; returns the exit status."""
    return _archiver("ranlib")


def _archiver(name: str) -> int:
    def command() -> int:
        from ease.commands.ease_command import main

        return main([name, *sys.argv[1:]])

    return shielded(f"ease-{name}", command)


def ease() -> int:
    """Run `ease`; returns the exit status."""

    def command() -> int:
        from ease.commands.ease_command import main

        return main()

    return shielded("ease", command)


def cache_sim() -> int:
    """Run `cache-sim`; returns the exit status."""

    def command() -> int:
        from cache_sim.command import main

        return main()

    return shielded("cache-sim", command)


def shielded(program: str, command: Callable[[], int]) -> int:
    """Run a command under a name for its messages; returns the exit status."""
    for name, value in ALONE.items():
        os.environ.setdefault(name, value)
    gc.set_threshold(COLLECT_AFTER, LOOKS)
    atexit.register(gc.freeze)  # or Python would look for cycles in all objects when it ends
    _open_streams()
    interrupts.take()
    try:
        try:
            return command()
        finally:
            interrupts.leave()
            sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except MemoryError:
        print(f"{program}: out of memory", file=sys.stderr)
        return 1
    except ImportError as error:
        library = _unloaded(error)
        if library is None:
            raise
        print(f"{program}: {library}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        _forget_output()
        return 128 + signal.SIGPIPE
    except OSError as error:
        _forget_output()
        print(f"{program}: standard output: {error.strerror}", file=sys.stderr)
        return 1


def _unloaded(error: BaseException | None) -> ImportError | None:
    """Return what ended the import of a library that is there, as for want of memory; packages add words of their own."""
    while error is not None:
        if isinstance(error, ImportError) and (error.path or "").endswith(LIBRARY):
            return error
        error = error.__cause__ or error.__context__
    return None


def _open_streams() -> None:
    """Give standard streams that are closed something to be: no file may get their descriptors.

    To use them is an error as before, for the command and for the program that it runs.
    """
    for number, unusable in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, unusable), True)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", closefd=False)
    if sys.stderr is None:  # what nobody wants to read; `print` would write it to standard output
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    make_messages_printable()


def _forget_output() -> None:
    """Let the flush at the end of the process find no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
