"""The command `cache-sim CONFIG TRACE`, also `python -m cache_sim`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from cache_sim.config import ConfigurationError
from cache_sim.parse import load
from cache_sim.simulation import simulate
from cache_sim.table import plain, text
from cache_sim.trace import Trace, TraceError, read_din

EXIT_USER, EXIT_INTERRUPTED, EXIT_NO_READER = 1, 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate the memory system of a command line on its trace; return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        results = simulate(load(options.config), _read(options.trace, options.size))
        print(json.dumps(plain(results), indent=2) if options.json else text(results), end="\n" if options.json else "")
        sys.stdout.flush()
        return 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes once more
        return EXIT_NO_READER
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OSError as error:
        print("cache-sim: error: " + (f"{error.filename}: " if error.filename else "") + str(error.strerror), file=sys.stderr)
    except (ConfigurationError, TraceError) as error:
        print(error if ": error: " in str(error) else f"cache-sim: error: {error}", file=sys.stderr)
    return EXIT_USER


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cache-sim", description="Simulate caches and TLBs on a trace of references.")
    parser.add_argument("config", help="a YAML file, or a short form such as I:1k,16,1+D:8k,16,4,fifo+switch:10000")
    parser.add_argument(
        "trace", help="din text: lines of 0 (read), 1 (write) or 2 (fetch) and a hexadecimal address; - reads standard input"
    )
    parser.add_argument("--size", type=_size, default=1, metavar="BYTES", help="the size of each reference (default: 1)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _size(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1 << 20:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of bytes")
    return int(text)


def _read(name: str, size: int) -> Trace:
    if name == "-":
        return read_din(sys.stdin, "<stdin>", size)
    with open(name, encoding="ascii", errors="replace") as lines:
        return read_din(lines, name, size)
