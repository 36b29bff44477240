"""Reports of executed instructions: types, operands, references to memory, registers, transfers of control, functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, replace
from typing import Any

from ease.model.results import BranchCount, Characteristics, Count, SlotCount, WindowCount, project, total
from ease.model.static_kinds import CAUSE_GROUPS, OTHER_CAUSES, Access
from ease.reports import report
from ease.reports.pictures import Curve, Mix, Panel, mix

LONGEST = 30  # instructions of a stretch or a block; longer ones are one row of the text


def _ratio(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "none"


# ----------------------------------------------------------------------------------------------------------------------
# How many instructions, how large.


def _transferring(c: Characteristics) -> dict[str, Count]:
    """Split instructions into those that transfer control and the others."""
    others = Count(c.instructions.static - c.transfers.static, c.instructions.dynamic - c.transfers.dynamic)
    return {"transfers of control": c.transfers, "others": others}


def _bytes(c: Characteristics) -> dict[int, Count]:
    """Count bytes by the size of the instruction."""
    return {size: Count(size * count.static, size * count.dynamic) for size, count in c.sizes.items()}


def _size_json(c: Characteristics) -> dict[str, Any]:
    size = c.bytes()
    sums = {"static_bytes": size.static, "dynamic_bytes": size.dynamic}
    return {"instructions": sums, "instruction_sizes": report.table_json(c.sizes)}


PATH_LENGTH = report.counted(
    "path-length", "Path length", ["instructions"], _transferring,
    lambda c: report.table_json({"instructions": c.instructions}),
)  # fmt: skip
PATH_SIZE = report.counted(
    "path-size", "Path size in bytes", ["instruction size"], _bytes, _size_json, note="bytes in instructions of each size"
)


# ----------------------------------------------------------------------------------------------------------------------
# References to memory.

GROUPS = (OTHER_CAUSES, *dict.fromkeys(CAUSE_GROUPS.values()))


def _causes(c: Characteristics) -> dict[tuple[str, ...], Count]:
    """Count references by cause, grouped as the lines of Figure 12 of the paper, with arguments apart."""
    causes = project(c.references, lambda r: (GROUPS.index(r.group), r.cause, r.direction))
    return {(GROUPS[group], cause, direction): count for (group, cause, direction), count in causes.items()}


def _causes_json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by direction, by cause and by group of causes."""
    directions = project(c.references, lambda r: r.direction)
    groups = project(c.references, lambda r: r.group)
    sums = report.table_json({"reads": directions.get("read", Count()), "writes": directions.get("write", Count())})
    by_cause = report.table_json(project(c.references, lambda r: r.cause))
    by_group = report.table_json({group: groups.get(group, Count()) for group in GROUPS})
    return {"memory_references": {**sums, "by_cause": by_cause, "by_group": by_group}}


def _cause_bars(c: Characteristics) -> list[Mix]:
    return mix("Memory references by cause", project(c.references, lambda r: f"{r.cause}, {r.direction}"))


