"""Which local variables and values are never negative, since signed arithmetic does not overflow in C.

    int place = 0;  ...  place++;  ... in[place / 8] ...       as good as unsigned: a shift

A variable is never negative if nothing that is assigned to it is, given that the other variables keep to the same.
"""

from __future__ import annotations

from collections.abc import Callable

from vpo import il

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
            elif (result := getattr(statement, "result", None)) is not None:
                others.add(id(result))
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
