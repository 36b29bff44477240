"""Random programs of bit-precise integers: each expression with its type and value by the rules of C23 (6.3.2, 6.5)."""

import random

STANDARD = {  # bits, whether signed, rank
    "int": (32, True, 1), "unsigned": (32, False, 1), "long long": (64, True, 2), "unsigned long long": (64, False, 2),
    "signed char": (8, True, 0), "unsigned short": (16, False, 0),
}  # fmt: skip
BIT_PRECISE = -1  # a rank
WIDTHS = (2, 3, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 40, 48, 57, 63, 64)


class UndefinedBehaviourError(Exception):
    """An expression whose value C does not define."""


def name(kind):
    """Return the name of a bit-precise type."""
    return f"{'' if kind[1] else 'unsigned '}_BitInt({kind[0]})"


def wrapped(value, kind):
    value &= (1 << kind[0]) - 1
    return value - (1 << kind[0]) if kind[1] and value >> (kind[0] - 1) else value


def result(value, kind):
    if kind[1] and wrapped(value, kind) != value:
        raise UndefinedBehaviourError
    return wrapped(value, kind)


def promoted(kind):
    return (32, True, 1) if kind[2] == 0 else kind


def usual(left, right):
    """Return the type of an operation on two operands."""
    left, right = promoted(left), promoted(right)
    ranks = {kind: (kind[0], kind[2] != BIT_PRECISE, kind[2]) for kind in (left, right)}
    if left[1] == right[1]:
        return left if ranks[left] >= ranks[right] else right
    signed, unsigned = (left, right) if left[1] else (right, left)
    if ranks[unsigned] >= ranks[signed]:
        return unsigned
    return signed if signed[0] > unsigned[0] else (signed[0], False, signed[2])


def literal(value):
    return f"{value}ull" if value >= 0 else f"(-{-value - 1}ll - 1)"


class Program:
    """A random program that tells of each expression whose value is not as C wants it."""

    def __init__(self, seed, count):
        self.random = random.Random(seed)
        self.variables = [self._variable(f"v{at}") for at in range(14)]
        self.lines = []
        while len(self.lines) < count:
            try:
                text, kind, value = self.expression(self.random.randint(1, 4))
            except UndefinedBehaviourError:
                continue
            number = len(self.lines)
            line = f'if ((unsigned long long){text} != {literal(value)}) printf("%d\\n", {number});'
            if kind[2] == BIT_PRECISE:
                line += f" _Static_assert(_Generic({text}, {name(kind)}: 1, default: 0));"
            self.lines.append(line)

    def _variable(self, label):
        choose = self.random
        if choose.random() < 0.7:
            kind = (choose.choice(WIDTHS), choose.random() < 0.5, BIT_PRECISE)
            spelled = name(kind)
        else:
            spelled = choose.choice(list(STANDARD))
            kind = STANDARD[spelled]
        bits = choose.choice([choose.getrandbits(64), choose.getrandbits(6), -1, 0, 1, 1 << (kind[0] - 1)])
        return label, spelled, kind, wrapped(bits, kind)

    def text(self):
        head = [f"{spelled} {label} = ({spelled}){literal(value)};" for label, spelled, _, value in self.variables]
        return "\n".join(["int printf(const char *, ...);", *head, "int main(void) {", *self.lines, "return 0; }"])

    def expression(self, depth):
        """Return the text, type and value of an expression."""
        choose = self.random
        if depth == 0 or choose.random() < 0.15:
            label, _, kind, value = choose.choice(self.variables)
            return label, kind, value
        which = choose.random()
        text, kind, value = self.expression(depth - 1)
        if which < 0.12:
            return self.unary(text, promoted(kind), value)
        if which < 0.3:
            kind = (choose.randint(2, 64), choose.random() < 0.5, BIT_PRECISE)
            return f"(({name(kind)}){text})", kind, wrapped(value, kind)
        if which < 0.4:
            return self.shift(text, promoted(kind), value)
        other, other_kind, other_value = self.expression(depth - 1)
        common = usual(kind, other_kind)
        a, b = wrapped(value, common), wrapped(other_value, common)
        if which < 0.55:
            operator = choose.choice(["<", "<=", "==", "!=", ">", ">="])
            return f"({text} {operator} {other})", STANDARD["int"], int(eval(f"{a} {operator} {b}"))
        if which < 0.6:
            condition, _, truth = self.expression(depth - 1)
            return f"({condition} ? {text} : {other})", common, a if truth else b
        operator = choose.choice("+-*/%&|^")
        return f"({text} {operator} {other})", common, result(self.computed(operator, a, b, common), common)

    def unary(self, text, kind, value):
        operator = self.random.choice("-~!+")
        if operator == "!":
            return f"(!{text})", STANDARD["int"], int(value == 0)
        return f"({operator}{text})", kind, result({"-": -value, "~": ~value, "+": value}[operator], kind)

    def shift(self, text, kind, value):
        count = self.random.randint(0, kind[0] - 1)
        if self.random.random() < 0.5:
            return f"({text} >> {count})", kind, value >> count
        if kind[1] and value < 0:
            raise UndefinedBehaviourError
        return f"({text} << {count})", kind, result(value << count, kind)

    @staticmethod
    def computed(operator, a, b, kind):
        if operator not in "/%":
            return eval(f"{a} {operator} ({b})")
        if b == 0:
            raise UndefinedBehaviourError
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        result(quotient, kind)
        return quotient if operator == "/" else a - quotient * b
