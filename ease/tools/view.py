"""The program as a tool sees it; nothing of it can be changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from ease.model.run_identity import STARTUP, file_name
from ease.tools.analysis import ToolMisuse
from ease.tools.requests import Place, Requests, Spot
from vpo import program as linked
from vpo.analysis.cfg import build_cfg, transfer_of
from vpo.analysis.references import references
from vpo.analysis.transfers import INDIRECT, callee_of, kind_of
from vpo.rtl import BITS, Branch, Jump, Register, Return, Rtl
from vpo.system.address_space import kernel_of


class _View(Place):
    """A place whose attributes are set once."""

    def __init__(self, requests: Requests, spot: Spot, **attributes: Any) -> None:
        super().__init__(requests, spot)
        for name, value in attributes.items():
            object.__setattr__(self, name, value)


class Program(_View):
    """A linked program.

    Calls before and after it are made by Python: before the run begins, and when it has ended.  Text and data end before
    `data_end`, where the heap begins; `stack_pointer` is the name of a register.  The lists `blocks`,
    `instructions`, `references` and `system_calls` have those of all functions.
    """

    machine: str
    stack_pointer: str
    data_end: int
    functions: tuple[Function, ...]
    blocks: tuple[Block, ...]
    instructions: tuple[Instruction, ...]
    references: tuple[Reference, ...]
    system_calls: tuple[SystemCall, ...]
    system_call_names: Mapping[int, str]
    _symbols: Mapping[str, int]

    def function(self, name: str) -> Function:
        """Return the function with a name, as C has it.

        Raises ToolMisuse.
        """
        for function in self.functions:
            if name in (function.name, function.symbol):
                return function
        raise ToolMisuse(f"the program has no function `{name}`")

    def address_of(self, name: str) -> int:
        """Return the address of a variable or function, as C has it.

        Raises ToolMisuse.
        """
        for symbol in (f"_{name}", name):
            if symbol in self._symbols:
                return self._symbols[symbol]
        raise ToolMisuse(f"the program has no `{name}`")

    def instruction_at(self, address: int) -> Instruction | None:
        """Return the instruction at an address, if there is one."""
        return self._by_address.get(address)

    @cached_property
    def _by_address(self) -> Mapping[int, Instruction]:
        return {each.address: each for each in self.instructions if each.size}


class Function(_View):
    """A function: `symbol` is its name in assembly; `library`: it comes with the compiler, not from the user's files."""

    values_before = frozenset({"parameter"})
    values_after = frozenset({"RETURNED"})
    number: int
    name: str
    symbol: str
    file: str
    line: int
    address: int
    library: bool
    blocks: tuple[Block, ...]

    @property
    def instructions(self) -> tuple[Instruction, ...]:
        """Its instructions."""
        return tuple(each for block in self.blocks for each in block.instructions)


class Block(_View):
    """A basic block; `number` is its number in the program."""

    number: int
    function: Function
    label: str
    address: int
    instructions: tuple[Instruction, ...]
    edges: tuple[Edge, ...]


class Edge(_View):
    """A way from a block to another one.  `taken` is True and False for the two ways of a branch, None for other ways."""

    source: Block
    target: Block
    taken: bool | None


class Instruction(_View):
    """An instruction, as the machine's record describes it.

    `number` is its number in the program, `fields` its operands, `modes` their addressing modes, `text` its RTL.  What is
    not `counted` is a part of another instruction.  `uses` and `sets` are the registers that it reads and writes, by the names
    by which tools can look at them, `reads` and `writes` all registers, condition codes too, as RTLs have them.
    `transfer` is 'branch' (conditional), 'jump', 'indirect jump', 'call', 'indirect call', 'return' or ''.  What always goes
    to the same address has a `constant_target`.
    """

    number: int
    function: Function
    block: Block
    name: str
    fields: Mapping[str, str]
    modes: Mapping[str, str]
    address: int
    size: int
    latency: int
    counted: bool
    line: int
    cause: str
    uses: frozenset[str]
    sets: frozenset[str]
    reads: frozenset[str]
    writes: frozenset[str]
    transfer: str
    callee: str
    text: str
    references: tuple[Reference, ...]
    system_call: SystemCall | None
    constant_target: int | None

    @property
    def values_before(self) -> frozenset[str]:  # type: ignore[override]
        """The values that are known before it."""
        known = "TAKEN" if self.is_branch else "TARGET"
        return frozenset({known} if self.transfer else ())

    @property
    def has_after(self) -> bool:  # type: ignore[override]
        """Whether control may come to the place directly behind it."""
        return self.transfer in ("", "call", "indirect call")

    @property
    def is_branch(self) -> bool:
        """Whether it is a conditional branch."""
        return self.transfer == "branch"

    @property
    def file(self) -> str:
        """The source file of its function."""
        return self.function.file


class Reference(_View):
    """A cell of memory that an instruction reads or writes; `number` is the reference's number in the program."""

    values_before = values_after = frozenset({"ADDRESS", "VALUE"})
    number: int
    instruction: Instruction
    is_write: bool
    size: int
    cell: str

    @property
    def has_after(self) -> bool:  # type: ignore[override]
        """Whether control may come to the place directly behind its instruction."""
        return self.instruction.has_after


class SystemCall(_View):
    """A system call that an instruction makes."""

    values_before = frozenset({"NUMBER", "argument"})
    values_after = frozenset({"NUMBER", "argument", "RESULT"})
    instruction: Instruction


