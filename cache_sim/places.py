"""Give errors in configurations the place of the mistake."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from cache_sim.config import ConfigurationError


class Place(Protocol):
    """A piece of what the user wrote."""

    def error(self, message: str, about: str = "") -> ConfigurationError:
        """Return an error that points to this piece."""
        ...


@contextmanager
def blamed(whole: Place, **pieces: Place) -> Iterator[None]:
    """Add a place to errors that have none: that of the field the error is about, or else of the whole."""
    try:
        yield
    except ConfigurationError as error:
        if error.place:
            raise
        raise pieces.get(error.about, whole).error(error.message, error.about) from None
