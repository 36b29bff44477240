"""Copies of statements with other locals, labels and lines, in which what has become constant is folded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vpo import il
from vpo.frontend.lower import trees
from vpo.il.uses import is_whole


class Rewriter:
    """Copies expressions and statements; `values` stand for the locals, by id, that are never assigned.

    Subclasses say which locals, labels and lines copies have; here they are those of the original.
    """

    def __init__(self, values: Mapping[int, il.Expr]) -> None:
        self.values = values

    def local(self, local: il.Local) -> il.Local:
        """Return what stands for a local that is in memory or assigned."""
        return local

    def label(self, name: str) -> str:
        """Return what stands for a label."""
        return name

    def line(self, line: int) -> int:
        """Return the source line of the copy of a statement."""
        return line

    def expression(self, node: il.Expr) -> il.Expr:
        """Return the copy of an expression, which is folded where operands have changed."""
        match node:
            case il.AddrLocal(type=kind, local=local, offset=offset):
                new = self.local(local)
                return node if new is local else il.AddrLocal(kind, new, offset)
            case il.Load(type=kind, address=il.AddrLocal(local=local) as address) if id(local) in self.values:
                assert is_whole(address, kind), local.name
                return trees.convert(kind, self.values[id(local)])
            case il.Load(address=address):
                new_address = self.expression(address)
                return node if new_address is address else replace(node, address=new_address)
            case il.Unary(operator=operator, type=kind, operand=operand):
                new_operand = self.expression(operand)
                return node if new_operand is operand else trees.unary(operator, kind, new_operand)
            case il.Convert(type=kind, operand=operand):
                new_operand = self.expression(operand)
                return node if new_operand is operand else trees.convert(kind, new_operand)
            case il.Binary(operator=operator, type=kind, left=left, right=right):
                new_left, new_right = self.expression(left), self.expression(right)
                return node if new_left is left and new_right is right else trees.binary(operator, kind, new_left, new_right)
            case il.Compare(relation=relation, type=kind, left=left, right=right):
                new_left, new_right = self.expression(left), self.expression(right)
                return node if new_left is left and new_right is right else trees.compare(relation, kind, new_left, new_right)
        return node

    def value(self, node: il.Expr | il.Block) -> il.Expr | il.Block:
        """Return the copy of an argument or result."""
        return replace(node, address=self.expression(node.address)) if isinstance(node, il.Block) else self.expression(node)

    def statement(self, node: il.Statement) -> list[il.Statement]:
        """Return the copy of a statement; a branch that always or never branches becomes a jump, or nothing."""
        if isinstance(node, il.Label):
            return [il.Label(self.label(node.name))]
        line, tree = self.line(node.line), self.expression
        match node:
            case il.Store(address=address, value=value):
                return [replace(node, address=tree(address), value=tree(value), line=line)]
            case il.Copy(target=target, source=source):
                return [replace(node, target=tree(target), source=tree(source), line=line)]
            case il.Call(function=function, arguments=arguments, result=result):
                copied = tuple(map(self.value, arguments))
                local = None if result is None else self.local(result)
                return [replace(node, function=tree(function), arguments=copied, result=local, line=line)]
            case il.Syscall(number=number, arguments=words, result=result):
                return [il.Syscall(tree(number), tuple(map(tree, words)), self.local(result), line)]
            case il.VaStart(address=address):
                return [il.VaStart(tree(address), line)]
            case il.VaArg(address=address, result=result):
                return [replace(node, address=tree(address), result=self.local(result), line=line)]
            case il.Jump(label=label):
                return [il.Jump(self.label(label), line)]
            case il.Branch(relation=relation, left=left, right=right, label=label):
                return _branch(il.Branch(relation, tree(left), tree(right), self.label(label), line))
            case il.Switch(value=value, cases=cases, default=default):
                arms = tuple((number, self.label(label)) for number, label in cases)
                return [_switch(il.Switch(tree(value), arms, self.label(default), line))]
            case il.Return(value=value):
                return [il.Return(None if value is None else self.value(value), line)]


def _branch(branch: il.Branch) -> list[il.Statement]:
    """Return a branch, or what it always does."""
    holds = trees.compare(branch.relation, branch.left.type, branch.left, branch.right)
    if not isinstance(holds, il.Const):
        return [branch]
    return [il.Jump(branch.label, branch.line)] if holds.value else []


def _switch(switch: il.Switch) -> il.Switch | il.Jump:
    """Return a switch, or the jump that it always is."""
    if not isinstance(switch.value, il.Const):
        return switch
    return il.Jump(dict(switch.cases).get(int(switch.value.value), switch.default), switch.line)


def without_unreachable(body: list[il.Statement]) -> list[il.Statement]:
    """Return the statements of a body, or of a part into which control comes at the beginning, that control can reach."""
    places = {statement.name: index for index, statement in enumerate(body) if isinstance(statement, il.Label)}
    reached: set[int] = set()
    work = [0]
    while work:
        index = work.pop()
        while index < len(body) and index not in reached:
            reached.add(index)
            match body[index]:
                case il.Jump(label=label):
                    index = places[label]
                    continue
                case il.Branch(label=label):
                    work.append(places[label])
                case il.Switch(cases=cases, default=default):
                    work += [places[label] for label in (default, *(label for _, label in cases))]
                    break
                case il.Return():
                    break
            index += 1
    return [statement for index, statement in enumerate(body) if index in reached]
