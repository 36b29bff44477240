"""Which constants a proposed instruction takes: one that is fixed, or a range that costs bits of its encoding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

MOST_BITS = 16
SEVERAL = 4  # values that suggest a multiple
FIXED = 3  # constants of a position that are tried as fixed ones
BEST = 2  # choices that are kept of each shape


@dataclass(frozen=True, slots=True)
class Range:
    """The multiples of a number in a range that is a power of two of them; no bits: one constant."""

    low: int
    high: int
    multiple: int = 1

    @property
    def bits(self) -> int:
        """How many bits of encoding tell the constants of the range apart."""
        return ((self.high - self.low) // self.multiple).bit_length()

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high and value % self.multiple == 0

    @property
    def name(self) -> str:
        """A name for an operand: of what sign, of how many bits, of which multiples."""
        sign = "s" if self.low < 0 else "u"
        return f"{sign}{self.bits}" + (f"_by_{self.multiple}" if self.multiple > 1 else "")


Choice = tuple[Range, ...]
Saved = Counter[int]  # executed instructions by number of a program
Worth = Callable[[Mapping[int, int]], float]


def choices(saved: Mapping[tuple[int, ...], Saved], worth: Worth, bits: int, room: int) -> list[Choice]:
    """Return ranges for the constants of a shape that win most for each bit, best first.

    `saved` tells what each group of constants saves, `bits` how many the registers take; at most `room` are left.
    """
    count = len(next(iter(saved), ()))
    options = [list(_options(_by_value(saved, worth, n))) for n in range(count)]
    found: list[tuple[float, Choice]] = []
    for choice in product(*options):
        cost = sum(option.bits for option in choice)
        if cost <= room:
            won = _together(part for values, part in saved.items() if _fits(values, choice))
            found.append((worth(won) / (bits + cost), choice))
    found.sort(key=lambda pair: (-pair[0], [(option.bits, option.low) for option in pair[1]]))
    return [choice for _, choice in found[:BEST]]


def _fits(values: Sequence[int], choice: Choice) -> bool:
    return all(value in option for value, option in zip(values, choice, strict=True))


def _together(parts: Iterable[Saved]) -> Saved:
    result: Saved = Counter()
    for part in parts:
        result.update(part)
    return result


def _by_value(saved: Mapping[tuple[int, ...], Saved], worth: Worth, position: int) -> dict[int, float]:
    """Return what the constants at a position are worth."""
    result: dict[int, Saved] = {}
    for values, part in saved.items():
        result.setdefault(values[position], Counter()).update(part)
    return {value: worth(part) for value, part in result.items()}


def _options(weights: Mapping[int, float]) -> Iterator[Range]:
    """Yield single constants that are worth most, and ranges of as many bits as some of the constants need."""
    values = set(weights)
    dearest = sorted(values, key=lambda value: (-weights[value], value))
    for value in dearest[:FIXED]:
        yield Range(value, value)
    if len(values) > 1:
        multiple = _common_multiple(values)
        signed = min(values) < 0
        needed = sorted({_bits(value // multiple, signed) for value in values})
        for bits in [n for n in needed if 0 < n <= MOST_BITS]:
            half = 1 << (bits - 1)
            low, high = (-half, half - 1) if signed else (0, 2 * half - 1)
            yield Range(low * multiple, high * multiple, multiple)


def _common_multiple(values: set[int]) -> int:
    """Return the greatest power of two, up to 8, of which all values are multiples; 1 if they are too few to tell."""
    if len(values) < SEVERAL:
        return 1
    return next(number for number in (8, 4, 2, 1) if all(value % number == 0 for value in values))


def _bits(value: int, signed: bool) -> int:
    return (value if value >= 0 else ~value).bit_length() + (1 if signed else 0)
