"""The calling convention of a machine, as frozen data; `vpo.machines.read.convention` reads it from a description."""

from __future__ import annotations

from dataclasses import dataclass, field

from vpo.rtl import BITS, Effect, Register, Set

# Who saves registers across calls: those that the function called sets, those that the caller has values in, or either.
METHODS = ("callee", "callee-flow", "caller", "caller-flow", "hybrid", "hybrid-flow")


@dataclass(frozen=True)
class Windows:
    """Register windows: `count` of them, one kept free, so that of each chain of calls all but one are in registers.

    `enter` puts registers away in private ones and moves those that callers see to where the function sees them; `leave`
    does the opposite.  A window is stored at its stack pointer when none is free: there must be room (`reserved`).
    Entering preserves the registers `kept`; `inside` tells where a function sees what its caller has in a register.
    """

    count: int
    enter: tuple[Effect, ...]
    leave: tuple[Effect, ...]
    kept: tuple[Register, ...]
    inside: dict[Register, Register]


@dataclass(frozen=True)
class HiddenResult:
    """How functions are called whose result is in memory, at an address that the caller passes.

    `place` is where that travels: in a register, in a cell so many bytes from the caller's stack pointer before the call, or
    (None) as the first argument.  `call` and `return_` are the effects, over the variables `f`, `result` (the address) and
    `bytes` (the size of the result); such a call pushes `pushed` bytes.  `passed`: it puts the address in its place itself.
    """

    place: Register | int | None = None
    call: tuple[Effect, ...] = ()
    return_: tuple[Effect, ...] = ()
    pushed: int = 0
    passed: bool = False

    @property
    def register(self) -> Register | None:
        """The register in which the address travels, if it does."""
        return self.place if isinstance(self.place, Register) else None

    @property
    def cell(self) -> int | None:
        """The offset from the stack pointer of the cell in which the address travels, if it does."""
        return None if isinstance(self.place, Register) else self.place


