"""Extensions of other compilers: which attributes and pragmas may be ignored, and which change what a program means."""

from __future__ import annotations

from collections.abc import Sequence

from vpo.frontend.cpp.tokens import IDENTIFIER, Malformed, Token, spelled
from vpo.frontend.warnings.diagnostics import Reporter

# A program that has one of these would do something else without it.
_NEEDED_NAMES = """
    address_space ext_vector_type hardbool ifunc init_priority interrupt ms_struct naked noinit persistent
    scalar_storage_order symver weakref
"""
# These help optimisers and those who look for errors, or say where a symbol is seen.
_HARMLESS_NAMES = """
    access alloc_align copy patchable_function_entry simd zero_call_used_regs
    alloc_size always_inline artificial assume_aligned cold common const counted_by deprecated
    designated_init error externally_visible fallthrough fd_arg fd_arg_read fd_arg_write flag_enum flatten format
    format_arg gcc_struct hot leaf malloc may_alias no_icf no_instrument_function no_profile_instrument_function
    no_reorder no_sanitize no_sanitize_address no_sanitize_thread no_sanitize_undefined no_split_stack
    no_stack_protector no_stack_limit noclone nocommon nonnull nonstring noplt noreturn nothrow
    null_terminated_string_arg optimize pure retain returns_nonnull returns_twice sentinel stack_protect
    strict_flex_array tainted_args tls_model unavailable uninitialized unused used visibility warn_if_not_aligned
    warn_unused_result warning
"""
NOTED = frozenset((
    "deprecated", "format", "no_instrument_function", "noreturn", "unavailable", "unused", "warn_unused_result", "warning",
))  # for warnings, but for that which tells what not to instrument  # fmt: skip
UNDERSTOOD = frozenset((
    "alias", "aligned", "cleanup", "constructor", "destructor", "gnu_inline", "mode", "noinline", "noipa", "packed", "section",
    "transparent_union", "vector_size", "weak",
))  # by the parser  # fmt: skip
STANDARD_ATTRIBUTES = {
    "deprecated": "deprecated", "fallthrough": "fallthrough", "maybe_unused": "unused",
    "nodiscard": "warn_unused_result nodiscard", "noreturn": "noreturn", "_Noreturn": "noreturn", "reproducible": "",
    "unsequenced": "",
}  # of C23, and what gcc calls those that warnings ask for  # fmt: skip
NEEDED, HARMLESS = frozenset(_NEEDED_NAMES.split()), frozenset(_HARMLESS_NAMES.split())
_NEEDED_PRAGMAS = frozenset(("redefine_extname", "extern_prefix", "scalar_storage_order", "ms_struct"))


def check_attributes(tokens: Sequence[Token], report: Reporter) -> set[str]:
    """Report the attributes of a list, written `(name, name(arguments)...)`, that cannot be ignored; return the others."""
    others: set[str] = set()
    depth = 0
    for token in tokens:
        depth += (token.text == "(") - (token.text == ")")
        if depth != 1 or token.kind != IDENTIFIER:
            continue
        name = token.text
        if len(name) > 4 and name.startswith("__") and name.endswith("__"):
            name = name[2:-2]
        if name in NEEDED:
            report.error(token, f"attribute '{name}' is not supported")
        elif name not in HARMLESS | UNDERSTOOD:
            report.warning(token, "attributes", name)
        else:
            others.add(name)
    return others


def is_against_aliasing(tokens: Sequence[Token]) -> bool:
    """Return whether an attribute or pragma `optimize` lets memory be read as another type than it was written."""
    return any("no-strict-aliasing" in token.text or token.text.strip('"') in ("0", "O0", "-O0") for token in tokens)


_KNOWN_PRAGMAS = frozenset((
    "GCC", "STDC", "message", "once", "pack", "pop_macro", "push_macro", "region", "endregion", "weak",
))  # fmt: skip


def check_pragma(tokens: Sequence[Token], report: Reporter) -> None:
    """Report a pragma that cannot be ignored, and warn of one that is not known."""
    if tokens and tokens[0].text not in _KNOWN_PRAGMAS | _NEEDED_PRAGMAS:
        report.warning(tokens[0], "unknown-pragmas", spelled([*tokens[:2]]))
    if tokens and tokens[0].text in _NEEDED_PRAGMAS:
        report.error(tokens[0], f"#pragma {spelled([*tokens])} is not supported")


# ----------------------------------------------------------------------------------------------------------------------
# What `#pragma pack` says: the greatest alignment of the members of structures, and a stack of those that were in force.


_ALIGNMENTS = ("0", "1", "2", "4", "8", "16")


class Packing:
    """The alignment in force ('' if there is none), and those that were pushed, with the names that they were given."""

    def __init__(self) -> None:
        self._now = ""
        self._stack: list[tuple[str, str]] = []

    def change(self, tokens: Sequence[Token]) -> str:
        """Do what a pragma says, `pack` first; return the alignment that is in force then."""
        texts = [token.text for token in tokens]
        if texts[1:2] != ["("] or texts[-1] != ")":
            raise Malformed(tokens[0], "#pragma pack expects '(' ... ')'")
        words = texts[2:-1]
        action = words.pop(0) if words and words[0] in ("push", "pop") else ""
        name = ""
        for position, word in enumerate(words):
            if word == "," or (position == 0 and not action and word in _ALIGNMENTS):
                continue
            if word not in _ALIGNMENTS and not (action and tokens[3 + position].kind == IDENTIFIER):
                raise Malformed(tokens[0], f"#pragma pack takes an alignment of {', '.join(_ALIGNMENTS[1:])}, not '{word}'")
            name = word if word not in _ALIGNMENTS else name
        alignments = [word for word in words if word in _ALIGNMENTS]
        if action == "push":
            self._stack.append((name, self._now))
        elif action == "pop":
            self._pop(tokens[0], name)
        if alignments:
            self._now = alignments[-1] if alignments[-1] != "0" else ""
        elif not action:
            self._now = ""
        return self._now

    def _pop(self, place: Token, name: str) -> None:
        if not self._stack or (name and name not in (pushed for pushed, _ in self._stack)):
            raise Malformed(place, "#pragma pack(pop) without a matching #pragma pack(push)")
        while True:
            pushed, self._now = self._stack.pop()
            if not name or pushed == name:
                return
