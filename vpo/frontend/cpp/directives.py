"""Directives (6.10): the lines that say what is included, what is left out and which macros there are."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from vpo.base.suggestions import suggested
from vpo.frontend.builtins.names import is_builtin_name
from vpo.frontend.c_options import USUAL, COptions
from vpo.frontend.cpp.attributes import NOTED, UNDERSTOOD, Packing, check_attributes, check_pragma, is_against_aliasing
from vpo.frontend.cpp.conditionals import Condition, OpenFile, is_kept_from_others
from vpo.frontend.cpp.embed import embedded, has_embed
from vpo.frontend.cpp.if_expressions import is_true, number_of
from vpo.frontend.cpp.macro_expansion import Builtin, Expander, Scan
from vpo.frontend.cpp.macros import Macro, check_name, parse_definition, unread_macro
from vpo.frontend.cpp.predefined import time_of_change, translation_time
from vpo.frontend.cpp.questions import HeaderSearch, Place, header, questions, shown_name, why_absent
from vpo.frontend.cpp.tokens import (
    ENTERED,
    IDENTIFIER,
    MARK,
    NUMBER,
    PUNCTUATOR,
    STRING,
    Definition,
    Malformed,
    Source,
    Token,
    Unreadable,
    made,
    quoted,
    spelled,
    unquoted,
)
from vpo.frontend.types.type_table import TypeTable
from vpo.frontend.warnings.diagnostics import Reporter, is_of_library
from vpo.frontend.warnings.flags import WarningPragmas, read_pragma

# ----------------------------------------------------------------------------------------------------------------------
# What is told of directives and macros: constraints (6.10).


_LENGTHS = {"else": 2, "endif": 2, "ifdef": 3, "ifndef": 3, "undef": 3}  # of directives, with the `#`


def check_directive(line: Sequence[Token], report: Reporter) -> None:
    """Warn of tokens behind a directive."""
    name = line[1].text
    length = _LENGTHS.get(name, 0)
    if length and len(line) > length:
        report.warning(line[length], "endif-labels" if name in ("else", "endif") else "extra-tokens", name)


def check_redefinition(macro: Macro, old: Macro | Builtin | None, report: Reporter) -> None:
    """Warn of a macro that is defined as something else than before (6.10.3); the library's may be replaced."""
    if not isinstance(old, Macro):
        return
    old.read()
    if macro.place and old.place and not macro.is_same(old) and not is_of_library(old.place.file):
        note = old.place, "this is the location of the previous definition"
        report.warning(macro.place, "macro-redefined", macro.name, note=note)


# ----------------------------------------------------------------------------------------------------------------------
# The directives.


INSTRUCTIONS = re.compile(r"ease/([\w.+-]+)\.h")  # the header of a machine's instructions
CALLED = "__builtin_insn_"  # how the names of instructions begin that are called
MAX_INCLUDES = 200  # files that include each other


def read(path: str) -> str:
    """Read a source file."""
    return Path(path).read_text(encoding="utf-8-sig", errors="surrogateescape")


