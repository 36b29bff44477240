"""Options for the parts that other compilers consist of: `-Wp,...` and `-Xpreprocessor`, `-Wl,...` and `-Xlinker`."""

from __future__ import annotations

from ease.commands.command import UsageError

PREPROCESSOR, LINKER = ("-Wp,", "-Xpreprocessor"), ("-Wl,", "-Xlinker")
UNUSED = ("-Wa,", "-Xassembler")  # for an assembler, which there is not
_RULES = ("-MD", "-MMD")  # which take a file there
_WRAP = ("--wrap", "-wrap")
_SCRIPT = ("--script", "-T")
_SYMBOL = ("--defsym", "-defsym")


def for_preprocessor(given: str) -> list[str]:
    """Return what words for the preprocessor, joined by commas, are as options of the compiler."""
    words: list[str] = []
    parts = given.split(",")
    while parts:
        words.append(parts.pop(0))
        if words[-1] in _RULES and parts:
            words += ["-MF", parts.pop(0)]
    return words


def for_linker(given: str) -> list[str]:
    """Return what words for the linker, joined by commas, are as options of the compiler; those without effect are left out.

    Raises UsageError for those that change what a program means and cannot be done.
    """
    words: list[str] = []
    parts = given.split(",")
    while parts:
        name, equals, value = parts.pop(0).partition("=")
        if name in _WRAP:
            if not equals and not parts:
                raise UsageError(f"'-Wl,{name}' needs a name: -Wl,{name}=NAME")
            words += ["--wrap", value if equals else parts.pop(0)]
        elif name in _SYMBOL:
            raise UsageError(f"'-Wl,{name}' cannot be done: a symbol cannot be given an address")
        elif name in _SCRIPT:
            words += ["-T", value if equals else ",".join(parts[:1])]
        elif name.startswith(("-l", "-L")):
            words.append(name + equals + value)
    return words
