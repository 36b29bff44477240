"""Write an index into the file of a trace."""

from __future__ import annotations

import shutil

from cache_sim.traces.container import TraceDamaged, section_places
from cache_sim.traces.index import EVERY, KIND, index_section
from ease.files import file_atomically


def add_index(path: str, every: int = EVERY) -> int:
    """Put an index into a file, before its end, with a state each `every` instructions; return its size in bytes.

    Raises TraceDamaged, OSError.
    """
    with open(path, "rb") as old:
        index = index_section(old, every)
        places = dict(section_places(old))
        if KIND in places or "DONE" not in places:
            raise TraceDamaged("it has an index already" if KIND in places else "it was cut short")
        old.seek(0)
        with file_atomically(path) as new:
            new.write(old.read(places["DONE"]) + index)
            shutil.copyfileobj(old, new)
    return len(index)
