"""Our code for a real machine in qemu-user: plain, counting instructions, or with a plugin that simulates a cache.

The executable is that of `ease.run.verify`, so qemu executes the same instructions at the same addresses as we do.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cache_sim.config import Cache, MemorySystem
from ease.run.verify import ToolMissing, emulation, plugin
from vpo.program import Program
from vpo.system.address_space import initial_stack

SOURCE = Path(__file__).parent / "cache_plugin.c"


@dataclass(frozen=True, slots=True)
class Misses:
    """What the plugin counted; a unified cache's data and fetches are told apart."""

    fetches: int
    fetch_misses: int
    references: int
    reference_misses: int


def counting_plugin(folder: Path) -> str:
    """Return the plugin that counts instructions."""
    return f"{plugin(folder)},out={folder / 'count'}"


def cache_plugin(system: MemorySystem, folder: Path, places: bool = False) -> Path:
    """Compile the plugin for one first-level cache, LRU, allocating, without context switches.

    `places`: simulate our stack's addresses, for counts to compare; slower.

    Raises ToolMissing, ValueError.
    """
    sides = {"INSTRUCTION": system.instruction, "DATA": system.data}
    caches = [cache for cache in system.caches if cache in sides.values()]
    if len(caches) != 1 or len(system.caches) != 1 or not simulated(caches[0]):
        raise ValueError("the plugin has one cache, LRU, without prefetching")
    numbers = {"LINE": caches[0].line, "SETS": caches[0].sets, "WAYS": caches[0].ways}
    names = [side for side, cache in sides.items() if cache] + ["PLACES"] * places
    words = [f"-D{name}={value}" for name, value in numbers.items()] + [f"-D{name}" for name in names]
    if shutil.which("cc") is None:
        raise ToolMissing("'cc' (C compiler for the plugin) is not installed")
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".so", delete=False) as file:
        library = Path(file.name)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", *words, "-o", library, SOURCE], check=True)
    return library


def simulated(cache: Cache) -> bool:
    """Whether the plugin can simulate a cache; how data are written makes no difference to misses."""
    return cache.policy == "lru" and cache.allocate and cache.prefetch == "none"


def misses(program: Program, executable: Path, arguments: Sequence[str], stdin: bytes, system: MemorySystem) -> Misses:
    """Run a program with the cache plugin; all addresses are those that we use.

    Raises ToolMissing.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        library = cache_plugin(system, folder, places=True)
        stack = initial_stack(program, arguments)
        strings = sum(len(word.encode()) + 1 for word in arguments)
        top = stack.address + len(stack.content)  # where our arguments end
        behind = strings + len(str(executable)) + 1 + 8  # where qemu has its path: see ease.run.verify
        options = f"out={folder / 'misses'},sp={stack.pointer},strings={top - strings},behind={behind}"
        run(emulation(program, executable, arguments, [f"{library},{options}"]), stdin, folder)
        return Misses(*map(int, (folder / "misses").read_text().split()))


def run(command: Sequence[str], stdin: bytes, folder: Path) -> None:
    """Run a command on files, not pipes, in an empty environment."""
    (folder / "stdin").write_bytes(stdin)
    with open(folder / "stdin", "rb") as given, open(folder / "stdout", "wb") as printed:
        subprocess.run(list(command), stdin=given, stdout=printed, stderr=subprocess.DEVNULL, env={}, check=False)
