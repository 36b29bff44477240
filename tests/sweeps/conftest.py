"""A small program to sweep over."""

import pytest

TEXT = """
#include <stddef.h>
#ifndef TIMES
#define TIMES 20
#endif
int cells[64];
static int size(const char *word) { int n = 0; while (word[n]) n++; return n; }
int main(int count, char **words)
{
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, k = size(words[count - 1]);
    for (int i = 0; i < TIMES; i++) {
        a += b * i; b ^= c + k; c += d - i; d += e * 3; e ^= f; f += g + i; g += h; h += a;
        cells[i & 63] = a + b + c + d + e + f + g + h;
    }
    return (cells[3] + a + b + c + d + e + f + g + h) & 63;
}
"""


@pytest.fixture(scope="session", autouse=True)
def _own_cache(own_cache):
    """No test here uses the user's cache."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory with programs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.c").write_text(TEXT)
    (tmp_path / "two.c").write_text(TEXT.replace("20", "30"))
    return tmp_path
