"""The command `cache-sim CONFIG TRACE`, also `python -m cache_sim`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any

from cache_sim.config import ConfigurationError
from cache_sim.describe import plain, swept_plain, swept_text, text
from cache_sim.parse import load_any
from cache_sim.priorities import ORDERS
from cache_sim.results import Results
from cache_sim.streamed import simulate_events, sweep_events, sweep_plainly
from cache_sim.sweeps import Grid, Swept
from cache_sim.trace import TraceError
from cache_sim.traces.container import TraceDamaged
from cache_sim.traces.formats import FORMATS, read_trace
from cache_sim.traces.formats.simple_formats import decompressed
from cache_sim.traces.listed import merged
from cache_sim.traces.regeneration import Events

STANDARD_INPUT = "-"
EXIT_USER, EXIT_INTERRUPTED, EXIT_NO_READER = 1, 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate the memory system of a command line on its traces; return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        results = _simulated(options)
        counted = "written back" if options.written_back else "misses"
        told = json.dumps(_plain(results, counted), indent=2) if options.json else _text(results, counted)
        print(told, end="\n" if options.json else "")
        sys.stdout.flush()
        return 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes once more
        return EXIT_NO_READER
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OSError as error:
        print("cache-sim: error: " + (f"{error.filename}: " if error.filename else "") + str(error.strerror), file=sys.stderr)
    except TraceDamaged as error:
        print(f"cache-sim: error: {', '.join(options.traces)}: {error}", file=sys.stderr)
    except (ConfigurationError, TraceError) as error:
        print(error if ": error: " in str(error) else f"cache-sim: error: {error}", file=sys.stderr)
    return EXIT_USER


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cache-sim", description="Simulate caches and TLBs on traces of references.", add_help=False
    )
    parser.add_argument("-h", "-help", "--help", action="help", help="show this help message and exit")
    parser.add_argument(
        "config", help="a YAML file, a short form such as I:1k,16,1+D:8k,16,4,fifo+switch:10000, or a sweep over many caches "
        "in one pass, such as sweep+D+size:1k-64k+ways:1-8,full",
    )  # fmt: skip
    parser.add_argument(
        "traces", nargs="+", metavar="trace", help="a trace of `easecc -trace`, or in another format; - reads standard input; "
        "several are of programs that run in turn, each in an address space of its own",
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=FORMATS, help="the format of the traces (as endings of names say, else din: lines of 0 (read), 1 "
        "(write) or 2 (fetch) and a hexadecimal address)",
    )  # fmt: skip
    parser.add_argument(
        "--size", type=_size, default=1, metavar="BYTES", help="the size of each reference, if the trace does not tell (1)"
    )
    parser.add_argument(
        "--quantum", type=_quantum, default=(10_000, False), metavar="N[i]",
        help="how many references, or (10000i) instructions, each of several programs makes in turn (10000)",
    )  # fmt: skip
    parser.add_argument(
        "--policy", choices=ORDERS, help="the policy of a sweep without context switches, simulated plainly (lru, compiled)"
    )
    parser.add_argument(
        "--written-back", action="store_true", help="of a sweep: lines written back in place of misses (see --policy)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _plain(results: Results | Swept, counted: str) -> dict[str, Any]:
    return swept_plain(results, counted) if isinstance(results, Swept) else plain(results)


def _text(results: Results | Swept, counted: str) -> str:
    return swept_text(results, counted) if isinstance(results, Swept) else text(results)


def _size(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1 << 20:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of bytes")
    return int(text)


def _quantum(text: str) -> tuple[int, bool]:
    """Return how many, and whether they are instructions."""
    number = text.removesuffix("i")
    if not number.isdecimal() or int(number) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of references (10000) or instructions (10000i)")
    return int(number), text.endswith("i")


def _simulated(options: argparse.Namespace) -> Results | Swept:
    """Return what happens to the traces of a command line."""
    system = load_any(options.config)
    plainly = options.policy is not None or options.written_back
    if plainly and not isinstance(system, Grid):
        raise ConfigurationError("--policy and --written-back are of a sweep, as sweep+D")
    if STANDARD_INPUT in options.traces and len(options.traces) > 1:
        raise TraceError("standard input cannot be one of several traces")
    with ExitStack() as stack:

        def content(name: str) -> Any:
            return stack.enter_context(decompressed(stack.enter_context(open(name, "rb")), name))

        def opened() -> Iterable[Events]:
            traces = [read_trace(content(name), name, options.format, options.size, _say_cut) for name in options.traces]
            return traces[0] if len(traces) == 1 else merged(traces, *options.quantum)

        once = iter([STANDARD_INPUT]) if options.traces == [STANDARD_INPUT] else None

        def opened_once() -> Iterable[Events]:
            if next(once or iter(()), None) is None:
                raise TraceError("high addresses come late in this trace, which has to be read twice: put it into a file")
            return read_trace(sys.stdin.buffer, "<stdin>", options.format, options.size, _say_cut)

        source = opened if once is None else opened_once
        if isinstance(system, Grid) and plainly:
            swept = sweep_plainly(system, source, options.policy or "lru")
            return swept[options.written_back]
        return sweep_events(system, source()) if isinstance(system, Grid) else simulate_events(system, source)


def _say_cut(name: str) -> None:
    print(f"cache-sim: warning: {name}: the file was cut short; this is what happened up to there", file=sys.stderr)
