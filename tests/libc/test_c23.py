"""What C23 has added to the library, and to what headers need of the compiler, on machines of both byte orders."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.covering import case, usual_level

PROGRAM = r"""
#include <stdarg.h>
#include <stdalign.h>
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbit.h>
#include <stdbool.h>
#include <stdckdint.h>
#include <stddef.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uchar.h>

#if BOOL_WIDTH != 1 || INT_WIDTH != 32 || LLONG_WIDTH != 64 || INTMAX_WIDTH != 64 || SIZE_WIDTH != 32 || INT_LEAST8_WIDTH != 8
#error
#endif
#if __has_embed("data.bin") != __STDC_EMBED_FOUND__ || __has_embed("none") || __has_embed("data.bin" limit(0)) != 2
#error
#endif
static_assert(sizeof(true) == sizeof(bool) && alignof(int) == 4 && INFINITY > FLT_NORM_MAX);
static const unsigned char data[] = {
#embed "data.bin" prefix(7,) suffix(, 9) limit(2 + 1)
};
static const char none[] = {
#embed "data.bin" limit(0) prefix(1) if_empty('e', 0)
};
struct same { int a; struct same *next; };
struct same { int a; struct same *next; };
typedef struct same same;
typedef struct same { int a; struct same *next; } same;
#define CALL(f, ...) f(__VA_OPT__(1, ) sizeof(#__VA_ARGS__))
#define NOTHING
static int two(int a, int b) { return a + b; }
static int one(int a) { return a; }
static int cleared(int n)
{
    int v[n] = {}, found = 0;
    struct { int a; double b; } w[n][2] = {};
    for (int i = 0; i < n; i++) {
        found |= v[i] | w[i][1].a | (w[i][0].b != 0);
        v[i] = w[i][1].a = 77;
        w[i][0].b = 3;
    }
    return found;
}

struct fields { _BitInt(13) a : 7; unsigned _BitInt(40) b : 33; _BitInt(5) c; } s;
static long long sum(int n, ...)
{
    va_list ap;
    va_start(ap);
    _BitInt(9) a = va_arg(ap, _BitInt(9));
    unsigned _BitInt(37) b = va_arg(ap, unsigned _BitInt(37));
    unsigned _BitInt(3) c = va_arg(ap, unsigned _BitInt(3));
    va_end(ap);
    return a * 1000000 + (long long)b * 10 + c;
}
static _BitInt(11) add(_BitInt(11) a, unsigned _BitInt(6) b) { return a + b; }
static int bits(void)
{
    _BitInt(7) i;
    unsigned _BitInt(2) small = 3;
    _BitInt(21) of_float = -3.7;
    double wide = (unsigned _BitInt(50))1 << 49;
    int n = 0, list[4] = { 1, 2, 3, 4 };
    s.a = -5;
    s.b = 0x1ffffffffuwb;
    s.c = 14;
    s.c++;
    s.b += 2;
    s.a--;
    printf("%d %llx %d\n", (int)s.a, (unsigned long long)s.b, (int)s.c);
    printf("%lld\n", sum(3, (_BitInt(9))-100, (unsigned _BitInt(37))12345, (unsigned _BitInt(3))5));
    switch ((_BitInt(4))-3) { case -3: n++; break; default: n = 50; }
    switch ((unsigned _BitInt(50))1 << 40) { case 1ll << 40: n++; break; default: n = 60; }
    for (i = 60; i > 0 && i < 63; i++) n++;
    small++;
    printf("%d %d %d %g %d %d\n", n, (int)i, (int)add(900, 60), wide, (int)of_float, BITINT_MAXWIDTH);
    return printf("%d %d %d\n", (int)small, list[(_BitInt(4))2], small ? 1 : 2) != 6;
}

