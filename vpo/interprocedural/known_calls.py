"""Calls of functions of <string.h> whose arguments tell how much there is to do: it is done in place.

    memcpy(&word, bytes, 4);     =>    a copy of 4 bytes (il.Copy)
    memset(&pair, 0, 8);         =>    two words are set
    strcpy(name, "easecc");      =>    a copy of 7 bytes
    strlen("easecc")             =>    6

What is copied often is aligned to words where it is this unit that says where it lies.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from vpo import il
from vpo.il.data_model import DataModel
from vpo.il.uses import string_at

FEW = 2  # moves where room counts: a call takes as much
MOST = 8  # moves, and twice as many of words: more take more room than a call, and not much less time


def replace_known_calls(
    unit: il.Unit, pointer: il.Type, model: DataModel, most: int = MOST, kept: Collection[str] = ()
) -> None:
    """Do in place what calls in a unit ask for, in at most so many moves; the unit's own functions and some are `kept`."""
    own = {function.name for function in unit.functions}.union(kept)
    objects = {data.name: data for data in unit.data if not data.weak}
    for function in unit.functions:
        if any(isinstance(s, il.Call) and _name(s) in _KNOWN and _name(s) not in own for s in function.body):
            known = _Known(function, pointer, model, most, objects)
            function.body = [
                new
                for old in function.body
                for new in (known.replaced(old) if isinstance(old, il.Call) and _name(old) not in own else None) or [old]
            ]


def _name(call: il.Call) -> str:
    return call.function.name if isinstance(call.function, il.AddrGlobal) else ""


@dataclass
class _Known:
    """What is known in one function; `objects` are those of its unit, by name."""

    function: il.Function
    pointer: il.Type
    model: DataModel
    most: int
    objects: Mapping[str, il.Data]

    def replaced(self, call: il.Call) -> list[il.Statement] | None:
        """Return what a call does in statements; None if it cannot be told, or takes too many."""
        arguments = [argument for argument in call.arguments if not isinstance(argument, il.Block)]
        types = _KNOWN.get(_name(call))
        if types is None or len(arguments) != len(call.arguments) or types != "".join(a.type.kind[0] for a in arguments):
            return None
        match _name(call), arguments:
            case "strlen", [text]:
                return self._length(call, string_at(text, self.objects))
            case "strcpy", [target, source]:
                known = string_at(source, self.objects)
                return self._copy(call, target, source, len(known) + 1) if known is not None else None
            case "memcpy", [target, source, il.Const(value=int(size))]:
                return self._copy(call, target, source, size)
            case "memset", [target, il.Const(value=int(byte)), il.Const(value=int(size))]:
                return self._fill(call, target, byte & 0xFF, size)
        return None

    def _length(self, call: il.Call, text: bytes | None) -> list[il.Statement] | None:
        result = call.result
        if text is None or result is None or result.type is None:
            return None
        return [il.Store(il.AddrLocal(self.pointer, result), il.Const(result.type, len(text)), call.line)]

    # --------------------------------------------------------------------------------------------------- in place

    def _copy(self, call: il.Call, target: il.Expr, source: il.Expr, size: int) -> list[il.Statement] | None:
        if not size or self._is_volatile(target) or self._is_volatile(source):
            return None
        align = min(self._aligned(target, size), self._aligned(source, size))
        if not self._is_short(size, align):
            return None
        target, before = self._again(target, call)
        return [*before, *self._result(call, target), il.Copy(target, source, size, align, call.line)]

    def _fill(self, call: il.Call, target: il.Expr, byte: int, size: int) -> list[il.Statement] | None:
        step = self._step(self._aligned(target, size))
        if not size or self._is_volatile(target) or not self._is_short(size, step):
            return None
        target, statements = self._again(target, call)
        statements += self._result(call, target)
        offset = 0
        while offset < size:
            while step > size - offset:
                step //= 2
            value = il.Const(il.Type("U", step), int.from_bytes(bytes([byte]) * step, "little"))
            statements.append(il.Store(self._at(target, offset), value, call.line))
            offset += step
        return statements

    def _again(self, target: il.Expr, call: il.Call) -> tuple[il.Expr, list[il.Statement]]:
        """Return an address that may be computed several times, and what is done before."""
        if isinstance(target, il.AddrLocal | il.AddrGlobal):
            return target, []
        local = il.Local("target", self.pointer, self.pointer.size, self.pointer.size)
        self.function.locals.append(local)
        address = il.AddrLocal(self.pointer, local)
        return il.Load(self.pointer, address), [il.Store(address, target, call.line)]

    def _result(self, call: il.Call, target: il.Expr) -> list[il.Statement]:
        return [il.Store(il.AddrLocal(self.pointer, call.result), target, call.line)] if call.result is not None else []

    def _at(self, address: il.Expr, offset: int) -> il.Expr:
        if isinstance(address, il.AddrLocal | il.AddrGlobal):
            return replace(address, offset=address.offset + offset)
        return il.Binary("add", self.pointer, address, il.Const(self.pointer, offset)) if offset else address

    # -------------------------------------------------------------------------------------------------- alignment

    def _step(self, align: int) -> int:
        return min(self.model.access_size(align), self.pointer.size)

    def _is_short(self, size: int, align: int) -> bool:
        """Whether a block takes few moves: of words, and of parts of the last one."""
        step = self._step(align)
        return size // step + (size % step).bit_count() <= self.most * (2 if step == self.pointer.size else 1)

    def _aligned(self, address: il.Expr, size: int) -> int:
        """Return what an address is a multiple of; an object of the unit is aligned to words if it is as large."""
        thing: il.Local | il.Data
        match address:
            case il.AddrLocal(local=thing, offset=offset):
                pass
            case il.AddrGlobal(name=name, offset=offset) if name in self.objects:
                thing = self.objects[name]
            case _:
                return 1
        if min(size, thing.size) >= self.pointer.size:
            thing.align = max(thing.align, self.pointer.size)
        return min(thing.align, offset & -offset or thing.align)

    def _is_volatile(self, address: il.Expr) -> bool:
        return isinstance(address, il.AddrLocal) and address.local.volatile


_KNOWN = {"strlen": "P", "strcpy": "PP", "memcpy": "PPU", "memset": "PIU"}  # the kinds of the arguments
