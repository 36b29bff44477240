"""Regenerate a trace, slowly and plainly: the definition of what each record of the code does."""

from __future__ import annotations

from cache_sim.traces.path_code import BLOCK, BRANCH, SYSTEM, TRANSFER, Op
from cache_sim.traces.regeneration import CONTEXTS, Events, Halt, PathCode, State, Words


class PlainRegenerator:
    """Executes the code record by record."""

    def __init__(self, code: PathCode) -> None:
        self.code = code
        self.records = code.records.tolist()
        self.mask = (1 << code.bits) - 1
        self.jumps = [tuple(map(int, row)) for row in code.jumps]
        self.entries = {int(address): int(place) for address, place in code.entries}

    def run(
        self, state: State, control: Words, words: Words, out: Events, wanted: int, stop: int, systems: int, dry: bool
    ) -> tuple[Halt, int]:
        """Go on until there is a reason to pause; return the reason and how many events came out.

        `wanted` has a bit for each kind of events that are to come out.  `stop`: pause after so many instructions in all.
        `systems`: the program ends in its system call of this number, if that is not 0.  `dry`: pause when the streams have
        been read to their end.
        """
        self.state, self.out, self.wanted, self.count = state, out, wanted, 0
        while True:
            op, kind, size, a, value, site, b = self.records[state.place]
            if wanted and len(out) - self.count < max(a if op in (Op.FETCH, Op.PART) else 1, 1):
                return Halt.FULL, self.count
            before = state.control + state.words
            if (op in _CONTROL and state.control == len(control)) or (op in _WORDS and state.words + _WORDS[op] > len(words)):
                return Halt.MORE, self.count
            following = state.place + 1
            match op:
                case Op.FETCH:
                    now = min(a - state.done, stop - state.instructions)
                    self._fetch(value, size, site, state.done, now)
                    state.instructions += now
                    state.done = (state.done + now) % a
                    if state.done or not now:
                        return Halt.STOP, self.count
                case Op.PART:
                    self._fetch(value, size, site, 0, a)
                case Op.REFER:
                    self._put(kind, value, size, site)
                case Op.RECORDED | Op.KEPT:
                    address = self._word(words)
                    self._put(kind, address, size, site)
                    if op == Op.KEPT:
                        self._set(a, address - value)
                case Op.DERIVED:
                    self._put(kind, (int(state.stack[state.base + a]) + value) & self.mask, size, site)
                case Op.GUARD:
                    following += 0 if self._decision(control) else a
                case Op.SYSTEM:
                    self._put(SYSTEM, state.systems, 0, site)
                    state.systems += 1
                    if state.systems == systems:
                        return Halt.EXITED, self.count
                case Op.SET:
                    self._set(a, value)
                case Op.COPY:
                    self._set(a, int(state.stack[state.base + b]) + value)
                case Op.ADD:
                    self._set(a, int(state.stack[state.base + a]) + int(state.stack[state.base + b]))
                case Op.LOAD:
                    self._set(a, self._word(words))
                case Op.JUMP:
                    following = a
                case Op.BRANCH | Op.DECIDE:
                    taken = self._decision(control) if op == Op.BRANCH else state.test
                    self._put(BRANCH, 0, taken, site)
                    following = a if taken else following
                case Op.TEST:
                    state.test = self._decision(control)
                case Op.TARGET:
                    state.target = self._word(words)
                case Op.CALL:
                    self._push(following)
                    following = a
                case Op.CALL_INDIRECT:
                    if state.target not in self.entries:
                        return Halt.WRONG, self.count
                    self._put(TRANSFER, state.target, 0, site)
                    self._push(following)
                    following = self.entries[state.target]
                case Op.JUMP_INDIRECT:
                    found = [place for address, place in self.jumps[a : a + b] if address == state.target]
                    if not found:
                        return Halt.WRONG, self.count
                    self._put(TRANSFER, state.target, 0, site)
                    following = found[0]
                case Op.ENTER:
                    state.base = state.top
                    state.top += a
                    if state.top + 2 > len(state.stack):
                        return Halt.WRONG, self.count
                case Op.NOTE:
                    self._decision(control)
                case Op.RETURN | Op.SAVE:
                    if not state.base:
                        return Halt.WRONG, self.count
                    context = (self._word(words), self._word(words)) if op == Op.SAVE else None
                    state.top = state.base - 2
                    following, state.base = map(int, state.stack[state.top : state.base])
                    if context is not None and not self._save(*context, following):
                        return Halt.WRONG, self.count
                case Op.RESUME:
                    found_at = self._context(self._word(words), self._word(words))
                    if found_at < 0:
                        return Halt.WRONG, self.count
                    following, state.base, state.top = map(int, state.contexts[found_at, 2:])
                case Op.BLOCK:
                    self._put(BLOCK, value, size, site)
                case _:
                    return Halt.WRONG, self.count
            state.place = following
            if dry and state.control + state.words > before and (state.control, state.words) == (len(control), len(words)):
                return Halt.DRY, self.count

    def _fetch(self, address: int, size: int, site: int, done: int, count: int) -> None:
        for number in range(done, done + count if size else done):
            self._put(2, address + number * size, size, site + number)

    def _put(self, kind: int, address: int, size: int, site: int) -> None:
        if self.wanted >> kind & 1:
            out, number = self.out, self.count
            out.kinds[number], out.addresses[number], out.sizes[number], out.sites[number] = kind, address, size, site
            self.count += 1

    def _word(self, words: Words) -> int:
        self.state.words += 1
        return int(words[self.state.words - 1])

    def _decision(self, control: Words) -> int:
        self.state.control += 1
        return int(control[self.state.control - 1])

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
_WORDS = {Op.RECORDED: 1, Op.KEPT: 1, Op.LOAD: 1, Op.TARGET: 1, Op.SAVE: 2, Op.RESUME: 2}
