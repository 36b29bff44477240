"""Suites that somebody has in a folder, as programs of one file: nothing of them is part of this project."""

from __future__ import annotations

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
#include "{support}/support.h"
#include "{support}/beebsc.c"
{sources}
int main(void)
{{
    initialise_benchmark();
    printf("%d\\n", verify_benchmark(benchmark()));
    return 0;
}}
"""


def embench(folder: Path, into: Path) -> list[Subject]:
    """Return the programs of Embench, whose folder is given; sources that include theirs are written to another one."""
    found = []
    for place in sorted(each for each in (folder.resolve() / "src").iterdir() if each.is_dir()):
        name = f"embench-{place.name}"
        sources = "\n".join(f'#include "{file}"' for file in sorted(place.glob("*.c")))
        made = into / f"{name}.c"
        made.write_text(EMBENCH.format(support=folder.resolve() / "support", sources=sources))
        found.append(Subject(name, made, [name], b"", b"1\n", 0))
    return found