@dataclass(frozen=True)
class Convention:
    """How functions call each other.

    `arguments` and `results` map a kind ('integer', 'address', 'float') to the registers that carry such values, in
    order.  `call` and `return_` are the effects of a call to the variable `f` and of a return.  `word` is the size in
    bytes of a stack argument's cell, `first_argument` the distance of the first from the stack pointer before the
    call, `pushed` what the call instruction pushes (below 0 if it moves the stack pointer upwards).  `link` is the
    register that holds the return address, if any.  `save` is one of METHODS, `save_with` how registers get to memory and
    back, `enter` what every function begins with if that is by a mask.
    Distances from the stack pointer count against the direction in which the stack grows: towards the caller's frame.
    Unless `variadic_list` is 'pointer', variable arguments travel as others do, and a va_list has places in the saved argument
    registers; `variadic_count` is the register that tells how many of the floating ones carry arguments.
    Every frame leaves the `reserved` bytes next to the stack pointer alone.  `start_arguments` are the registers in which
    the system hands over argc and argv.  With `positional`, floating arguments use up integer registers;
    with `float_words`, too, but are in the next floating register, which may be left when no integer ones are.
    `homes` says when there is room for arguments in registers between the `reserved` bytes and `first_argument`.
    Without `values_split`, values of several words for which too few registers are left lie on the stack, and all behind them.
    Without `float_gaps`, a floating argument uses no register in front of one that is used.
    `aggregate_side` says where an aggregate lies in a word that it does not fill.  `hidden` is about results in memory.
    `call_text` and `return_text` are the two RTLs as the description writes them.
    """

    arguments: dict[str, tuple[Register, ...]]
    results: dict[str, tuple[Register, ...]]
    scratch: frozenset[Register]
    saved: tuple[Register, ...]
    link: Register | None
    call: tuple[Effect, ...]
    return_: tuple[Effect, ...]
    word: int
    stack_align: int
    first_argument: int = 0
    pushed: int = 0
    aggregates: str = "reference"
    aggregate_words: int = 0
    aggregate_sizes: tuple[int, ...] = ()
    aggregate_result_words: int = 0
    aggregate_result_sizes: tuple[int, ...] = ()
    aggregate_result_aligned: bool = False
    aggregate_members: dict[str, int] = field(default_factory=dict)
    aggregate_result_members: dict[str, int] = field(default_factory=dict)
    narrow_results: bool = False
    narrow_arguments: bool = False
    aggregates_split: bool = True
    values_split: bool = True
    float_overflow: str = "words"
    float_gaps: bool = True
    variadic_registers: bool = False
    variadic_words: str = "none"
    variadic_list: str = "pointer"
    variadic_count: Register | None = None
    leading_floats: bool = False
    align_pairs: str = "never"
    save: str = "callee"
    save_with: str = "block"
    enter: tuple[Effect, ...] = ()
    windows: Windows | None = None
    grows_up: bool = False
    reserved: int = 0
    positional: bool = False
    float_words: bool = False
    homes: str = "always"
    aggregate_side: str = "left"
    start_arguments: tuple[Register, ...] = ()
    hidden: HiddenResult = field(default_factory=HiddenResult)
    call_text: str = ""
    return_text: str = ""

    def offset(self, distance: int, size: int) -> int:
        """Return the offset from the stack pointer of `size` bytes at a distance from it."""
        return -(distance + size) if self.grows_up else distance

    def distance(self, offset: int, size: int) -> int:
        """Return how far from the stack pointer `size` bytes at an offset from it lie."""
        return -(offset + size) if self.grows_up else offset

    def step(self, offset: int, size: int, within: int) -> int:
        """Return where in a piece of the stack of `within` bytes `size` bytes lie, `offset` bytes after its first."""
        return within - offset - size if self.grows_up else offset

    def aligned(self, distance: int, size: int, align: int) -> int:
        """Return the least distance, not below this one, at which `size` bytes are aligned."""
        return -(-(distance + size) // align) * align - size if self.grows_up else -(-distance // align) * align

    def argument_alignment(self, align: int) -> int:
        """Return the alignment that an argument of a type has on the stack, of which nobody knows more than `stack_align`."""
        return min(align, self.stack_align)

    @property
    def keeps_whole(self) -> bool:
        """Whether values of several words for which too few registers are left lie on the stack, and use none up."""
        return self.aggregates == "stack" and self.aggregate_words > 0

    def in_words(self, size: int) -> bool:
        """Whether an aggregate travels in words where there are such."""
        return -(-size // self.word) <= self.aggregate_words and size in (self.aggregate_sizes or (size,))

    def lead(self, size: int) -> int:
        """Return how many bytes of its first word lie in front of an aggregate."""
        right = self.aggregate_side == "right" or (self.aggregate_side == "short-right" and size < self.word)
        return -size % self.word if right else 0

    @property
    def below(self) -> int:
        """How many bytes below the stack pointer a function finds its return address in."""
        return max(0, -self.pushed)

    @property
    def preserved(self) -> tuple[Register, ...]:
        """The registers that have their values of the entry when a function returns: those saved, and the link."""
        return (*self.saved, *([self.link] if self.link is not None else []))

    @property
    def caller_saves(self) -> bool:
        """Whether callers save registers that calls do not preserve, to keep values in them."""
        return not self.save.startswith("callee")

    @property
    def by_flow(self) -> bool:
        """Whether saves and restores are placed by data-flow analysis."""
        return self.save.endswith("-flow")


# ----------------------------------------------------------------------------------------------------------------------
# What a `jmp_buf` holds of a machine, as its calling convention has it.
#
# A function finds these as they were when a call of it returns: the registers that calls preserve, what the return instruction
# goes by, and the stack pointer.  What a call pushes is there as well, since another call may have overwritten it.


@dataclass(frozen=True, slots=True)
class Context:
    """The layout of a `jmp_buf` of `size` bytes.

    `registers` have their offsets in it; `entry` is that of the stack pointer on entry of the function that fills it, and
    `linkage` maps the distances of what was pushed from there to their offsets.
    """

    registers: tuple[tuple[Register, int], ...]
    entry: int
    linkage: tuple[tuple[int, int], ...]
    size: int


def context_of(convention: Convention, stack_pointer: Register, address_type: str) -> Context:
    """Lay out the registers and words, each at a multiple of its size."""
    entered = [effect.target for effect in convention.enter if isinstance(effect, Set)]
    kept = dict.fromkeys([*convention.preserved, *(r for r in entered if isinstance(r, Register))])
    step = BITS[address_type] // 8
    pushed = range(min(convention.pushed, 0), max(convention.pushed, 0), step)
    size = 0

    def place(width: int) -> int:
        nonlocal size
        offset = -(-size // width) * width
        size = offset + width
        return offset

    registers = tuple((r, place(BITS[r.type] // 8)) for r in kept if r is not stack_pointer)
    entry = place(step)
    linkage = tuple((distance, place(step)) for distance in pushed)
    return Context(registers, entry, linkage, size)
