"""What is said to somebody who wrote something else than RTL.

A file of its own, since it is wanted where the parser is not loaded.
"""

from __future__ import annotations

import re

from vpo.rtl import COUNTS, NAMED, REVERSALS


class TextError(Exception):
    """RTL text that cannot be read: `line` and `column` count from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


# what somebody may have meant, and how RTLs say it
FUNCTIONS = (
    "sx zx tr cvt cvtu bits (each with the letter of a type), neg not abs sqrt fma clz ctz popcount bswap brev rotl mulh mulhu"
    " mulhsu clmul clmulh SEL SYS"
)
_NAMES = r"(?:sx|zx|tr|cvtu?|bits)[BWLQFD]|neg|not|sqrt|abs|" + "|".join((*COUNTS, *REVERSALS, *NAMED)) + r"|fma|SEL|SYS[BWLQ]"
# what stands somewhere in a text, and what to write instead, over its groups; the first that fits tells
_HINTS = [
    (r"(\w+\[[^]]*\])\s*([-+*/%&|^]|<<|>>u?)=(?!=)", "there is no `{1}=`: write {0}={0}{1}..."),
    (r"(?<![=!<>])=\s*([^;]*)\?([^;:]*):([^;]*)", "there is no `?:`: write SEL({0},{1},{2})"),
    (r"(&&|\|\|)", "there is no `{0}`: conditions are single relations; values of relations go together by & and |"),
    (r"~\s*([\w\[\]]+)", "there is no `~`: the complement is not({0})"),
    (r"(?<![!<>])!(?![=<>])\s*([\w\[\]]+)", "there is no `!`: write {0}==0"),
    (r"[=(,<>&|^+*/%]\s*-\s*(?=[a-z(])", "`-` of one operand is neg(...)"),
    (r"PC=[^;]*,\s*(\w+)\s*,\s*PC\s*;", "a branch is PC=CONDITION,{0}; and goes on behind it where the condition fails"),
    (r"\+\+|--", "there is no `{all}`: write r[d]=r[d]+1"),
    (r"\b(M|MEM|mem)\[", "memory is named by its cell's type, B W L Q (integers of 1 2 4 8 bytes) F D: L[...] for {0}[...]"),
    (r"\b(?!V?[BWLQFD]\[|HI\[|LO\[|LIT\[|PART)([A-Z]\w*)\[", "names are lower-case: a register is r[d], and `{0}[` is none"),
    (r"\b([a-z]\w*)\[([A-Z]\w*)\]", "names are lower-case: write {0}[{lower1}]"),
    (r"\b([BWLQFD])\(", "`{0}(...)` is no function: tr{0}(...) takes the low bits, sx and zx extend them: sxL(tr{0}(...))"),
    (r"\b(min|max)\(", "`{0}` is no function: the smaller of two is SEL(a<b,a,b), the larger one SEL(a>b,a,b)"),
    (r"\b(ror|rotr)\(", "`{0}` is no function: to the right it is rotl(a,neg(b))"),
    (rf"\b((?!(?:{_NAMES})\()[A-Za-z_]\w*)\((?!\))",
     "`{0}` is no function; there are " + FUNCTIONS + ", and those that `functions:` defines"),
]  # fmt: skip


def is_function_name(word: str) -> bool:
    """Return whether a word is a function of RTLs."""
    return re.fullmatch(_NAMES, word) is not None


def hint(text: str, operator_met: bool, effects: bool) -> str:
    """Return what to write instead of a text that is no RTL, '' if nothing is known.

    `operator_met`: the parser stopped at an operator, as where parentheses are left out.  `effects`: it is no expression.
    """
    calls = re.sub(r"\bST\s*=\s*\w+(\[\w+\])?\(\)|\bRT\(", "", text)  # whose parentheses belong to no function
    for pattern, advice in _HINTS:
        found = re.search(pattern, calls)
        if found is not None:
            groups = [(group or "").strip() for group in found.groups()]
            lower = {f"lower{number}": group.lower() for number, group in enumerate(groups)}
            return advice.format(*groups, all=found.group(), **lower)
    if operator_met:
        return "an operator inside another needs parentheses"
    return "every effect ends in `;`" if effects and not text.rstrip().endswith((";", "...")) else ""
