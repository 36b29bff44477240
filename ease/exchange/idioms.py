"""Instructions that are written as loops, by what they do: operators of RTLs that are tried where a translation fails.

A file of its own, since it is a table to add to.
"""

from __future__ import annotations

from collections.abc import Iterator

from ease.exchange.trees import Instruction

UNARY = ("popcount({a})", "clz({a})", "ctz({a})", "bswap({a})", "brev({a})", "{orc}", "{brev8}", "{zip}", "{unzip}")
BINARY = (
    "clmul({a},{b})", "clmulh({a},{b})", "{clmulr}", "rotl({a},{b})", "rotl({a},neg({b}))", "mulh({a},{b})", "mulhu({a},{b})",
    "mulhsu({a},{b})", "{a}/{b}", "{a}/u{b}", "{a}%{b}", "{a}%u{b}", "{xperm8}", "{xperm4}",
)  # fmt: skip
WITH_NUMBER = ("rotl({a},{n})", "rotl({a},{bits}-{n})")


def candidates(instruction: Instruction, registers: list[str], numbers: list[str], word: int, cell: str) -> Iterator[str]:
    """Yield the sources that an instruction with these operands may be."""
    first = f"{cell}[{registers[0]}]" if registers else ""
    values = {"a": first, "bits": str(word), **_spelled(first, word)}
    if len(registers) == 1 and not numbers:
        yield from (each.format(**values) for each in UNARY if _is_spelled(each, values))
    elif len(registers) == 1 and len(numbers) == 1:
        yield from (each.format(n=numbers[0], **values) for each in WITH_NUMBER)
    elif len(registers) == 2 and not numbers:
        for a, b in (registers, registers[::-1]):
            values = {"a": f"{cell}[{a}]", "b": f"{cell}[{b}]", **_products(f"{cell}[{a}]", f"{cell}[{b}]", word)}
            yield from (each.format(**values) for each in BINARY if _is_spelled(each, values))


def _is_spelled(template: str, values: dict[str, str]) -> bool:
    return not template.startswith("{") or template.strip("{}") in values or "}" in template.rstrip("}")


def _signed(value: int, word: int) -> int:
    return value - (1 << word) if value >> (word - 1) else value


def _spelled(a: str, word: int) -> dict[str, str]:
    """Return what has no operator, with masks."""
    bytes_ = word // 8
    low, high = (_signed(int(each * bytes_, 16), word) for each in ("7f", "80"))
    marked = f"((((({a}&{low})+{low})|{a})&{high}))"
    swapped = a
    for by, digits in ((1, "55"), (2, "33"), (4, "0f")):
        number = _signed(int(digits * bytes_, 16), word)
        swapped = f"((({swapped}>>u{by})&{number})|(({swapped}&{number})<<{by}))"
    return {"orc": f"(({marked}<<1)-({marked}>>u7))", "brev8": swapped}


def _products(a: str, b: str, word: int) -> dict[str, str]:
    return {"clmulr": f"((clmulh({a},{b})<<1)|(clmul({a},{b})>>u{word - 1}))"}
