"""Random C programs from csmith, and what another compiler says that they print.

A program's checksum depends on the data model only where it sees how values lie in memory: in unions, and where
csmith adds up the bytes of floating values.  Other programs need building only once.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CSMITH = "csmith"
HEADERS = Path("/usr/include/csmith")
ALWAYS = ("--no-packed-struct", "--no-builtins", "--concise", "--no-hash-value-printf")
MULTILIB = "libc6-dev-i386 and lib32gcc-N-dev with the N of `gcc -dumpversion`"
M68K = "gcc-m68k-linux-gnu libc6-dev-m68k-cross qemu-user"
COMMON = ("-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", f"-I{HEADERS}")


@dataclass(frozen=True)
class Oracle:
    """Another compiler for a data model, what runs its output, and the Debian packages of both."""

    compiler: tuple[str, ...]
    emulator: tuple[str, ...] = ()
    packages: str = "gcc libc6-dev"


# sizes are those of ILP32 but for `wide`; the names tell what unions can see: byte order, and the alignment of an int
# (and of a long long, if that is not 8 or the int's)
ORACLES = {
    "little-4": Oracle(("gcc", "-m32", "-malign-double", "-msse2", "-mfpmath=sse"), packages=MULTILIB),
    "little-4-4": Oracle(("gcc", "-m32", "-msse2", "-mfpmath=sse"), packages=MULTILIB),
    "wide": Oracle(("gcc",)),
    "big-4": Oracle(("powerpc-linux-gnu-gcc", "-static"), ("qemu-ppc",), "gcc-powerpc-linux-gnu qemu-user"),
    "big-4-4": Oracle(("m68k-linux-gnu-gcc", "-malign-int", "-static"), ("qemu-m68k",), M68K),
    "big-2": Oracle(("m68k-linux-gnu-gcc", "-static"), ("qemu-m68k",), M68K),
}


def options(seed: int) -> list[str]:
    """Return csmith's options for a seed: small programs, features on and off by turns."""
    chance = random.Random(seed)
    floats = chance.random() < 0.2
    words = [*ALWAYS, f"--seed {seed}"]
    words += [
        f"--max-funcs {chance.randint(1, 4)}",
        f"--max-block-depth {chance.randint(2, 3)}",
        f"--max-block-size {chance.randint(2, 4)}",
        f"--max-expr-complexity {chance.randint(2, 7)}",
        f"--max-array-dim {chance.randint(1, 3)}",
        f"--max-array-len-per-dim {chance.randint(2, 6)}",
        f"--max-pointer-depth {chance.randint(1, 3)}",
        f"--max-struct-fields {chance.randint(2, 8)}",
        f"--inline-function-prob {chance.choice((0, 50))}",
    ]
    for name, likely in (
        ("bitfields", 0.6), ("volatiles", 0.6), ("longlong", 0.8), ("argc", 0.5), ("structs", 0.8), ("jumps", 0.8),
        ("comma-operators", 0.8), ("embedded-assigns", 0.8), ("pointers", 0.9), ("arrays", 0.9), ("consts", 0.8),
        ("int8", 0.9), ("uint8", 0.9), ("const-pointers", 0.8), ("unary-plus-operator", 0.5), ("arg-structs", 0.8),
        ("return-structs", 0.8), ("compound-assignment", 0.8),
    ):  # fmt: skip
        words.append(f"--{'' if chance.random() < likely else 'no-'}{name}")
    words.append("--unions" if chance.random() < 0.5 and not floats else "--no-unions")
    if floats:
        words.append("--float")
    return " ".join(words).split()


def generate(seed: int) -> str:
    """Return the program of a seed, without the lines that name options."""
    command = [CSMITH, *options(seed)]
    text = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("//"))


def version() -> str | None:
    """Return csmith's version, None if it is not there."""
    if shutil.which(CSMITH) is None:
        return None
    return subprocess.run([CSMITH, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]


def model_for(text: str, big_endian: bool, align: int, wide_align: int = 8) -> str:
    """Return the name of the ILP32 model whose output a program must print; the alignments are int's and long long's."""
    order = "big" if big_endian else "little"
    if re.search(r"\bunion\b", text):
        return f"{order}-{align}" + ("-4" if align == wide_align == 4 else "")
    return f"{order}-4" if "transparent_crc_bytes" in text else "little-4"


def model_of(machine, text: str) -> str:
    """Return the name of the model whose output a program must print on a machine."""
    model = machine.model
    if model.sizes["int"] != 4:
        return "short"  # which no compiler here has for programs that print
    if model.sizes["long"] == 8:
        return "wide"
    return model_for(text, model.big_endian, model.aligns["int"], model.aligns["llong"])


def models_of(machine) -> list[str]:
    """Return the names of all models that programs on a machine may need."""
    return list(dict.fromkeys(model_of(machine, text) for text in ("", "transparent_crc_bytes", "union u")))


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
            if expected(source, model, seconds=60) == (0, "there\n"):
                return ""
        except (OSError, subprocess.CalledProcessError):
            pass
    tools = " and ".join((" ".join(oracle.compiler), *oracle.emulator[:1]))
    return f"{tools} (packages: {oracle.packages})"


def is_undefined(source: Path, seconds: float = 5) -> bool:
    """Whether a program converts a floating value to an integer type that cannot hold it, which csmith does not prevent."""
    binary = source.with_suffix(".checked")
    trap = ("-fsanitize=float-cast-overflow", "-fsanitize-undefined-trap-on-error")
    subprocess.run(["gcc", *COMMON, *trap, str(source), "-o", str(binary), "-lm"], timeout=60, check=True, capture_output=True)
    try:
        return subprocess.run([str(binary)], capture_output=True, timeout=seconds, check=False).returncode < 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        binary.unlink()


def expected(source: Path, model: str, seconds: float = 5, extra: tuple[str, ...] = ()) -> tuple[int, str] | None:
    """Return the exit status and output of a program as another compiler has it; None if it does not end."""
    oracle = ORACLES[model]
    binary = source.with_suffix(f".{model}")
    command = [*oracle.compiler, *COMMON, *extra, str(source), "-o", str(binary), "-lm"]
    subprocess.run(command, timeout=60, check=True, capture_output=True)
    try:
        result = subprocess.run([*oracle.emulator, str(binary)], capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    finally:
        binary.unlink()
    return result.returncode, result.stdout.decode("latin-1")