class ViewBuilder:
    """Builds the view of one program."""

    def __init__(self, program: linked.Program, requests: Requests) -> None:
        self.program, self.requests, self.machine = program, requests, program.machine
        self.names = {register: name for name, register in requests.registers.items()}
        self.blocks: list[Block] = []
        self.instructions: list[Instruction] = []
        self.references: list[Reference] = []
        self.system_calls: list[SystemCall] = []

    def view(self) -> Program:
        """Return the view."""
        functions = tuple(self._function(number, name) for number, name in enumerate(self.program.functions))
        return Program(
            self.requests, Spot("program"), machine=self.machine.name, stack_pointer=self._stack_pointer(),
            data_end=self.program.end, functions=functions, blocks=tuple(self.blocks),
            instructions=tuple(self.instructions), references=tuple(self.references),
            system_calls=tuple(self.system_calls), system_call_names=dict(self._kernel.names),
            _symbols=dict(self.program.symbols),
        )  # fmt: skip

    def _stack_pointer(self) -> str:
        """Return the name of the stack pointer."""
        return self.names[self.machine.stack_pointer]

    @cached_property
    def _kernel(self) -> Any:
        return kernel_of(self.program)

    def _function(self, number: int, name: str) -> Function:
        source, first = self.program.functions[name], len(self.blocks)
        file = file_name(source.file)
        view = Function(
            self.requests, Spot("function", name), number=number, name=name.removeprefix("_"), symbol=name, file=file,
            line=source.line, address=self.program.symbols[name], library=file == STARTUP or file.startswith("libc/"),
        )  # fmt: skip
        starts = source.block_starts()
        blocks = tuple(self._block(view, index, start) for index, start in enumerate(starts))
        object.__setattr__(view, "blocks", blocks)
        for index, targets in enumerate(build_cfg(source).successors):
            rtl = transfer_of(source.blocks[index], source.stage == "final")
            branches = rtl is not None and isinstance(rtl.transfer, Branch) and len(targets) == 2
            edges = []
            for target in targets:
                spot = Spot("edge", name, index, 0, target)
                taken = target != index + 1 if branches else None
                edges.append(Edge(self.requests, spot, source=blocks[index], target=self.blocks[first + target], taken=taken))
            object.__setattr__(blocks[index], "edges", tuple(edges))
        return view

    def _block(self, function: Function, index: int, start: int) -> Block:
        source = self.program.functions[function.symbol].blocks[index]
        view = Block(
            self.requests, Spot("block", function.symbol, index), number=len(self.blocks), function=function,
            label=source.label, address=self.program.addresses[function.symbol][start],
        )  # fmt: skip
        self.blocks.append(view)
        made = tuple(self._instruction(view, index, position, start, rtl) for position, rtl in enumerate(source.rtls))
        object.__setattr__(view, "instructions", made)
        return view

    def _instruction(self, block: Block, number: int, index: int, start: int, rtl: Rtl) -> Instruction:
        record, name = self.machine.record(rtl), block.function.symbol
        address, end = self.program.fetched[name][start + index]
        view = Instruction(
            self.requests, Spot("instruction", name, number, index), number=len(self.instructions), function=block.function,
            block=block, name=record.name, fields={field.name: field.text for field in record.fields},
            modes={field.name: field.mode for field in record.fields}, address=address,
            size=end - address, latency=record.latency, counted=record.counted,
            line=rtl.lines[0], cause=rtl.cause,
            uses=self._names(rtl.uses), sets=self._names(rtl.sets),
            reads=frozenset(map(repr, rtl.uses)), writes=frozenset(map(repr, rtl.sets)), transfer=self._transfer(rtl),
            callee=self._callee(rtl), text=repr(rtl), constant_target=self._target(name, rtl),
        )  # fmt: skip
        self.instructions.append(view)
        made = tuple(self._reference(view, n, cell.type, cell, write) for n, (cell, write, _) in enumerate(references(rtl)))
        object.__setattr__(view, "references", made)
        call = None
        if rtl.system_call is not None:
            call = SystemCall(self.requests, Spot("system call", name, number, index), instruction=view)
            self.system_calls.append(call)
        object.__setattr__(view, "system_call", call)
        return view

    def _names(self, registers: Iterable[Register]) -> frozenset[str]:
        return frozenset(self.names[register] for register in registers if register in self.names)

    def _reference(self, instruction: Instruction, number: int, type_: str, cell: object, is_write: bool) -> Reference:
        where = instruction.spot
        spot = Spot("reference", where.function, where.block, where.index, number)
        view = Reference(
            self.requests, spot, number=len(self.references), instruction=instruction, is_write=is_write,
            size=BITS[type_] // 8, cell=repr(cell),
        )  # fmt: skip
        self.references.append(view)
        return view

    def _transfer(self, rtl: Rtl) -> str:
        """Return what kind of transfer or call an instruction makes."""
        effect = rtl.transfer or rtl.call
        if effect is None or isinstance(effect, Branch | Return):
            return "" if effect is None else "branch" if isinstance(effect, Branch) else "return"
        kind = "jump" if isinstance(effect, Jump) or rtl.call is None else "call"
        return f"indirect {kind}" if kind_of(effect, self.program) else kind

    def _target(self, function: str, rtl: Rtl) -> int | None:
        """Return where a jump or call goes, None if only the run can tell."""
        if isinstance(rtl.transfer, Jump):
            return self.program.labels[function, rtl.transfer.label]
        return self.program.symbols.get(self._callee(rtl)) if rtl.call is not None else None

    def _callee(self, rtl: Rtl) -> str:
        """Return the symbol of the function that an instruction calls, '' if only the run can tell."""
        return INDIRECT if rtl.call is None else callee_of(self.program, rtl.call)
