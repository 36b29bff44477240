"""The function that is being expanded: its blocks and labels, the frame slots it needs, and the constants beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from vpo import il
from vpo.algebra import binary
from vpo.base.errors import CannotExpress
from vpo.lower.address_pool import AddressPool
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.rtl import Const, Effect, Expr, IndirectJump, Jump, Mem, Op, Register, Set, Slot, Symbol
from vpo.rtl.function import Block, Data, FrameSlot, Function, LabelItem


def special_register(machine: Machine, effects: Callable[[Register], tuple[Effect, ...]]) -> Register | None:
    """Return a register of a class that holds no values of C, but takes addresses, with which an instruction has effects."""
    probe = Register(machine.values.address, -1, machine.address_type, True)
    for cls in machine.classes.values():
        held = cls.type != machine.address_type or cls.name in (machine.values.address, machine.values.integer)
        for register in () if held else machine.allocable_in(cls.name):
            if machine.is_legal((Set(register, probe),)) and machine.is_legal(effects(register)):
                return register
    return None


class Builder:
    """Builds one function; `code` appends RTLs to the newest block, `tables` are data that its code reads."""

    def __init__(self, source: il.Function, machine: Machine) -> None:
        self.machine = machine
        self.function = Function("_" + source.name, source.file, source.line, source.static, inline=source.shared)
        self.code = Legalizer(machine, self.function)
        self.code.line = source.line
        self.tables: list[Data] = []
        self.code.read_from_data = AddressPool(self.code, self.tables).load
        self.code.blocks = self
        self._labels: dict[str, str] = {}

    def label(self, name: str) -> str:
        """Return the RTL label of an IL label."""
        if name not in self._labels:
            self._labels[name] = self.function.label()
        return self._labels[name]

    def new_label(self) -> str:
        """Hand out a label."""
        return self.function.label()

    def start_block(self, label: str = "") -> None:
        """Begin a block, with a fresh label if none is given; the one before falls into it."""
        self.function.blocks.append(Block(label or self.function.label(), []))
        self.code.out = self.function.blocks[-1].rtls

    def jump(self, label: str) -> None:
        """Emit a jump and begin a new block."""
        if not self.code.attempt(Jump(label), cause="control"):
            raise CannotExpress("unconditional jump (`PC=L;`)", self.code.line)
        self.start_block()

    def jump_by_table(self, index: Expr, labels: list[str]) -> bool:
        """Emit a jump to the label that a number from 0 on chooses; return whether the machine has indirect jumps."""
        if not self.has_indirect_jumps:
            return False
        size = self.machine.model.sizes["pointer"]
        name = f"{self.function.name}.table{len(self.tables)}"
        target: Expr
        if self._jumps_by_index:
            base = self.code.reg(Symbol(name), self.machine.values.address)
            target = _entry(self.machine, base, self.code.reg(index))
        else:
            scaled = self.code.operate("<<", index, Const(size.bit_length() - 1))
            target = self.code.fresh(self._class_of_targets or self.code.address)
            address = binary("+", self.code.reg(scaled), Symbol(name))
            self.code.load(target, Mem(self.machine.address_type, address))
            if self._class_of_targets is None and self._special_target is not None:
                self.code.move(self._special_target, target)
                target = self._special_target
        items = [LabelItem(number * size, label, self.function.name) for number, label in enumerate(labels)]
        self.tables.append(Data(name, len(labels) * size, size, list(items), constant=True, static=True))
        self.code.append((IndirectJump(target, tuple(dict.fromkeys(labels))),), "control")
        return True

    @property
    def has_indirect_jumps(self) -> bool:
        """Whether `jump_by_table` has a way."""
        return self._jumps_by_index or self._class_of_targets is not None or self._special_target is not None

    @cached_property
    def _jumps_by_index(self) -> bool:
        """Whether one instruction jumps to where a table says, by its address and an index, that combining does not find."""
        values, type_ = self.machine.values, self.machine.address_type
        base, result = (Register(values.address, number, type_, True) for number in (-1, -2))
        index = Register(values.integer, -3, type_, True)
        cell, fixed = (_entry(self.machine, each, index) for each in (base, Symbol("_")))
        if self.machine.is_legal((Set(result, cell),)) or self.machine.is_legal((IndirectJump(fixed, ()),)):
            return False
        return self.machine.is_legal((IndirectJump(cell, ()),))

    @cached_property
    def _class_of_targets(self) -> str | None:
        """Return the register class that indirect jumps read; None if there are none."""
        for name in dict.fromkeys((self.code.address, self.code.integer)):
            probe = Register(name, -1, self.machine.address_type, True)
            if self.machine.is_legal((IndirectJump(probe, ()),)):
                return name
        return None

    @cached_property
    def _special_target(self) -> Register | None:
        """Return the register outside the classes of values that indirect jumps read."""
        return special_register(self.machine, lambda register: (IndirectJump(register, ()),))

    def drop_block(self) -> None:
        """Remove the newest block, which is empty and where no control comes."""
        self.function.blocks.pop()

    def in_frame(self, name: str, offset: int = 0) -> Expr:
        """Return the address of a frame slot."""
        return binary("+", self.machine.stack_pointer, Slot(name, offset))

    def alignment(self, address: Expr, size: int, least: int) -> int:
        """Return a power of two of which an address is a multiple: `least`, or more; a local slot may be aligned for it."""
        match address:
            case Op(op="+", args=(base, Slot(name=name, offset=offset))) if base is self.machine.stack_pointer:
                slot, word = self.function.slots[name], self.machine.model.aligns["pointer"]
                if slot.kind == "local":
                    while slot.align < min(word, size):
                        slot.align *= 2
                    offset |= slot.align
                elif slot.offset is not None:  # an incoming argument
                    offset += slot.offset | word
                return max(least, offset & -offset)
        return least

    def scratch_slot(self, size: int, align: int) -> Expr:
        """Return the address of a new frame slot."""
        name = self.function.slot_name(".temp.")
        self.function.slots[name] = FrameSlot(name, "local", size, align)
        return self.in_frame(name)


def _entry(machine: Machine, base: Expr, index: Expr) -> Mem:
    """Return the cell of a table of addresses that an index names."""
    scale = Const(machine.model.sizes["pointer"].bit_length() - 1)
    return Mem(machine.address_type, binary("+", base, binary("<<", index, scale)))
