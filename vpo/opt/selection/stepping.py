"""Instructions that compute of cells of memory and step their addresses, where no instruction computes without stepping.

    r[1]=L[r[8]];
    r[2]=L[r[9]];
    r[3]=r[1]*r[2];               =>      r[5]=r[5]+(L[r[8]]*L[r[9]]); r[8]=r[8]+4; r[9]=r[9]+4;
    r[5]=r[5]+r[3];
    r[8]=r[8]+4;
    r[9]=r[9]+4;

Digital signal processors have such ones.  `simultaneous.py` joins what pairs of instructions reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations

from vpo.algebra import is_step, substitute_in
from vpo.analysis.liveness import access, does_more_than_set
from vpo.opt.state import ALIASES, LIVENESS, FunctionState, merged
from vpo.rtl import Effect, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block

Seen = tuple[Set, tuple[int, ...]]  # an effect with others' sources in it, and the RTLs that these come from
WINDOW = 12  # how far apart the RTLs may stand
PARTS = 5  # RTLs whose effects become one


def compute_and_step(state: FunctionState) -> None:
    """Let one instruction compute of cells and step their addresses."""
    for index, block in enumerate(state.function.blocks):
        while _Block(state, block, index).join():
            pass


class _Block:
    """The work on one block: one instruction."""

    def __init__(self, state: FunctionState, block: Block, index: int) -> None:
        self.state, self.machine, self.block, self.rtls = state, state.machine, block, block.rtls
        self.aliases, liveness = state.get(ALIASES), state.get(LIVENESS).copy()
        self.numbering = liveness.numbering
        self.accesses = liveness.accesses[index] = [access(rtl, self.numbering) for rtl in self.rtls]
        self.after = liveness.backward(index)

    def join(self) -> bool:
        """Put in the first instruction that there is; return whether there was one."""
        steps = [place for place, rtl in enumerate(self.rtls) if (one := rtl.single_set) is not None and is_step(one)]
        for end, rtl in enumerate(self.rtls if steps else ()):
            effect = rtl.single_set
            if effect is None or end in steps or not isinstance(effect.source, Op | Register):
                continue
            near = [place for place in steps if abs(place - end) < WINDOW]
            tried: set[Effect] = set()
            for seen, parts in self._seen(end, effect, dict.fromkeys(effect.uses, end), ()) if near else ():
                if seen not in tried and self._try(end, seen, parts, near):
                    return True
                tried.add(seen)
        return False

    def _seen(self, end: int, effect: Set, readers: Mapping[Register, int], parts: tuple[int, ...]) -> Iterator[Seen]:
        """Yield an effect with what is computed only for it in the places of registers, the largest first; and these RTLs.

        `readers` has the first RTL that reads each register of the effect.
        """
        for register, reader in readers.items() if len(parts) < PARTS else ():
            at = self._made_for(register, reader, end, parts)
            made = self.rtls[at].single_set if at is not None else None
            if at is None or made is None:
                continue
            seen = _put(effect, register, made.source)
            rest = {one: place for one, place in readers.items() if one is not register}
            more = {one: min(at, rest.get(one, at)) for one in made.source.uses}
            yield from self._seen(end, seen, {**rest, **more}, (*parts, at))
        if parts:
            yield effect, parts

    def _made_for(self, register: Register, reader: int, end: int, parts: tuple[int, ...]) -> int | None:
        """Return the RTL that sets a register only for RTLs that become one, of which `reader` reads it."""
        bit, inside = self.numbering.mask((register,)), {end, *parts}
        for place in range(reader, end + 1):  # nobody else reads it
            if place not in inside and (self.accesses[place].uses | self.accesses[place].clobbers) & bit:
                return None
            if self.accesses[place].sets & bit:
                break
        else:
            if bit & self.after[end]:
                return None
        for place in range(reader - 1, max(end - WINDOW, -1), -1):
            if self.accesses[place].sets & bit:
                made = self.rtls[place].single_set
                if made is None or made.target is not register or is_step(made) or does_more_than_set(made):
                    return None
                return place if place not in inside else None
            if (self.accesses[place].uses & bit and place not in inside) or self.accesses[place].clobbers & bit:
                return None
        return None

    def _try(self, end: int, seen: Set, parts: tuple[int, ...], steps: list[int]) -> bool:
        """Put in an instruction that has a computed effect and steps addresses in it, if there is one and it may be there."""
        cells = [cell for cell in (*seen.memory, seen.target) if isinstance(cell, Mem)]
        addresses = [cell.address for cell in cells]
        if any(cell.volatile for cell in cells):
            return False
        found = [place for place in steps if self._target(place) in addresses and self._steps_along(place, end, parts)]
        for number in range(len(found), 0, -1):
            for chosen in permutations(found, number):
                effects: tuple[Effect, ...] = (seen, *(self.rtls[place].effects[0] for place in chosen))
                targets = {seen.target, *map(self._target, chosen)}
                is_one = len(targets) == len(effects) and self.machine.is_legal(effects)
                if is_one and not self._clobbers_wanted(effects, end) and self._may_move(end, parts, chosen):
                    return self._install(effects, end, (*parts, *chosen))
        return False

    def _clobbers_wanted(self, effects: tuple[Effect, ...], end: int) -> bool:
        """Whether an instruction in the place of an RTL changes registers, as codes, that are read behind it."""
        return bool(self.numbering.mask(self.machine.clobbers(effects)) & self.after[end])

    def _target(self, place: int) -> object:
        """Return what an RTL sets."""
        effect = self.rtls[place].single_set
        return effect.target if effect is not None else None

    def _steps_along(self, place: int, end: int, parts: tuple[int, ...]) -> bool:
        """Whether a register may step at `end`: all that reads it is in front of the step, and nothing comes between."""
        bit = self.accesses[place].sets
        if place > end:
            between = range(end + 1, place)
        else:
            between = range(place + 1, end + 1)
            if any(self.accesses[part].uses & bit for part in (*parts, end) if part > place):
                return False
        others = [self.accesses[k] for k in between if k not in (*parts, end)]
        return not any((each.uses | each.sets | each.clobbers) & bit for each in others)

    def _may_move(self, end: int, parts: tuple[int, ...], steps: tuple[int, ...]) -> bool:
        """Whether RTLs may be executed only at `end`."""
        gone = {*parts, *steps}
        for part in parts:
            uses, cells = self.accesses[part].uses, self.rtls[part].loads
            if any(self.accesses[later].sets & uses for later in parts if later > part):
                return False  # one register for two values
            for k in range(part + 1, end):
                entry = self.accesses[k]
                if k in gone:
                    continue
                if self.rtls[k].call is not None or (entry.sets | entry.clobbers) & uses:
                    return False
                if any(self.aliases.may_change(self.rtls[k], cell) for cell in cells):
                    return False
        return True

    def _install(self, effects: tuple[Effect, ...], end: int, gone: tuple[int, ...]) -> bool:
        new = merged(effects, *(self.rtls[place] for place in (*sorted(gone), end)))
        instead: dict[Rtl, Rtl | None] = {self.rtls[place]: None for place in gone}
        return self.state.substitute(self.block, {**instead, self.rtls[end]: new})


def _put(effect: Set, register: Register, source: Expr) -> Set:
    """Return an effect with a source in the place of a register."""
    seen = substitute_in(effect, {register: source})
    assert isinstance(seen, Set)
    return seen
