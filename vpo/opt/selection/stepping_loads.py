"""Loads that step their address and extend what they read otherwise than a program does, on SSA form.

    r[t2]=zxL(W[r[t1.2]]);                    r[t2]=sxL(W[r[t9.1]]); r[t9.2]=r[t9.1]+2;        with copies to and of r[t9]
    r[t1.3]=r[t1.2]+2;                 =>
    W[r[t8]]=r[t2];

Of what is loaded only the low bits are wanted, so that both are right; where such a load does not step, or is no instruction,
none of the phases behind this one finds it.  All others are joined by `simultaneous.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import rebuild, unary
from vpo.algebra.equivalents import unextended
from vpo.machines.machine import Machine
from vpo.opt.ssa.wanted_bits import PARTS, WantedBits
from vpo.opt.state import LIVENESS, FunctionState, merged
from vpo.rtl import BITS, INTEGER_TYPES, Const, Effect, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block


def load_and_step(state: FunctionState) -> None:
    """Let one instruction load and step where it extends otherwise, which nobody sees."""
    wanted: WantedBits | None = None
    for number, block in enumerate(state.function.blocks):
        liveness = state.get(LIVENESS)
        for rtl in list(block.rtls):
            match rtl.single_set:
                case Set(
                    target=Register(pseudo=True),
                    source=Op(op="+", args=(Register(pseudo=True) as address, Const() | Register())) as total,
                ):
                    load = _last_user(block, rtl, address)
                    if load is None or liveness.numbering.mask((address,)) & liveness.live_out[number]:
                        continue
                    if not load.loads or state.machine.is_legal((*load.effects, stepped(address, total))):
                        continue
                    wanted = wanted or WantedBits(state)
                    effects = stepping_load(state.machine, load, address, total, wanted)
                    if effects and _install(state, block, load, rtl, effects, address):
                        wanted, liveness = None, state.get(LIVENESS)


def _last_user(block: Block, step: Rtl, address: Register) -> Rtl | None:
    """Return the last RTL in front of a step that reads a register, if that may step there and nobody reads it later."""
    users = [rtl for rtl in block.rtls if address in rtl.uses]
    if len(users) < 2 or users[-1] is not step:
        return None
    between = block.rtls[block.rtls.index(users[-2]) : block.rtls.index(step)]
    return None if any(register in step.uses for rtl in between for register in rtl.sets) else users[-2]


def stepped(address: Register, total: Expr) -> Set:
    """Return a step of a register, for questions about one instruction."""
    return Set(Register(address.cls, address.index, address.type, True, address.version + 1), total)


def stepping_load(
    machine: Machine, load: Rtl, address: Register, total: Expr, wanted: WantedBits | None = None
) -> tuple[Set, ...]:
    """Return the effects of an instruction that loads from an address and steps that; none if there is none.

    Without knowing how many bits are wanted, of one that loads any.
    """
    effect = load.single_set
    cell = _loaded(effect.source) if effect is not None else None
    if effect is None or cell is None or cell.address is not address or cell.volatile:
        return ()
    bits = wanted.bits.get(load.sets[0], 0) if wanted is not None else 1
    pairs = ((Set(effect.target, source), stepped(address, total)) for source in _forms(effect.source, bits) if bits)
    ways = (way for pair in pairs for way in (pair, pair[::-1]))
    return next((way for way in ways if machine.is_legal(way) and not machine.may_clobber(way)), ())


def _loaded(source: Expr) -> Mem | None:
    """Return the cell of integers that an expression extends, if it does nothing else."""
    node = unextended(source)
    return node if node is not source and isinstance(node, Mem) and node.type in INTEGER_TYPES else None


def _forms(source: Expr, bits: int) -> Iterator[Expr]:
    """Yield other extensions of what an expression loads, with the same low bits."""
    cell, type_, inner = _loaded(source), source.type, source
    assert cell is not None
    while isinstance(inner, Op) and not isinstance(inner.args[0], Mem):
        inner = inner.args[0]
    assert isinstance(inner, Op)
    for extension in ("sx", "zx") if bits <= BITS[cell.type] else (inner.op,):
        yield unary(extension, type_, cell)
        for part in PARTS:
            if BITS[cell.type] < BITS[part] < BITS[type_] and bits <= BITS[part]:
                yield from (unary(again, type_, unary(extension, part, cell)) for again in ("zx", "sx"))


def _install(state: FunctionState, block: Block, load: Rtl, rtl: Rtl, effects: tuple[Set, ...], address: Register) -> bool:
    """Put an instruction in the place of a load, with a register of its own that it steps."""
    fresh = state.function.pseudo(address.cls, address.type)
    old, new = (Register(fresh.cls, fresh.index, fresh.type, True, version) for version in (1, 2))
    changed: list[Effect] = []
    for effect in effects:
        source = rebuild(effect.source, lambda node: old if node is address else None)
        changed.append(Set(effect.target if effect.target is load.sets[0] else new, source))
    way = (Set(old, address),), tuple(changed), (Set(rtl.sets[0], new),)
    put = [merged(each, load, rtl) for each in way]
    contents = [each for one in block.rtls if one is not rtl for each in (put if one is load else [one])]
    return all(state.machine.is_legal(each) for each in way) and state.change({block: contents})
