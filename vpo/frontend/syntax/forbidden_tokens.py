"""Words and punctuation that editions of C do not have, told with -pedantic: those that tokens show without a grammar."""

from __future__ import annotations

from vpo.frontend.diagnostics import Reporter
from vpo.frontend.syntax.forbidden_literals import check_literal, length_of_strings, longest_string
from vpo.frontend.syntax.lexer import NAME, STRING, Tokens

# The first edition that has a word, and what is told of it before.  Words of gcc's own spelling are not told.
_WORDS = {
    "_Alignas": (2011, "'_Alignas'"), "_Alignof": (2011, "'_Alignof'"), "_Noreturn": (2011, "'_Noreturn'"),
    "_Static_assert": (2011, "'_Static_assert'"), "_Generic": (2011, "'_Generic'"), "_Thread_local": (2011, "'_Thread_local'"),
    "_Atomic": (2011, "the '_Atomic' qualifier"), "_Bool": (1999, "boolean types"),
    "__int128": (9999, "'__int128' types"),
}  # fmt: skip
_RECORDS = frozenset(("struct", "union"))
_TYPES = frozenset((
    "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "const", "volatile", "restrict",
))  # fmt: skip
_CLOSING = frozenset((")", "]", "}"))


def check_tokens(tokens: Tokens, report: Reporter) -> None:
    """Tell what the tokens of a file show that its edition of C does not have."""
    kinds, edition = tokens.kinds, tokens.standard.edition
    name = tokens.standard.title
    around: list[str] = []  # what each open bracket belongs to
    for at, kind in enumerate(kinds):
        found = ""
        if kind in _WORDS:
            since, what = _WORDS[kind]
            if edition < since and tokens.texts[at] == kind:
                found = f"{name} does not support {what}"
        elif kind == "long" and edition < 1999:
            if kinds[at + 1] == "long":
                place = tokens.places.coord(tokens.offsets[at])
                report.warning(place, "long-long", f"{name} does not support 'long long'")
        elif kind in _CONTEXTS:
            found = _CONTEXTS[kind](kinds, at, around, edition)
        elif (literal := check_literal(kind, tokens.texts[at], tokens.standard)) is not None:
            report.warning(tokens.places.coord(tokens.offsets[at]), *literal)
        if kind == STRING and kinds[at - 1] != STRING:
            _check_length(tokens, at, report)
        if kind in ("{", "(", "["):
            around.append(_owner(kinds, at, around))
        elif kind in _CLOSING and around:
            around.pop()
        if found:
            report.warning(tokens.places.coord(tokens.offsets[at]), "pedantic", found)


def _check_length(tokens: Tokens, at: int, report: Reporter) -> None:
    end, most = at, longest_string(tokens.standard)
    while tokens.kinds[end] == STRING:
        end += 1
    length = length_of_strings(tokens.texts[at:end])
    if length > most:
        message = f"string length {length} is greater than {most}, which {tokens.standard.title} compilers must support"
        report.warning(tokens.places.coord(tokens.offsets[at]), "overlength-strings", message)


def _owner(kinds: list[str], at: int, around: list[str]) -> str:
    """Return what the brackets belong to that open at a position."""
    if kinds[at] != "{":
        return kinds[at]
    before = at - 2 if kinds[at - 1] == NAME else at - 1
    if kinds[before] in _RECORDS:
        inner = bool(around) and around[-1].startswith("record") and before == at - 1
        return "record without tag" if inner else "record"
    return "enum" if kinds[before] == "enum" else "{"


def _braces(kinds: list[str], at: int, around: list[str], edition: int) -> str:
    """Check an opening brace: of an expression or a structure."""
    if kinds[at - 1] == "(":
        return "ISO C forbids braced-groups within expressions"
    if kinds[at + 1] == "}" and _owner(kinds, at, around).startswith("record"):
        return "struct or union has no members"
    return ""


def _semicolon(kinds: list[str], at: int, around: list[str], edition: int) -> str:
    if around and around[-1].startswith("record") and kinds[at - 1] in ("{", ";"):
        return "extra semicolon in struct or union specified"
    return ""


def _end(kinds: list[str], at: int, around: list[str], edition: int) -> str:
    """Check a closing brace: of an enum, or of a structure without a name."""
    owner = around[-1] if around else ""
    if owner == "enum" and kinds[at - 1] == "," and edition < 1999:
        return "comma at end of enumerator list"
    if owner == "record without tag" and kinds[at + 1] == ";" and edition < 2011:
        return f"ISO C{'90' if edition < 1999 else '99'} doesn't support unnamed structs/unions"
    return ""


def _bracket(kinds: list[str], at: int, around: list[str], edition: int) -> str:
    """Check an opening bracket: of an attribute, or of an array."""
    following = kinds[at + 1]
    if following == "[" and edition < 2023:
        return "ISO C does not support '[[]]' attributes before C2X"
    if edition >= 1999:
        return ""
    if following == "*" and kinds[at + 2] == "]":
        return "ISO C90 does not support '[*]' array declarators"
    if following in ("static", "const", "volatile", "restrict"):
        return "ISO C90 does not support 'static' or type qualifiers in parameter array declarators"
    if following == "]" and kinds[at - 1] == NAME and around and around[-1].startswith("record"):
        return "ISO C90 does not support flexible array members"
    return ""


def _question(kinds: list[str], at: int, around: list[str], edition: int) -> str:
    return "ISO C forbids omitting the middle term of a ?: expression" if kinds[at + 1] == ":" else ""


def _goto(kinds: list[str], at: int, around: list[str], edition: int) -> str:
    return "ISO C forbids 'goto *expr;'" if kinds[at + 1] == "*" else ""


def _label(kinds: list[str], at: int, around: list[str], edition: int) -> str:
    return "ISO C forbids label declarations"


def _colon(kinds: list[str], at: int, around: list[str], edition: int) -> str:
    is_label = kinds[at + 1] == "}" and around and around[-1] == "{"
    return "label at end of compound statement" if is_label and edition < 2023 else ""


def _complex(kinds: list[str], at: int, around: list[str], edition: int) -> str:
    """Check the word for complex types, whose parts must be floating."""
    near = _words_around(kinds, at)
    if not near & {"float", "double"}:
        is_plain = not near & {"char", "short", "int", "long", "signed", "unsigned", "_Bool"}
        return f"ISO C does not support {'plain complex types' if is_plain else 'complex integer types'}"
    return "ISO C90 does not support complex types" if edition < 1999 else ""


def _words_around(kinds: list[str], at: int) -> set[str]:
    begin = end = at
    while kinds[begin - 1] in _TYPES:
        begin -= 1
    while kinds[end + 1] in _TYPES:
        end += 1
    return set(kinds[begin : end + 1])


_CONTEXTS = {
    "{": _braces, ";": _semicolon, "}": _end, "[": _bracket, "?": _question, "goto": _goto, "__label__": _label, ":": _colon,
    "_Complex": _complex,
}  # fmt: skip
