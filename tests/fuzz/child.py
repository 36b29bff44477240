"""Actions in processes of their own, so that a crash or an endless loop costs no more than the action."""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Sequence

Answer = dict[str, object]
BATCH = 50  # actions for a process, if all goes well
WAITING = 10  # seconds that an action may take for each second of processor time: others use the processor, too


def freeze() -> None:
    """Collect garbage once, and never again in what is there: children share it, and visiting would copy it."""
    gc.collect()
    gc.freeze()


def in_child(action: Callable[[], Answer], seconds: float) -> Answer:
    """Run an action in a forked process; return its answer or what became of it."""
    ((_, answer),) = each_in_child(lambda _: action(), [0], seconds)
    return answer


def each_in_child(action: Callable[[int], Answer], items: Sequence[int], seconds: float) -> Iterator[tuple[int, Answer]]:
    """Run an action for each item; give each item with the answer or what became of it.

    A forked process works on many items, one after the other; each may take `seconds` of processor time.  One that crashes
    or takes longer ends the process, and another one goes on behind it.
    """
    done = 0
    while done < len(items):
        for answer in _batch(action, items[done : done + BATCH], seconds):
            yield items[done], answer
            done += 1


def _batch(action: Callable[[int], Answer], items: Sequence[int], seconds: float) -> Iterator[Answer]:
    """Give the answers of one process; the last one says what became of it, if it did not answer for all items."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.setpgid(0, 0)
        _answer(action, items, seconds, writer)
        os._exit(0)
    os.close(writer)
    answered = 0
    with os.fdopen(reader, "rb", buffering=0) as pipe:
        text = b""
        end = time.monotonic() + WAITING * seconds
        while answered < len(items) and select.select([pipe], [], [], max(0, end - time.monotonic()))[0]:
            piece = pipe.read(1 << 16)
            if not piece:
                break
            *lines, text = (text + piece).split(b"\n")
            for line in lines:
                answered += 1
                yield json.loads(line)
                end = time.monotonic() + WAITING * seconds
    if answered < len(items):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if answered < len(items):
        yield {"failures": [f"no answer after {seconds} s, or a crash"]}


def _answer(action: Callable[[int], Answer], items: Sequence[int], seconds: float, writer: int) -> None:
    """Write a line with the answer for each item; SIGPROF ends the process if one takes too long."""
    gc.disable()
    for item in items:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            answer = action(item)
        except BaseException as error:
            answer = {"failures": [f"{type(error).__name__}: {error}"]}
        signal.setitimer(signal.ITIMER_PROF, 0)  # collecting garbage is not the action's time
        os.write(writer, json.dumps(answer).encode() + b"\n")
        gc.collect(1)
