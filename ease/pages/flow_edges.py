"""The control-flow graph of a function as a run went through it: how often each edge was taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ease.model.results import Counts
from ease.model.static_kinds import StaticFunction

EXIT = -1  # in place of a block: the function is left
Edge = tuple[int, int]
_TRANSFER = re.compile(r"PC=[^;]*;")  # as RTLs are written
_WORD = re.compile(r"[\w.$]+")


def edges(function: StaticFunction, texts: Sequence[tuple[str, str]], counts: Counts) -> dict[Edge, int | None]:
    """Return how often each edge between blocks was taken, None where counts leave it open; nothing if no labels are known.

    Edges to a block without instructions lead to the next one.  `texts` has the RTL of each kind first.
    """
    if not function.labels:
        return {}
    executed, taken = counts.rtls[function.name], counts.taken[function.name]
    found: dict[Edge, int | None] = {}
    for block, end, targets in _ways_out(function, texts):
        if block in function.branches:
            for target, count in zip(targets, (executed[end] - taken[block], taken[block]), strict=True):
                found[block, target] = (found.get((block, target)) or 0) + count
        else:
            found.update(((block, target), executed[end] if len(targets) == 1 else None) for target in targets)
    return _completed(found, {block: executed[function.blocks[block]] for block in blocks_with_code(function)})


def blocks_with_code(function: StaticFunction) -> list[int]:
    """Return the blocks that have instructions."""
    ends = [*function.blocks[1:], len(function.kinds)]
    return [block for block, (first, end) in enumerate(zip(function.blocks, ends, strict=True)) if first < end]


def _ways_out(function: StaticFunction, texts: Sequence[tuple[str, str]]) -> Iterator[tuple[int, int, list[int]]]:
    """Yield each block with the place of the RTL at its end, before delay slots, and where control may go from there.

    Of a branch, the next block comes first.
    """
    blocks = blocks_with_code(function)
    ends = [*function.blocks[1:], len(function.kinds)]
    numbers = {label: next((b for b in blocks if b >= number), EXIT) for number, label in enumerate(function.labels)}
    for block, following in zip(blocks, [*blocks[1:], EXIT], strict=True):
        end, named = ends[block] - 1, [following]
        for position in range(function.blocks[block], ends[block]):
            if found := _TRANSFER.search(texts[function.kinds[position]][0]):
                end, named = position, [numbers[word] for word in _WORD.findall(found[0]) if word in numbers]
        if block in function.branches:
            yield block, function.branches[block], [following, named[-1] if named else EXIT]
        else:
            yield block, end, list(dict.fromkeys(named)) or [EXIT]


def _completed(found: Mapping[Edge, int | None], executed: Mapping[int, int]) -> dict[Edge, int | None]:
    """Return edges with those counts that follow from how often control came to a block, while any does."""
    known = dict(found)
    entering: dict[int, list[Edge]] = {}
    for edge in known:
        entering.setdefault(edge[1], []).append(edge)
    changed = True
    while changed:
        changed = False
        for block, into in entering.items():
            unknown = [edge for edge in into if known[edge] is None]
            if len(unknown) == 1 and block in executed and block > min(executed):  # control comes to the first from outside
                known[unknown[0]] = max(0, executed[block] - sum(known[edge] or 0 for edge in into))
                changed = True
    return known
