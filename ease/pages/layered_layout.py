"""A place for each node of a graph: in layers, so that most edges lead down, and those of a node stand below its middle.

After K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system structures", 1981.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

SWEEPS = 4  # over all layers, down and up
Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Layout:
    """Nodes in layers, each from left to right.

    Where an edge leads past a layer, that layer has a bend: a number behind those of the nodes.  `bends` has those of each
    edge, from its source to its target.
    """

    layers: list[list[int]]
    bends: dict[Edge, list[int]]


def layout(nodes: Sequence[int], edges: Collection[Edge]) -> Layout:
    """Return a place for each node; the first is at the top, and those not reached from it, too."""
    down = _directed(nodes, edges)
    level = _levels(nodes, set(down.values()))
    found: list[list[int]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for node in nodes:
        found[level[node]].append(node)
    above: dict[int, list[int]] = {}
    below: dict[int, list[int]] = {}
    bends: dict[Edge, list[int]] = {}
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


def _directed(nodes: Sequence[int], edges: Collection[Edge]) -> dict[Edge, Edge]:
    """Return for each edge how it leads down: turned if it closes a circle.  Edges from a node to itself are left out."""
    following: dict[int, list[int]] = {node: [] for node in nodes}
    for source, target in edges:
        if source != target:
            following[source].append(target)
    found: dict[Edge, Edge] = {}
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


def _levels(nodes: Sequence[int], down: Collection[Edge]) -> dict[int, int]:
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
