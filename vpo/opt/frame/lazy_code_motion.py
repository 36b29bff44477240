"""Where to put code that must have run before some points: as late as possible, and no more often than at those points.

Lazy code motion (Knoop, Rüthing, Steffen, PLDI 1992) in the formulation by edges of Drechsler and Stadel (SIGPLAN
Notices 28(5), 1993), for many facts at once: sets are integers with a bit for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from vpo.analysis.cfg import Cfg, jumps_computed, transfer_of
from vpo.analysis.liveness import Liveness, access
from vpo.base.errors import CannotExpress
from vpo.opt.state import CFG, FunctionState, retarget
from vpo.rtl import Jump, Return, Rtl
from vpo.rtl.function import Block, Function

Edge = tuple[int, int]  # blocks by index
SHORT = 3  # RTLs of a block that is copied rather than jumped to


@dataclass(slots=True)
class Facts:
    """By block: what it `needs` at its entry, what holds at its exit whatever held before, what it leaves as it is."""

    needs: list[int] = field(default_factory=list)
    makes: list[int] = field(default_factory=list)
    keeps: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Placement:
    """The facts to establish on edges, and by block those of its needs to establish within it.

    `holds` are the facts that then hold at the entries of blocks.
    """

    edges: dict[Edge, int]
    within: list[int]
    holds: list[int]


def place(cfg: Cfg, facts: Facts, everything: int, initially: int) -> Placement:
    """Solve for a function whose entry has no predecessor; `initially` holds at its entry.

    No path establishes a fact more often than it has blocks that need it and do not find it.
    """
    order = cfg.reverse_postorder()
    wanted_in, wanted_out = _anticipated(cfg, facts, everything, order)
    _, holds_out = _available(cfg, facts, everything, initially, order, {})
    count = len(cfg.successors)
    edges = [(i, j) for i in order for j in cfg.successors[i]]
    earliest = {(i, j): wanted_in[j] & ~holds_out[i] & ~(wanted_out[i] & facts.keeps[i]) for i, j in edges}
    first = wanted_in[0] & ~initially
    later_in = [everything] * count
    later_in[0] = first
    predecessors = _reachable_predecessors(cfg, order)

    def later(edge: Edge) -> int:
        return earliest[edge] | (later_in[edge[0]] & ~facts.needs[edge[0]])

    changed = True
    while changed:
        changed = False
        for j in order[1:]:
            new = everything
            for i in predecessors[j]:
                new &= later((i, j))
            if new != later_in[j]:
                later_in[j] = new
                changed = True
    inserted = {edge: later(edge) & ~later_in[edge[1]] for edge in edges}
    within = [facts.needs[b] & later_in[b] for b in range(count)]
    holds, _ = _available(cfg, facts, everything, initially, order, inserted)
    return Placement({edge: mask for edge, mask in inserted.items() if mask}, within, holds)


def _anticipated(cfg: Cfg, facts: Facts, everything: int, order: list[int]) -> tuple[list[int], list[int]]:
    """Return what every path from a block's entry, and exit, needs before anything undoes it."""
    wanted_in = [everything] * len(cfg.successors)
    wanted_out = [everything] * len(cfg.successors)
    changed = True
    while changed:
        changed = False
        for b in reversed(order):
            out = everything if cfg.successors[b] else 0
            for successor in cfg.successors[b]:
                out &= wanted_in[successor]
            wanted_out[b] = out
            new = facts.needs[b] | (out & facts.keeps[b])
            if new != wanted_in[b]:
                wanted_in[b] = new
                changed = True
    return wanted_in, wanted_out


def _available(
    cfg: Cfg, facts: Facts, everything: int, initially: int, order: list[int], inserted: Mapping[Edge, int]
) -> tuple[list[int], list[int]]:
    """Return what holds at each block's entry, and exit, on every path to it, with facts established on edges."""
    holds_in = [everything] * len(cfg.successors)
    holds_out = [everything] * len(cfg.successors)
    predecessors = _reachable_predecessors(cfg, order)
    changed = True
    while changed:
        changed = False
        for b in order:
            into = everything if b else initially
            for predecessor in predecessors[b]:
                into &= holds_out[predecessor] | inserted.get((predecessor, b), 0)
            holds_in[b] = into
            new = facts.makes[b] | (into & facts.keeps[b])
            if new != holds_out[b]:
                holds_out[b] = new
                changed = True
    return holds_in, holds_out


def _reachable_predecessors(cfg: Cfg, order: list[int]) -> list[list[int]]:
    reachable = set(order)
    return [[p for p in predecessors if p in reachable] for predecessors in cfg.predecessors]


def isolate_entry(state: FunctionState) -> bool:
    """Give a function whose entry is the target of a jump an empty block before it; return whether it was given one."""
    if not state.get(CFG).predecessors[0]:
        return False
    return state.insert_block(0, Block(state.function.label()))


