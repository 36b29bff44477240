"""Print a unit of the intermediate language as plain C, for a 64-bit little-endian host.

Everything the language defines is spelled out: addresses are 64-bit integers, arithmetic wraps, objects are bytes.
Compile the result with `GCC_FLAGS`; symbols the unit does not define are taken from the host's C library.
"""

from __future__ import annotations

import math

from vpo import il
from vpo.il.data_model import DataModel

SIZES = {"char": 1, "short": 2, "int": 4, "long": 8, "llong": 8, "float": 4, "double": 8, "ldouble": 8, "pointer": 8}
LP64 = DataModel(big_endian=False, char_signed=True, sizes=SIZES, aligns=dict(SIZES))

GCC_FLAGS = ["-w", "-no-pie", "-fno-pic", "-fno-builtin", "-fno-strict-aliasing", "-fwrapv", "-O1"]

PRELUDE = """\
typedef signed char I1; typedef short I2; typedef int I4; typedef long I8;
typedef unsigned char U1; typedef unsigned short U2; typedef unsigned int U4; typedef unsigned long U8, P8;
typedef __int128 I16 __attribute__((aligned(8))); typedef unsigned __int128 U16 __attribute__((aligned(8)));
typedef float F4; typedef double F8;
extern long syscall(long, ...);
"""
OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "and": "&", "or": "|", "xor": "^"}
RELATIONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


