"""The short sections of a description as frozen data: registers, values, memory, timing, assembly syntax, tools.

`vpo.machines.read.sections`, `registers` and `timing` read them; `vpo.machines.machine` holds them.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RegisterClass:
    """A class of registers.  Classes with one `bank` are views of the same storage.

    Register i of a class of pairs (`width` 2) is registers 2i and 2i+1 of its bank, in memory order.
    """

    name: str
    type: str
    count: int
    bank: str
    names: tuple[str, ...]  # how each is printed
    parts: tuple[tuple[str, tuple[str, ...]], ...] = ()  # how parts of each are printed: (name of the part, names)
    width: int = 1
    private: bool = False  # each activation of a function has its own
    longer: int = 0  # from this one on, they make an instruction longer by a byte, once

    def storage(self, index: int) -> tuple[tuple[str, int], ...]:
        """Return bank and index of each register that a register of the class consists of, in memory order."""
        if self.width == 1:  # nearly always, and asked often
            return ((self.bank, index),)
        first = index * self.width
        return tuple((self.bank, part) for part in range(first, first + self.width))


@dataclass(frozen=True, slots=True)
class Values:
    """The register class that holds each kind of C value.

    `single` and `double` are empty if no register holds such values; without `single`, a double's registers may hold singles.
    `sign_extended` is the integer type (B, W or L) that registers hold sign-extended, signed or not; empty if there is none.
    """

    integer: str
    address: str
    single: str = ""
    double: str = ""
    sign_extended: str = ""

    def floating(self, type_: str) -> str:
        """Return the class for a floating type (F or D), '' if there is none."""
        return self.single if type_ == "F" else self.double

    def classes(self) -> dict[str, str]:
        """Return the classes by the key of the description that names them."""
        kinds = {"integer": self.integer, "address": self.address, "F": self.single, "D": self.double}
        return {kind: name for kind, name in kinds.items() if name}


@dataclass(frozen=True, slots=True)
class MemorySpace:
    """Memory beside the main one: `size` bytes from address `at`.  Objects of the section `.NAME` lie there.

    Each reference to it waits so many cycles; it is in no cache unless it is `cached`, and then caches tell what waits.
    """

    name: str
    at: int
    size: int
    wait: int = 0
    cached: bool = False

    @property
    def addresses(self) -> range:
        """The addresses of its bytes."""
        return range(self.at, self.at + self.size)

    def holds(self, section: str) -> bool:
        """Whether a section is its own, or a part of it: `.NAME.PART`."""
        return section == f".{self.name}" or section.startswith(f".{self.name}.")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a run's memory lies, in target addresses (bytes).

    Text begins at `text`, read-only and writable data follow, the heap grows from there.  The stack is the `stack_size`
    bytes below `stack_top`; the calling convention says from which end it grows.  Nothing else is mapped,
    but for `spaces`.
    """

    text: int
    stack_top: int
    stack_size: int
    heap_limit: int
    page: int = 4096
    reserve: int = 0  # at the start, between the stack pointer and the arguments of the program
    spaces: tuple[MemorySpace, ...] = ()

    @property
    def stack_low(self) -> int:
        """The lowest address of the stack."""
        return self.stack_top - self.stack_size

    def space_of(self, section: str) -> MemorySpace | None:
        """Return the space that a section is of, None if it is the main memory's."""
        return next((space for space in self.spaces if space.holds(section)), None)


@dataclass(frozen=True, slots=True)
class Halves:
    """How constants are split into HI and LO, and how the parts of a symbol print.

    LO has `low` bits, `signed` or not.
    """

    low: int
    signed: bool
    high_text: str
    low_text: str


@dataclass(frozen=True, slots=True)
class Timing:
    """How instructions follow each other.

    `overlap`: whether the next begins while results of the last are outstanding (a pipeline), otherwise it waits for the
    latency of the last.  Cycles are lost by transfers of control (`taken`, unless the instruction says otherwise; delay slots
    make use of them) and where moving the register window traps.  `basis`: what the numbers rest on.  `latencies` by name
    and kind ('register', 'load', 'store', 'update') go before what the instructions themselves say.
    `stated`: whether the description has such a section.
    """

    overlap: bool = False
    taken: int = 0
    window_trap: int = 0
    basis: str = ""
    latencies: dict[str, dict[str, int]] = field(default_factory=dict)
    stated: bool = True

    def issue(self, latency: int) -> int:
        """Return the cycles until the next instruction begins, for one that says nothing of them."""
        return 1 if self.overlap else latency


@dataclass(frozen=True, slots=True)
class AssemblySyntax:
    """How an assembly file looks around the instructions: templates with `$name`, `$bytes`, `$value` and so on."""

    symbol: str = "$name"  # how a global symbol prints
    label: str = ".L$function.$label"  # how a label inside a function prints
    header: tuple[str, ...] = ()
    text: str = "\t.text"
    constant: str = "\t.section .rodata"
    data: str = "\t.data"
    zero_data: str = "\t.bss"
    global_: str = "\t.globl $name"
    function: str = "\t.type $name, @function"
    align: str = "\t.balign $bytes"
    byte: str = "\t.byte $value"
    half: str = "\t.2byte $value"
    word: str = "\t.4byte $value"
    quad: str = "\t.8byte $value"
    space: str = "\t.zero $bytes"
    pool: str = ""  # behind an instruction: the literals used so far, if the assembler collects them
    literal: str = ""  # how the label of a literal prints, if it does not
    comment: str = "#"
    function_align: int = 4


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The commands of real tools for a machine; a command that the description does not name is empty.

    The emulator counts annulled instructions at the starts of pages of `annulled_page` bytes; 0: it never does.
    With an instruction near the end of a page of `lookahead_page` bytes, it fetches the rest of the page; 0: it never does.
    Of instructions that `untold` names its plugin tells no references to data.
    `variadic`: whether the compiler passes all variable arguments as the description says.
    """

    assembler: tuple[str, ...] = ()
    linker: tuple[str, ...] = ()
    emulator: tuple[str, ...] = ()
    disassembler: tuple[str, ...] = ()
    compiler: tuple[str, ...] = ()
    annulled_page: int = 0
    lookahead_page: int = 0
    untold: tuple[str, ...] = ()
    variadic: bool = True
