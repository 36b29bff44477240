"""Instructions of a source as an extension of a machine: their RTLs, tried against the source, in one file of YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from ease.exchange.idioms import candidates
from ease.exchange.symbolic import meaning
from ease.exchange.trees import NAMES_ONLY, Instruction, TooMuch, Unsayable, Variable
from ease.exchange.trial import Trial
from ease.exchange.writing import Writer, condition_text
from vpo.machines.machine import Machine
from vpo.machines.read.load import build, read_description
from vpo.machines.read.source import DescriptionError
from vpo.rtl import BITS
from vpo.text import TextError

TIMES = 1000  # operands with which each instruction is tried
LONG = 4  # operators in an RTL that may be an idiom after all


@dataclass
class Imported:
    """What became of one instruction: its form, or the machine's instruction that it is, or the reason why neither."""

    instruction: Instruction
    rtl: str = ""
    form: str = ""
    operands: dict[str, str] = field(default_factory=dict)
    known_as: str = ""
    reason: str = ""

    @property
    def key(self) -> str:
        """Its name in a description."""
        return self.instruction.name.upper()

    @property
    def short(self) -> bool:
        """Whether it is shorter than those of the machine, so that it must be tried first."""
        return self.instruction.bits < 32


class Importer:
    """Describes instructions as an extension of a machine."""

    def __init__(self, machine: Machine, over: str) -> None:
        self.machine, self.over = machine, over
        self.word = machine.address_type
        self.cell = next(name for name, cls in machine.classes.items() if cls.type == self.word)
        link = machine.convention.link
        self.link = link.index if link is not None else 0
        self.names = {form.name for form in machine.recognizer.alternatives}

    def described(self, instruction: Instruction) -> Imported:
        """Return one instruction as this machine has it."""
        result = Imported(instruction)
        try:
            if instruction.problem:
                raise Unsayable(instruction.problem)
            self.describe(result)
        except Unsayable as error:
            result.reason = str(error)
        return result

    def describe(self, result: Imported) -> None:
        """Find the RTL of an instruction, and write its form."""
        instruction = result.instruction
        writer = Writer(instruction, BITS[self.word], self.cell)
        excluded = []
        problem = ""
        try:
            found = meaning(instruction, BITS[self.word])
            excluded = found.excluded
            result.rtl = writer.rtl(found)
        except TooMuch as error:
            problem = str(error)
        if problem or _operators(result.rtl) > LONG or {"/", "%"} & set(result.rtl):
            idiom = self.idiom(instruction)
            if idiom is not None:
                result.rtl, writer = idiom
            elif problem:
                raise Unsayable(problem)
        signs = _signs(writer)
        trial = Trial(instruction, result.rtl, self.word, self.cell, writer.beside)
        try:
            difference = trial.difference(TIMES, signs, writer.registers)
        except TextError as error:
            raise Unsayable(f"its RTL `{result.rtl}` is none: {error}") from None
        if difference:
            raise Unsayable(f"its RTL `{result.rtl}` would be wrong: {difference}")
        result.known_as = self.known(trial, signs, writer) if not result.short else ""
        if result.key in self.names and not result.known_as:
            raise Unsayable(f"{self.over} has another {result.key}")
        result.form = self.form(result, writer, [condition_text(each) for each in excluded])

    def idiom(self, instruction: Instruction) -> tuple[str, Writer] | None:
        """Return the operator that an instruction is, by what it does to operands."""
        files = [each.name for each in instruction.variables if each.bits in (3, 5) and _is_register(instruction, each)]
        target = next((name for name in files if name.endswith("d")), "")
        numbers = [each.name for each in instruction.variables if each.name not in files]
        read = [name for name in files if name != target]
        if not target or not read:
            return None
        for source in candidates(instruction, sorted(read), numbers, BITS[self.word], self.cell):
            rtl = f"{self.cell}[{target}]={source};"
            writer = Writer(instruction, BITS[self.word], self.cell)
            writer.registers = dict.fromkeys(files, 0)
            writer.signs = {name: {False} for name in numbers}
            trial = Trial(instruction, rtl, self.word, self.cell, {})
            try:
                if not trial.difference(200, {}, {}):
                    return rtl, writer
            except TextError:
                continue
        return None

    def known(self, trial: Trial, signs: dict[str, bool], writer: Writer) -> str:
        """Return the instruction of the machine that does the same, or ''."""
        link = re.findall(r"\[([a-z_]\w*)\]=NPC;", trial.rtl)  # what calls need only with the register for that
        names: set[str] = set()
        for number in (1, 0, -1):
            fields = {each.name: 11 + place for place, each in enumerate(trial.instruction.variables)}
            for variable in trial.instruction.variables:
                if variable.name in writer.signs and number <= 0:  # as large, and as small, as it may be
                    fields[variable.name] = (1 << (variable.bits + number)) - 2
            if len(set(writer.signs)) > 1 and number <= 0:  # two numbers are never the same
                fields[next(iter(writer.signs))] -= 1
            fields |= dict.fromkeys(link, self.link)
            try:
                record = self.machine.recognize(trial.effects(fields, signs, writer.registers))
            except (TextError, ValueError):
                return ""
            names.add(record.name if record is not None else "")
        name = names.pop() if len(names) == 1 else ""
        return name if self.reaches(name, trial.instruction, writer) else ""

    def reaches(self, name: str, instruction: Instruction, writer: Writer) -> bool:
        """Whether an instruction of the machine goes as far as another one."""
        far = [1 << (each.width - 1) for each in instruction.variables if each.name in writer.labels]
        reaches = [form.reach for form in self.machine.recognizer.alternatives if form.name == name]
        return all(reach is None or -reach[0] >= distance for distance in far for reach in reaches)

    # ------------------------------------------------------------------------------------------------ one entry

    def form(self, result: Imported, writer: Writer, excluded: list[str]) -> str:
        """Return what a description says of an instruction."""
        instruction, keys = result.instruction, {"rtl": result.rtl}
        conditions = [f"not ({each})" if not each.startswith("not (") else each[5:-1] for each in excluded]
        for variable in instruction.variables:
            name = variable.name
            if name in writer.labels:
                half = 1 << (variable.width - 1)
                keys["reach"] = f"[{-half}, {half - (1 << variable.shift)}]"
            elif name in writer.registers:
                conditions += self.of_register(variable, writer.registers[name])
            elif name in writer.signs:
                signed = _signs(writer)[name] or variable.width >= BITS[self.word]  # as numbers of a whole word are
                operand, text = operand_of(variable, signed)
                keys[name], result.operands[operand] = operand, text
                conditions += [f"{name} != {number << variable.shift}" for number in variable.without]
            elif name in result.rtl:
                raise Unsayable(f"field {name} is neither a number nor a register")
        for name, field_ in writer.beside.items():  # of pseudo-registers, whose numbers are below 0, none is beside another
            conditions += [f"{field_} >= 0", f"{name} == {field_} + {writer.registers[name] - writer.registers[field_]}"]
        if conditions:
            keys["when"] = " and ".join(conditions)
        keys["asm"] = instruction.assembly
        keys["encoding"] = encoding(instruction, {*writer.registers, *writer.signs, *writer.labels})
        latency = self.latency(result.rtl)
        if latency > 1:
            keys["latency"] = str(latency)
        return ", ".join(f"{key}: {_written(key, value)}" for key, value in keys.items())

    def of_register(self, variable: Variable, added: int) -> Iterator[str]:
        """Yield the conditions on the number of a register."""
        count = self.machine.classes[self.cell].count
        if 1 << variable.bits < count:
            yield f"{added} <= {variable.name} <= {added + (1 << variable.bits) - 1}"
        for number in variable.without:
            yield f"{variable.name} != {number + added}"

    def latency(self, rtl: str) -> int:
        """Return the cycles of an RTL: those of the machine's instructions with its slowest operator."""
        wanted = "*" if "*" in rtl or "mulh" in rtl else "/" if "/" in rtl or "%" in rtl else ""
        loads = any(f"{cell}[" in rtl.split("=", 1)[-1] for cell in "BWLQ")
        best = 1
        for alternative in self.machine.recognizer.alternatives:
            if wanted and f"]{wanted}{self.cell}[" in alternative.text:
                best = max(best, alternative.latency)
            if loads and f"={self.word}[" in alternative.text:
                best = max(best, alternative.latency)
        return best


