"""Candidates as entries of a description, checked to load, and as edits of one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from ease.proposals.candidates import Candidate
from ease.proposals.shapes import LABEL
from vpo.machines.advice.edits import Edit
from vpo.machines.read.extends import merge
from vpo.machines.read.source import Map, Place, read_value
from vpo.rtl import Register


def name_all(candidates: Iterable[Candidate], description: Map) -> None:
    """Give each candidate a name that no instruction has: those of the instructions that it replaces."""
    known = {name for key in description["instructions"] for name in key.split()}
    for candidate in candidates:
        stem = ".".join(candidate.names)
        number = 1
        while (name := stem if number == 1 else f"{stem}_{number}") in known:
            number += 1
        known.add(name)
        candidate.name = name


class Entry:
    """The lines that a candidate adds to a description."""

    def __init__(self, candidate: Candidate, description: Map) -> None:
        self.candidate = candidate
        self.operands: dict[str, str] = {}  # by name, without those that the description has
        self.instruction = f"{candidate.name}: {self._body(candidate, description)}"

    def _body(self, candidate: Candidate, d: Map) -> str:
        defaults = d.get("defaults") or {}
        variables = [name for name, _ in candidate.shape.registers]
        shown = [*variables, *candidate.operands, *([LABEL] if candidate.shape.branches else [])]
        asm = f"{candidate.name.lower()} {','.join(f'${name}' for name in shown)}"
        fields = {"rtl": f'"{candidate.rtl}"', "asm": f'"{asm}"'}
        for variable, range_ in candidate.operands.items():
            text = f"{{constant: {range_.low}..{range_.high}"
            text += f", multiple: {range_.multiple}, mode: IMMED}}" if range_.multiple > 1 else ", mode: IMMED}"
            fields[variable] = self._operand(range_.name, text, d)
        record = candidate.record
        if candidate.reach is not None and record.reach is not None:
            fields["reach"] = f"[{candidate.reach[0]}, {candidate.reach[1]}]"
        numbers = {"size": (candidate.encoding.size, 4), "latency": (candidate.latency, 1), "slots": (record.slots, 0)}
        numbers |= {"load_slots": (record.load_slots, 0), "hold_slots": (record.hold_slots, 0)}
        fields |= {k: str(value) for k, (value, usual) in numbers.items() if value != defaults.get(k, usual)}
        if candidate.issue > 1 and "timing" in d:
            fields["issue"] = str(candidate.issue)
        if record.occupancy.unit:
            fields["unit"] = record.occupancy.unit
        if candidate.clobbers or defaults.get("clobbers"):
            fields["clobbers"] = f"[{', '.join(map(_register, candidate.clobbers))}]"
        return "{" + ", ".join(f"{key}: {value}" for key, value in fields.items()) + "}"

    def _operand(self, name: str, text: str, d: Map) -> str:
        """Return the name of the description's operand that a text describes, or of a new one."""
        wanted = read_value(text, Place("", 1, 1))
        for known, spec in d["operands"].items():
            if isinstance(spec, Map) and {**spec, "mode": "IMMED"} == wanted:
                return str(known)
        while name in d["operands"]:
            name += "_"
        self.operands[name] = text
        return name

    @property
    def edit(self) -> Edit:
        """The edit that adds the entry to a description."""
        return Edit("addition", self.candidate.name, partial(_add, description_lines([self]), self.candidate.name), None)


def _register(register: Register) -> str:
    return register.cls if register.type in ("C", "G") else f'"{register.cls}[{register.index}]"'


def description_lines(entries: Iterable[Entry]) -> str:
    """Return the sections of a description that entries are."""
    entries = list(entries)
    operands = {name: text for entry in entries for name, text in entry.operands.items()}
    lines = ["operands:", *(f"  {name}: {text}" for name, text in operands.items())] if operands else []
    return "\n".join([*lines, "instructions:", *(f"  {entry.instruction}" for entry in entries)]) + "\n"


def _add(lines: str, name: str, description: Map) -> None:
    merge(description, read_value(lines, Place(f"proposal {name}", 1, 1)))
