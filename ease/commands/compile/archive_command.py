"""`ease ar` and `ease ranlib`: archives of object files, with the operations of GNU ar that makefiles use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ease.base.files import write_atomically
from ease.commands.compile.command import UsageError
from ease.commands.compile.response_files import expanded
from ease.commands.guard import EXIT_USAGE, guarded
from ease.commands.help_asked import asks_for_help
from vpo.base.errors import UserError
from vpo.link.input_files import Archive, Member, archive_bytes, read_archive

USAGE = """\
usage: ease ar OPERATION[MODIFIERS] ARCHIVE [FILE...]        ease ranlib ARCHIVE...

  r   insert files, or replace members of the same name     q   append files, whether there are such members or not
  d   delete members     t   list members     x   extract members     p   print members     s   write the index anew
  modifiers: c (no message about a new archive), u (replace by newer files: all are), v (say what is done), s, S, D, U, T, o
  @FILE stands for the words in that file
"""
_MODIFIERS = set("csSvuDUTo")


def main(words: Sequence[str]) -> int:
    """Run `ar`; returns the exit status."""
    try:
        words = [word for word in expanded(words) if not word.startswith("--plugin")]
    except UsageError as error:
        print(f"ease ar: {error}", file=sys.stderr)
        return EXIT_USAGE
    if not words or asks_for_help(words):
        print(USAGE, end="", file=sys.stdout if words else sys.stderr)
        return 0 if words else EXIT_USAGE
    if words[0] in ("-V", "--version"):
        from ease.base.version import show_version

        return show_version("ease ar")
    letters = words[0].removeprefix("-")
    chosen = [letter for letter in letters if letter in _OPERATIONS]
    operation = chosen[0] if chosen else "s" if "s" in letters else ""
    unknown = [letter for letter in letters if letter not in _MODIFIERS and letter not in _OPERATIONS]
    if not operation or len(chosen) > 1 or unknown or len(words) < 2:
        what = f"there is no operation '{unknown[0]}'" if unknown else "one operation and an archive are needed"
        print(f"ease ar: {what}\n{USAGE}", end="", file=sys.stderr)
        return EXIT_USAGE
    return guarded("ease ar", lambda: _work(operation, set(letters), words[1], words[2:]))


def ranlib(words: Sequence[str]) -> int:
    """Write the indexes of archives anew; returns the exit status."""
    if any(word in ("-V", "--version", "-v") for word in words):
        from ease.base.version import show_version

        return show_version("ease ranlib")
    archives = [word for word in words if not word.startswith("-")]
    asks = asks_for_help(words)
    if asks or not archives:
        print(USAGE, end="", file=sys.stdout if asks else sys.stderr)
        return 0 if asks else EXIT_USAGE
    return guarded("ease ranlib", lambda: max(_work("s", set(), archive, []) for archive in archives))


def _work(operation: str, letters: set[str], path: str, files: list[str]) -> int:
    """Do one operation on an archive; returns the exit status."""
    inserts = operation in ("r", "q")
    if Path(path).exists():
        archive = read_archive(path)
    elif inserts:
        archive = Archive()
        if "c" not in letters:
            print(f"ease ar: creating {path}", file=sys.stderr)
    else:
        raise UserError([f"{path}: error: there is no such archive"])
    if not inserts:
        _check_members(archive, path, files)
    members = (_OPERATIONS | {"s": _keep})[operation](archive.members, files, "v" in letters)
    if members is not None:
        write_atomically(path, archive_bytes(members))
    return 0


def _check_members(archive: Archive, path: str, files: list[str]) -> None:
    names = {member.name for member in archive.members}
    missing = [file for file in files if Path(file).name not in names]
    if missing:
        raise UserError([f"{path}: error: there is no member '{Path(file).name}'" for file in missing])


def _say(verbose: bool, letter: str, name: str) -> None:
    if verbose:
        print(f"{letter} - {name}")


def _replace(members: list[Member], files: list[str], verbose: bool) -> list[Member]:
    places = {member.name: place for place, member in enumerate(members)}
    result = list(members)
    for file in files:
        member = Member(Path(file).name, Path(file).read_bytes())
        _say(verbose, "r" if member.name in places else "a", file)
        place = places.setdefault(member.name, len(result))
        result[place : place + 1] = [member]
    return result


def _append(members: list[Member], files: list[str], verbose: bool) -> list[Member]:
    for file in files:
        _say(verbose, "a", file)
    return [*members, *(Member(Path(file).name, Path(file).read_bytes()) for file in files)]


def _delete(members: list[Member], files: list[str], verbose: bool) -> list[Member]:
    names = {Path(file).name for file in files}
    for name in sorted(names):
        _say(verbose, "d", name)
    return [member for member in members if member.name not in names]


def _chosen(members: list[Member], files: list[str]) -> list[Member]:
    names = {Path(file).name for file in files}
    return [member for member in members if not names or member.name in names]


def _list(members: list[Member], files: list[str], verbose: bool) -> None:
    for member in _chosen(members, files):
        print(f"rw-r--r-- 0/0 {len(member.content):6} Jan  1 00:00 1970 {member.name}" if verbose else member.name)


def _extract(members: list[Member], files: list[str], verbose: bool) -> None:
    for member in _chosen(members, files):
        _say(verbose, "x", member.name)
        write_atomically(Path(member.name).name, member.content)


def _print(members: list[Member], files: list[str], verbose: bool) -> None:
    for member in _chosen(members, files):
        if verbose:
            print(f"\n<{member.name}>\n")
        sys.stdout.flush()
        sys.stdout.buffer.write(member.content)
        sys.stdout.buffer.flush()


def _keep(members: list[Member], files: list[str], verbose: bool) -> list[Member]:
    return members


_Operation = Callable[[list[Member], list[str], bool], list[Member] | None]
_OPERATIONS: dict[str, _Operation] = {
    "r": _replace, "q": _append, "d": _delete, "t": _list, "x": _extract, "p": _print,
}  # fmt: skip
