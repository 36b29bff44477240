"""Which RTLs may fault so that a handler is called, in programs that may handle faults (`vpo.system.faults`).

References to objects by their addresses are taken not to fault, and so are those to the stack by the stack pointer, unless the
program has `sigaltstack`: then an exhausted stack may have a handler.
"""

from __future__ import annotations

from vpo.analysis.cfg import units
from vpo.base.kept import kept
from vpo.program import Program
from vpo.rtl import BITS, Const, Expr, Half, Mem, Op, Rtl, Set, Slot, Symbol, expressions_read, subexpressions
from vpo.rtl.function import Block, Function
from vpo.system.address_space import regions
from vpo.system.faults import ENTRY, STACK_OFFERED

_CONSTANT = (Const, Half, Slot, Symbol)
_DIVISIONS = frozenset(("/", "%", "/u", "%u"))


class FaultSites:
    """Says of references and RTLs of a program whether they may fault."""

    def __init__(self, program: Program) -> None:
        self.program, self.machine = program, program.machine
        self.regions = regions(program)
        self.trusts_stack = STACK_OFFERED not in program.symbols

    def refers_safely(self, address: Expr, type_: str, write: bool) -> bool:
        """True if a reference is known not to fault."""
        if (address is self.machine.stack_pointer and self.trusts_stack) or (isinstance(address, Half) and address.is_literal):
            return True
        if isinstance(address, Op) and address.op == "+" and isinstance(address.args[1], _CONSTANT):
            return address.args[0] is self.machine.stack_pointer and self.trusts_stack
        if isinstance(address, Symbol):
            number = self.program.symbols[address.name] + address.offset
        elif isinstance(address, Const):
            number = address.value
        else:
            return False
        size = BITS[type_] // 8
        mapped = any(r.start <= number and number + size <= r.end and (r.writable or not write) for r in self.regions)
        return mapped and (self.machine.misaligned or number % size == 0)

    def may_fault(self, rtl: Rtl) -> bool:
        """True if an RTL may fault: by a reference or a division."""
        if any(not self.refers_safely(cell.address, cell.type, False) for cell in rtl.loads):
            return True
        effects = self.program.effects_of(rtl)
        stored = (effect.target for effect in effects if isinstance(effect, Set) and isinstance(effect.target, Mem))
        if any(not self.refers_safely(cell.address, cell.type, True) for cell in stored):
            return True
        roots = (root for effect in rtl.effects for root in expressions_read(effect))
        return any(
            isinstance(node, Op) and node.op in _DIVISIONS and not (isinstance(node.args[1], Const) and node.args[1].value)
            for root in roots
            for node in subexpressions(root)
        )

    def ends(self, function: Function, block: Block) -> set[int]:
        """Return where the units of a block end (an RTL with its delay slots) that contain an RTL which may fault."""
        found = units(self.machine, function, block)
        return {end for first, _, end in found if any(map(self.may_fault, block.rtls[first:end]))}


@kept
def fault_sites(program: Program) -> FaultSites | None:
    """Return the sites of a program that may handle faults, else None."""
    return FaultSites(program) if ENTRY in program.functions else None


def faulting_functions(program: Program) -> set[str]:
    """Return the functions with an RTL that may fault, in a program that may handle faults."""
    sites = fault_sites(program)
    if sites is None:
        return set()
    return {name for name, function in program.functions.items() if any(map(sites.may_fault, function.rtls()))}
