"""Extend behind a loop what is extended in each of its rounds, where these want low bits only, on SSA form.

    L4: r[t2.2]=PHI(L1:r[t2.1],L4:r[t4]);          L4: r[t2.2]=PHI(L1:r[t2.1],L4:r[t4]);
        r[t3]=r[t2.2]+r[t1];                           r[t3]=r[t2.2]+r[t1];
        r[t4]=sxQ(trL(r[t3]));              =>         r[t4]=r[t3];
        PC=cc<0,L4;                                    PC=cc<0,L4;
        r[3]=r[t4];                                    r[t5]=sxQ(trL(r[t4]));
                                                       r[3]=r[t5];

This is for machines without sums that extend: where one instruction adds and extends, the extension costs nothing.  What a
loop carries goes on in phis; who wants more than the low bits outside of the loop gets an extension of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from vpo.algebra import rebuild_effect, unary
from vpo.analysis.cfg import end_of
from vpo.analysis.value_ranges import FULL_TYPES
from vpo.opt.ssa.wanted_bits import CARRYING, WantedBits
from vpo.opt.state import CFG, FREQUENCIES, LOOPS, VALUE_RANGES, FunctionState
from vpo.rtl import BITS, Const, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

RARER = 0.99  # of the frequency with which an extension is executed: less is worth a move
ROUNDS = 4  # of loops around each other


def defer_extensions(state: FunctionState) -> WantedBits | None:
    """Move extensions out of loops that want low bits only of what they extend; return what is wanted, if that was asked."""
    for _ in range(ROUNDS):
        found = list(_extensions(state))
        deferral = _Deferral(state) if found else None
        if deferral is None or not deferral.run(found):
            return deferral.wanted if deferral is not None else None
    return None


def _extensions(state: FunctionState) -> Iterator[tuple[int, Rtl, Register, Op]]:
    """Yield the RTLs of loops that extend a register, which phis carry: block, RTL, what is set, the extension."""
    inside = frozenset[int]().union(*(loop.blocks for loop in state.get(LOOPS)))
    carried = {r for number in inside for phi in state.function.blocks[number].phis for r in phi.sources.values()}
    for number in sorted(inside) if carried else ():
        for rtl in state.function.blocks[number].rtls:
            match rtl.single_set:
                case Set(
                    target=Register(pseudo=True, type=type_) as target,
                    source=Op(op="sx" | "zx", args=(Op(op="tr", args=(Register(pseudo=True, type=inner),)),)) as source,
                ) if target in carried and type_ in FULL_TYPES and inner == type_ and len(rtl.effects) == 1:
                    yield number, rtl, target, source


class Place(NamedTuple):
    """A block in which a register must be extended, for a reader in it or at its end."""

    block: int
    register: Register
    reader: Rtl | Phi


class _Deferral:
    """The uses of registers of a function, until one of its extensions is moved."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.blocks, self.machine = state, state.function.blocks, state.machine
        self.wanted = WantedBits(state)
        self.labels = state.get(CFG).labels
        self.sources: dict[Register, Expr] = {}
        self.readers: dict[Register, list[tuple[int, Rtl | Phi]]] = {}
        for number, block in enumerate(self.blocks):
            for phi in block.phis:
                for register in dict.fromkeys(phi.sources.values()):
                    self.readers.setdefault(register, []).append((number, phi))
            for rtl in block.rtls:
                for register in rtl.uses:
                    self.readers.setdefault(register, []).append((number, rtl))
                single = rtl.single_set
                if single is not None and type(single.target) is Register and single.target.pseudo:
                    self.sources[single.target] = single.source

    def run(self, found: list[tuple[int, Rtl, Register, Op]]) -> bool:
        """Move the first extension for which that is worth while; tell whether there was one."""
        loops = self.state.get(LOOPS)
        for number, rtl, target, extension in found:
            bits = BITS[extension.args[0].type]
            if self.wanted.bits.get(target, 0) <= bits or self._costs_nothing(target, extension):
                continue
            loop = next(loop.blocks for loop in loops if number in loop.blocks)
            places = self._places(target, bits, loop)
            if not places or not self._is_cheaper(places, number) or not self._are_extended(target, extension, places):
                continue
            if self._move(number, rtl, target, extension, places):
                return True
        return False

    def _costs_nothing(self, target: Register, extension: Op) -> bool:
        """Whether an instruction may extend what it computes."""
        part = extension.args[0]
        assert isinstance(part, Op)
        source = self.sources.get(part.args[0])  # type: ignore[arg-type]
        if type(source) is not Op or not (source.op in CARRYING or source.op == "<<"):
            return True  # of what is shifted to the right, another shift has the bits of the extension
        whole = unary("tr", part.type, source)
        forms: list[Expr] = [whole]
        if all(type(arg) in (Register, Const) for arg in source.args):
            narrow = (unary("tr", part.type, arg) if type(arg) is Register else arg for arg in source.args)
            forms.append(Op(source.op, part.type, *narrow))
        return any(self.machine.is_legal((Set(target, unary(extension.op, target.type, form)),)) for form in forms)

    def _places(self, target: Register, bits: int, loop: frozenset[int]) -> list[Place] | None:
        """Return who wants the whole of a register, or of what a loop carries of it; None if somebody in the loop does."""
        work, seen, places = [target], {target}, list[Place]()
        while work:
            register = work.pop()
            for number, reader in self.readers.get(register, ()):
                if isinstance(reader, Rtl):
                    if self.wanted.of(reader, register, self.blocks[number]) > bits:
                        places.append(Place(number, register, reader))
                elif number not in loop:
                    if self.wanted.bits.get(reader.target, 0) > bits:
                        ends = (self.labels[label] for label, source in reader.sources.items() if source is register)
                        places += [Place(end, register, reader) for end in ends]
                elif reader.target not in seen:
                    seen.add(reader.target)
                    work.append(reader.target)
        return None if any(place.block in loop for place in places) else places

    def _is_cheaper(self, places: list[Place], number: int) -> bool:
        """Whether extensions at some places are executed more rarely than one in a block."""
        at = {(place.block, place.register) for place in places}
        if self.state.small:
            return len(at) == 1
        frequencies = self.state.get(FREQUENCIES)
        return sum(frequencies[block] for block, _ in at) < RARER * frequencies[number]

    def _are_extended(self, target: Register, extension: Op, places: list[Place]) -> bool:
        """Whether what a loop carries is what extending its low bits makes, as the extension itself is."""
        bits = BITS[extension.args[0].type]
        low, high = (0, (1 << bits) - 1) if extension.op == "zx" else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        ranges = self.state.get(VALUE_RANGES)
        bounds = (ranges.of(place.register, place.block, target.type) for place in places if place.register is not target)
        return all(low <= least and most <= high for least, most in bounds)

    def _move(self, number: int, rtl: Rtl, target: Register, extension: Op, places: list[Place]) -> bool:
        """Extend a register, and what a loop carries of it, where the whole is wanted; tell whether that was done."""
        (part,) = extension.args
        assert isinstance(part, Op)
        contents = {
            block: list(block.rtls) for block in {self.blocks[n] for n in (number, *(place.block for place in places))}
        }
        plain = Rtl((Set(target, part.args[0]),), rtl.lines, rtl.cause)
        contents[self.blocks[number]] = [plain if each is rtl else each for each in self.blocks[number].rtls]
        phis: dict[Block, list[Phi]] = {}
        for block, register in dict.fromkeys((place.block, place.register) for place in places):
            home, new = self.blocks[block], self.state.function.pseudo(target.cls, target.type)
            effects = (Set(new, unary(extension.op, target.type, unary("tr", part.type, register))),)
            if self.machine.may_clobber(effects):
                return False
            readers = [place.reader for place in places if place.block == block and place.register is register]
            reading = {each: _reading(each, register, new) for each in readers if isinstance(each, Rtl)}
            rtls = contents[home]
            first = next((at for at, each in enumerate(rtls) if each in reading), len(rtls) - len(home.rtls) + end_of(home))
            made = Rtl(effects, rtl.lines, rtl.cause)
            contents[home] = [*rtls[:first], made, *(reading.get(each, each) for each in rtls[first:])]
            for reader in readers:
                if isinstance(reader, Phi):
                    self._note(phis, reader.target, home.label, new)
        return self.state.change(contents, phis=phis)

    def _note(self, phis: dict[Block, list[Phi]], target: Register, label: str, new: Register) -> None:
        """Let a phi take another register from a block."""
        home = next(block for block in self.blocks if any(phi.target is target for phi in block.phis))
        phis[home] = [
            Phi(phi.target, {**phi.sources, label: new}, phi.lines, phi.cause) if phi.target is target else phi
            for phi in phis.get(home, home.phis)
        ]


def _reading(rtl: Rtl, register: Register, new: Register) -> Rtl:
    """Return an RTL that reads another register."""

    def replaced(node: Expr) -> Expr | None:
        return new if node is register else None

    return Rtl(tuple(rebuild_effect(effect, replaced) for effect in rtl.effects), rtl.lines, rtl.cause)
