"""Where the local variables of a function live: in pseudo-registers or in slots of the frame."""

from __future__ import annotations

from collections.abc import Callable

from vpo import il
from vpo.algebra import binary
from vpo.expand.accesses import Accesses
from vpo.expand.builder import Builder
from vpo.expand.words import Values, Words
from vpo.il.uses import exposed_locals, set_by
from vpo.lower.address_pool import builds
from vpo.lower.narrow_cells import smallest_stored
from vpo.rtl import Const, Expr, Register
from vpo.rtl.function import FAR, FrameSlot

SPILL_RESERVE = 512  # bytes kept free next to the stack pointer for spills and saved registers


class Locals:
    """Places locals, and reads and sets them.

    With `promote`, scalar locals whose address is not taken live in pseudo-registers; without, in memory.
    """

    def __init__(self, source: il.Function, promote: bool, builder: Builder, values: Values, accesses: Accesses) -> None:
        self.builder, self.code, self.values, self.accesses = builder, builder.code, values, accesses
        self._homes: dict[il.Local, list[Register]] = {}
        self._slots: dict[il.Local, str] = {}
        self._elsewhere: dict[il.Local, Expr] = {}
        self._loop_steps = loop_steps(source) if promote else set()
        self._place(source, promote)

    def _place(self, source: il.Function, promote: bool) -> None:
        """Give each local pseudo-registers or a frame slot, small slots nearest to the stack pointer."""
        exposed = exposed_locals(source.body) if promote else None
        in_memory: list[il.Local] = []
        for local in dict.fromkeys((*source.parameters, *source.locals)):
            if exposed is not None and local.type is not None and id(local) not in exposed and not local.volatile:
                self._give_registers(local, local.type)
            else:
                in_memory.append(local)
        least = smallest_stored(self.builder.code)
        machine, used = self.builder.machine, SPILL_RESERVE
        for number, local in enumerate(sorted(in_memory, key=lambda local: local.size)):
            used += -(-local.size // 8) * 8 + 8
            far = not machine.reaches_slot(used) and builds(machine, self.builder.in_frame(FAR))
            name = f"{FAR if far else '.'}{number}.{local.name}"  # no other slot begins so
            self.builder.function.slots[name] = FrameSlot(name, "local", max(local.size, 1), max(local.align, least))
            self._slots[local] = name

    def _give_registers(self, local: il.Local, type_: il.Type) -> None:
        self._homes[local] = [self.values.fresh(type_) for _ in range(self.values.count(type_))]

    def temporary(self, type_: il.Type) -> il.Local:
        """Return a new local, which lives in registers."""
        local = il.Local("switch", type_, type_.size, type_.size)
        self._give_registers(local, type_)
        return local

    def in_registers(self, address: il.Expr) -> il.Local | None:
        """Return the local of an address that lives in registers; None for other addresses."""
        return address.local if isinstance(address, il.AddrLocal) and address.local in self._homes else None

    def is_in_registers(self, local: il.Local) -> bool:
        """Whether a local lives in registers, so that only assignments to it change it."""
        return local in self._homes

    def is_loop_step(self, statement: il.Store) -> bool:
        """Whether a statement steps a signed variable in a loop."""
        return id(statement) in self._loop_steps

    def slot(self, local: il.Local) -> FrameSlot:
        """Return the slot of a local that lives in memory."""
        return self.builder.function.slots[self._slots[local]]

    def live_at(self, local: il.Local, address: Expr) -> None:
        """Let an aggregate live at an address instead of in its slot."""
        del self.builder.function.slots[self._slots.pop(local)]
        self._elsewhere[local] = address

    def address(self, local: il.Local, offset: int = 0) -> Expr:
        """Return the address of a local that lives in memory."""
        if local in self._elsewhere:
            return binary("+", self._elsewhere[local], Const(offset))
        return self.builder.in_frame(self._slots[local], offset)

    def read(self, local: il.Local) -> Words:
        """Copy the words of a local out of its registers."""
        return [self.code.copy(home) for home in self._homes[local]]

    def set(self, local: il.Local, words: Words) -> None:
        """Store words in a scalar local, wherever it lives."""
        assert local.type is not None
        if local in self._homes:
            self._set_registers(self._homes[local], words)
        else:
            with self.code.because("variable"):
                self.accesses.store(self.address(local), words, local.type)

    def _set_registers(self, homes: list[Register], words: Words) -> None:
        if len(homes) > 1:
            words = [self.code.copy(w) if isinstance(w, Register) and w in homes else w for w in words]
        for home, word in zip(homes, words, strict=True):
            self.code.move(home, word)


# ----------------------------------------------------------------------------------------------------------------------
# Which local variables and values are never negative, since signed arithmetic does not overflow in C.
#
#     int place = 0;  ...  place++;  ... in[place / 8] ...       as good as unsigned: a shift
#
# A variable is never negative if nothing that is assigned to it is, given that the other variables keep to the same.


BOTH, LEFT, ANY = "both", "left", "any"  # the operands that must not be negative, so that the result is not
NEEDED = {"add": BOTH, "mul": BOTH, "div": BOTH, "or": BOTH, "xor": BOTH, "mod": LEFT, "shr": LEFT, "and": ANY}


class Signs:
    """Tells of trees of one function whether they are never negative; `is_private` whether only stores change a local."""

    def __init__(self, source: il.Function, is_private: Callable[[il.Local], bool]) -> None:
        self.source, self.is_private = source, is_private
        self._found: set[int] | None = None

    def never_negative(self, node: il.Expr) -> bool:
        """Whether the value of an integer tree, as a number of its type, is never negative."""
        if self._found is None:
            self._find()
        match node:
            case il.Const(value=value):
                return value >= 0
            case il.Load(type=type_, address=il.AddrLocal(local=local)) if type_.kind == "I":
                return self._found is not None and id(local) in self._found and local.type == type_
            case il.Compare():
                return True
            case il.Convert(type=type_, operand=operand):
                wider = type_.size > operand.type.size and operand.type.kind in "IU"
                return type_.kind == "U" or ((wider or type_ == operand.type) and self.never_negative(operand))
            case il.Binary(operator=operator, type=type_, left=left, right=right) if type_.kind == "I":
                return self._of_operation(NEEDED.get(operator), left, right)
        return node.type.kind == "U"

    def _of_operation(self, needed: str | None, left: il.Expr, right: il.Expr) -> bool:
        if needed == LEFT:
            return self.never_negative(left)
        if needed == ANY:
            return self.never_negative(left) or self.never_negative(right)
        return needed == BOTH and self.never_negative(left) and self.never_negative(right)

    def _find(self) -> None:
        """Find the variables: take all to be so, and strike out those that are assigned something else."""
        stores: list[tuple[il.Local, il.Expr]] = []
        others = {id(local) for local in self.source.parameters}  # what they hold comes from elsewhere
        for statement in self.source.body:
            if isinstance(statement, il.Store) and isinstance(statement.address, il.AddrLocal):
                stores.append((statement.address.local, statement.value))
            else:
                others.update(map(id, set_by(statement)))
        mine = [local for local in self.source.locals if local.type is not None and local.type.kind == "I"]
        self._found = {id(local) for local in mine if self.is_private(local)} - others
        wrong: set[int] | None = None
        while wrong != set():
            wrong = {
                id(local)
                for local, value in stores
                if id(local) in self._found and not (value.type == local.type and self.never_negative(value))
            }
            self._found -= wrong


# ----------------------------------------------------------------------------------------------------------------------
# Steps of signed variables in loops: they do not overflow, so that a word that is wider is added to as it is.
#
#     while (i <= n) ... i += 2;       as good with all bits of a register: i is an index without more ado


LONGEST_STEP = 1 << 11  # what is added by more often is meant to wrap: a hash, say


def loop_steps(source: il.Function) -> set[int]:
    """Return the identities of statements in loops that set signed locals to others and a small number."""
    places = {s.name: index for index, s in enumerate(source.body) if isinstance(s, il.Label)}
    found: set[int] = set()
    done = 0
    for index, statement in enumerate(source.body):
        if isinstance(statement, il.Jump | il.Branch) and (head := places[statement.label]) < index:
            found.update(id(s) for s in source.body[max(head, done) : index] if _is_step(s))
            done = index
    return found


def _is_step(statement: il.Statement) -> bool:
    match statement:
        case il.Store(address=il.AddrLocal(local=local), value=il.Binary(type=type_, operator="add" | "sub") as value):
            by = value.right.value if isinstance(value.right, il.Const) else LONGEST_STEP
            from_local = isinstance(value.left, il.Load) and isinstance(value.left.address, il.AddrLocal)
            return from_local and type_ == local.type and type_.kind == "I" and abs(by) < LONGEST_STEP
    return False
