"""Where registers are in the Python code that the interpreter runs, and the statements that read and write them."""

from __future__ import annotations

from collections.abc import Callable

from vpo.interpret.expression_code import bank_types, convert_view, join, split
from vpo.machines.machine import Machine
from vpo.rtl import Register

Key = tuple[str, int, str]  # a register: bank, index, '' or which version of a pseudo-register


class RegisterCode:
    """The registers of one function; `current` tells which of them the segment being written holds in Python locals."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.banks = bank_types(machine)
        self.private = {key: number for number, key in enumerate(machine.private_registers())}
        self.pseudos: dict[Key, int] = {}
        self.current: dict[Key, tuple[str, str]] = {}

    def _bank(self, register: Register) -> str:
        cls = self.machine.classes.get(register.cls)
        return cls.bank if cls is not None and cls.width == 1 else register.cls

    def _is_pair(self, register: Register) -> bool:
        cls = self.machine.classes.get(register.cls)
        return not register.pseudo and cls is not None and cls.width > 1

    def _halves(self, register: Register) -> tuple[list[Register], str]:
        """Return the registers of a pair, the more significant first, and their type."""
        storage = self.machine.storage(register)
        type_ = self.machine.classes[storage[0][0]].type
        halves = [Register(bank, index, type_) for bank, index in storage]
        return halves if self.machine.big_endian else halves[::-1], type_

    def _key(self, register: Register) -> Key:
        version = f"t{register.version}_" if register.version else "t"
        return self._bank(register), register.index, version if register.pseudo else ""

    def home(self, register: Register) -> str:
        """Return the place where a register is kept between segments."""
        return self._home(self._key(register))

    def _home(self, key: Key) -> str:
        bank, index, pseudo = key
        if (bank, index) in self.private:
            return f"W[{self.private[bank, index]}]"
        if pseudo:
            return f"P[{self.pseudos.setdefault(key, len(self.pseudos))}]"
        return f"v_{bank}_{index}"

    def read(self, register: Register) -> str:
        """Return the expression of what a register holds at this place."""
        if register in self.machine.zero:
            return "0.0" if register.type in "FD" else "0"
        if self._is_pair(register):
            halves, type_ = self._halves(register)
            return join([self.read(half) for half in halves], type_, register.type)
        key = self._key(register)
        if register.type in "CG":
            return self.current[key][1] if key in self.current else self._home(key)
        held, name = self.current.get(key) or (self.banks.get(key[0], register.type), self._home(key))
        return convert_view(name, held, register.type)

    def write(self, register: Register, value: str, temporary: Callable[[], str]) -> list[str]:
        """Return the statements that write a register, or a condition code whose two numbers begin with `value`."""
        if register.type in "CG":
            key = self._key(register)
            name = f"w_{key[0]}_{key[1]}"
            self.current[key] = (register.type, name)
            return [f"{name}_a={value}_a;{name}_b={value}_b"]
        return self._assign(register, value, temporary)

    def _assign(self, register: Register, value: str, temporary: Callable[[], str]) -> list[str]:
        if register in self.machine.zero:
            return [value]
        if self._is_pair(register):
            halves, type_ = self._halves(register)
            name = temporary()
            values = split(name, register.type, type_)
            writes = [self._assign(half, text, temporary) for half, text in zip(halves, values, strict=True)]
            return [f"{name}={value}", *(line for lines in writes for line in lines)]
        key = self._key(register)
        name = f"w_{key[0]}_{key[2]}{key[1]}"
        self.current[key] = (register.type, name)
        return [f"{name}={value}"]

    def flush(self) -> list[str]:
        """Return the statements that bring what the segment wrote to where it is kept."""
        lines = []
        for key, (held, name) in self.current.items():
            if held in "CG":
                home = self._home(key)
                lines.append(f"{home}_a={name}_a;{home}_b={name}_b")
            else:
                lines.append(f"{self._home(key)}={convert_view(name, held, self.banks.get(key[0], held))}")
        return lines

    def globals(self) -> list[str]:
        """Return the declaration of the module variables that the segment writes."""
        names: list[str] = []
        for key, (held, _) in self.current.items():
            if not key[2] and key[:2] not in self.private:
                home = self._home(key)
                names += [f"{home}_a", f"{home}_b"] if held in "CG" else [home]
        return [f"global {','.join(names)}"] if names else []

    def write_cell(self, bank: str, index: int) -> str:
        """Return the local variable to which the segment writes a register of the machine, with the type of its bank."""
        name = f"w_{bank}_{index}"
        self.current[bank, index, ""] = (self.banks[bank], name)
        return name

    def zeros(self) -> str:
        """Return what the list of pseudo-registers holds when a function is entered."""
        return ",".join("0.0" if self.banks.get(bank) in ("F", "D") else "0" for bank, *_ in self.pseudos)