def remove_empty_entry(state: FunctionState) -> None:
    """Remove a block that `isolate_entry` made and nobody used."""
    if not state.function.blocks[0].rtls:
        state.keep_blocks(range(1, len(state.function.blocks)))


def live_on(function: Function, cfg: Cfg, liveness: Liveness, edge: Edge) -> int:
    """Return the registers that code on an edge must leave as they are."""
    i, j = edge
    rtl = transfer_of(function.blocks[i]) if len(cfg.successors[i]) == 1 else None  # code goes before it
    return liveness.live_in[j] | (access(rtl, liveness.numbering).uses if rtl is not None else 0)


def insert_on_edges(state: FunctionState, cfg: Cfg, code: dict[Edge, Callable[[], list[Rtl]]]) -> None:
    """Put code on edges; each call makes it anew.

    It joins the end of a block with one successor, or the start of one all whose edges get code of the same maker;
    else a block is made for it.
    """
    blocks = list(state.function.blocks)
    appended: list[tuple[int, Block, Block]] = []
    done: set[Edge] = set()
    for edge, make in code.items():
        i, j = edge
        arrivals = [(p, j) for p in cfg.predecessors[j]]
        if edge in done:
            continue
        if j and all(code.get(e) is make for e in arrivals):
            state.insert(blocks[j], 0, make())
            done.update(arrivals)
        elif len(cfg.successors[i]) == 1:
            state.insert(blocks[i], len(blocks[i].rtls) - (transfer_of(blocks[i]) is not None), make())
        else:
            appended.append((i, Block(state.function.label(), make()), blocks[j]))
            done.update(_of_the_same_table(state, cfg, edge, code))
    for i, block, target in appended:
        _split(state, blocks[i], block, target)


def tables_differ(function: Function, cfg: Cfg, code: Mapping[Edge, object]) -> bool:
    """Whether edges of jump tables to one place get different code, which they cannot: the tables name one label."""
    computed = {i for i, block in enumerate(function.blocks) if jumps_computed(block)}
    edges = [(i, j) for i, j in code if i in computed]
    return any(code.get((p, j)) != code[i, j] for i, j in edges for p in cfg.predecessors[j] if p in computed)


def _of_the_same_table(state: FunctionState, cfg: Cfg, edge: Edge, code: Mapping[Edge, object]) -> list[Edge]:
    """Return the edges that a jump table shares with other copies of its jump: code on one of them is on all.

    Raises CannotExpress if they get different code.
    """
    blocks, (i, j) = state.function.blocks, edge
    if not jumps_computed(blocks[i]):
        return []
    edges = [(p, j) for p in cfg.predecessors[j] if jumps_computed(blocks[p])]
    if tables_differ(state.function, cfg, {other: code.get(other) for other in edges}):
        raise CannotExpress("jump tables that lead to one place with different registers saved", state.function.line)
    return edges


def _split(state: FunctionState, source: Block, new: Block, end: Block) -> None:
    """Put a block onto the edge from a block that ends in a transfer to another."""
    rtl, blocks = transfer_of(source), state.function.blocks
    assert rtl is not None
    if jumps_computed(source):
        _split_entry(state, new, end)
        return
    position, target = blocks.index(source) + 1, end.label
    named = any(retarget(e, target, new.label) is not e for e in rtl.effects)
    falls = position < len(blocks) and blocks[position].label == target
    if named:
        new.rtls += _tail(next(block for block in blocks if block.label == target))
        state.insert_block(len(blocks), new)
        state.replace(source, rtl, tuple(retarget(e, target, new.label) for e in rtl.effects))
    else:
        assert falls
        state.insert_block(position, new)


def _split_entry(state: FunctionState, new: Block, end: Block) -> None:
    """Put a block onto the edge of a jump table: it takes over the label that the table names; all else is redirected."""
    old, blocks = end.label, state.function.blocks
    state.relabel(end, new.label)
    for block in blocks:
        rtl = transfer_of(block)
        if rtl is not None and not jumps_computed(block):
            effects = tuple(retarget(effect, old, end.label) for effect in rtl.effects)
            if effects != rtl.effects:
                state.replace(block, rtl, effects)
    new.label = old
    new.rtls += _tail(end)
    state.insert_block(len(blocks), new)


def _tail(target: Block) -> list[Rtl]:
    """Return what leads on to a block: a jump there, or a copy if it is short and returns."""
    if len(target.rtls) <= SHORT and target.rtls and isinstance(target.rtls[-1].transfer, Return):
        return [rtl.copied() for rtl in target.rtls]
    return [Rtl((Jump(target.label),), target.rtls[0].lines if target.rtls else (0,), "control")]