int main(void)
{
    struct same { int a; struct same *next; } inner = { 3 }, *p = &inner;
    same *outer = p;
    char text[20], *dup = strdup("abc");
    unsigned binary;
    int sum;
    nullptr_t null = nullptr;
    printf("%b %#b %08b %B %.0b|%5b|%-5b|%#llb\n", 5u, 5u, 5u, 5u, 0u, 5u, 5u, 5ull << 40);
    printf("%w32d %wf8d %w64d %w8u %w16x\n", (int32_t)7, (int_fast8_t)8, INT64_C(1) << 40, (uint8_t)255, (uint16_t)65535);
    printf("%d %u\n", sscanf("101", "%b", &binary), binary);
    printf("%d %d", sscanf("-0b1101 0B2", "%i %i", &sum, &binary), sum);
    printf(" %d %u ", sscanf("0b11 0x1f", "%i%d", &binary, &sum), binary);
    printf("%d\n", cleared(3) | cleared(10) | cleared(7));
    bits();
    printf("%d %d ", ckd_add(&sum, INT_MAX, 1), ckd_mul(&sum, 3, 4));
    printf("%d %d %s\n", sum, outer->a, dup);
    printf("%u %u ", stdc_leading_zeros(1u), stdc_trailing_zeros(8u));
    printf("%u %u ", stdc_count_ones(255u), stdc_bit_width((uint8_t)9));
    printf("%d %u %u %llu\n", stdc_has_single_bit(8u), stdc_bit_ceil(9u), stdc_first_leading_one_us(1), stdc_bit_floor(9ull));
    printf("%u %u %u %d\n", stdc_leading_ones((uint8_t)0xE0), stdc_trailing_ones(7u), stdc_count_zeros_uc(1), none[0]);
    printf("%g %g %g %g ", roundeven(2.5), fmaximum(1, 2), fminimum_num(NAN, 2), exp10(2));
    printf("%g\n", copysign(1, fmaximum(-0.0, 0.0)));
    printf("%d %s %d\n", strfromd(text, 20, "%.3f", 2.5), text, memalignment((void *)64) == 64);
    for (size_t i = 0; i < sizeof data; i++)
        printf("%d ", data[i]);
    printf("%d %d\n", CALL(two, x), CALL(one, NOTHING));
    printf("%d %d ", null == nullptr, _Generic(u8"a"[0], unsigned char: 1, default: 0));
    printf("%d\n", _Generic(u8'a', char8_t: 1, default: 0));
    printf("%ld %lld %lu ", strtol("-0b101", nullptr, 0), strtoll("0B11x", nullptr, 2), strtoul("0b", nullptr, 0));
    printf("%d %d\n", (int)strtoimax("0b111", nullptr, 0), (int)strtol("0b1", nullptr, 16));
    free_sized(memset_explicit(dup, 0, 4), 4);
    struct timespec resolution;
    return timespec_getres(&resolution, TIME_UTC) - TIME_UTC;
}
"""
PRINTED = """\
101 0b101 00000101 101 |  101|101  |0b1010000000000000000000000000000000000000000
7 8 1099511627776 255 ffff
1 5
1 -13 2 3 0
-6 1 15
-99876545
5 63 960 5.6295e+14 -3 64
0 3 2
1 0 12 3 abc
31 3 8 4 1 16 16 8
3 3 7 101
2 2 2 100 1
5 2.500 1
7 1 255 0 9 3 8
1 1 1
-5 3 0 7 177
"""


@pytest.mark.parametrize("machine", ["riscv32", case("sparc", usual=False)])
def test_a_program_of_c23(machine, tmp_path):
    (tmp_path / "program.c").write_text(PROGRAM)
    (tmp_path / "data.bin").write_bytes(b"\1\xff\0\5")
    ease = [sys.executable, "-c", "from ease.start import easecc; raise SystemExit(easecc())"]
    command = [*ease, "-m", machine, f"-O{usual_level(machine)}", "-std=c23", "-Wall", "program.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert (done.stdout, done.stderr, done.returncode) == (PRINTED, "", 0)
