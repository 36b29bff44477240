"""Whether the instructions of a machine are what they are said to be, by witnesses that know nothing of each other.

A program calls each instruction that C can call with many operands.  The plain interpreter, host code and, where the machine
names tools that are there, the real assembler and the emulator must leave the same bytes; the assembler must encode each
instruction as its `encoding:` says; and the source of an imported one must mean the same as its RTL.
"""

from __future__ import annotations

import random
import re
import signal
import subprocess
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from elftools.elf.elffile import ELFFile

from ease.exchange.describing import encoding
from ease.exchange.trees import NAMES_ONLY, Instruction, Unsayable
from ease.exchange.trial import Trial
from ease.host.process.job import RunOptions
from ease.host.process.run import run
from ease.run.verify import ToolMissing, build, emulation, tools_of
from vpo.base.errors import UserError
from vpo.build.compiler import Compiler
from vpo.build.settings import Settings
from vpo.interpret.plain import interpret_plainly
from vpo.machines.advice.examples import examples
from vpo.machines.callable import CallableForm, InstructionFunctions, c_name
from vpo.machines.machine import Machine
from vpo.machines.match.pattern import Alternative
from vpo.machines.read.encoding import Code
from vpo.program import Program
from vpo.text import TextError, show_effects

ROWS = 16  # operands of each instruction in the program, a power of two
CONSTANTS = (1, 5, -1, 31, 2, 8, -16, 100, 16, 4, 2047, -2048, 4096, 0, 3, 7, 63, 255, -4096, 1 << 20)
FEW = 3  # constants of each instruction
TIMES = 1000  # operands with which a source is tried
ROOM = 8  # bytes of memory on either side of what an address means
SECONDS = 120  # that the emulator may take

HEAD = """\
#include <stdint.h>
static const uint64_t given[] = {{{given}}};
static uint32_t words[{words}], out[{size}], *at;
static char *cells = (char *)words;
static void fill(void) {{ int i; for (i = 0; i < {words}; i++) words[i] = 0x9d8f31a7u * (i + 1); }}
static void show(void) {{ int i; for (i = 0; i < {words}; i++) *at++ = words[i]; }}
"""
TAIL = """\
int main(void) {{
    at = out;
{calls}    __ease_syscall(__SYS_write, 1L, (long)out, (long)((char *)at - (char *)out));
    return 0;
}}
"""


@dataclass
class Findings:
    """What was proven of a machine: how many instructions by which witness, what is wrong, and what could not be tried."""

    tried: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)


def prove(machine: Machine, name: str, only: Collection[str], source: Iterable[Instruction]) -> Findings:
    """Try the instructions of a machine, or some of them; `source` has what imported ones must mean.

    Raises UserError for an instruction that the machine has not.
    """
    alternatives = [form for form in machine.recognizer.alternatives if not form.implied and not form.pseudo]
    missing = sorted(set(only) - {form.name for form in alternatives})
    if missing:
        raise UserError([f"{name} has no instruction {', '.join(missing)}"])
    if only:
        alternatives = [form for form in alternatives if form.name in only]
    findings = Findings()
    _against_source(machine, alternatives, source, findings)
    accepted = _assembled(machine, alternatives, findings)
    _executed(machine, name, alternatives, accepted, findings)
    return findings


# ----------------------------------------------------------------------------------------------------------------------
# The source of an instruction.


def _against_source(machine: Machine, forms: list[Alternative], source: Iterable[Instruction], findings: Findings) -> None:
    by_name = {each.name.upper(): each for each in source}
    if not by_name:
        return
    compared = 0
    for form in forms:
        instruction = by_name.get(form.name)
        if instruction is None:
            continue
        try:
            told = _difference(machine, form, instruction)
        except (Unsayable, TextError) as error:
            findings.untried.append(f"{form.name}: {error}")
            continue
        compared += 1
        if told:
            findings.wrong.append(f"{form.place}: {form.name}: {told}")
    findings.tried["its source"] = compared


