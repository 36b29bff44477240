/* Vector types: operators on elements, comparisons, subscripts, conversions. */

#include "host.h"

typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char u8 __attribute__((__vector_size__(8)));
typedef short s4 __attribute__((vector_size(8)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(2 * sizeof(double))));
typedef long long l2 __attribute__((vector_size(16)));

static v4 constant = { 1, 2, 3, -4 };
static f4 halves = { 0.5f, 1.5f };
struct holder { char c; v4 v; };
union all { v4 v; int i[4]; f4 f; };

static void show(const char *what, v4 v) { printf("%s %d %d %d %d\n", what, v[0], v[1], v[2], v[3]); }
static void showf(f4 v) { printf("%g %g %g %g\n", v[0], v[1], v[2], v[3]); }
static v4 sum(v4 a, int n, v4 b) { return a + n * b; }
static struct holder held(struct holder h) { h.v[1] = 77; return h; }

int main(void)
{
    v4 a = { 10, 20, 30, 40 }, b = constant, c;
    u8 u = { 250, 251, 252, 253, 254, 255, 0, 1 }, w;
    f4 f = halves * 4 + (f4){ 1, 2, 3, 4 };
    d2 d = { 1, 2 };
    s4 s = { -1, 2, -3, 32767 };
    show("sum", a + b), show("difference", a - b), show("product", a * b), show("quotient", a / b), show("rest", a % b);
    show("and", a & b), show("or", a | b), show("xor", a ^ b), show("left", a << (b & 3)), show("right", b >> 1);
    show("negative", -a), show("not", ~a), show("is zero", a - 10 == 0);
    show("equal", a == (v4){ 10, 0, 30, 0 }), show("less", b < 3), show("at least", a >= b), show("unequal", a != a);
    show("scalar", a + 5), show("scalar", 100 - a);
    show("call", sum(a, 2, b));
    c = a, c += b, c *= 2, c -= a, c |= 1, c <<= 1;
    show("assigned", c);
    c[2] = 5, c[3]++, ++c[0];
    show("element", c);
    int i = 1;
    c[i] = c[i + 1] + a[3];
    show("element", c);
    showf(f), showf(f / 2), showf(-f), show("float", f > 3);
    w = u + 10;
    for (i = 0; i < 8; i++)
        printf("%d ", w[i]);
    w = u >> 1;
    for (i = 0; i < 8; i++)
        printf("%d ", w[i]);
    printf("\n");
    s = s * s + 1;
    printf("%d %d %d %d\n", s[0], s[1], s[2], s[3]);
    d = d * d + 0.5;
    printf("%g %g\n", d[0], d[1]);
    union all x = { .v = a };
    printf("%d %d\n", x.i[2], (int)sizeof(struct holder));
    show("bits", (v4)f), show("bits", (v4)(l2){ -1, 1 });
    printf("%llx\n", (unsigned long long)(u8){ 1, 1, 1, 1, 1, 1, 1, 1 });
    struct holder h = { 1, { 5, 6, 7, 8 } }, g = held(h);
    show("record", g.v + h.v);
    v4 many[2] = { { 1, 2 }, a }, *p = many;
    p[1] += p[0];
    show("array", many[1]), show("pointer", *p++);
    show("choice", i > 3 ? a : b);
    c = a++, show("step", c), show("step", a), show("step", --a);
    show("statement", ({ v4 t = a; t * 2; }));
    v4 copy = a = b;
    show("copy", copy);
    const v4 fixed = { 1 };
    show("constant", fixed + constant);
    return 0;
}
