"""What can be read, by the word before the colon.

A file of its own, since each kind of source is, and they share only trees.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from ease.exchange import coredsl, opcodes, sesig, udb
from ease.exchange.trees import Instruction, SourceError

Reader = Callable[[Path, Collection[str], int], Iterator[Instruction]]
READERS: dict[str, Reader] = {"udb": udb.read, "coredsl": coredsl.read, "sesig": sesig.read, "opcodes": opcodes.read}


def instructions(source: str, extensions: Collection[str], word: int) -> Iterator[Instruction]:
    """Yield the instructions of a source, KIND:PATH, for words of so many bits.

    Raises SourceError, OSError.
    """
    kind, _, path = source.partition(":")
    if kind not in READERS or not path:
        raise SourceError(f"'{source}' is no source; expected: {', '.join(f'{each}:PATH' for each in READERS)}")
    if not Path(path).exists():
        raise SourceError(f"{path}: there is no such file or folder")
    return READERS[kind](Path(path), extensions, word)
