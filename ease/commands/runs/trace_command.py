"""`ease trace`: look at traces, check and convert them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ease.commands.guard import EXIT_USER, guarded

if TYPE_CHECKING:
    from cache_sim.traces.trace_file import TraceFile
    from ease.reports.report import Table

_FORMATS = "ease, din, lackey, champsim, etrace, kt, stf, idtrace, idtrace-execution or idtrace-branch"
USAGE = "what `easecc -trace` has written: a file, or - for standard input"

STANDARD_INPUT = "-"
_REFERENCES = ("fetch", "read", "write")
_HEADER = "the C header that reads what `convert --to events` writes"


def main(words: Sequence[str]) -> int:
    """Run a subcommand; returns the exit status."""
    given = _parser().parse_args(list(words))
    action: Callable[[argparse.Namespace], int] = given.action
    return guarded("ease trace", lambda: _told(given, action))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ease trace", description="Look at traces of runs, and check them.")
    commands = parser.add_subparsers(required=True, metavar="SUBCOMMAND")

    def command(name: str, about: str, action: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=about, description=about)
        made.add_argument("trace", metavar="FILE", help=USAGE)
        made.set_defaults(action=action)
        return made

    told = command("info", "what a trace is of, how large it is, and how the run ended; of several: whether of one run", _info)
    told.add_argument("others", metavar="FILE", nargs="*", help="traces to compare with it (exit status 1: of another run)")
    viewed = command("view", "the trace as text, with assembly and source lines", _view)
    _add_part(viewed)
    command("stats", "instruction mix, blocks, and what makes most of the instructions", _stats)
    repeated = command("repeats", "block moves, and areas written or read element by element: how many of each size", _repeats)
    repeated.add_argument("--least", type=_count, default=4, metavar="N", help="of so many elements at least (4)")
    command("check", "regenerate the trace and compare it with what the run counted", _check)
    command("index", "write an index into the file, so that reading it begins at any instruction at once", _index)
    sliced = command("slice", "write a part of a trace as a trace (`ease replay -slice` cuts a record)", _slice)
    sliced.add_argument("-o", dest="output", metavar="FILE", required=True, help="the file of that trace")
    _add_part(sliced)
    converted = command("convert", "write a trace in another format", _convert)
    converted.add_argument("-o", dest="output", metavar="FILE", required=True, help="what is written; - is standard output")
    converted.add_argument("--to", metavar="FORMAT", help=f"its format: {_FORMATS}, else its ending says")
    converted.add_argument("--from", dest="form", metavar="FORMAT", help="the same of the trace; those of ease need none")
    converted.add_argument("--size", type=_count, default=1, metavar="BYTES", help="of references whose size is not told (1)")
    converted.add_argument("--filter", metavar="SPEC", help="only references that miss in these caches (I:1k,16,1+D:1k,16,1)")
    converted.add_argument("--lines", type=_count, default=0, metavar="BYTES", help="an entry a line of code in a block")
    converted.add_argument("--coarse", action="store_true", help="in each block fetches before references to data")
    converted.add_argument("--only", type=_kinds, default=(), metavar="KINDS", help="only these references: fetch,read,write")
    converted.add_argument(
        "--repeats", type=_count, default=0, metavar="N", help="to idtrace: tags of their own for block moves, fills and "
        "scans of at least N elements",
    )  # fmt: skip
    converted.add_argument("--executable", metavar="FILE", help="to kt, stf: the program as an ELF file, for its code")
    converted.add_argument("-H", dest="hints", metavar="FILE", help="IDtrace's hints: from which address of code to which")
    converted.add_argument("--kernel", metavar="SPEC", help="add references of a kernel (default, or call=2000,every=50k,...)")
    header = commands.add_parser("header", help=_HEADER, description=_HEADER)
    header.set_defaults(action=_header, trace="")
    return parser


def _add_part(parser: argparse.ArgumentParser) -> None:
    """Add options that name a part of a trace."""
    parser.add_argument(
        "--from", dest="start", default="0", metavar="N", help="from this instruction on (0), or the first call of the "
        "function N",
    )  # fmt: skip
    parser.add_argument("--count", type=_count, metavar="N", help="so many instructions (all)")
    parser.add_argument("--until", metavar="N", help="up to this instruction, or the next call of a function")


def _part(given: argparse.Namespace, trace: TraceFile) -> tuple[int, int | None]:
    """Return where the part of a trace begins that a command line names, and how many instructions it has (None: all)."""
    from ease.traces.trace_tables import instruction_at

    start = instruction_at(trace, given.start, 0)
    if given.until is None:
        return start, given.count
    length = max(instruction_at(trace, given.until, start) - start, 0)
    return start, length if given.count is None else min(length, given.count)


def _header(_: argparse.Namespace) -> int:
    from importlib.resources import files

    from cache_sim.traces import formats

    print(files(formats.__name__).joinpath("ease_events.h").read_text(), end="")
    return 0


def _count(text: str) -> int:
    if not text.replace("_", "").isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no number of instructions")
    return int(text)


def _kinds(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if not set(names) <= set(_REFERENCES):
        raise argparse.ArgumentTypeError(f"'{text}': there are {', '.join(_REFERENCES)}")
    return names


def _told(given: argparse.Namespace, action: Callable[[argparse.Namespace], int]) -> int:
    from cache_sim.trace import TraceError
    from cache_sim.traces.container import TraceDamaged

    try:
        return action(given)
    except TraceError as error:
        print(error if ": error: " in str(error) else f"ease trace: {given.trace}: {error}", file=sys.stderr)
        return EXIT_USER
    except TraceDamaged as error:
        print(f"ease trace: {given.trace}: {error}", file=sys.stderr)
        return EXIT_USER


def _opened(name: str) -> TraceFile:
    from ease.traces import open as open_trace

    return open_trace(sys.stdin.buffer if name == STANDARD_INPUT else name)


def _info(given: argparse.Namespace) -> int:
    from ease.traces.checking import difference
    from ease.traces.trace_tables import facts_table

    names = [given.trace, *given.others]
    traces = []
    for name in names:
        given.trace = name  # what messages name
        traces.append(_opened(name))
        size = os.path.getsize(name) if os.path.isfile(name) else None
        table = "\n".join(list(facts_table(traces[-1], size).lines())[1:])
        print(f"{name}\n\n{table}\n" if given.others else table)
    status = 0
    for name, trace in zip(names[1:], traces[1:], strict=True):
        found = difference(traces[0], trace)
        print(f"{name}: {found}; {names[0]} is not" if found else f"{name}: of the same run as {names[0]}")
        status |= bool(found)
    return status


def _view(given: argparse.Namespace) -> int:
    from ease.traces.trace_tables import event_lines

    trace = _opened(given.trace)
    for line in event_lines(trace, *_part(given, trace)):
        print(line)
    _say_cut(given, trace.cut)
    return 0


def _stats(given: argparse.Namespace) -> int:
    from ease.traces.trace_tables import statistics_tables

    trace = _opened(given.trace)
    _print_tables(statistics_tables(trace))
    _say_cut(given, trace.cut)
    return 0


def _repeats(given: argparse.Namespace) -> int:
    from ease.traces.repeats import repeat_tables

    trace = _opened(given.trace)
    _print_tables(repeat_tables(trace, max(given.least, 2)))
    _say_cut(given, trace.cut)
    return 0


def _print_tables(tables: Iterable[tuple[str, Table]]) -> None:
    print("\n\n".join(f"{title}\n\n" + "\n".join(table.lines()) for title, table in tables))


def _check(given: argparse.Namespace) -> int:
    from ease.traces.checking import check

    print(f"{given.trace}: {check(_opened(given.trace))}")
    return 0


def _index(given: argparse.Namespace) -> int:
    from ease.traces.converting import add_index

    print(f"{given.trace}: {add_index(given.trace):,} bytes of index")
    return 0


def _slice(given: argparse.Namespace) -> int:
    from ease.base.files import file_atomically
    from ease.run.windows import ENDLESS, Window
    from ease.traces.traced_run import write_window

    trace = _opened(given.trace)
    start, count = _part(given, trace)
    with file_atomically(given.output) as out:
        write_window(trace, out, Window(start, ENDLESS if count is None else count))
    _say_cut(given, trace.cut)
    return 0


def _convert(given: argparse.Namespace) -> int:
    from cache_sim.traces.kernel import parse_kernel
    from ease.traces.converting import Changes, convert, part_of_hints

    kernel = None if given.kernel is None else parse_kernel(given.kernel)
    code = None if given.hints is None else part_of_hints(given.hints)
    changes = Changes(given.filter, given.lines, given.coarse, given.repeats, given.only, kernel, code)
    _say_cut(given, convert(given.trace, given.output, given.form, given.to, given.size, changes, given.executable))
    return 0


def _say_cut(given: argparse.Namespace, cut: bool) -> None:
    if cut:
        print(f"ease trace: warning: {given.trace}: the file was cut short; this is what there is", file=sys.stderr)
