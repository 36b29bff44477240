"""What `#if` may ask beside `defined`: `__has_include`, `__has_attribute`, `__has_builtin` and their relatives."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from vpo.frontend.cpp.attributes import HARMLESS, STANDARD_ATTRIBUTES, UNDERSTOOD
from vpo.frontend.cpp.macro_expansion import Builtin, Expander, Scan
from vpo.frontend.cpp.tokens import NUMBER, STRING, Malformed, Token, made

FEATURES = frozenset(("c_alignas", "c_alignof", "c_generic_selections", "c_static_assert", "statement_expressions"))
_EDITIONS = {"deprecated": "201904L", "fallthrough": "201904L", "maybe_unused": "201904L", "nodiscard": "202003L",
             "noreturn": "202202L", "Noreturn": "202202L"}  # fmt: skip
_PREFIXES = frozenset(("gnu", "__gnu__", ":", "::"))  # of attributes


def questions(
    expander: Expander,
    finds: Callable[[str, bool, bool], bool],
    embeds: Callable[[Token, list[Token]], int],
    is_builtin: Callable[[str], bool],
) -> dict[str, Builtin]:
    """Return the macros; `finds` says whether there is a header of a name, in quotes or not, for #include_next or not.

    `embeds` says what an #embed with an operand would find, `is_builtin` whether a name is that of a built-in function.
    """

    def has_embed(name: Token, scan: Scan) -> list[Token]:
        operand = _operand(expander, name, scan)
        return answer(name, lambda: str(embeds(name, operand)))

    def has_include(name: Token, scan: Scan) -> list[Token]:
        operand = _operand(expander, name, scan)
        if operand and operand[0].text != "<" and operand[0].kind != STRING:
            operand = list(expander.expand(iter(operand)))
        return answer(name, lambda: str(int(finds(*header([name], operand), name.text == "__has_include_next"))))

    def asks(known: Callable[[str], bool], yes: Callable[[str], str] = lambda _: "1") -> Builtin:
        def replace(name: Token, scan: Scan) -> list[Token]:
            texts = [token.text for token in _operand(expander, name, scan) if token.text not in _PREFIXES]
            return answer(name, lambda: yes(texts[0].strip("_")) if is_known(name, texts) else "0")

        def is_known(name: Token, texts: list[str]) -> bool:
            if len(texts) != 1:
                raise Malformed(name, f"{name.text} takes a name in parentheses")
            return known(texts[0]) or known(texts[0].strip("_"))

        return Builtin(replace)

    def answer(name: Token, number: Callable[[], str]) -> list[Token]:
        try:  # questions are answered in the text of a program, too, where nobody expects exceptions
            return [made(name, NUMBER, number())]
        except Malformed as problem:
            expander.report.error(problem.token, str(problem))
            return [made(name, NUMBER, "0")]

    return {
        "__has_include": Builtin(has_include),
        "__has_embed": Builtin(has_embed),
        "__has_include_next": Builtin(has_include),
        "__has_attribute": asks(lambda name: name in HARMLESS | UNDERSTOOD),
        "__has_c_attribute": asks(lambda name: name in STANDARD_ATTRIBUTES, _edition),
        "__has_builtin": asks(is_builtin),
        "__has_feature": asks(lambda name: name in FEATURES),
        "__has_extension": asks(lambda name: name in FEATURES),
    }


def _edition(attribute: str) -> str:
    """Return when C got an attribute, as `__has_c_attribute` tells it (C23, 6.7.13)."""
    return _EDITIONS.get(attribute, "202207L")


def _operand(expander: Expander, name: Token, scan: Scan) -> list[Token]:
    return (scan.opens() and expander.balanced(name, scan)) or []


_ABSENT = {
    "programs have one thread": "threads.h omp.h",
    "there is no network": "net/route.h net/ethernet.h ifaddrs.h resolv.h",
    "there are no other processes": "sys/ipc.h sys/shm.h sys/sem.h sys/msg.h sys/ptrace.h mqueue.h",
    "nothing is loaded while a program runs": "link.h",
    "there is no terminal": "curses.h ncurses.h term.h readline/readline.h pty.h",
}


def why_absent(name: str) -> str:
    """Return why there is no header of a name, to be added to a message; '' if nothing is known."""
    if name != name.strip():
        return f"; did you mean {name.strip()!r}, without the space?"
    return next((f": {reason}" for reason, names in _ABSENT.items() if name in names.split()), "")


def header(line: list[Token], operand: list[Token]) -> tuple[str, bool]:
    """Return the file that an #include names, and whether in quotes."""
    name = ""
    quoted = bool(operand) and operand[0].kind == STRING
    if quoted:
        name = operand[0].text[1:-1]
    elif operand and operand[0].text == "<" and ">" in (texts := [token.text for token in operand]):
        name = "".join(token.space + token.text for token in operand[1 : texts.index(">")])
    if not name:
        raise Malformed(line[0], f'{"#include" if line[0].text == "#" else line[0].text} expects "FILENAME" or <FILENAME>')
    return name, quoted


# ----------------------------------------------------------------------------------------------------------------------
# Where headers are looked for: the folder of the file that includes, then the folders of the command line.


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file was found: its path, and the index of the folder that `#include_next` begins with."""

    path: str
    following: int = 0


class HeaderSearch:
    """Finds headers in folders, each of which is searched once, as in gcc: `#include_next` relies on that.

    Headers whose names stand in quotes are looked for in those for `quotes` first.
    """

    def __init__(self, folders: Sequence[str], quotes: Sequence[str] = ()) -> None:
        first = _once(quotes)
        self._behind_quotes = len(first)
        self._folders = [*first, *_once(folders)]

    def find(self, name: str, quoted: bool, includer: Place, following: bool) -> Place | None:
        """Return where a header is; if `following`, behind the folder in which the file that includes it was found."""
        for index, folder in self._searched(quoted, includer, following):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                return Place(path, index + 1)
        return None

    def headers(self, quoted: bool, includer: Place) -> Iterator[str]:
        """Yield the names of the headers in the folders, as in an #include."""
        for _, folder in self._searched(quoted, includer, False):
            with suppress(OSError):
                yield from (name for name in os.listdir(folder or ".") if name.endswith(".h"))

    def _searched(self, quoted: bool, includer: Place, following: bool) -> Iterator[tuple[int, str]]:
        """Yield folders with their indices; the one of the includer, of which only names in quotes know, has -1."""
        if quoted and not following:
            yield -1, os.path.dirname(includer.path)
        start = max(includer.following if following else 0, 0 if quoted else self._behind_quotes)
        yield from enumerate(self._folders[start:], start)


def _once(folders: Sequence[str]) -> list[str]:
    return list({os.path.realpath(folder): folder for folder in reversed(folders)}.values())[::-1]


def shown_name(path: str, main: str) -> str:
    """Return a file's name as the user would write it: relative if it lies here, unless the main file's is absolute."""
    if os.path.isabs(path) and not os.path.isabs(main):
        relative = os.path.relpath(path)
        return path if relative.startswith("..") else relative
    return path