REFERENCE_CAUSES = replace(
    report.counted("reference-causes", "Memory references by cause", ["group", "cause", ""], _causes, _causes_json),
    panels=_cause_bars,
)
REFERENCE_SIZES = report.counted(
    "reference-sizes", "Memory reference sizes", ["data type", ""],
    lambda c: project(c.references, lambda r: (r.type, r.direction)),
    lambda c: {"memory_references": {"by_size": report.table_json(project(c.references, lambda r: r.type))}},
)  # fmt: skip
REFERENCE_MODES = report.counted(
    "reference-modes", "Memory reference addressing modes", ["addr mode", ""],
    lambda c: project(c.references, lambda r: (r.mode, r.direction)),
    lambda c: {"memory_references": {"by_mode": report.table_json(project(c.references, lambda r: r.mode))}},
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# Registers, windows and condition codes.


def _registers(c: Characteristics) -> dict[tuple[str, str], Count]:
    """Count the instructions that read and write each register."""
    ordered = sorted(c.registers, key=lambda access: (report.natural(access.register), access.direction))
    return {(access.register, access.direction): c.registers[access] for access in ordered}


def _registers_json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by register."""
    names = sorted({access.register for access in c.registers}, key=report.natural)
    found = {name: {f"{way}s": c.registers.get(Access(name, way), Count()) for way in ("read", "write")} for name in names}
    return {"registers": {name: report.table_json(counts) for name, counts in found.items()}}


REGISTERS = report.counted("registers", "Register usage", ["register", ""], _registers, _registers_json)
CONDITION_CODES = report.counted(
    "condition-codes", "Condition-code usage", ["code", "", "inst type"],
    lambda c: {astuple(access): count for access, count in sorted(c.condition_codes.items())},
    lambda c: {"condition_codes": report.list_json(c.condition_codes)},
)  # fmt: skip

TRAPS = {"enter": "overflows", "leave": "underflows"}
_WINDOWS = (
    report.Column("static", "static"), report.Column("dynamic", "dynamic"), report.Column("traps", "traps"),
    report.Column("per cent of dynamic", "traps", of="dynamic"),
)  # fmt: skip


def _windows(c: Characteristics) -> report.Table:
    """Count moves by function, those that trap most first; the others are added up."""
    moves = project(c.windows, lambda move: (move.direction, move.function))
    listed = sorted(moves.items(), key=lambda item: (-item[1].traps, -item[1].dynamic, item[0]))
    everything = _moves(moves.values())
    whole = ["total", "", *report.cells(everything, everything, _WINDOWS)]
    headings = ["move", "function", *(column.heading for column in _WINDOWS)]

    def built(most: int, _: str = "") -> report.Table:
        rows, others = listed[:most], listed[most:]
        if others:
            rows.append((("", f"{len(others):,} others"), _moves(count for _, count in others)))
        cells = [[*key, *report.cells(count, everything, _WINDOWS)] for key, count in rows]
        return report.Table(headings, cells, whole, keys=2)

    return report.arrangeable(built)


def _moves(counts: Iterable[WindowCount]) -> WindowCount:
    return sum(counts, WindowCount())


def _windows_json(c: Characteristics) -> dict[str, Any]:
    """Return the traps by kind, and the numbers of each move."""
    traps = {name: _moves(n for move, n in c.windows.items() if move.direction == kind).traps for kind, name in TRAPS.items()}
    moves = [
        {
            "move": move.direction, "function": move.function, "file": move.line.file, "line": move.line.number,
            "static": count.static, "dynamic": count.dynamic, "traps": count.traps,
        }
        for move, count in c.windows.items()
    ]  # fmt: skip
    return {"register_windows": {**traps, "moves": moves}}


REGISTER_WINDOWS = report.Report("register-windows", "Register windows", _windows, _windows_json)


# ----------------------------------------------------------------------------------------------------------------------
# Transfers of control, the stretches between them, blocks and delay slots.

_BRANCHES = (
    *report.with_share("static"), *report.with_share("dynamic"), report.Column("taken", "taken"),
    report.Column("per cent of dynamic", "taken", of="dynamic"),
)  # fmt: skip
_SLOTS = (*report.with_share("static"), *report.with_share("dynamic"), *report.with_share("annulled"))
EMPTY = "(nothing)"  # a slot that no instruction of the program was found for


def _branches_json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by name."""
    whole = c.conditional_branches()
    sums = {"conditional": {"static": whole.static, "dynamic": whole.dynamic}, "taken": whole.taken}
    return {"branches": {**sums, "by_type": report.table_json(c.branches)}}


def _clipped(lengths: Mapping[int, Count]) -> dict[str, Count]:
    """Return a table of lengths with one row for all that are longer than LONGEST."""
    rows = {str(length): count for length, count in lengths.items() if length <= LONGEST}
    longer = total(count for length, count in lengths.items() if length > LONGEST)
    return rows if longer == Count() else {**rows, f"over {LONGEST}": longer}


def _between_json(c: Characteristics) -> dict[str, Any]:
    values = {**report.table_json({"transfers": c.transfers}), "by_length": report.table_json(c.runs)}
    return {"instructions_between_branches": values}


def _between_note(c: Characteristics) -> str:
    static, dynamic = _ratio(c.instructions.static, c.transfers.static), _ratio(c.instructions.dynamic, c.transfers.dynamic)
    return f"instructions per branch, jump, call or return: static {static}, dynamic {dynamic}"


def _blocks_note(c: Characteristics) -> str:
    whole = total(c.blocks.values())
    static, dynamic = _ratio(c.instructions.static, whole.static), _ratio(c.instructions.dynamic, whole.dynamic)
    return f"instructions a block: static {static}, dynamic {dynamic}; the largest has {max(c.blocks, default=0)}"


def _slots_note(c: Characteristics) -> str:
    slots = sum(count.static for count in c.slots.values())
    filled = slots - c.slots.get("", SlotCount()).static
    return f"filled: {report.percent(filled, slots)} per cent of the slots" if slots else "the program has none"


def _calls_note(c: Characteristics) -> str:
    whole = total(c.arguments.values())
    static, dynamic = (sum(n * getattr(count, way) for n, count in c.arguments.items()) for way in ("static", "dynamic"))
    return f"registers a call: static {_ratio(static, whole.static)}, dynamic {_ratio(dynamic, whole.dynamic)}"


BRANCHES = report.counted(
    "branches", "Conditional branches taken", ["branch"], lambda c: c.branches, _branches_json,
    columns=_BRANCHES, zero=BranchCount(),
)  # fmt: skip
BETWEEN_BRANCHES = report.counted(
    "between-branches", "Instructions between branches", ["instructions"], lambda c: _clipped(c.runs), _between_json,
    note=_between_note,
)  # fmt: skip
BLOCKS = report.counted(
    "blocks", "Instructions a block", ["instructions"], lambda c: _clipped(c.blocks),
    lambda c: {"blocks": {"by_size": report.table_json(c.blocks)}}, note=_blocks_note,
)  # fmt: skip
DELAY_SLOTS = report.counted(
    "delay-slots", "Delay slots", ["in the slot"], lambda c: {name or EMPTY: count for name, count in c.slots.items()},
    lambda c: {"delay_slots": report.table_json(c.slots)}, note=_slots_note, columns=_SLOTS, zero=SlotCount(),
)  # fmt: skip


CALLS = report.counted(
    "calls", "Calls by registers with arguments", ["registers"], lambda c: c.arguments,
    lambda c: {"calls": {"by_argument_registers": report.table_json(c.arguments)}}, note=_calls_note,
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# Types of instructions and their operands: Tables IV to VI of the paper, and constants, as pixstats had them.

INSTRUCTION_TYPES = report.counted(
    "instruction-types", "Instruction types", ["inst type"], lambda c: c.types, "instruction_types", bars="Instruction types"
)
ADDRESSING_MODES = report.counted(
    "addressing-modes", "Addressing modes", ["addr mode"], Characteristics.addressing_modes, "addressing_modes",
    note="operand fields of all instructions", bars="Addressing modes",
)  # fmt: skip
DATA_TYPES = report.counted(
    "data-types", "Data types", ["data type"], Characteristics.data_types, "data_types",
    note="operand fields of all instructions; CODE: where control goes", bars="Data types",
)  # fmt: skip
OPERAND_FIELDS = report.counted(
    "operand-fields", "Operand fields", ["inst type", "field", "addr mode", "data type"],
    lambda c: {astuple(operand): count for operand, count in sorted(c.operands.items())},
    lambda c: {"operand_fields": report.list_json(c.operands)}, note="per cent of the field", within=2,
)  # fmt: skip


def _constants_by_use(c: Characteristics) -> dict[str, dict[int, Count]]:
    found: dict[str, dict[int, Count]] = {}
    for constant, count in c.constants.items():
        found.setdefault(constant.use, {})[constant.bits] = count
    return found


def _constant_curves(c: Characteristics) -> list[Panel]:
    """Draw how many of the executed constants fit in so many bits."""
    widths = range(1, max((constant.bits for constant in c.constants), default=1) + 1)
    curves = []
    for use, counts in _constants_by_use(c).items():
        whole = sum(count.dynamic for count in counts.values()) or 1
        fit = [sum(count.dynamic for bits, count in counts.items() if bits <= width) for width in widths]
        curves.append(Curve(use, [100 * executed / whole for executed in fit]))
    return [Panel("% of the executed constants that fit", "bits", list(map(str, widths)), curves)] if curves else []


CONSTANTS = replace(
    report.counted(
        "constants", "Constants by the bits that they need", ["constant", "bits"],
        lambda c: {astuple(constant): count for constant, count in c.constants.items()},
        lambda c: {"constants": {use: report.table_json(counts) for use, counts in _constants_by_use(c).items()}},
        note="bits of a signed number; per cent of those of the same use", within=1,
    ),
    panels=_constant_curves,
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# Where the instructions are; one of several lines counts for the first.

FUNCTIONS = report.counted(
    "functions", "Functions", ["function"],
    lambda c: {name.removeprefix("_"): count for name, count in c.functions.items()}, "functions",
    bars="Functions", others="functions",
)  # fmt: skip
LINES = report.counted(
    "lines", "Source lines", ["line"], lambda c: c.lines,
    lambda c: {"lines": {file: report.table_json(counts) for file, counts in report.by_file(c.lines.items()).items()}},
    bars="Source lines", others="lines",
)  # fmt: skip


OF_INSTRUCTIONS = (  # in the order of printing
    PATH_LENGTH, PATH_SIZE, INSTRUCTION_TYPES, ADDRESSING_MODES,
    REFERENCE_CAUSES, REFERENCE_SIZES, REFERENCE_MODES,
    REGISTERS, REGISTER_WINDOWS, CONDITION_CODES,
    BRANCHES, BETWEEN_BRANCHES, BLOCKS, CALLS, DELAY_SLOTS,
    DATA_TYPES, OPERAND_FIELDS, CONSTANTS, FUNCTIONS, LINES,
)  # fmt: skip