class Preprocessor(Expander):
    """Reads files, does what directives say, and replaces macros."""

    def __init__(self, report: Reporter, types: TypeTable, options: COptions = USUAL) -> None:
        super().__init__(report)
        self.may_alias = False  # whether some type has this attribute
        self._types = types
        self._search = HeaderSearch(options.folders, options.quote_paths)
        self._instructions, self._folders = types.model.instructions, options.folders
        self._files: list[OpenFile] = []
        self._main = self._current = ""  # paths: of the file that is compiled, of the one that is read
        self.included: dict[str, None] = {}  # files, in the order of their first inclusion
        self.includers: dict[str, Token] = {}  # by the names of files as messages show them: where they were included first
        self._once: set[str] = set()
        self._guards: dict[str, str] = {}  # by path: the macro that keeps a file from being read again
        self._pushed: dict[str, list[Macro | Builtin | None]] = {}
        self._counter = 0
        self._packing = Packing()
        self._warning_pragmas = WarningPragmas()
        self._marks: list[Token] = []
        self.macros |= self._builtins()
        self._directives: dict[str, Callable[[list[Token]], None]] = {
            "define": self._define,
            "undef": self._undefine,
            "include": self._include,
            "include_next": self._include,
            "import": self._include,
            "embed": self._embed,
            "ident": lambda line: None,
            "sccs": lambda line: None,
            "line": lambda line: self._move(line, line[2:]),
            "pragma": lambda line: self._pragma(line[2:]),
            "error": lambda line: self.report.error(line[0], spelled(line)),
            "warning": lambda line: self.report.warning(line[0], "cpp", spelled(line)),
        }
        self._conditionals: dict[str, Callable[[OpenFile, list[Token]], None]] = {
            "if": lambda file, line: self._open(file, line, self._is_true),
            "ifdef": lambda file, line: self._open(file, line, self._is_defined),
            "ifndef": lambda file, line: self._open(file, line, lambda line: not self._is_defined(line)),
            "elif": self._else_if,
            "elifdef": lambda file, line: self._else_if(file, line, self._is_defined),
            "elifndef": lambda file, line: self._else_if(file, line, lambda line: not self._is_defined(line)),
            "else": self._else,
            "endif": lambda file, line: file.end_condition(line),
        }

    def _builtins(self) -> dict[str, Builtin]:
        attribute = Builtin(self._attribute, defined=False)
        now = translation_time()
        return {
            "__LINE__": Builtin(lambda name, scan: [made(name, NUMBER, str(name.line))]),
            "__FILE__": Builtin(lambda name, scan: [made(name, STRING, quoted(name.file))]),
            "__FILE_NAME__": Builtin(lambda name, scan: [made(name, STRING, quoted(os.path.basename(name.file)))]),
            "__BASE_FILE__": Builtin(lambda name, scan: [made(name, STRING, quoted(self._main))]),
            "__INCLUDE_LEVEL__": Builtin(lambda name, scan: [made(name, NUMBER, str(max(len(self._files) - 1, 0)))]),
            "__COUNTER__": Builtin(self._count),
            "__DATE__": Builtin(lambda name, scan: [made(name, STRING, time.strftime('"%b %e %Y"', now))]),
            "__TIME__": Builtin(lambda name, scan: [made(name, STRING, time.strftime('"%H:%M:%S"', now))]),
            "__TIMESTAMP__": Builtin(lambda name, scan: [made(name, STRING, quoted(time_of_change(self._current)))]),
            "_Pragma": Builtin(self._pragma_operator, defined=False),
            "__attribute__": attribute,
            "__attribute": attribute,
        } | questions(self, self._finds, self._embeds, self._is_builtin)

    def tokens(self, path: str, text: str) -> Iterator[Token]:
        """Yield the tokens of a file and of those that it includes, without directives, macros replaced."""
        return self.expand(self._read(path, text))

    def _read(self, path: str, text: str) -> Iterator[Token]:
        """Yield the tokens of lines that are no directives."""
        self._main = path
        self._push(Place(path), text)
        while self._files:
            file = self._files[-1]
            self._current = file.source.path
            try:
                line = file.next_line()
                if line is None:
                    self._close()
                elif isinstance(line[0], Definition):
                    self._define_unread(file, line[0])
                elif line[0].text == "#" or line[0].text == "%:":
                    self._directive(file, line)
                    yield from self._taken_marks()
                elif file.enabled:
                    yield from line
            except Malformed as problem:
                self.report.error(problem.token, str(problem))
                self.report.is_fatal |= isinstance(problem, Unreadable)

    def _push(self, place: Place, text: str) -> None:
        shown = shown_name(place.path, self._files[0].source.path if self._files else place.path)
        source = Source(place.path, shown, text)
        self._files.append(OpenFile(source, source.lines(), place))

    def _close(self) -> None:
        """End a file; its conditionals end with it."""
        file = self._files.pop()
        self._guards[file.source.path] = file.guard or ""
        for condition in file.conditions:
            self.report.error(condition.line[0], "unterminated " + spelled(condition.line))

    def _directive(self, file: OpenFile, line: list[Token]) -> None:
        """Do what a line with `#` says."""
        if len(line) == 1:
            return
        name = line[1].text
        if file.enabled and self.report.wanted:
            check_directive(line, self.report)
        if name in self._conditionals:
            self._conditionals[name](file, line)
        elif not file.enabled:
            if name == "pragma" and is_kept_from_others([token.text for token in line[2:]], file.conditions):
                self._pragma(line[2:])
        elif name in self._directives:
            self._directives[name](line)
        elif line[1].kind == NUMBER:
            self._move(line, line[1:])
        else:
            raise Malformed(line[0], f"invalid preprocessing directive #{name}")

    # ----------------------------------------------------------------------------------------------------- conditionals

    def _open(self, file: OpenFile, line: list[Token], test: Callable[[list[Token]], bool]) -> None:
        """Begin an #if; nothing in it is read if it stands where nothing is read, or is wrong."""
        condition = Condition(line, enabled=False, taken=True)
        outside, file.enabled = file.enabled, False
        file.conditions.append(condition)
        if outside:
            condition.taken = condition.enabled = file.enabled = test(line)

    def _warn_of_operand(self, name: Token) -> None:
        if name.text not in ("true", "false") and not name.text.startswith("__GNUC_"):  # which gcc has: 0 says "another"
            self.report.warning(name, "undef", name.text)

    def _is_true(self, line: list[Token]) -> bool:
        """Return the value of the expression of an #if or #elif."""
        name = line[1].text
        if len(line) == 2:
            raise Malformed(line[0], f"#{name} with no expression")
        self.macros["defined"] = Builtin(self._defined)
        try:
            return is_true(list(self.expand(iter(line[2:]))), self._types, self._warn_of_operand)
        except (Malformed, IndexError):
            raise Malformed(line[0], "invalid expression in #if") from None
        finally:
            del self.macros["defined"]

    def _is_defined(self, line: list[Token]) -> bool:
        return self._has(_name(line).text)

    def _has(self, name: str) -> bool:
        macro = self.macros.get(name)
        return macro is not None and (isinstance(macro, Macro) or macro.defined)

    def _defined(self, name: Token, scan: Scan) -> list[Token]:
        """Replace `defined NAME` or `defined(NAME)`."""
        parenthesis = scan.opens()
        operand = scan.take()
        if operand is None or operand.kind != IDENTIFIER or (parenthesis and getattr(scan.take(), "text", "") != ")"):
            raise Malformed(name, "invalid expression in #if")
        return [made(name, NUMBER, str(int(self._has(operand.text))))]

    def _finds(self, name: str, quoted: bool, following: bool) -> bool:
        """Return whether an #include would find a file."""
        found = self._search.find(name, quoted, self._files[-1].place, following and len(self._files) > 1)
        return found is not None or self._instructions_of(name) is not None

    def _is_builtin(self, name: str) -> bool:
        """Return whether a name is that of a built-in function, or of an instruction of the target."""
        if self._instructions is not None and name.startswith(CALLED):
            return bool(self._instructions.own.forms(name.removeprefix(CALLED)))
        return is_builtin_name(name)

    def _else_if(self, file: OpenFile, line: list[Token], test: Callable[[list[Token]], bool] | None = None) -> None:
        condition = file.innermost(line)
        condition.enabled = file.enabled = False
        condition.other = line
        if not condition.taken:
            condition.taken = condition.enabled = file.enabled = (test or self._is_true)(line)

    def _else(self, file: OpenFile, line: list[Token]) -> None:
        condition = file.innermost(line)
        condition.enabled = file.enabled = not condition.taken
        condition.taken = condition.last = True

    # ------------------------------------------------------------------------------------------------ macros and files

    def _define(self, line: list[Token]) -> None:
        macro = parse_definition([_name(line), *line[3:]])
        if macro.parameters is None and macro.body and not macro.body[0].space:
            self.report.warning(macro.body[0], "cpp:no-space", macro.name)
        check_redefinition(macro, self.macros.get(macro.name), self.report)
        self.macros[macro.name] = macro

    def _define_unread(self, file: OpenFile, definition: Definition) -> None:
        """Define a macro; its definition is read now if something may have to be said of it."""
        if not file.enabled:
            return
        macro = unread_macro(definition)
        if macro is None or macro.name in self.macros:
            self._define(definition.tokens())
        else:
            self.macros[macro.name] = macro

    def _undefine(self, line: list[Token]) -> None:
        name = _name(line)
        if self._has(name.text):
            del self.macros[name.text]

    def _include(self, line: list[Token]) -> None:
        """Open a file, to be read next."""
        operand = line[2:]
        if operand and operand[0].text != "<" and operand[0].kind != STRING:
            operand = list(self.expand(iter(operand)))
        name, quoted = header(line, operand)
        if len(self._files) > MAX_INCLUDES:
            raise Unreadable(line[0], f"#include nested too deeply: more than {MAX_INCLUDES} files")
        place = self._search.find(name, quoted, self._files[-1].place, line[1].text == "include_next" and len(self._files) > 1)
        if place is None and self._include_instructions(name, line):
            return
        if place is None:
            meant = why_absent(name) or suggested(name, self._search.headers(quoted, self._files[-1].place))
            raise Unreadable(line[0], f"{name}: no such file or directory{meant}")
        self.included[place.path] = None
        real = os.path.realpath(place.path)
        if real not in self._once and not self._has(self._guards.get(place.path, "")):
            self._push(place, self._text(line, place.path))
            self._marks.append(made(line[0], MARK, f'{ENTERED}1 "{place.path}"'))
            self.includers.setdefault(self._files[-1].source.name, line[0])
        if line[1].text == "import":
            self._once.add(real)

    def _include_instructions(self, name: str, line: list[Token]) -> bool:
        """Let the instructions of a description be read next, for `<ease/NAME.h>`; return whether there is one."""
        machine = INSTRUCTIONS.fullmatch(name)
        if machine is None or self._instructions is None:
            return False
        try:
            header = self._instructions_of(name)
        except ValueError as problem:
            raise Unreadable(line[0], str(problem)) from None
        if header is None:
            where = f"no {machine[1]}.yaml beside this file or in the folders of -I"
            raise Unreadable(line[0], f"{name}: there is no machine '{machine[1]}', and {where}")
        self.included[header[0]] = None
        self._push(Place(name), header[1])
        return True

    def _instructions_of(self, name: str) -> tuple[str, str] | None:
        """Return the file of a description and the header of its instructions; None for other headers."""
        machine = INSTRUCTIONS.fullmatch(name)
        if machine is None or self._instructions is None:
            return None
        return self._instructions.header(machine[1], [os.path.dirname(self._files[-1].place.path) or ".", *self._folders])

    def _embed(self, line: list[Token]) -> None:
        """Let the bytes of a file be read next, as numbers."""
        operand = line[2:]
        if operand and operand[0].text != "<" and operand[0].kind != STRING:
            operand = list(self.expand(iter(operand)))
        place, text = embedded(line, operand, self._search, self._files[-1].place, self._number)
        self.included[place.path] = None
        self._push(place, text)

    def _embeds(self, name: Token, operand: list[Token]) -> int:
        return has_embed(name, operand, self._search, self._files[-1].place, self._number)

    def _number(self, tokens: list[Token]) -> int:
        return number_of(list(self.expand(iter(tokens))), self._types)

    def _text(self, line: list[Token], path: str) -> str:
        try:
            return read(path)
        except OSError as problem:
            raise Unreadable(line[0], f"{path}: cannot read: {problem.strerror or problem}") from None

    def _move(self, line: list[Token], operand: list[Token]) -> None:
        """Give what follows in this file another place (6.10.4)."""
        words = list(self.expand(iter(operand)))
        number = words[0].text.replace("'", "") if words else ""
        if not number.isdecimal():
            raise Malformed(line[0], "#line needs a line number")
        source = self._files[-1].source
        if len(words) > 1:
            if words[1].kind != STRING:
                raise Malformed(line[0], f"#line needs a file name in quotes, not '{words[1].text}'")
            source.name = unquoted(words[1].text[1:-1])
        source.shift = int(number) - source.row

    # --------------------------------------------------------------------------------------------- pragmas, attributes

    def _pragma(self, tokens: list[Token]) -> None:
        name = tokens[0].text if tokens else ""
        if name == "once":
            self._once.add(os.path.realpath(self._files[-1].source.path))
        elif name in ("push_macro", "pop_macro"):
            self._push_or_pop(name, tokens)
        elif name == "pack":
            self._marks.append(made(tokens[0], MARK, f"pack({self._packing.change(tokens)})"))
        else:
            said = read_pragma([token.text for token in tokens[:4]])
            if said is not None:
                self._warning_pragmas.change(*said)
                self.report.switches = self._warning_pragmas.now
            if [token.text for token in tokens[:2]] == ["GCC", "optimize"] and is_against_aliasing(tokens):
                self.may_alias = True
            if said is not None or name == "weak":
                self._marks.append(made(tokens[0], MARK, spelled(tokens)))
            check_pragma(tokens, self.report)

    def _taken_marks(self) -> list[Token]:
        """Return what pragmas have left for the parser since the last call."""
        found, self._marks = self._marks, []
        return found

    def _push_or_pop(self, name: str, tokens: list[Token]) -> None:
        """Keep the definition of a macro, or restore it."""
        if [token.text for token in tokens[1::2]] != ["(", ")"] or tokens[2].kind != STRING:
            raise Malformed(tokens[0], f'#pragma {name} expects ("NAME")')
        macro = tokens[2].text[1:-1]
        kept = self._pushed.setdefault(macro, [])
        if name == "push_macro":
            kept.append(self.macros.get(macro))
        elif kept:
            definition = kept.pop()
            if definition is None:
                self.macros.pop(macro, None)
            else:
                self.macros[macro] = definition

    def _pragma_operator(self, name: Token, scan: Scan) -> list[Token] | None:
        """Do what `_Pragma("...")` says (6.10.9)."""
        if not scan.opens():
            return None
        operand = self.balanced(name, scan) or []
        if len(operand) != 1 or operand[0].kind != STRING:
            self.report.error(name, "_Pragma takes a string literal in parentheses")
            return []
        text = operand[0].text.removeprefix("L")[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        try:
            for line in Source("", "", text).lines():
                self._pragma([token.at(name, token.space) for token in line])
        except Malformed as problem:
            self.report.error(name, str(problem))
        return self._taken_marks()

    def _attribute(self, name: Token, scan: Scan) -> list[Token] | None:
        """Remove attributes, once they are known to be harmless; leave those that the parser understands."""
        if not scan.opens():
            return None
        inside = list(self.expand(iter(self.balanced(name, scan) or [])))
        found = check_attributes(inside, self.report)
        self.may_alias = self.may_alias or "may_alias" in found or ("optimize" in found and is_against_aliasing(inside))
        marks = [made(name, MARK, f"attribute {spelled(inside)}")] if found & NOTED else []
        if not found & UNDERSTOOD:
            return marks
        word = made(name, IDENTIFIER, name.text)
        word.blocked = True
        return [*marks, word, made(name, PUNCTUATOR, "("), *inside, made(name, PUNCTUATOR, ")")]

    def _count(self, name: Token, scan: Scan) -> list[Token]:
        self._counter += 1
        return [made(name, NUMBER, str(self._counter - 1))]


def _name(line: list[Token]) -> Token:
    """Return the macro that a directive names."""
    if len(line) == 2:
        raise Malformed(line[0], f"no macro name given in #{line[1].text} directive")
    check_name(line[2])
    return line[2]
