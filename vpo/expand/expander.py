"""The code expander: intermediate language to naive legal RTLs over pseudo-registers.

It is deliberately simple: every operation gets its own RTL and its own pseudo-register, and quality is left to the
phases that follow.  With `promote`, scalar locals whose address is not taken live in pseudo-registers; without, in
memory.
"""

from __future__ import annotations

from vpo import il
from vpo.algebra import binary
from vpo.expand.legalize import CannotExpress, Legalizer
from vpo.expand.lower_calls import Transfers
from vpo.expand.operations import Expressions
from vpo.expand.soften import soften
from vpo.function import FAR, Block, Data, FrameSlot, Function, LabelItem
from vpo.il_locals import exposed_locals
from vpo.machines.machine import Machine
from vpo.rtl import Const, IndirectJump, Jump, Mem, Register, Symbol

SPILL_RESERVE = 512  # bytes kept free next to the stack pointer for spills and saved registers
TABLE_CASES = 5  # a switch with so many cases becomes a jump table if at least half of the range is used


def expand_unit(unit: il.Unit, machine: Machine, promote: bool) -> tuple[list[Function], list[Data], list[CannotExpress]]:
    """Expand every function of a unit that can be reached.

    Returns functions at stage 'pseudo', data objects, and what the machine cannot express (with source lines).
    """
    soften(unit, machine)
    functions: list[Function] = []
    wanted = il.reachable(unit)
    data = [Data("_" + d.name, d.size, d.align, [_underscore(i) for i in d.items], d.constant, d.static, d.tentative)
            for d in unit.data if d.name in wanted]  # fmt: skip
    failures: list[CannotExpress] = []
    for source in unit.functions:
        if source.name not in wanted:
            continue
        try:
            expander = Expander(source, machine, promote)
            functions.append(expander.expand())
            data += expander.tables
        except CannotExpress as failure:
            failure.line = failure.line or source.line
            failures.append(failure)
    return functions, data, failures


def _underscore(item: il.Item) -> il.Item:
    if isinstance(item, il.AddressItem):
        return il.AddressItem(item.offset, "_" + item.symbol, item.addend)
    return item