def operand_of(variable: Variable, signed: bool) -> tuple[str, str]:
    """Return the name and the definition of the operand that a number is."""
    high = (1 << (variable.bits - signed)) - 1
    low = -high - 1 if signed else 0
    name = f"{'s' if signed else 'u'}{variable.bits}"
    text = f"constant: {low << variable.shift}..{high << variable.shift}"
    if variable.shift:
        name, text = f"{name}_by_{1 << variable.shift}", f"{text}, multiple: {1 << variable.shift}"
    if variable.shift >= 12:
        text += f', print: "(v >> {variable.shift}) & {(1 << variable.bits) - 1}"'
    elif signed and variable.bits >= 12:
        text += ", slots: true"
    return f"import_{name}", f"{{{text}, mode: IMMED}}"


def encoding(instruction: Instruction, used: set[str]) -> str:
    """Return an encoding, the highest bits first."""
    words = []
    split = {
        part.variable for part in instruction.parts if sum(each.variable == part.variable for each in instruction.parts) > 1
    }
    for part in instruction.parts:
        if not part.variable:
            words.append(f"{part.value:0{part.bits}b}")
            continue
        variable = instruction.variable(part.variable)
        without = variable.without if variable is not None and part.variable not in split else ()
        low = f"@{part.low}" if part.variable in split and part.variable in used else ""
        words.append(f"{part.variable}:{part.bits}{low}" + (f"!{','.join(map(str, without))}" if without else ""))
    return " ".join(words)


