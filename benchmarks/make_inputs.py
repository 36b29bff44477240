"""Write the big inputs of the samples' benchmark runs: `python benchmarks/make_inputs.py DIRECTORY`.

The files are the same on every machine and with every Python version: all choices come from the generator below.
`samples/samples.json` names them as `{inputs}/NAME` in the `bench` entries.
"""

import sys
from pathlib import Path

KINDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]


class Choices:
    """A linear congruential generator, so that nothing depends on the `random` module."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def word(self) -> str:
        """Return a pronounceable word; short ones are frequent."""
        syllables = 1 + self.below(2) + self.below(2)
        return "".join("bdfgklmnprstvz"[self.below(14)] + "aeiou"[self.below(5)] for _ in range(syllables))

    def line(self) -> str:
        """Return a line of some words."""
        return " ".join(self.word() for _ in range(3 + self.below(8)))


def text(size: int) -> str:
    """Text for `compact`: words and some numbers."""
    choices = Choices(1)
    lines = []
    length = 0
    while length < size:
        line = choices.line() + (f", {choices.below(100000)}." if choices.below(4) == 0 else "")
        lines.append(line + "\n")
        length += len(line) + 1
    return "".join(lines)


def c_source(groups: int) -> str:
    """Macros, conditions and uses of both for `cpp`."""
    choices = Choices(2)
    lines = [
        "#define PASTE(a, b) a ## b",
        "#define JOIN(a, b) PASTE(a, b)",
        "#define STRING(x) #x",
        "#define SHOW(x) STRING(x)",
        "#define MAX(a, b) ((a) > (b) ? (a) : (b))",
        "#define MIN(a, b) ((a) < (b) ? (a) : (b))",
        "#define CLAMP(x, low, high) MIN(MAX(x, low), high)",
        "#define LOG(level, ...) log_message(level, __FILE__, __LINE__, __VA_ARGS__)",
    ]
    for number in range(groups):
        name = f"{choices.word()}_{number}"
        limit = choices.below(1000)
        lines += [
            f"/* ---- {name}: {choices.line()} */",
            f"#define LIMIT_{number} ({limit} + {choices.below(9)} * {choices.below(99)})",
            f"#if LIMIT_{number} % 3 == 0 || defined(NO_{name}) && LIMIT_{number} > 0x{limit:x}",
            f"static int JOIN({name}_, {KINDS[limit % 8]}) = CLAMP(LIMIT_{number}, {limit // 2}, {limit * 2});",
            f"#elif LIMIT_{number} & 1",
            f"extern const char *{name}; /* {choices.line()} */",
            "#else",
            f'const char *{name} = SHOW(LIMIT_{number}) "{choices.word()}\\n"; // {choices.line()}',
            "#endif",
            f"int use_{name}(int x, int y)",
            "{",
            f"    if (x < LIMIT_{number} && y != MAX(x, {choices.below(50)}))",
            f'        LOG({choices.below(4)}, "{choices.word()} %d %s", MIN(x + 1, y), SHOW(JOIN({name}, x)));',
            f"    return CLAMP(x * y, MIN(x, y), LIMIT_{number});",
            "}",
            "",
        ]
    return "\n".join(lines) + "\n"


def versions(count: int, changes: int) -> tuple[str, str]:
    """Two versions of a text for `diff`; some lines occur often."""
    choices = Choices(3)
    common = [choices.line() for _ in range(50)]
    old = [common[choices.below(50)] if choices.below(3) == 0 else choices.line() for _ in range(count)]
    new = list(old)
    for _ in range(changes):
        at = choices.below(len(new))
        match choices.below(4):
            case 0:
                new[at] += " " + choices.word()
            case 1:
                del new[at : at + 1 + choices.below(4)]
            case 2:
                new[at:at] = [choices.line() for _ in range(1 + choices.below(4))]
            case _:
                new[at:at] = [common[choices.below(50)]]
    return "\n".join(old) + "\n", "\n".join(new) + "\n"


def binary(size: int) -> bytes:
    """Return bytes for `od`: noise, text and runs of zeros."""
    choices = Choices(4)
    data = bytearray()
    while len(data) < size:
        match choices.below(3):
            case 0:
                data += bytes(choices.below(256) for _ in range(64))
            case 1:
                data += choices.line().encode() + b"\0"
            case _:
                data += bytes(choices.below(80))
    return bytes(data[:size])


def points(count: int) -> str:
    """Return points for `spline`, in thousandths."""
    choices = Choices(5)
    x = y = 0
    lines = []
    for _ in range(count):
        lines.append(f"{x / 1000:.3f} {y / 1000:.3f}\n")
        x += 100 + choices.below(2000)
        y += choices.below(4001) - 2000
    return "".join(lines)


PUZZLE = """\
# The default puzzle, with the edges in an order that makes the search long
box 5 5 5
block 13  1 4 2
block 3   3 1 1
block 1   2 2 1
block 1   2 2 2
"""


def write(directory: Path) -> None:
    """Write all files."""
    directory.mkdir(parents=True, exist_ok=True)
    old, new = versions(16_000, 3600)
    files = {
        "compact.txt": text(3_000_000),
        "preprocess.c": c_source(1000),
        "diff_old.txt": old,
        "diff_new.txt": new,
        "puzzle.txt": PUZZLE,
        "spline.txt": points(2000),
    }
    for name, content in files.items():
        (directory / name).write_bytes(content.encode())
    (directory / "od.bin").write_bytes(binary(900_000))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write(Path(sys.argv[1]))
