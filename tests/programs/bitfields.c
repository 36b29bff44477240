/* Bit-fields: every width, signed and unsigned, of every type, alone and across units; all operators on them. */
#include <stdio.h>

struct narrow { unsigned a : 1; int b : 1; unsigned c : 2; int d : 3; unsigned e : 5; int f : 7; unsigned g : 13; };
struct whole { unsigned a : 32; int b : 32; unsigned c : 31; int d : 1; };
struct mixed { char x; unsigned a : 9; short y; int b : 17; unsigned : 0; unsigned c : 3; unsigned char d : 6; signed char e : 2; };
struct wide { unsigned long long a : 33; long long b : 40; unsigned long long c : 64; long long d : 5; int e : 6; };
struct shorts { unsigned short a : 3, b : 13; short c : 9; unsigned short : 4; short d : 3; };
struct booleans { _Bool a : 1; _Bool b : 1; unsigned c : 6; };
struct inner { int head; struct narrow n[2]; const volatile unsigned v : 4; int tail; };

static struct narrow filled = {1, -1, 3, -4, 31, -64, 8191};
static struct wide large = {0x1ffffffff, -0x8000000000, 0xffffffffffffffff, -16, 31};
static struct inner nested = {1, {{0, -1, 2, 3, 4, 5, 6}, {1, 0, 1, -1, 1, -1, 1}}, 9, 2};
static volatile struct narrow shared;

static void show(struct narrow *n)
{
    printf("%u %d %u %d %u %d %u\n", n->a, n->b, n->c, n->d, n->e, n->f, n->g);
}

static void show_wide(struct wide w)
{
    printf("%llx %lld %llx %lld %d\n", (unsigned long long)w.a, (long long)w.b, (unsigned long long)w.c, (long long)w.d, w.e);
}

int main(void)
{
    struct narrow n = {0}, *p = &n, copies[3];
    struct whole h = {0xdeadbeef, -2, 0x7fffffff, -1};
    struct mixed m = {1, 2, 3, 4, 5, 6, 1};
    struct shorts s = {7, 8191, -256, -4};
    struct booleans t = {0};
    struct wide w;
    int i, j;
    unsigned sum = 0;

    show(&filled);
    for (i = -70; i < 70; i += 7) {
        p->a = i; p->b = i; p->c = i; p->d = i; p->e = i; p->f = i; p->g = i * i;
        show(p);
    }
    for (i = 0; i < 40; i++) {
        n.a++; --n.b; n.c += 3; n.d -= 2; n.e <<= 1; n.e |= i & 1; n.f ^= i; n.g = n.g * 5 + 1;
        sum = sum * 7 + (n.a++ + n.b-- + ++n.c + --n.d + (n.e += 3) + (n.f >>= 1) + (n.g %= 4096));
    }
    show(&n);
    printf("%u\n", sum);
    printf("%u %d %u %d\n", h.a, h.b, h.c, h.d);
    h.a += 0x21524111; h.b *= h.b; h.c++; h.d = 1;
    printf("%u %d %u %d %d %d\n", h.a, h.b, h.c, h.d, h.a < 1, h.c - 1 < 0);
    m.a = 511; m.a += 2; m.b = 65535; m.b++; m.c = m.c * 3; m.d -= 70; m.e = 2;
    printf("%d %d %d %d %d %d %d\n", m.x, m.a, m.y, m.b, m.c, m.d, m.e);
    s.a++; s.b += 2; s.c--; s.d *= 2;
    printf("%d %d %d %d\n", s.a, s.b, s.c, s.d);
    t.a = 4; t.b = 0.5 > 0; t.c = 100;
    printf("%d %d %d %d\n", t.a, t.b, t.c, t.a + t.b);
    t.a = 0; t.b = !t.b;
    printf("%d %d %d\n", t.a, t.b, t.c);
    show_wide(large);
    w = large;
    for (i = 0; i < 30; i++) {
        w.a = w.a * 3 + i; w.b += w.a; w.c ^= (unsigned long long)w.b << i; w.d = w.c; w.e = w.d * 5;
        if (w.b < 0 && w.a > 0x100000000)
            w.a >>= i & 7;
        sum = sum * 3 + (unsigned)w.a + (unsigned)(w.b >> 20) + (w.a - 1 < w.c);
    }
    show_wide(w);
    printf("%u %d %d\n", sum, w.d + w.e > 0, (int)(large.b >> 36));
    for (i = 0; i < 3; i++) {
        copies[i] = i ? copies[i - 1] : filled;
        copies[i].f += i * 50;
        copies[i].g = ~copies[i].g;
        show(&copies[i]);
    }
    for (i = 0; i < 2; i++)
        for (j = 0; j < 3; j++)
            nested.n[i].e += nested.n[!i].f + j;
    show(&nested.n[0]);
    show(&nested.n[1]);
    printf("%d %d %d\n", nested.head, nested.v, nested.tail);
    shared.f = 40; shared.f += shared.f; shared.c = shared.f; shared.g--;
    printf("%d %u %u\n", shared.f, shared.c, shared.g);
    printf("%d %d %d\n", filled.e - 32 < 0, filled.b ? 5 : 6, (filled.a, filled.d) << 2);
    return (n.e = 45) + (n.d = 12);
}
