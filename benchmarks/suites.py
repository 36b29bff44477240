"""Suites that somebody has in a folder, as programs of one file: nothing of them is part of this project."""

from __future__ import annotations

import shutil
from pathlib import Path

from user_code import Subject

# what a board of Embench is for: nothing but the work, once
EMBENCH = """\
#define GLOBAL_SCALE_FACTOR 1
#define WARMUP_HEAT 0
#define CPU_MHZ 1
void initialise_board(void) {{}}
void start_trigger(void) {{}}
void stop_trigger(void) {{}}
#include <stdio.h>
#include "support.h"
#include "beebsc.c"
{sources}
int main(void)
{{
    initialise_benchmark();
    printf("%d\\n", verify_benchmark(benchmark()));
    return 0;
}}
"""


def embench(folder: Path, into: Path) -> list[Subject]:
    """Return the programs of Embench, whose folder is given: each as one file, in a folder with what it includes."""
    found = []
    for place in sorted(each for each in (folder / "src").iterdir() if each.is_dir()):
        name = f"embench-{place.name}"
        own = into / name
        shutil.copytree(place, own)
        for file in (folder / "support").glob("*.[ch]"):
            shutil.copy(file, own)
        made = own / f"{name}.c"
        made.write_text(EMBENCH.format(sources="\n".join(f'#include "{file.name}"' for file in sorted(place.glob("*.c")))))
        found.append(Subject(name, made, [name], b"", b"1\n", 0))
    return found
