"""What tokens show that editions of C do not have: words, punctuation, literals; and what `__extension__` excuses."""

from __future__ import annotations

import re

from vpo.frontend.syntax.lexer import CHARACTER, END, FLOATING, INTEGER, NAME, STRING, Tokens
from vpo.frontend.warnings.diagnostics import Reporter
from vpo.il.c_standard import Standard

# ----------------------------------------------------------------------------------------------------------------------
# Words and punctuation that editions of C do not have, told with -pedantic: those that tokens show without a grammar.

# ----------------------------------------------------------------------------------------------------------------------
# Numbers, strings and names that editions of C do not have, told with -pedantic.


_ESCAPE = re.compile(r"\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|.)", re.DOTALL)
_NONSTANDARD_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\[eE]")
_SIZED = re.compile(r"[fF](?:32x?|64)$")
_NAMES = ("__FUNCTION__", "__PRETTY_FUNCTION__")


def check_literal(kind: str, text: str, standard: Standard) -> tuple[str, str] | None:
    """Return the flag and the text of what is to be told of a token, if there is anything."""
    check = _CHECKS.get(kind)
    return None if check is None else check(text, standard)


def _integer(text: str, standard: Standard) -> tuple[str, str] | None:
    lower = text.lower()
    if lower.startswith("0b") and standard.edition < 2023:
        return "pedantic", "binary constants are a C2X feature or GCC extension"
    if lower.endswith(("ll", "llu")) and standard.edition < 1999:
        return "long-long", "use of C99 long long integer constant"
    return _imaginary(lower)


def _floating(text: str, standard: Standard) -> tuple[str, str] | None:
    lower = text.lower()
    if lower.startswith("0x"):
        is_new = standard.edition < 1999 and not standard.gnu
        return ("pedantic", "use of C99 hexadecimal floating constant") if is_new else None
    if standard.edition < 2023 and _SIZED.search(text):
        return "pedantic", "non-standard suffix on floating constant before C2X"
    return _imaginary(lower)


def _imaginary(text: str) -> tuple[str, str] | None:
    return ("pedantic", "imaginary constants are a GCC extension") if text[-1] in "ij" or text[-2:-1] in ("i", "j") else None


def _quoted(text: str, standard: Standard) -> tuple[str, str] | None:
    if "\\" in text and _NONSTANDARD_ESCAPE.search(text):
        return "pedantic", "non-ISO-standard escape sequence, '\\e'"
    return None


def _name(text: str, standard: Standard) -> tuple[str, str] | None:
    if text in _NAMES or (text == "__func__" and standard.edition < 1999):
        return "pedantic", f"ISO C{'90' if text == '__func__' else ''} does not support '{text}' predefined identifier"
    return ("pedantic", "'$' in identifier or number") if "$" in text and standard.edition < 1999 else None


def longest_string(standard: Standard) -> int:
    """Return how long a string literal may be that every compiler takes."""
    return 509 if standard.edition < 1999 else 4095


def length_of_strings(texts: list[str]) -> int:
    """Return the length of adjacent string literals together."""
    return sum(len(_ESCAPE.sub("?", text[text.index('"') + 1 : -1])) for text in texts)


_CHECKS = {INTEGER: _integer, FLOATING: _floating, CHARACTER: _quoted, STRING: _quoted, NAME: _name}



# ----------------------------------------------------------------------------------------------------------------------


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



# ----------------------------------------------------------------------------------------------------------------------
# `__extension__` of gcc: what stands behind it is not told with -pedantic.
#
# The preprocessor keeps the word only then; here it leaves the tokens, so that the grammar does not meet it.


EXTENSION = "__extension__"
_STARTS = frozenset((";", "{", "}", ":", ""))  # behind these a declaration may begin
_OPENING = {"(": ")", "[": "]", "{": "}"}
_PREFIXES = frozenset(("*", "&", "-", "+", "!", "~", "++", "--", "sizeof", "&&"))
_MEMBERS = frozenset((".", "->"))


def leave_extensions_out(tokens: Tokens, report: Reporter) -> None:
    """Take the words out of the tokens; note in `report` from where to where each of them reaches."""
    if EXTENSION not in tokens.texts:
        return
    at = [position for position, text in enumerate(tokens.texts) if text == EXTENSION]
    for position in reversed(at):
        del tokens.kinds[position], tokens.texts[position], tokens.offsets[position]
    for number, position in enumerate(at):
        begin = position - number
        end = _end_of_extension(tokens.kinds, begin)
        report.extensions.append((tokens.places.coord(tokens.offsets[begin]), tokens.places.coord(tokens.offsets[end])))


def _end_of_extension(kinds: list[str], at: int) -> int:
    """Return the position behind the declaration, or the operand of an expression, that begins at a position."""
    before = kinds[at - 1] if at else ""
    if before in _STARTS and kinds[at] not in ("(", *_PREFIXES):
        return _end_of_declaration(kinds, at)
    while kinds[at] in _PREFIXES:
        at += 1
    if kinds[at] == "(":
        at = _behind(kinds, at)  # a cast, or the operand itself
        return _end_of_extension(kinds, at) if kinds[at] in (NAME, "(", "integer", "floating") else _end_of_operand(kinds, at)
    return _end_of_operand(kinds, at + 1)


def _end_of_operand(kinds: list[str], at: int) -> int:
    while kinds[at] in ("(", "[", "{") or kinds[at] in _MEMBERS:
        at = at + 2 if kinds[at] in _MEMBERS else _behind(kinds, at)
    return at


def _end_of_declaration(kinds: list[str], at: int) -> int:
    """Return the position behind the `;` of a declaration, or behind the body of a function."""
    while kinds[at] not in (";", END):
        is_body = kinds[at] == "{" and kinds[at - 1] == ")"
        at = _behind(kinds, at) if kinds[at] in _OPENING else at + 1
        if is_body:
            return at
    return at if kinds[at] == END else at + 1


def _behind(kinds: list[str], at: int) -> int:
    """Return the position behind the bracket that closes the one at a position."""
    closing = [_OPENING[kinds[at]]]
    while closing and kinds[at] != END:
        at += 1
        if kinds[at] in _OPENING:
            closing.append(_OPENING[kinds[at]])
        elif kinds[at] == closing[-1]:
            closing.pop()
    return at if kinds[at] == END else at + 1
