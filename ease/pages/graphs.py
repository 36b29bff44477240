"""The control-flow graph of a function as a run went through it, and a place for each of its nodes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ease.model.results import Counts
from ease.model.static_kinds import StaticFunction

# ----------------------------------------------------------------------------------------------------------------------
# The control-flow graph of a function as a run went through it: how often each edge was taken.


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


# ----------------------------------------------------------------------------------------------------------------------
# A place for each node of a graph: in layers, so that most edges lead down, and those of a node stand below its middle.
#
# After K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system structures", 1981.


SWEEPS = 4  # over all layers, down and up
_Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Layout:
    """Nodes in layers, each from left to right.

    Where an edge leads past a layer, that layer has a bend: a number behind those of the nodes.  `bends` has those of each
    edge, from its source to its target.
    """

    layers: list[list[int]]
    bends: dict[_Edge, list[int]]


def layout(nodes: Sequence[int], edges: Collection[_Edge]) -> Layout:
    """Return a place for each node; the first is at the top, and those not reached from it, too."""
    down = _directed(nodes, edges)
    level = _levels(nodes, set(down.values()))
    found: list[list[int]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for node in nodes:
        found[level[node]].append(node)
    above: dict[int, list[int]] = {}
    below: dict[int, list[int]] = {}
    bends: dict[_Edge, list[int]] = {}
    new = max(nodes, default=0) + 1
    for edge, (source, target) in down.items():
        between = list(range(new, new + level[target] - level[source] - 1))
        new += len(between)
        for layer, bend in enumerate(between, level[source] + 1):
            found[layer].append(bend)
        for upper, lower in zip([source, *between], [*between, target], strict=True):
            above.setdefault(lower, []).append(upper)
            below.setdefault(upper, []).append(lower)
        bends[edge] = between if edge == (source, target) else between[::-1]
    for sweep in range(SWEEPS):
        _order(found if sweep % 2 == 0 else found[::-1], above if sweep % 2 == 0 else below)
    return Layout(found, bends)


def _directed(nodes: Sequence[int], edges: Collection[_Edge]) -> dict[_Edge, _Edge]:
    """Return for each edge how it leads down: turned if it closes a circle.  Edges from a node to itself are left out."""
    following: dict[int, list[int]] = {node: [] for node in nodes}
    for source, target in edges:
        if source != target:
            following[source].append(target)
    found: dict[_Edge, _Edge] = {}
    way: set[int] = set()
    seen: set[int] = set()
    for root in nodes:
        stack = [(root, iter(following[root]))] if root not in seen else []
        seen.add(root)
        way.add(root)
        while stack:
            node, targets = stack[-1]
            for target in targets:
                found[node, target] = (target, node) if target in way else (node, target)
                if target not in seen:
                    seen.add(target)
                    way.add(target)
                    stack.append((target, iter(following[target])))
                    break
            else:
                way.discard(node)
                stack.pop()
        way.discard(root)
    return found


def _levels(nodes: Sequence[int], down: Collection[_Edge]) -> dict[int, int]:
    """Return the layer of each node: one below the lowest of those above it."""
    below: dict[int, list[int]] = {node: [] for node in nodes}
    waiting = dict.fromkeys(nodes, 0)
    for source, target in sorted(down):
        below[source].append(target)
        waiting[target] += 1
    level = dict.fromkeys(nodes, 0)
    ready = [node for node in nodes if not waiting[node]]
    while ready:
        node = ready.pop()
        for target in below[node]:
            level[target] = max(level[target], level[node] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return level


def _order(found: Sequence[list[int]], neighbours: Mapping[int, Sequence[int]]) -> None:
    """Order each layer by the middle of where neighbours stand in the layers before it."""
    place: dict[int, float] = {}
    for layer in found:
        middle = {}
        for number, node in enumerate(layer):
            places = [place[other] for other in neighbours.get(node, ()) if other in place]
            middle[node] = sum(places) / len(places) if places else (number + 0.5) / len(layer)
        layer.sort(key=lambda node: middle[node])
        place.update((node, (number + 0.5) / len(layer)) for number, node in enumerate(layer))
