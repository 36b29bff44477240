"""The C library compiled by gcc for this machine, so that it can be compared with this machine's own at full speed."""

from __future__ import annotations

import subprocess
from pathlib import Path

from vpo.il.formats import PARTS
from vpo.libc import HEADERS, SOURCES

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
SHIM = HERE / "shim"
COMPILER = "gcc"

# Nothing of the compiler's own headers, start-up code or library; no idiom replaced by a call of what defines it.
ALONE = (
    *("-O1", "-w", "-DOURS", "-nostdinc", "-nostdlib", "-static", "-no-pie", "-fno-pic", "-ffreestanding"),
    *("-fno-builtin", "-fno-strict-aliasing", "-fwrapv", "-fno-tree-loop-distribute-patterns"),
    *("-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-ffp-contract=off"),
)
_WHOLE = [f"-Wl,-u,{part}" for part in PARTS]  # of printf: this compiler does not say which parts formats need
_OURS = ("-I", SHIM, "-I", HEADERS, "-include", SHIM / "system.h")
PATIENCE = 600  # seconds


def run(*command: str | Path, **options) -> subprocess.CompletedProcess[bytes]:
    """Run a command, for as long as other processes may delay it, and keep its output."""
    return subprocess.run([str(part) for part in command], capture_output=True, timeout=PATIENCE, check=False, **options)


def compile_c(*arguments: str | Path, cwd: Path) -> None:
    """Run the compiler in a folder."""
    result = run(COMPILER, *arguments, cwd=cwd)
    assert result.returncode == 0, result.stderr.decode()


def build_library(folder: Path) -> None:
    """Put the library into a folder, as an archive, and what starts a program."""
    compile_c(*ALONE, *_OURS, "-c", *sorted(SOURCES.glob("*.c")), cwd=folder)
    run("ar", "rc", "library.a", *sorted(path.name for path in folder.glob("*.o")), cwd=folder)
    compile_c("-c", SHIM / "start_x86_64.S", "-o", "start.obj", cwd=folder)


def build_both(folder: Path, name: str) -> tuple[Path, Path]:
    """Compile a program with the library in a folder and with this machine's; return both files."""
    source = PROGRAMS / f"{name}.c"
    compile_c(*ALONE, *_OURS, *_WHOLE, source, "start.obj", "library.a", "-o", f"{name}.ours", cwd=folder)
    compile_c("-O1", "-w", "-fno-builtin", source, "-o", f"{name}.theirs", "-lm", cwd=folder)
    return folder / f"{name}.ours", folder / f"{name}.theirs"
