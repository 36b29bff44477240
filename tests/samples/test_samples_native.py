"""The sample programs, built by the host's C compiler, print what samples/expected says."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLES = json.loads((ROOT / "samples" / "samples.json").read_text())
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]

pytestmark = pytest.mark.tools


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    """Return a function that compiles a sample, once, and returns the path of the executable."""
    compiler = shutil.which("gcc")
    if compiler is None:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            pytest.fail("gcc is required (EASE_REQUIRE_TOOLS=1), but not installed")
        pytest.skip("gcc is not installed")
    directory = tmp_path_factory.mktemp("samples")

    def build_sample(name):
        executable = directory / name
        if not executable.exists():
            source = ROOT / "samples" / f"{name}.c"
            subprocess.run([compiler, *STRICT, "-O2", str(source), "-o", str(executable)], check=True)
        return executable

    return build_sample


def run(executable, *args, stdin=b""):
    return subprocess.run([executable, *args], input=stdin, capture_output=True, cwd=ROOT, timeout=60, check=False)


def test_index_names_every_sample():
    assert sorted(SAMPLES) == sorted(path.stem for path in (ROOT / "samples").glob("*.c"))


@pytest.mark.parametrize("name", SAMPLES)
def test_expected_output(build, name):
    entry = SAMPLES[name]
    stdin = (ROOT / entry["stdin"]).read_bytes() if entry["stdin"] else b""
    result = run(build(name), *entry["args"], stdin=stdin)
    assert result.stderr == b""
    assert result.returncode == entry["exit"]
    expected = ROOT / entry["expected"]
    if os.environ.get("EASE_UPDATE_SAMPLES") == "1":
        expected.write_bytes(result.stdout)
    assert result.stdout == expected.read_bytes()


@pytest.mark.parametrize("name", SAMPLES)
def test_bad_usage(build, name):
    result = run(build(name), "-?")
    assert result.returncode == 2
    assert result.stdout == b""
    assert result.stderr.startswith(b"usage: " + name.encode())


@pytest.mark.parametrize("name", ["compact", "cpp", "diff", "od", "puzzle", "spline"])
def test_missing_file(build, name):
    args = ["no/such/file"] * (2 if name == "diff" else 1)
    result = run(build(name), *args)
    assert result.returncode == (2 if name == "diff" else 1)
    assert b"no/such/file" in result.stderr


@pytest.mark.parametrize(
    "data",
    [b"", b"a", b"a" * 1000, bytes(range(256)), bytes(range(255, -1, -1)) * 9, (ROOT / "samples/cpp.c").read_bytes()],
    ids=["empty", "one byte", "one symbol", "all bytes", "all bytes repeated", "text"],
)
def test_compact_round_trip(build, tmp_path, data):
    compact = build("compact")
    plain, packed, unpacked = (tmp_path / name for name in ("plain", "packed", "unpacked"))
    plain.write_bytes(data)
    assert run(compact, "-o", packed, plain).returncode == 0
    assert run(compact, "-d", "-o", unpacked, packed).returncode == 0
    assert unpacked.read_bytes() == data
    assert run(compact, stdin=data).stdout == packed.read_bytes()
    assert b", restored\n" in run(compact, "-t", plain).stdout


@pytest.mark.parametrize("damage", ["truncated", "changed", "no header"])
def test_compact_notices_damage(build, damage):
    compact = build("compact")
    packed = run(compact, stdin=b"some text, some more text").stdout
    bad = {"truncated": packed[:-2], "changed": packed[:20] + bytes([packed[20] ^ 1]) + packed[21:], "no header": b"x"}
    result = run(compact, "-d", stdin=bad[damage])
    assert result.returncode == 1
    assert result.stdout == b""
    assert result.stderr.startswith(b"compact: ")


@pytest.mark.parametrize(("size", "solutions"), [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)])
def test_queens_counts(build, size, solutions):
    assert f" {solutions} solution".encode() in run(build("queens"), "-q", str(size)).stdout


def test_puzzle_file_with_known_number_of_solutions(build):
    result = run(build("puzzle"), "-a", "-q", "samples/input/puzzle.txt")
    assert result.stdout.startswith(b"8 solutions ")


def test_diff_of_equal_files(build):
    result = run(build("diff"), "samples/README.md", "-", stdin=(ROOT / "samples" / "README.md").read_bytes())
    assert (result.returncode, result.stdout) == (0, b"")


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g"),
        ("#define EMPTY\n#define f() x\nf EMPTY ()", "f ()"),
        ('#define s(...) #__VA_ARGS__\ns(a,  "b\\n")', '"a, \\"b\\\\n\\""'),
        ("#define p(a, b) a ## b\np(x, 1) p(, y) p(z,) p(,)", "x1 y z"),
        ("#if 1 ? 0 : 1 / 0\nno\n#elif -1 > 0u && defined(__FILE__)\nyes\n#endif", "yes"),
    ],
)
def test_cpp(build, text, expanded):
    result = run(build("cpp"), "-P", stdin=text.encode())
    assert result.stderr == b""
    assert result.stdout.decode().strip() == expanded


def test_cpp_reports_errors(build):
    result = run(build("cpp"), stdin=b"a\n#error too bad\n#endif\n")
    assert result.returncode == 1
    assert result.stderr == b"-:2: #error too bad\n-:3: #endif without #if\n"


@pytest.mark.parametrize("options", [[], ["-p"], ["-k", "0.5"]], ids=["natural", "periodic", "factor"])
def test_spline_passes_through_the_points(build, options):
    points = [(0.0, 1.0), (1.0, 3.0), (2.0, -1.0), (4.0, 0.5), (5.0, 1.0)]
    text = "".join(f"{x} {y}\n" for x, y in points)
    lines = run(build("spline"), "-n", "5", *options, stdin=text.encode()).stdout.decode().splitlines()
    values = [tuple(map(float, line.split())) for line in lines]
    assert [values[i] for i in (0, 1, 2, 4, 5)] == points