def _difference(machine: Machine, form: Alternative, instruction: Instruction) -> str:
    """Return how a form differs from its source, by operands or by its encoding."""
    if instruction.problem not in ("", NAMES_ONLY):
        raise Unsayable(instruction.problem)
    code = form.code
    said = encoding(instruction, set())
    if code is not None:
        fixed = [(len(word), int(word, 2)) if set(word) <= {"0", "1"} else (_bits(word), None) for word in said.split()]
        mask = value = 0
        for bits, number in fixed:
            mask = mask << bits | ((1 << bits) - 1 if number is not None else 0)
            value = value << bits | (number or 0)
        if (mask, value) != (code.mask, code.value):
            return f"its encoding has {code.value:#x} in bits {code.mask:#x}, the source {value:#x} in {mask:#x}"
    if instruction.problem:
        if code is None:
            raise Unsayable("its encoding is not known to the bit")
        return ""
    cell = next(name for name, cls in machine.classes.items() if cls.type == machine.address_type)
    names = {variable.name for variable in instruction.variables}
    others = sorted({name for name, _, _ in form.variables} - names)
    beside = {name: found[1] for name in others if (found := re.fullmatch(r"(\w+)_\d+", name)) and found[1] in names}
    strange = [name for name in others if name not in beside]
    if strange:
        raise Unsayable(f"the source has no field {', '.join(strange)}")
    trial = Trial(instruction, form.text, machine.address_type, cell, beside)
    signs, added = {}, {name: int(name.rpartition("_")[2]) for name in beside}
    for name, operand in form.operands.items():
        signs[name] = any(each.low < 0 for each in machine.recognizer.operands[operand])
    for variable in instruction.variables:
        if variable.bits == 3 and variable.name in trial.registers:
            added[variable.name] = 8
    told = trial.difference(TIMES, signs, added)
    return f"`{form.text}`: {told}" if told else ""


def _bits(word: str) -> int:
    return int(re.split(r"[:!]", word)[1])


# ----------------------------------------------------------------------------------------------------------------------
# The real assembler.


def _assembled(machine: Machine, forms: list[Alternative], findings: Findings) -> set[str]:
    """Compare encodings with what the assembler makes of an example of each form; return what it takes."""
    try:
        tools = tools_of(machine)
    except ToolMissing as error:
        findings.untried.append(f"no assembler and no emulator: {error}")
        return set()
    accepted: set[str] = set()
    refused: set[str] = set()
    encoded, message = 0, ""
    with TemporaryDirectory() as folder:
        names = {form.name for form in forms}
        for form in machine.recognizer.alternatives:
            found = [] if form.name not in names or form.pseudo else [*examples(machine, form)]
            if not found or any(kind == "label" for _, kind, _ in form.variables) or "_" in show_effects(found[0][1]):
                continue
            variables = [name for name, _, _ in found]
            texts = [record.assemble(lambda label: label) for _, _, record in found]
            word = _bytes(machine, tools, texts[0], Path(folder))
            message = word if isinstance(word, str) else message
            (refused if isinstance(word, str) else accepted).add(form.name)
            if isinstance(word, str) or form.code is None:
                continue
            encoded += 1
            told = _misencoded(machine, form.code, texts[0], word)
            if not told:
                words = _bytes(machine, tools, "\n\t".join(texts), Path(folder))
                told = _misplaced(machine, form.code, variables, texts, words) if isinstance(words, bytes) else ""
            if told:
                findings.wrong.append(f"{form.place}: {form.name}: {told}")
    findings.tried["the assembler's encoding"] = encoded
    if refused and not accepted:
        findings.untried.append(f"the assembler takes none: {message}")
        return set()
    for name in sorted(refused - accepted):
        findings.untried.append(f"{name}: the assembler does not take it")
    return accepted - refused


def _misencoded(machine: Machine, code: Code, text: str, word: bytes) -> str:
    """Return how the fixed bits of an instruction differ from what the assembler makes of it."""
    value = int.from_bytes(word, "big" if machine.big_endian else "little")
    if len(word) * 8 == code.bits and value & code.mask == code.value:
        return ""
    return (
        f"`{text}` is {value:0{2 * len(word)}x} to the assembler, "
        f"its encoding has {code.value:#x} in bits {code.mask:#x} of {code.bits}"
    )


def _misplaced(machine: Machine, code: Code, variables: list[str], texts: list[str], words: bytes) -> str:
    """Return which variable of an instruction changes bits that are not its own; the texts after the first differ in one."""
    size, order = code.bits // 8, ("big" if machine.big_endian else "little")
    if len(words) != size * len(texts):
        return ""
    values = [int.from_bytes(words[place : place + size], order) for place in range(0, len(words), size)]  # type: ignore[arg-type]
    own, shift = dict[str, int](), code.bits
    for each in code.fields:
        shift -= each.bits
        own[each.name] = own.get(each.name, 0) | (1 << each.bits) - 1 << shift
    for variable, text, value in zip(variables, texts, values, strict=True):
        others = sum(bits for name, bits in own.items() if name in variables and name != variable)
        strange = (value ^ values[0]) & others if value & code.mask == code.value else 0  # else it is another instruction
        if strange:
            return f"`{texts[0]}` and `{text}` differ in bits {strange:#x} to the assembler, which '{variable}' has not"
    return ""