def _to_fill_in(instruction: Instruction) -> str:
    """Return what a description says of an instruction, but for what it means."""
    keys = {"rtl": "", "asm": instruction.assembly, "encoding": encoding(instruction, set())}
    return ", ".join(f"{key}: {_written(key, value)}" for key, value in keys.items())


def _written(key: str, value: str) -> str:
    return json.dumps(value) if key in ("rtl", "asm", "encoding", "when") else value


def _operators(rtl: str) -> int:
    return sum(rtl.count(sign) for sign in ("(", "SEL", "<<", ">>"))


def _signs(writer: Writer) -> dict[str, bool]:
    """Return which fields have a sign.  Raises Unsayable for one with two readings."""
    for name, signs in writer.signs.items():
        if len(signs) > 1:
            raise Unsayable(f"field {name} is read with a sign and without")
    return {name: True in signs for name, signs in writer.signs.items()}


def _is_register(instruction: Instruction, variable: Variable) -> bool:
    return variable.name.lstrip("xr")[:1] in ("d", "s") and variable.name[0] in "xr" and variable.name != "shamt"


# ----------------------------------------------------------------------------------------------------------------------
# A whole extension.


@dataclass
class Extension:
    """An extension with what was imported, and what was not."""

    name: str
    source: str
    results: list[Imported]
    hides: bool = False
    assembled: Collection[str] = ()  # what the assembler must be told of

    @property
    def written(self) -> list[Imported]:
        """The instructions that the extension has."""
        return [each for each in self.results if each.form and not each.known_as and not each.reason]

    def text(self) -> tuple[str, dict[int, Imported]]:
        """Return the description, and which instruction each line is of."""
        lines = [f"extension: {self.name}", f"description: {json.dumps('imported from ' + self.source)}"]
        lines += ["drop_hidden: true"] * self.hides  # what is shorter takes the place of what the machine has
        told = ", ".join(f"{each.lower()}: _{each.lower()}" for each in self.assembled)
        lines += [f"abbreviations: {{isa: {{{told}}}}}"] * bool(told)
        operands = {name: text for each in self.written for name, text in each.operands.items()}
        if operands:
            lines += ["operands:", *(f"  {name}: {text}" for name, text in sorted(operands.items()))]
        places: dict[int, Imported] = {}
        for section, short in (("first", True), ("instructions", False)):
            members = [each for each in self.written if each.short == short]
            if members:
                lines.append(f"{section}:")
            for each in members:
                lines.append(f"  {each.key}: {{{each.form}}}")
                places[len(lines)] = each
        bare = [each for each in self.results if each.instruction.problem == NAMES_ONLY]
        lines += ["# what has no meaning yet: write an RTL, and say what numbers are"] * bool(bare)
        lines += ["# instructions:"] * bool(bare) + [f"#   {each.key}: {{{_to_fill_in(each.instruction)}}}" for each in bare]
        return "\n".join(lines) + "\n", places


def imported(
    instructions: Iterable[Instruction], over: str, name: str, source: str, extensions: Collection[str] = ()
) -> Extension:
    """Return an extension of a machine with all that can be said of instructions, which are of some standard extensions.

    Raises DescriptionError, SourceError, OSError.
    """
    description = read_description(over)
    machine = build(description)
    importer = Importer(machine, over)
    results = [importer.described(instruction) for instruction in instructions]
    extension = Extension(name, source, _unique(results))
    if "isa" in (description.get("abbreviations") or ()):
        extension.assembled = [each for each in extensions if each.startswith("Z")]
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.yaml"
        while True:
            text, places = extension.text()
            path.write_text(text)
            try:
                build(read_description(f"{over}+{path}"))
                return extension
            except DescriptionError as error:
                if " is hidden by " in error.message and not extension.hides:
                    extension.hides = True
                    continue
                if Path(error.place.file).name != path.name or error.place.line not in places:
                    raise
                places[error.place.line].reason = error.message


def _unique(results: list[Imported]) -> list[Imported]:
    """Return results, of which those with the name of an earlier one have a reason."""
    seen: set[str] = set()
    for each in results:
        if each.key in seen and not each.reason:
            each.reason = "there is another one of this name"
        seen.add(each.key)
    return results
