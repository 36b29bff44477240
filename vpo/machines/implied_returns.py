"""The return of a machine that has lost the instruction: another one goes where it went, through a register or the stack.

    PC=L[r[15]],RT(); r[15]=r[15]+4;     =>     r[3]=L[r[15]]; r[15]=r[15]+4; PC=r[3],RT();
    PC=r[14],RT();                       =>     r[13]=r[13]+-4; L[r[13]]=r[14]; PC=L[r[13]],RT(); r[13]=r[13]+4;

It is one instruction for phases, and becomes the three when the code is complete.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from vpo.algebra import binary
from vpo.machines.machine import Machine
from vpo.machines.pattern import Alternative
from vpo.rtl import BITS, Const, Effect, IndirectJump, Mem, Register, Return, Set
from vpo.text import show_effects

Steps = tuple[tuple[Effect, ...], ...]


def implied_returns(machine: Machine) -> list[Alternative]:
    """Return the form that a machine lacks of its convention's return, with the jumps of which it consists."""
    effects = machine.convention.return_
    if machine.is_legal(effects):
        return []
    match effects:
        case (Return(target=Mem() as cell), Set(target=Register() as pointer)) if pointer is machine.stack_pointer:
            return _by_a_register(machine, effects, cell)
        case (Return(target=Register() as link),):
            return _by_the_stack(machine, effects, link)
    return []


def _by_a_register(machine: Machine, effects: tuple[Effect, ...], cell: Mem) -> list[Alternative]:
    """Return the return that pops its address from a cell, and the jump to a register as a return."""
    for register in _free_registers(machine):
        jump = machine.recognizer.match((IndirectJump(register, ()),))
        pop: Steps = ((Set(register, cell),), effects[1:])
        if jump is not None and register.type == cell.type and all(map(machine.is_legal, pop)):
            returning = _returning(machine, jump.alternative)
            known = replace(machine, recognizer=machine.recognizer.extended([returning]))
            return [returning, _form(known, effects, (*pop, (Return(register, ()),)), (register,))]
    return []


def _by_the_stack(machine: Machine, effects: tuple[Effect, ...], link: Register) -> list[Alternative]:
    """Return the return that pushes the link register, where another return pops its address."""
    pointer, word = machine.stack_pointer, BITS[machine.address_type] // 8
    cell = Mem(machine.address_type, pointer)
    down, up = (Set(pointer, binary("+", pointer, Const(step))) for step in (-word, word))
    steps: Steps = ((down,), (Set(cell, link),), (Return(cell, ()), up))
    free = not machine.convention.grows_up  # below the stack pointer is nobody's
    return [_form(machine, effects, steps, ())] if free and all(map(machine.is_legal, steps)) else []


def _free_registers(machine: Machine) -> list[Register]:
    """Return the registers for addresses that a function may change and that carry no result."""
    convention = machine.convention
    results = {part for r in chain.from_iterable(convention.results.values()) for part in machine.storage(r)}
    free = {part for register in convention.scratch for part in machine.storage(register)} - results
    names = dict.fromkeys((machine.values.address, machine.values.integer))
    return [r for name in names for r in machine.allocable_in(name) if free.issuperset(machine.storage(r))]


def _returning(machine: Machine, jump: Alternative) -> Alternative:
    """Return the return to an address in a register that an indirect jump is."""
    effects = tuple(Return(effect.target, ()) if isinstance(effect, IndirectJump) else effect for effect in jump.effects)
    return replace(jump, effects=effects, text=show_effects(effects), order=len(machine.recognizer.alternatives))


def _form(machine: Machine, effects: tuple[Effect, ...], steps: Steps, changed: tuple[Register, ...]) -> Alternative:
    """Return a return that consists of steps, the last of which is another one, and which change some registers."""
    matches = [match for step in steps if (match := machine.recognizer.match(step)) is not None]
    records = [machine.recognize(step) for step in steps]
    clobbers = dict.fromkeys(chain(changed, *(match.alternative.clobbers for match in matches)))
    last = matches[-1].alternative
    return Alternative(
        last.name, last.place, effects, False, {}, "", sum(record.size for record in records if record),
        sum(record.latency for record in records if record), 0, tuple(clobbers), None, None, text=show_effects(effects),
        order=len(machine.recognizer.alternatives), into=steps,
    )  # fmt: skip