def _bytes(machine: Machine, tools: dict[str, list[str]], text: str, folder: Path) -> bytes | str:
    """Return the bytes of instructions, or what the assembler says against it."""
    source, made = folder / "a.s", folder / "a.o"
    source.write_text("\n".join([*machine.syntax.header, "\t.text", "\t.globl _start", "_start:", f"\t{text}", ""]))
    assembled = subprocess.run([*tools["assembler"], "-o", str(made), str(source)], capture_output=True, check=False)
    if assembled.returncode:
        return next(reversed(assembled.stderr.decode(errors="replace").strip().splitlines()), "no word of why")
    with made.open("rb") as file:
        section = ELFFile(file).get_section_by_name(".text")
        return bytes(section.data()) if section is not None else "no section .text"


# ----------------------------------------------------------------------------------------------------------------------
# A program that executes each instruction.


@dataclass(frozen=True)
class Call:
    """One call of an instruction in the program, and how many bytes it leaves for each row of operands."""

    form: Alternative
    text: str
    expression: str
    size: int


def _executed(machine: Machine, name: str, forms: list[Alternative], accepted: set[str], findings: Findings) -> None:
    functions = InstructionFunctions(machine, name)
    calls: list[Call] = []
    for instruction in dict.fromkeys(form.name for form in forms):
        made = [
            each
            for form in functions.forms(c_name(instruction))
            if form.alternative in forms
            for each in _calls(machine, form)
        ]
        if not made:
            reason = functions.why_none(c_name(instruction)).rpartition(": ")[2]
            findings.untried.append(f"{instruction}: {reason or 'no constants that are tried make it'}")
        calls += made
    if not calls:
        return
    program = _program(machine, calls)
    plain = interpret_plainly(program, ["prove"], capture=True).output
    host = run(program, ["prove"], RunOptions(capture=True)).output
    _compare(calls, plain, host, calls, "host code", findings)
    named = {call.form.name for call in calls}
    findings.tried["host code"] = len(named)
    real = [call for call in calls if call.form.name in accepted]
    emulated = [*_in_emulator(machine, real, findings)]
    for group, output in emulated:
        _compare(group, plain, output, calls, "the emulator", findings)
    if emulated:
        findings.tried["the emulator"] = len({call.form.name for group, _ in emulated for call in group})


