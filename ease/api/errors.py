"""The one exception that the interface to Python raises for mistakes of its user.

A file of its own, since users import it to catch what it defines, and it loads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Error(Exception):
    """A mistake in a program, a description, a setting or a file; str() says which and where, as the commands would.

    `origin` is the exception of the layer that found it, if it was another one.
    """

    origin: Exception | None = None


def _error(text: str, origin: Exception) -> Error:
    error = Error(text)
    error.origin = origin
    return error


@contextmanager
def told() -> Iterator[None]:
    """Turn the exceptions of mistakes, each layer's own, into Error."""
    from cache_sim.config import ConfigurationError
    from ease.reports import AskedError
    from ease.store.database import StoreError
    from vpo.base.errors import LinkError, UserError
    from vpo.link.input_files import ArchiveError
    from vpo.machines.read.source import DescriptionError
    from vpo.opt.driver import PhaseError
    from vpo.system.faults import HostError

    try:
        yield
    except (UserError, LinkError) as error:
        raise _error("\n".join(error.messages), error) from None
    except (ArchiveError, AskedError, ConfigurationError, DescriptionError, HostError, PhaseError, StoreError) as error:
        raise _error(str(error), error) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise _error(f"{where}{error.strerror or error}", error) from None
