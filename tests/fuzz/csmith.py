"""Random C programs from csmith: small, of every kind that it knows, with the few functions of its headers that they use.

csmith's header of safe arithmetic has 160 functions; compiling them took more time than the program that calls ten.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

CSMITH = "csmith"
HEADERS = Path("/usr/include/csmith")
ALWAYS = ("--concise", "--no-hash-value-printf")
LENGTHS = range(1200, 8000)  # of programs worth their time; without the functions of the header
ATTEMPT = 1 << 32  # from the seed of one attempt to that of the next: with other options
# ... to one with other structures, since the lower 32 bits, which csmith's generator takes, decide whether there are any
OTHER_STRUCTURES = 0x9E3779B9
SECONDS = 10  # that csmith may take for a program

# what the checksum is printed with (uint32_t is no unsigned int on all machines), and built-in functions where C leaves
# their results open or has no such function
START = r"""#define SAFE_MATH_H
#define NOT_PRINT_CHECKSUM
#include "csmith.h"
static void print_checksum(uint32_t sum)
{
    char text[] = "checksum = ........";
    int digit;
    for (digit = 0; digit < 8; digit++)
        text[18 - digit] = "0123456789ABCDEF"[sum >> 4 * digit & 15];
    puts(text);
}
"""
BUILTINS = r"""
#define COUNT_ZEROS(name, type) static int some_##name(type x) { return x ? __builtin_##name(x) : (int)sizeof x * CHAR_BIT; }
COUNT_ZEROS(clz, unsigned) COUNT_ZEROS(clzl, unsigned long) COUNT_ZEROS(clzll, unsigned long long)
COUNT_ZEROS(ctz, unsigned) COUNT_ZEROS(ctzl, unsigned long) COUNT_ZEROS(ctzll, unsigned long long)
#define __builtin_clz some_clz
#define __builtin_clzl some_clzl
#define __builtin_clzll some_clzll
#define __builtin_ctz some_ctz
#define __builtin_ctzl some_ctzl
#define __builtin_ctzll some_ctzll
#define __builtin_ia32_crc32qi(sum, byte) ((uint32_t)(sum) * 33 ^ (uint8_t)(byte))
"""


def options(seed: int) -> list[str]:
    """Return csmith's options for a seed: small programs, features on and off by turns."""
    chance = random.Random(seed)
    floats = chance.random() < 0.2
    words = [*ALWAYS, f"--seed {seed}"]
    words += [
        f"--max-funcs {chance.randint(1, 5)}",
        f"--max-block-depth {chance.randint(2, 4)}",
        f"--max-block-size {chance.randint(2, 4)}",
        f"--max-expr-complexity {chance.randint(2, 8)}",
        f"--max-array-dim {chance.randint(1, 3)}",
        f"--max-array-len-per-dim {chance.randint(2, 6)}",
        f"--max-pointer-depth {chance.randint(1, 4)}",
        f"--max-struct-fields {chance.randint(2, 8)}",
        f"--inline-function-prob {chance.choice((0, 50))}",
    ]
    for name, likely in (
        ("bitfields", 0.6), ("volatiles", 0.6), ("longlong", 0.8), ("argc", 0.5), ("structs", 0.8), ("jumps", 0.8),
        ("comma-operators", 0.8), ("embedded-assigns", 0.8), ("pointers", 0.9), ("arrays", 0.9), ("consts", 0.8),
        ("int8", 0.9), ("uint8", 0.9), ("const-pointers", 0.8), ("unary-plus-operator", 0.5), ("arg-structs", 0.8),
        ("return-structs", 0.8), ("compound-assignment", 0.8), ("packed-struct", 0.4), ("builtins", 0.4),
    ):  # fmt: skip
        words.append(f"--{'' if chance.random() < likely else 'no-'}{name}")
    # a union may hold a signalling NaN, which copying changes on some machines and not on others
    words.append("--unions" if chance.random() < 0.5 and not floats else "--no-unions")
    if floats:
        words.append("--float")
    return " ".join(words).split()


def generate(seed: int, aggregates: bool = False, more: Sequence[str] = ()) -> str:
    """Return the program of a seed: the first of a worthwhile length, and with structures or unions if told so.

    `more` are further options of csmith.
    """
    while True:
        command = [CSMITH, *options(seed), *more]
        try:
            text = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True).stdout
        except subprocess.TimeoutExpired:  # csmith does not always end
            text = ""
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("//"))
        if len(text) in LENGTHS:
            if not aggregates or re.search(r"^(struct|union) ", text, re.MULTILINE):
                return with_functions(text)
            seed += OTHER_STRUCTURES
        seed += ATTEMPT


def with_functions(text: str) -> str:
    """Return a program of csmith with those functions of its headers that it uses, for any size of int."""
    # an int of 16 bits has no fields of more
    text = re.sub(r"\b(un)?signed(\s+\w+\s*: *(?:1[7-9]|[23]\d)\b)", lambda m: f"{'u' if m[1] else ''}int32_t{m[2]}", text)
    text = re.sub(r"platform_main_end\((.*), print_hash_value\);", r"print_checksum(\1);", text)
    used = sorted(set(re.findall(r"\bsafe_(\w+)", text)))
    functions = "".join(_safe_functions()[name] for name in used)
    builtins = BUILTINS if "__builtin_" in text else ""
    return text.replace('#include "csmith.h"\n', f"{START}{builtins}{functions}", 1)


@cache
def _safe_functions() -> dict[str, str]:
    """Return the definitions of csmith's functions for arithmetic without undefined results, by name without `safe_`."""
    text = (HEADERS / "safe_math.h").read_text()
    found = re.finditer(r"^STATIC \w+\s+FUNC_NAME\((\w+)\)(.*?^\})\n", text, re.MULTILINE | re.DOTALL)
    functions = {match[1]: match[0].replace(f"FUNC_NAME({match[1]})", f"safe_{match[1]}") for match in found}
    narrow = re.compile(r"_func_u?int(8|16)_t")  # which are shifted as an int, which need not have 32 bits
    return {name: body.replace(">= 32)", ">= INT_BIT)") if narrow.search(name) else body for name, body in functions.items()}


def version() -> str | None:
    """Return csmith's version, None if it is not there."""
    if shutil.which(CSMITH) is None:
        return None
    return subprocess.run([CSMITH, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
