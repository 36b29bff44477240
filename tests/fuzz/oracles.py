"""What other compilers say that a program prints.

Random programs' output depends on the data model only where they see how values lie in memory: in unions, and where
csmith adds up the bytes of floating values.  Other programs need building only once.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.fuzz.csmith import HEADERS
from tests.fuzz.variants import VARIANTS, Variant

Outcome = tuple[int, str]  # exit status and output
MULTILIB = "libc6-dev-i386 and lib32gcc-N-dev with the N of `gcc -dumpversion`"
M68K = "gcc-m68k-linux-gnu libc6-dev-m68k-cross qemu-user"
COMMON = ("-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", f"-I{HEADERS}", "-lm")
SANITIZED = ("-O0", "-Werror=format", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-ffp-contract=off")
AVR = "atmega1284p"
WIDE_INT = "/* an int has 32 bits */"  # in programs that are not for machines with an int of 16
ANY_LAYOUT = "/* nothing shows how values lie in memory */"  # in programs with unions that print the same all the same
KINDS_OF_TEXTS = ("", "transparent_crc_bytes", "union u")  # which models tell apart
SERIAL = re.compile(rb"\x1b\[32m(.*?)\.?\n\x1b\[0m", re.DOTALL)  # a line that the simulator's serial line printed
_CONSOLE = Path(__file__).with_name("avr_console.c")


@dataclass(frozen=True)
class Oracle:
    """Another compiler for a data model, what runs its output, and the Debian packages of both.

    A `console` is a file that the program needs to print on the emulator's serial line; then there is no exit status.
    """

    compiler: tuple[str, ...]
    emulator: tuple[str, ...] = ()
    packages: str = "gcc libc6-dev"
    console: Path | None = None


# sizes are those of ILP32 but for `wide`, `big-wide` and `short`; the names tell what unions can see: byte order, and the
# alignment of an int (and of a long long, if that is not 8 or the int's)
ORACLES = {
    "little-4": Oracle(("gcc", "-m32", "-malign-double", "-msse2", "-mfpmath=sse"), packages=MULTILIB),
    "little-4-4": Oracle(("gcc", "-m32", "-msse2", "-mfpmath=sse"), packages=MULTILIB),
    "wide": Oracle(("gcc",)),
    "big-wide": Oracle(
        ("s390x-linux-gnu-gcc", "-static"), ("qemu-s390x",), "gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user"
    ),
    "big-4": Oracle(("powerpc-linux-gnu-gcc", "-static"), ("qemu-ppc",), "gcc-powerpc-linux-gnu qemu-user"),
    "big-4-4": Oracle(("m68k-linux-gnu-gcc", "-malign-int", "-static"), ("qemu-m68k",), M68K),
    "big-2": Oracle(("m68k-linux-gnu-gcc", "-static"), ("qemu-m68k",), M68K),
    "short": Oracle(
        ("avr-gcc", f"-mmcu={AVR}"), ("simavr", "-m", AVR, "-f", "16000000"), "gcc-avr avr-libc simavr", _CONSOLE
    ),
}


def model_for(text: str, big_endian: bool, align: int, wide_align: int = 8) -> str:
    """Return the name of the ILP32 model whose output a program must print; the alignments are int's and long long's."""
    order = "big" if big_endian else "little"
    if re.search(r"\bunion\b", text):
        return f"{order}-{align}" + ("-4" if align == wide_align == 4 else "")
    return f"{order}-4" if "transparent_crc_bytes" in text else "little-4"


def model_of(machine, text: str) -> str:
    """Return the name of the model whose output a program must print on a machine."""
    model = machine.model
    text = "" if ANY_LAYOUT in text else text
    if model.sizes["int"] != 4:  # of a double, another compiler has 32 bits, too; and its bytes are in another order
        return "short, in memory" if re.search(r"\b(union|float|double)\b", text) else "short"
    if model.sizes["long"] == 8:
        return "big-wide" if model.big_endian and re.search(r"\bunion\b|transparent_crc_bytes", text) else "wide"
    return model_for(text, model.big_endian, model.aligns["int"], model.aligns["llong"])


def models_of(machine, texts: Sequence[str] = KINDS_OF_TEXTS) -> list[str]:
    """Return the names of all models that programs of such texts may need on a machine and that some compiler has."""
    models = dict.fromkeys(model_of(machine, text) for text in texts)
    return [model for model in models if model in ORACLES]


@cache
def missing(model: str) -> str:
    """Say which tool for a model is not installed, with its packages; '' if a program can be compiled and run."""
    if model not in ORACLES:
        return f"a compiler with the data model '{model}', which none here has"
    oracle = ORACLES[model]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.c"
        source.write_text('#include <stdio.h>\nint main(void) { puts("there"); return 0; }\n')
        try:
            if expected([source], model, seconds=60) == (0, "there\n"):
                return ""
        except (OSError, subprocess.CalledProcessError):
            pass
    tools = " and ".join((" ".join(oracle.compiler), *oracle.emulator[:1]))
    return f"{tools} (packages: {oracle.packages})"


def is_undefined(sources: Sequence[Path], seconds: float = 5, variant: Variant = VARIANTS["none"]) -> bool:
    """Whether a program does what csmith does not prevent, or not with the variant's options.

    It fails one of the variant's checks, such as that floating values fit the integer types that they are converted to; or
    it has a pointer to a member of a packed structure that need not be aligned: whether a run meets an address that is not
    depends on where the stack is.
    """
    if any(_points_into_packed(source) for source in sources):
        return True
    binary = sources[0].with_suffix(".checked")
    trap = (f"-fsanitize={','.join(variant.checks)}", "-fsanitize-undefined-trap-on-error")
    command = ["gcc", *trap, *map(str, sources), "-o", str(binary), *COMMON, *variant.options]
    subprocess.run(command, timeout=60, check=True, capture_output=True)
    try:
        return subprocess.run([str(binary)], capture_output=True, timeout=seconds, check=False).returncode < 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        binary.unlink()


def report(source: Path, seconds: float = 60) -> tuple[str, Outcome]:
    """Return what gcc's sanitizers say of a program's run, and its outcome without improvements."""
    binary = source.with_suffix(".sanitized")
    subprocess.run(["gcc", *SANITIZED, str(source), "-o", str(binary)], timeout=60, check=True, capture_output=True)
    result = subprocess.run([str(binary)], capture_output=True, timeout=seconds, check=False)
    binary.unlink()
    return result.stderr.decode("latin-1"), (result.returncode, result.stdout.decode("latin-1"))


def _points_into_packed(source: Path) -> bool:
    """Whether gcc finds a pointer to a member of a packed structure: it looks at those with the attribute only."""
    text = re.sub(r"#pragma pack\(push\)\s+#pragma pack\(1\)\s+struct", "struct __attribute__((packed))", source.read_text())
    told = subprocess.run(
        ["gcc", "-fsyntax-only", "-Waddress-of-packed-member", "-x", "c", "-", f"-I{HEADERS}"],
        input=text, timeout=60, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return "[-Waddress-of-packed-member]" in told.stderr


def expected(
    sources: Sequence[Path], model: str, seconds: float = 5, variant: Variant = VARIANTS["none"]
) -> tuple[int, str] | None:
    """Return the exit status and output of a program as another compiler has it; None if it does not end."""
    oracle = ORACLES[model]
    binary = sources[0].with_suffix(f".{model}")
    files = [*sources, oracle.console] if oracle.console else sources
    command = [*oracle.compiler, *map(str, files), "-o", str(binary), *COMMON, *variant.options]
    subprocess.run(command, timeout=60, check=True, capture_output=True)
    try:
        result = subprocess.run([*oracle.emulator, str(binary)], capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    finally:
        binary.unlink()
    if oracle.console:
        lines = SERIAL.findall(result.stdout + result.stderr)
        return 0, "".join(f"{line.decode('latin-1')}\n" for line in lines)
    return result.returncode, result.stdout.decode("latin-1")
