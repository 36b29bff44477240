"""Register assignment: colour the interference graph, coalesce moves, spill or recompute what does not fit or does not pay.

Chaitin's allocator with the order of iterated register coalescing, optimistic colouring (Briggs), rematerialisation, and
prices of registers that have to be saved.  The package says where what is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from vpo.algebra import rebuild_effect
from vpo.analysis.dominators import dominates
from vpo.analysis.liveness import bits, forget_numbering
from vpo.base.errors import CannotExpress
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.opt.frame.caller_saves import save_around_calls
from vpo.opt.frame.register_windows import can_be_leaf, insert_moves, kept_by_windows, move_into_window, preserved_by_window
from vpo.opt.frame.save_instructions import storage
from vpo.opt.registers.colouring import SaveCosts, Selection, Simplifier
from vpo.opt.registers.interference import Graph
from vpo.opt.registers.other_banks import other_banks
from vpo.opt.registers.spilling import Spiller
from vpo.opt.state import CFG, DOMINATORS, FREQUENCIES, FunctionState
from vpo.rtl import Effect, Expr, Register, Rtl, Set
from vpo.rtl.function import Function

MAX_ROUNDS = 30


def assign_registers(state: FunctionState) -> None:
    """Replace every pseudo-register by a hard register; the function becomes stage 'allocated'.

    Raises CannotExpress if even spilling does not make it fit.
    """
    function, machine = state.function, state.machine
    preserved = frozenset(machine.convention.preserved)
    forget_numbering(function)  # so that the choice depends on the function only, not on what was asked about it before
    if machine.convention.windows is None:
        _assign(state, frozenset(), frozenset())
    elif not (can_be_leaf(function) and _assign(state, kept_by_windows(machine), preserved, may_spill=False)):
        _assign(state, move_into_window(function, machine), preserved_by_window(machine))
        state.invalidate()
        with state.required():
            insert_moves(state)
    function.stage = "allocated"
    state.invalidate()


def _assign(state: FunctionState, reserved: frozenset[Register], free: frozenset[Register], may_spill: bool = True) -> bool:
    """Assign registers other than those reserved; False if that would need spilling and may not.

    The registers that are `free` need no saving, though calls preserve them.
    """
    function, machine = state.function, state.machine
    spiller, often = Spiller(function, machine), _saving_frequency(state)
    for _ in range(MAX_ROUNDS):
        graph = Graph(function, machine, state.get(CFG), state.get(FREQUENCIES), reserved)
        selection = _colour(graph, SaveCosts(graph, free, often, state.small), spiller)
        if not selection.spilled:
            _rewrite(graph, selection)
            if spiller.rounds:
                spiller.remove_unused_cells()
            _expand_moves(function, machine)
            if machine.convention.caller_saves:
                state.invalidate()
                with state.required():
                    save_around_calls(state, graph.results)
            return True
        if not may_spill:
            return False
        groups = selection.registers_in_memory()
        spiller.spill(groups, other_banks(graph, selection, groups, spiller.old, state.small), graph)
    raise CannotExpress(f"way to compile {function.name[1:]} with so few registers", function.line)


def _saving_frequency(state: FunctionState) -> float:
    """Return how often registers are saved for each time the function is entered: where all ways to calls part from others."""
    if not state.wraps_saves:
        return 1.0
    dominators, frequencies = state.get(DOMINATORS), state.get(FREQUENCIES)
    calls = [number for number in dominators if any(rtl.call is not None for rtl in state.function.blocks[number].rtls)]
    if not calls:
        return 1.0
    place = calls[0]
    while not all(dominates(dominators, place, call) for call in calls):
        place = dominators[place]
    return min(1.0, frequencies[place])


def _colour(graph: Graph, prices: SaveCosts, spiller: Spiller) -> Selection:
    """Colour a graph as far as possible; of the temporaries, none is given up while there is another."""
    for node in bits(graph.mentioned & ~graph.hard_mask):
        if not graph.allowed[node]:
            cls = graph.registers[node].cls
            raise CannotExpress(f"any value in the registers '{cls}', of which none is allocable", graph.function.line)
    unspillable = sum(1 << n for n, register in enumerate(graph.registers) if spiller.is_temporary(register))
    nodes = Simplifier(graph, unspillable)
    selection = Selection(graph, nodes, prices)
    selection.run()
    return selection


def _rewrite(graph: Graph, selection: Selection) -> None:
    """Put the chosen registers into the RTLs, and drop moves of a register to itself."""
    mapping: dict[Expr, Expr] = {}
    for number, register in enumerate(graph.registers):
        if register.pseudo:
            colour = graph.registers[selection.colour_of(number)]
            mapping[register] = Register(register.cls, colour.index // graph.widths[number], register.type)
    for block in graph.function.blocks:
        kept = []
        for rtl in block.rtls:
            rtl.become(tuple([rebuild_effect(e, mapping.get, targets=True) for e in rtl.effects]))
            effect = rtl.single_set
            if effect is None or not _is_same(effect.target, effect.source, graph.machine):
                kept.append(rtl)
        block.rtls = kept


def _is_same(target: Expr, source: Expr, machine: Machine) -> bool:
    """Whether both are one register, if only as views of one type."""
    if target is source:
        return True
    both = isinstance(target, Register) and isinstance(source, Register) and target.type == source.type
    return both and machine.storage(target) == machine.storage(source)  # type: ignore[arg-type]


def _expand_moves(function: Function, machine: Machine) -> None:
    """Replace RTLs that are instructions only with pseudo-registers.

    Raises CannotExpress if that takes another register: all are assigned.
    """
    for block in function.blocks:
        code = Legalizer(machine, function)
        for rtl in block.rtls:
            if machine.is_legal(rtl.effects):
                code.out.append(rtl)
                continue
            if len(rtl.effects) > 1:
                code.out += _one_by_one(rtl, machine)
                continue
            code.line, code.cause = rtl.lines[0], rtl.cause
            before = len(code.out)
            if not code.expand(rtl.effects[0]):
                code.emit(rtl.effects[0])
            code.out[before:] = _in_place(code.out[before:], rtl, machine)
            if any(register.pseudo for new in code.out[before:] for register in (*new.uses, *new.sets)):
                raise CannotExpress(f"`{rtl.effects[0]!r}` that does without another register", rtl.lines[0])
        block.rtls = code.out


def _in_place(code: list[Rtl], rtl: Rtl, machine: Machine) -> list[Rtl]:
    """Return code for an RTL with one effect, with the register that the RTL sets in place of a new one, if that is the same.

    So `r[8]=0-(cc<u0);`, which becomes of `r[8]=(r[9]-r[10])-(cc<u0);` if the last two are the same, takes no other register.
    """
    target = rtl.effects[0].target if isinstance(rtl.effects[0], Set) else None
    new = {register for each in code for register in (*each.uses, *each.sets) if register.pseudo}
    if not isinstance(target, Register) or len(new) != 1 or any(target in each.uses for each in code):
        return code
    (other,) = new
    if other.cls != target.cls or other.type != target.type:
        return code
    names: dict[Expr, Expr] = {other: target}
    result = [Rtl([rebuild_effect(e, names.get, targets=True) for e in each.effects], each.lines, each.cause) for each in code]
    does = all(machine.is_legal(each.effects) and not machine.clobbers(each.effects) for each in result)
    return result if does else code


def _one_by_one(rtl: Rtl, machine: Machine) -> list[Rtl]:
    """Return instructions with one effect each for an RTL that is none: two of its registers have become one.

    So does `r[9]=r[19]-r[18]; cc=r[19]?r[18];`, of which `r[9]=0; cc=r[19]?r[19];` is left if the last two are the same.
    Raises CannotExpress if there is no order in which that does the same.
    """
    for order in permutations(rtl.effects):
        if _is_sequence(order, machine):
            return [Rtl((effect,), rtl.lines, rtl.cause) for effect in order]
    raise CannotExpress(f"`{rtl!r}` where two of its registers are the same", rtl.lines[0])


def _is_sequence(effects: Sequence[Effect], machine: Machine) -> bool:
    """Whether effects are instructions each, of which none reads or changes what one before has set."""
    done: set[tuple[str, int]] = set()
    for effect in effects:
        if not isinstance(effect, Set) or not isinstance(effect.target, Register) or not machine.is_legal((effect,)):
            return False
        if not done.isdisjoint(storage(machine, (*effect.uses, *machine.clobbers((effect,))))):
            return False
        done |= storage(machine, [effect.target])
    return True
