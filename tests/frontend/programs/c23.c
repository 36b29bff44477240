/* What C23 has, and the older editions of gcc take as well: with -std=gnu2x where a compiler asks for it. */

#include "host.h"

enum wide { A = 0x80000000u, B = 5 };
enum huge { H = 0x123456789ALL, I };
enum negative { N = -1, P = 1 };
enum { ONE = 1 } one_object;

static int f(int, int x) { return x; }

int grün = 3;
static int \u00fcber = 4;

#define SAME(a, b) __builtin_types_compatible_p(__typeof__(a), b)

int main(void)
{
    enum wide w = A;
    enum huge h = I;
    enum negative n = N;
    printf("%d %d %d %d\n", (int)sizeof w, (int)sizeof h, (int)sizeof n, (int)sizeof one_object);
    printf("%d %d %d %d\n", SAME(A, unsigned), SAME(B, unsigned), SAME(ONE, int), SAME(H, long));
    printf("%d %d %d\n", w > 0, n - 1 < 0, one_object - 1 < 0);
    printf("%ld %d\n", (long)h, (int)w);
    __auto_type x = 1.5f;
    const __auto_type y = &x;
    printf("%d %g\n", (int)sizeof x, *y);
    int naïve = grün + über;
    printf("%d %d\n", naïve, f(1, 2));
    int empty = 0, array[3] = {};
    struct { int a; double b; } record = {};
    printf("%d %d %g\n", empty, array[2], record.b);
#ifdef __has_include
#if __has_include("host.h") && !__has_include(<no/such/header.h>)
    printf("includes\n");
#endif
#endif
#if __has_builtin(__builtin_clz) && !__has_builtin(__builtin_strange) && __has_attribute(__packed__) && !__has_attribute(strange)
    printf("built-in functions and attributes\n");
#endif
#if __has_c_attribute(fallthrough) && !__has_c_attribute(strange)
    printf("attributes\n");
#endif
#ifdef NOTHING
#elifdef __CHAR_BIT__
    printf("elifdef\n");
#endif
    _Alignas(64) int aligned = 5;
    _Alignas(32) char text[40] = "over-aligned";
    struct { _Alignas(128) int a; } s = {7};
    printf("%d %d %d %d %s %d\n", (int)((unsigned long)&aligned % 64), (int)((unsigned long)text % 32),
           (int)((unsigned long)&s % 128), aligned, text, s.a);
    return 0;
}