def _in_emulator(machine: Machine, calls: list[Call], findings: Findings) -> Iterator[tuple[list[Call], bytes]]:
    """Yield calls with what they leave in the emulator, together if it can be; which of them break it is told."""
    if not calls:
        return
    try:
        status, output = _emulated(_program(machine, calls))
    except (ToolMissing, subprocess.TimeoutExpired) as error:
        findings.untried.append(f"the emulator: {str(error).strip().splitlines()[-1]}")
        return
    names = list(dict.fromkeys(call.form.name for call in calls))
    if not status:
        yield calls, output
    elif len(names) > 1:
        first = names[: len(names) // 2]
        yield from _in_emulator(machine, [call for call in calls if call.form.name in first], findings)
        yield from _in_emulator(machine, [call for call in calls if call.form.name not in first], findings)
    elif status == -signal.SIGILL:
        findings.untried.append(f"{names[0]}: it is illegal to the emulator, which may lack an extension")
    else:
        place = calls[0].form.place
        findings.wrong.append(f"{place}: {names[0]}: a program that calls it ends with status {status} in the emulator alone")


def _calls(machine: Machine, form: CallableForm) -> Iterator[Call]:
    """Yield calls of a form, with a few of each of its constants."""
    memory = any(parameter.kind == "address" for parameter in form.parameters)
    found = 0
    for constants in product(CONSTANTS, repeat=len(form.constants)):
        near = not memory or all(abs(each) < ROOM for each in constants)
        if found < FEW and near and form.effects(constants) is not None:
            found += 1
            yield _call(form, dict(zip(form.constants, constants, strict=True)), memory)


def _call(form: CallableForm, constants: dict[str, int], memory: bool) -> Call:
    """Return the call of a form with some constants."""
    name, text = form.alternative.name, form.alternative.text
    indexed = memory and len(re.findall(r"[a-z]\[", re.split(r"[BWLQFD]\[", text)[-1].split("]=")[0])) > 1
    narrow = " & 7" if indexed else " | 1" if re.search(r"[/%]", text) else ""
    arguments: list[str] = []
    for place, parameter in enumerate(form.parameters):
        if parameter.kind == "constant":
            arguments.append(str(constants[parameter.name]))
        elif parameter.kind == "address":
            arguments.append(f"(void *)(cells + {ROOM * 2})")
        else:
            bits, given = 8 * parameter.type.size, f"given[(i * 5 + {place} * 7) & {ROWS - 1}]"
            floating = f"({_kind('F', bits)})(int32_t)({given} >> 3) / 16"
            arguments.append(floating if parameter.type.kind == "F" else f"({_kind('U', bits)})({given}{narrow})")
    kinds = [_kind(each.kind, 8 * each.size) for each in form.results]
    arguments += [f"&v{place}" for place in range(1, len(kinds))]
    called = f"__builtin_insn_{c_name(name)}({', '.join(arguments)})"
    pointer = "(uintptr_t)" if form.results and form.results[0].kind == "P" else ""
    done = f"v0 = ({kinds[0]}){pointer}{called};" if kinds else f"fill(); {called}; show();"
    kept = " ".join(_put(f"v{place}", each.size, each.kind == "F") for place, each in enumerate(form.results))
    declared = " ".join(f"static {kind} v{place};" for place, kind in enumerate(kinds))
    body = f"{{ {declared} int i; {'fill();' if memory else ''} for (i = 0; i < {ROWS}; i++) {{ {done} {kept} }} }}"
    size = sum(max(each.size, 4) for each in form.results) if kinds else ROOM * 4
    return Call(form.alternative, called, body, size)


def _kind(kind: str, bits: int) -> str:
    """Return a type of C."""
    return {32: "float", 64: "double"}[bits] if kind == "F" else f"uint{bits}_t"


def _program(machine: Machine, calls: list[Call]) -> Program:
    """Return the program that makes all calls."""
    chance = random.Random("prove")
    special = [0, 1, 2, (1 << 64) - 1, 1 << 63, 1 << 31, (1 << 31) - 1, (1 << 63) - 1, 0x8000000080000000, 0xFF00FF00FF00FF00]
    given = [*special, *(chance.getrandbits(64) for _ in range(ROWS - len(special)))]
    size = sum(call.size for call in calls) * ROWS // 4 + 1
    text = HEAD.format(given=", ".join(f"{each:#x}ULL" for each in given), words=ROOM, size=size)
    text += "".join(f"static void t{number}(void) {call.expression}\n" for number, call in enumerate(calls))
    text += TAIL.format(calls="".join(f"    t{number}();\n" for number in range(len(calls))))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "prove.c"
        path.write_text(text)
        return Compiler(machine, Settings(0)).program([str(path)])


def _emulated(program: Program) -> tuple[int, bytes]:
    """Return the status with which the program ends in the emulator, and what it writes.

    Raises ToolMissing, subprocess.TimeoutExpired.
    """
    with TemporaryDirectory() as folder:
        command = emulation(program, build(program, Path(folder)), ["prove"])
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, env={}, check=False)
        return done.returncode, done.stdout


def _parts(calls: list[Call], output: bytes) -> dict[str, list[bytes]]:
    """Return what each call left for each row of operands."""
    result: dict[str, list[bytes]] = {}
    at = 0
    for call in calls:
        result[call.expression] = [output[at + row * call.size : at + (row + 1) * call.size] for row in range(ROWS)]
        at += call.size * ROWS
    return result


def _put(value: str, size: int, floating: bool) -> str:
    """Return statements that keep a value."""
    if floating:  # all that are no numbers are one
        return f"if ({value} != {value}) {value} = 0; " + " ".join(
            f"*at++ = ((uint32_t *)&{value})[{part}];" for part in range(size // 4)
        )
    return f"*at++ = (uint32_t){value};" + (f" *at++ = (uint32_t)({value} >> 32);" if size == 8 else "")


def _compare(calls: list[Call], expected: bytes, found: bytes, every: list[Call], witness: str, findings: Findings) -> None:
    """Tell the first call of each form of which two runs left other bytes; the first one was of every call."""
    told: set[Alternative] = set()
    ours, theirs = _parts(every, expected), _parts(calls, found)
    for call in calls:
        for row, (a, b) in enumerate(zip(ours[call.expression], theirs[call.expression], strict=True)):
            if a != b and call.form not in told:
                told.add(call.form)
                findings.wrong.append(
                    f"{call.form.place}: {call.form.name}: `{call.form.text}` leaves {_shown(a, b)} in the plain interpreter, "
                    f"{_shown(b, a)} in {witness}: {call.text} with i = {row}"
                )


def _shown(bytes_: bytes, other: bytes) -> str:
    """Return bytes, of many only the first that differs."""
    if len(bytes_) <= 16:
        return bytes_[::-1].hex() or "nothing"
    place = next((n for n, pair in enumerate(zip(bytes_, other, strict=False)) if pair[0] != pair[1]), 0)
    return f"{bytes_[place]:02x} at byte {place}"