class Printer:
    def __init__(self, unit: il.Unit) -> None:
        self.unit = unit
        self.defined = {d.name for d in unit.data} | {f.name for f in unit.functions}
        self.variadic = {f.name for f in unit.functions if f.variadic}
        self.externals: set[str] = set()
        self.blocks: set[tuple[int, int]] = set()
        self.locals: dict[int, str] = {}
        self.count = 0

    def symbol(self, name: str) -> str:
        if name in self.defined:
            return "v_" + name.replace(".", "_dot_")
        self.externals.add(name)
        return name

    def block(self, size: int, align: int) -> str:
        self.blocks.add((size, align))
        return f"struct b{size}_{align}"

    # --------------------------------------------------------------------------------------------- expressions

    def constant(self, kind: il.Type, value: int | float) -> str:
        if kind.kind == "F":
            number = float(value)
            if math.isnan(number):
                return f'(({kind})__builtin_nan(""))'
            if math.isinf(number):
                return f"(({kind}){'-' if number < 0 else ''}__builtin_inf())"
            return f"(({kind}){number.hex()})"
        low = f"(({kind}){int(value) & 0xFFFFFFFFFFFFFFFF}UL)"
        return low if kind.size <= 8 else f"(({kind})((U16){(int(value) >> 64) & 0xFFFFFFFFFFFFFFFF}UL << 64 | (U16){low}))"

    def tree(self, node: il.Expr) -> str:
        kind = str(node.type)
        match node:
            case il.Const(type=t, value=value):
                return self.constant(t, value)
            case il.AddrGlobal(name=name, offset=offset):
                return f"((P8)&{self.symbol(name)} + {offset})"
            case il.AddrLocal(local=local, offset=offset):
                return f"((P8)&{self.locals[id(local)]} + {offset})"
            case il.Load(address=il.AddrLocal(local=local, offset=0), volatile=False) if local.type == node.type:
                return self.locals[id(local)]
            case il.Load(address=address, volatile=volatile):
                return f"(*({'volatile ' * volatile}{kind} *){self.tree(address)})"
            case il.Unary(operator="sqrt" | "abs" as operator, operand=operand):
                function = "sqrt" if operator == "sqrt" else "fabs"
                return f"(({kind})__builtin_{function}({self.tree(operand)}))"
            case il.Unary(operator=operator, type=t, operand=operand):
                assert operand.type == t
                if t.kind == "F":
                    return f"(-{self.tree(operand)})"
                return f"(({kind}){'-' if operator == 'neg' else '~'}(U{max(t.size, 8)}){self.tree(operand)})"
            case il.Binary():
                return self.binary(node)
            case il.Compare(relation=relation, left=left, right=right):
                assert left.type == right.type, (left.type, right.type)
                return f"(({kind})({self.tree(left)} {RELATIONS[relation]} {self.tree(right)}))"
            case il.Convert(operand=operand):
                assert operand.type != node.type
                return f"(({kind}){self.tree(operand)})"

    def binary(self, node: il.Binary) -> str:
        kind, left, right = str(node.type), self.tree(node.left), self.tree(node.right)
        assert node.left.type == node.type
        if node.operator in ("shl", "shr"):
            bits = 8 * node.type.size - 1
            cast = f"(U{node.type.size})" if node.operator == "shl" else ""
            return f"(({kind})({cast}{left} {'<<' if cast else '>>'} ({right} & {bits})))"
        assert node.right.type == node.type, (node.operator, node.type, node.right.type)
        operator = OPERATORS[node.operator]
        if node.type.kind == "F" or node.operator in ("div", "mod"):
            return f"(({kind})({left} {operator} {right}))"
        wide = f"U{max(node.type.size, 8)}"
        return f"(({kind})(({wide}){left} {operator} ({wide}){right}))"

    # ---------------------------------------------------------------------------------------------- statements

    def statement(self, node: il.Statement, function: il.Function) -> str:
        match node:
            case il.Label(name=name):
                return f"{name}:;"
            case il.Store(address=il.AddrLocal(local=local, offset=0), value=value) if local.type == value.type:
                return f"{self.locals[id(local)]} = {self.tree(value)};"
            case il.Store(address=address, value=value, volatile=volatile):
                return f"*({'volatile ' * volatile}{value.type} *){self.tree(address)} = {self.tree(value)};"
            case il.Copy(target=target, source=source, size=size):
                return f"__builtin_memcpy((void *){self.tree(target)}, (void *){self.tree(source)}, {size});"
            case il.Call():
                return self.call(node)
            case il.Syscall(number=number, arguments=arguments, result=result):
                inside = ", ".join(self.tree(a) for a in (number, *arguments))
                return f"{self.locals[id(result)]} = syscall({inside});"
            case il.VaStart(address=address):
                return f"*(P8 *){self.tree(address)} = (P8)va;"
            case il.VaArg(address=address, size=size, result=result):
                list_ = f"(*(P8 *){self.tree(address)})"
                return f"{self.locals[id(result)]} = {list_}; {list_} += {(size + 7) // 8 * 8};"
            case il.Jump(label=label):
                return f"goto {label};"
            case il.Branch(relation=relation, left=left, right=right, label=label):
                assert left.type == right.type
                return f"if ({self.tree(left)} {RELATIONS[relation]} {self.tree(right)}) goto {label};"
            case il.Switch(value=value, cases=cases, default=default):
                arms = " ".join(f"case {self.constant(value.type, v)}: goto {label};" for v, label in cases)
                return f"switch ({self.tree(value)}) {{ {arms} default: goto {default}; }}"
            case il.Return(value=None):
                return "return;" if not function.result_size and function.result is None else "__builtin_trap();"
            case il.Return(value=il.Block(address=address, size=size, align=align)):
                return f"return *({self.block(size, align)} *){self.tree(address)};"
            case il.Return(value=value):
                assert value.type == function.result, (function.name, value.type, function.result)
                return f"return {self.tree(value)};"

    def argument(self, node: il.Expr | il.Block) -> tuple[str, str]:
        if isinstance(node, il.Block):
            kind = self.block(node.size, node.align)
            return kind, f"(*({kind} *){self.tree(node.address)})"
        return str(node.type), self.tree(node)

    def call(self, node: il.Call) -> str:
        result = node.result
        kind = "void"
        if result is not None:
            kind = str(result.type) if result.type else self.block(result.size, result.align)
        arguments = [self.argument(a) for a in node.arguments]
        setup = ""
        external = isinstance(node.function, il.AddrGlobal) and node.function.name not in self.defined
        callee = self.tree(node.function)
        if node.variadic and not external:
            setup, arguments = self.variable(arguments[: node.fixed], list(node.arguments)[node.fixed :])
        types = [t for t, _ in arguments]
        if node.variadic and external:
            types = [*types[: node.fixed], "..."]
        text = f"(({kind} (*)({', '.join(types)})){callee})({', '.join(v for _, v in arguments)});"
        if result is None:
            return setup + text
        name = self.locals[id(result)]
        return setup + (f"{name} = {text}" if result.type else f"*({kind} *)&{name} = {text}")

    def variable(self, fixed: list[tuple[str, str]], rest: list[il.Expr | il.Block]) -> tuple[str, list[tuple[str, str]]]:
        """Variable arguments go to an array of 8-byte slots whose address is one more argument."""
        self.count += 1
        name = f"slots{self.count}"
        setup, at = "", 0
        for node in rest:
            kind, value = self.argument(node)
            setup += f"*({kind} *)({name} + {at}) = {value}; "
            at += ((node.size if isinstance(node, il.Block) else node.type.size) + 7) // 8 * 8
        return f"char {name}[{at + 8}] __attribute__((aligned(16))); {setup}", [*fixed, ("char *", name)]

    # ----------------------------------------------------------------------------------------------- top level

    def head(self, function: il.Function) -> str:
        kind = str(function.result) if function.result else "void"
        if function.result_size:
            kind = self.block(function.result_size, function.result_align)
        parameters = [f"{p.type if p.type else self.block(p.size, p.align)} {self.locals[id(p)]}" for p in function.parameters]
        if function.variadic:
            parameters.append("char *va")
        return f"{kind} {self.symbol(function.name)}({', '.join(parameters) or 'void'})"

    def function(self, function: il.Function) -> str:
        lines = [self.head(function) + " {"]
        for local in function.locals:
            volatile = "volatile " * local.volatile
            name = self.locals[id(local)]
            if local.type is not None:
                lines.append(f"  {volatile}{local.type} {name} __attribute__((aligned({local.align})));")
            else:
                lines.append(f"  char {name}[{max(local.size, 1)}] __attribute__((aligned({local.align})));")
        lines += ["  " + self.statement(s, function) for s in function.body]
        return "\n".join([*lines, "}"])

    def data(self, data: il.Data) -> tuple[str, list[str]]:
        name = self.symbol(data.name)
        stores = []
        last = 0
        for item in data.items:
            assert item.offset >= last, data
            where = f"({name} + {item.offset})"
            match item:
                case il.IntItem(size=size, value=value):
                    stores.append(f"*(U{size} *){where} = {self.constant(il.Type('U', size), value & (1 << 8 * size) - 1)};")
                case il.FloatItem(size=size, value=value):
                    kind = il.Type("F", size)
                    stores.append(f"*({kind} *){where} = {self.constant(kind, value)};")
                case il.AddressItem(symbol=symbol, addend=addend):
                    stores.append(f"*(P8 *){where} = (P8)&{self.symbol(symbol)} + {addend};")
                    size = 8
                case il.BytesItem(data=raw):
                    size = len(raw)
                    text = "".join(f"\\{b:03o}" for b in raw)
                    stores.append(f'__builtin_memcpy({where}, "{text}", {size});')
            last = item.offset + size
        assert last <= data.size, data
        return f"char {name}[{max(data.size, 1)}] __attribute__((aligned({max(data.align, 1)})));", stores

    def unit_text(self) -> str:
        for function in self.unit.functions:
            for local in [*function.parameters, *function.locals]:
                assert id(local) not in self.locals, local
                self.locals[id(local)] = f"l{len(self.locals)}_{local.name.replace('.', '_')}"
        heads = [self.head(f) + ";" for f in self.unit.functions]
        bodies = [self.function(f) for f in self.unit.functions]
        definitions, stores = [], []
        for data in self.unit.data:
            definition, items = self.data(data)
            definitions.append(definition)
            stores += items
        start = "int main(int argc, char **argv) {\n" + "\n".join(stores) + "\nreturn v_main(argc, argv);\n}\n"
        heads = [h.replace("v_main(void)", "v_main()") for h in heads]
        bodies = [b.replace("v_main(void)", "v_main()") for b in bodies]
        structs = [f"struct b{s}_{a} {{ char b[{s}]; }} __attribute__((aligned({a})));" for s, a in sorted(self.blocks)]
        externals = [f"extern char {name}[];" for name in sorted(self.externals)]
        return "\n".join([PRELUDE, *structs, *externals, *definitions, *heads, *bodies, start])


def print_c(unit: il.Unit) -> str:
    """The unit as C text."""
    return Printer(unit).unit_text()
