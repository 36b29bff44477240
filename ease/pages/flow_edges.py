"""The control-flow graph of a function as a run went through it: how often each edge was taken."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ease.results import Counts
from ease.static_program import StaticFunction

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
    executed = {block: counts.rtls[function.name][function.blocks[block]] for block in blocks_with_code(function)}
    taken = counts.taken[function.name]
    found: dict[Edge, int | None] = {}
    for block, targets in _targets(function, texts).items():
        if block in function.branches:
            branched = counts.rtls[function.name][function.branches[block]]
            for target, count in zip(targets, (branched - taken[block], taken[block]), strict=True):
                found[block, target] = (found.get((block, target)) or 0) + count
        else:
            found.update(((block, target), executed[block] if len(targets) == 1 else None) for target in targets)
    return _completed(found, executed)


def blocks_with_code(function: StaticFunction) -> list[int]:
    """Return the blocks that have instructions."""
    ends = [*function.blocks[1:], len(function.kinds)]
    return [block for block, (first, end) in enumerate(zip(function.blocks, ends, strict=True)) if first < end]


def _targets(function: StaticFunction, texts: Sequence[tuple[str, str]]) -> dict[int, list[int]]:
    """Return where control may go behind each block: first to the next one, if it may."""
    blocks = blocks_with_code(function)
    ends = [*function.blocks[1:], len(function.kinds)]
    numbers = {label: next((b for b in blocks if b >= number), EXIT) for number, label in enumerate(function.labels)}
    found = {}
    for block, following in zip(blocks, [*blocks[1:], EXIT], strict=True):
        kinds = function.kinds[function.blocks[block] : ends[block]]
        transfers = [match[0] for kind in kinds if (match := _TRANSFER.search(texts[kind][0]))]
        named = [numbers[word] for word in _WORD.findall(transfers[-1]) if word in numbers] if transfers else [following]
        if block in function.branches:
            found[block] = [following, named[-1] if named else EXIT]
        else:
            found[block] = list(dict.fromkeys(named)) or [EXIT]
    return found


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