class Expander(Transfers, Expressions):
    """Expands one function: statements here, expressions and calls in the classes it is made of."""

    def __init__(self, source: il.Function, machine: Machine, promote: bool) -> None:
        self.source = source
        self.machine = machine
        self.function = Function("_" + source.name, source.file, source.line, source.static)
        self.code = Legalizer(machine, self.function)
        self.code.line = source.line
        self.labels: dict[str, str] = {}
        self.tables: list[Data] = []
        self.homes: dict[int, list[Register]] = {}
        super().__init__()
        self._place_locals(promote)

    # -------------------------------------------------------------------------------------------------- locals

    def _place_locals(self, promote: bool) -> None:
        """Give each local pseudo-registers or a frame slot, small slots nearest to the stack pointer."""
        exposed = exposed_locals(self.source.body) if promote else None
        in_memory: list[il.Local] = []
        seen: set[int] = set()
        for local in (*self.source.parameters, *self.source.locals):
            if id(local) in seen:
                continue
            seen.add(id(local))
            if exposed is not None and local.type is not None and id(local) not in exposed and not local.volatile:
                self.homes[id(local)] = self.fresh_words(local.type)
            else:
                in_memory.append(local)
        reach = self.machine.slot_reach
        used = SPILL_RESERVE
        for number, local in enumerate(sorted(in_memory, key=lambda local: local.size)):
            used += -(-local.size // 8) * 8 + 8
            name = f"{FAR if used > reach else '.'}{number}.{local.name}"  # no other slot begins so
            self.function.slots[name] = FrameSlot(name, "local", max(local.size, 1), max(local.align, 1))
            self.slots[id(local)] = name

    # ------------------------------------------------------------------------------------------------- control

    def label(self, name: str) -> str:
        """Return the RTL label of an IL label."""
        if name not in self.labels:
            self.labels[name] = self.function.label()
        return self.labels[name]

    def start_block(self, label: str) -> None:
        """Begin a block; the one before falls into it."""
        self.function.blocks.append(Block(label, []))
        self.code.out = self.function.blocks[-1].rtls

    def jump(self, label: str) -> None:
        """Emit a jump and begin a new block."""
        if not self.code.attempt(Jump(label), cause="control"):
            raise CannotExpress("unconditional jump (`PC=L;`)", self.code.line)
        self.start_block(self.function.label())

    def branch(self, relation: str, a: il.Expr, b: il.Expr, label: str) -> None:
        """Emit a conditional branch on IL operands and begin a new block."""
        self.compare_and_branch(relation, a, b, label)
        self.start_block(self.function.label())

    def expand(self) -> Function:
        """Expand the whole function.

        Raises CannotExpress.
        """
        self.start_block(self.function.label())
        self.receive_parameters()
        for statement in self.source.body:
            if not isinstance(statement, il.Label):
                self.code.line = statement.line
                self.code.cause = "program"
            self._statement(statement)
        return self.function

    def _statement(self, statement: il.Statement) -> None:
        match statement:
            case il.Store():
                self.assign(statement)
            case il.Copy():
                self.block_copy(
                    self.pointer(statement.target), self.pointer(statement.source), statement.size, statement.align
                )
            case il.Label():
                self.start_block(self.label(statement.name))
            case il.Jump():
                self.jump(self.label(statement.label))
            case il.Branch():
                self.branch(statement.relation, statement.left, statement.right, self.label(statement.label))
            case il.Switch():
                self._switch(statement)
            case il.Return():
                self.leave(statement.value)
                self.start_block(self.function.label())
            case il.Call():
                self.call(statement)
            case il.Syscall():
                self.system_call(statement)
            case il.VaStart():
                self.variadic_start(statement)
            case il.VaArg():
                self.variadic_argument(statement)

    def _switch(self, statement: il.Switch) -> None:
        value = statement.value
        if value.type.size * 8 > self.bits:
            self._compare_chain(self.temporary(value), statement)
            return
        index = self.code.reg(self.number(self.scalar(value), value.type), self.code.integer)
        cases = sorted(statement.cases)
        self._decide(index, cases, self.label(statement.default), value.type.is_signed)

    def _compare_chain(self, value: il.Expr, statement: il.Switch) -> None:
        """Compare with each case in turn (values of several words)."""
        for number, label in statement.cases:
            self.branch("eq", value, il.Const(value.type, number), self.label(label))
        self.jump(self.label(statement.default))

    def _decide(self, index: Register, cases: list[tuple[int, str]], default: str, signed: bool) -> None:
        """Choose among sorted cases: few by comparison, dense by a table, others by bisection."""
        count = len(cases)
        span = cases[-1][0] - cases[0][0] + 1 if cases else 0
        if count >= TABLE_CASES and span <= 2 * count + 8 and self._table_jump(index, cases, default, span):
            return
        if count <= 4:
            for number, label in cases:
                self.code.branch("==", index, Const(self.wrapped(number)), self.label(label))
                self.start_block(self.function.label())
            self.jump(default)
            return
        middle = count // 2
        upper = self.function.label()
        self.code.branch(">=" if signed else ">=u", index, Const(self.wrapped(cases[middle][0])), upper)
        self.start_block(self.function.label())
        self._decide(index, cases[:middle], default, signed)
        self.start_block(upper)
        self._decide(index, cases[middle:], default, signed)

    def _table_jump(self, index: Register, cases: list[tuple[int, str]], default: str, span: int) -> bool:
        low = cases[0][0]
        size = self.machine.model.sizes["pointer"]
        name = f"{self.function.name}.table{len(self.tables)}"
        probe = Register(self.code.address, -1, self.machine.address_type, True)
        cls = next((c for c in dict.fromkeys((self.code.address, self.code.integer))
                    if self.machine.is_legal((IndirectJump(Register(c, -1, probe.type, True), ()),))), None)  # fmt: skip
        if cls is None:
            return False
        offset = self.code.operate("+", index, Const(self.wrapped(-low)))
        self.code.branch(">u", offset, Const(span - 1), default)
        self.start_block(self.function.label())
        scaled = self.code.operate("<<", offset, Const(size.bit_length() - 1))
        target = self.code.fresh(cls)
        address = binary("+", self.code.reg(scaled), Symbol(name))
        self.code.load(target, Mem(self.machine.address_type, address))
        chosen = {number: self.label(label) for number, label in cases}
        labels = [chosen.get(low + i, default) for i in range(span)]
        items = [LabelItem(i * size, label, self.function.name) for i, label in enumerate(labels)]
        self.tables.append(Data(name, span * size, size, list(items), constant=True, static=True))
        self.code.append((IndirectJump(target, tuple(dict.fromkeys(labels))),), "control")
        self.start_block(self.function.label())
        return True
