"""Regenerate a trace, slowly and plainly: the definition of what each record of the code does."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cache_sim.traces.regeneration import BLOCK, BRANCH, CONTEXTS, SYSTEM, TRANSFER, Events, Halt, Op, PathCode, State, Words


class Record(NamedTuple):
    """A record of the code; the fields are those of `regeneration.RECORD`."""

    op: int
    kind: int
    size: int
    a: int
    value: int
    site: int
    b: int


class PlainRegenerator:
    """Executes the code record by record.  `_do_x` is what a record with the operation X does.

    Such a method returns a reason to pause, or None.  `following` is where to go on: the next record, unless it changes that.
    """

    def __init__(self, code: PathCode) -> None:
        self.code = code
        self.records = [Record(*row) for row in code.records.tolist()]
        self.mask = (1 << code.bits) - 1
        self.jumps = [tuple(map(int, row)) for row in code.jumps]
        self.entries = {int(address): int(place) for address, place in code.entries}
        self.actions: dict[int, Callable[[Record], Halt | None]] = {op: getattr(self, f"_do_{op.name.lower()}") for op in Op}

    def run(
        self, state: State, control: Words, words: Words, out: Events, wanted: int, stop: int, systems: int, dry: bool
    ) -> tuple[Halt, int]:
        """Go on until there is a reason to pause; return the reason and how many events came out.

        `wanted` has a bit for each kind of events that are to come out.  `stop`: pause after so many instructions in all.
        `systems`: the program ends in its system call of this number, if that is not 0.  `dry`: pause when the streams have
        been read to their end.
        """
        self.state, self.out, self.wanted, self.count = state, out, wanted, 0
        self.control, self.words, self.stop, self.systems = control, words, stop, systems
        while True:
            record = self.records[state.place]
            if wanted and len(out) - self.count < max(record.a if record.op in (Op.FETCH, Op.PART) else 1, 1):
                return Halt.FULL, self.count
            if self._lacks(record.op):
                return Halt.MORE, self.count
            before = state.control + state.words
            self.following = state.place + 1
            halt = self.actions[record.op](record)
            if halt is not None:
                return halt, self.count
            state.place = self.following
            if dry and state.control + state.words > before and self._all_read():
                return Halt.DRY, self.count

    def _lacks(self, op: int) -> bool:
        """True if a record reads more of a stream than there is."""
        short = op in _CONTROL and self.state.control == len(self.control)
        return short or (op in _WORDS and self.state.words + _WORDS[op] > len(self.words))

    def _all_read(self) -> bool:
        return (self.state.control, self.state.words) == (len(self.control), len(self.words))

    # ------------------------------------------------------------------------------ fetches and references

    def _do_fetch(self, record: Record) -> Halt | None:
        state = self.state
        now = min(record.a - state.done, self.stop - state.instructions)
        self._fetch(record.value, record.size, record.site, state.done, now)
        state.instructions += now
        state.done = (state.done + now) % record.a
        return Halt.STOP if state.done or not now else None

    def _do_part(self, record: Record) -> None:
        self._fetch(record.value, record.size, record.site, 0, record.a)

    def _do_refer(self, record: Record) -> None:
        self._put(record.kind, record.value, record.size, record.site)

    def _do_recorded(self, record: Record) -> None:
        self._put(record.kind, self._word(), record.size, record.site)

    def _do_kept(self, record: Record) -> None:
        address = self._word()
        self._put(record.kind, address, record.size, record.site)
        self._set(record.a, address - record.value)

    def _do_derived(self, record: Record) -> None:
        self._put(record.kind, (self._slot(record.a) + record.value) & self.mask, record.size, record.site)

    def _do_guard(self, record: Record) -> None:
        if not self._decision():
            self.following += record.a

    # -------------------------------------------------------------------------------------------- slots

    def _do_set(self, record: Record) -> None:
        self._set(record.a, record.value)

    def _do_copy(self, record: Record) -> None:
        self._set(record.a, self._slot(record.b) + record.value)

    def _do_add(self, record: Record) -> None:
        self._set(record.a, self._slot(record.a) + self._slot(record.b))

    def _do_load(self, record: Record) -> None:
        self._set(record.a, self._word())

    # --------------------------------------------------------------------------------------- within functions

    def _do_block(self, record: Record) -> None:
        self._put(BLOCK, record.value, record.size, record.site)

    def _do_note(self, _: Record) -> None:
        self._decision()

    def _do_jump(self, record: Record) -> None:
        self.following = record.a

    def _do_branch(self, record: Record) -> None:
        self._branch(record, self._decision())

    def _do_test(self, _: Record) -> None:
        self.state.test = self._decision()

    def _do_decide(self, record: Record) -> None:
        self._branch(record, self.state.test)

    def _branch(self, record: Record, taken: int) -> None:
        self._put(BRANCH, 0, taken, record.site)
        if taken:
            self.following = record.a

    def _do_target(self, _: Record) -> None:
        self.state.target = self._word()

    def _do_jump_indirect(self, record: Record) -> Halt | None:
        target = self.state.target
        found = [place for address, place in self.jumps[record.a : record.a + record.b] if address == target]
        if not found:
            return Halt.WRONG
        self._put(TRANSFER, target, 0, record.site)
        self.following = found[0]
        return None

    def _do_end(self, _: Record) -> Halt:
        return Halt.WRONG

    # ---------------------------------------------------------------------------------------- calls and returns

    def _do_call(self, record: Record) -> None:
        self._push(self.following)
        self.following = record.a

    def _do_call_indirect(self, record: Record) -> Halt | None:
        target = self.state.target
        if target not in self.entries:
            return Halt.WRONG
        self._put(TRANSFER, target, 0, record.site)
        self._push(self.following)
        self.following = self.entries[target]
        return None

    def _do_enter(self, record: Record) -> Halt | None:
        state = self.state
        state.base = state.top
        state.top += record.a
        return Halt.WRONG if state.top + 2 > len(state.stack) else None

    def _do_return(self, _: Record) -> Halt | None:
        state = self.state
        if not state.base:
            return Halt.WRONG
        state.top = state.base - 2
        self.following, state.base = map(int, state.stack[state.top : state.base])
        return None

    def _do_save(self, record: Record) -> Halt | None:
        if not self.state.base:
            return Halt.WRONG
        address, pointer = self._word(), self._word()
        self._do_return(record)
        return None if self._save(address, pointer, self.following) else Halt.WRONG

    def _do_resume(self, _: Record) -> Halt | None:
        found = self._context(self._word(), self._word())
        if found < 0:
            return Halt.WRONG
        self.following, self.state.base, self.state.top = map(int, self.state.contexts[found, 2:])
        return None

    def _do_system(self, record: Record) -> Halt | None:
        self._put(SYSTEM, self.state.systems, 0, record.site)
        self.state.systems += 1
        return Halt.EXITED if self.state.systems == self.systems else None

    # --------------------------------------------------------------------------------------------- parts

    def _fetch(self, address: int, size: int, site: int, done: int, count: int) -> None:
        for number in range(done, done + count if size else done):
            self._put(2, address + number * size, size, site + number)

    def _put(self, kind: int, address: int, size: int, site: int) -> None:
        if self.wanted >> kind & 1:
            out, number = self.out, self.count
            out.kinds[number], out.addresses[number], out.sizes[number], out.sites[number] = kind, address, size, site
            self.count += 1

    def _word(self) -> int:
        self.state.words += 1
        return int(self.words[self.state.words - 1])

    def _decision(self) -> int:
        self.state.control += 1
        return int(self.control[self.state.control - 1])

    def _slot(self, slot: int) -> int:
        return int(self.state.stack[self.state.base + slot])

    def _set(self, slot: int, value: int) -> None:
        self.state.stack[self.state.base + slot] = value & self.mask

    def _push(self, following: int) -> None:
        state = self.state
        state.stack[state.top : state.top + 2] = following, state.base
        state.top += 2

    def _context(self, address: int, pointer: int) -> int:
        """Return the number of the context that was saved last with an address and a stack pointer, or -1."""
        contexts = self.state.contexts
        found = [n for n in range(self.state.saved) if tuple(map(int, contexts[n, :2])) == (address, pointer)]
        return found[-1] if found else -1

    def _save(self, address: int, pointer: int, following: int) -> bool:
        """Keep a context in the place of an older one of the same key; forget those of activations that are over."""
        state = self.state
        while state.saved and int(state.contexts[state.saved - 1, 4]) > state.top:
            state.saved -= 1
        number = self._context(address, pointer)
        if number < 0:
            number, state.saved = state.saved, state.saved + 1
        if number == CONTEXTS:
            return False
        state.contexts[number] = address, pointer, following, state.base, state.top
        return True


_CONTROL = {Op.GUARD, Op.BRANCH, Op.TEST, Op.NOTE}
_WORDS: dict[int, int] = {Op.RECORDED: 1, Op.KEPT: 1, Op.LOAD: 1, Op.TARGET: 1, Op.SAVE: 2, Op.RESUME: 2}
