/* Variable arguments of every type, after every number of named ones. */
#include <stdarg.h>
#include <stdio.h>

typedef int (*function)(int);
struct small { char c[3]; };
struct pair { int a, b; };
struct big { int n; double d; char text[9]; };
struct one { double d; };

static void show(const char *format, va_list ap)
{
    for (; *format; format++)
        switch (*format) {
        case 'i': printf(" %d", va_arg(ap, int)); break;
        case 'u': printf(" %u", va_arg(ap, unsigned)); break;
        case 'l': printf(" %ld", va_arg(ap, long)); break;
        case 'q': printf(" %lld", va_arg(ap, long long)); break;
        case 'd': printf(" %.3f", va_arg(ap, double)); break;
        case 's': printf(" %s", va_arg(ap, char *)); break;
        case 'f': printf(" %d", va_arg(ap, function)(7)); break;
        case 'S': { struct small s = va_arg(ap, struct small); printf(" {%d %d %d}", s.c[0], s.c[1], s.c[2]); break; }
        case 'P': { struct pair p = va_arg(ap, struct pair); printf(" {%d %d}", p.a, p.b); break; }
        case 'O': printf(" {%.2f}", va_arg(ap, struct one).d); break;
        case 'B': { struct big b = va_arg(ap, struct big); printf(" {%d %.2f %s}", b.n, b.d, b.text); break; }
        }
    printf("\n");
}

static int twice(int x) { return 2 * x; }

static void v1(const char *f, ...) { va_list ap; va_start(ap, f); show(f, ap); va_end(ap); }
static void v2(int a, const char *f, ...) { va_list ap; va_start(ap, f); printf("%d", a); show(f, ap); va_end(ap); }

static void v3(double a, int b, const char *f, ...)
{
    va_list ap, again;

    va_start(ap, f);
    va_copy(again, ap);
    printf("%.1f %d", a, b);
    show(f, ap);
    printf("again");
    show(f, again);
    va_end(again);
    va_end(ap);
}

static void v9(int a, int b, int c, int d, int e, int f, int g, int h, const char *i, ...)
{
    va_list ap;

    va_start(ap, i);
    printf("%d", a + 10 * b + 100 * c + 1000 * d + e + f + g + h);
    show(i, ap);
    va_end(ap);
}

static long long sum(int count, ...)
{
    va_list ap;
    long long total = 0;

    va_start(ap, count);
    while (count-- > 0)
        total = total * 3 + va_arg(ap, int);
    va_end(ap);
    return total;
}

static struct big make(int n, ...)
{
    struct big b = {n, 0.5, "made"};
    va_list ap;

    va_start(ap, n);
    while (n--)
        b.d += va_arg(ap, double);
    va_end(ap);
    return b;
}

int main(void)
{
    struct small s = {{1, 2, 3}};
    struct pair p = {40, 50};
    struct big b = {6, 7.25, "eight"};
    struct one o = {2.5};
    char c = -3;
    short h = -300;
    float f = 1.5f;
    unsigned char uc = 200;

    v1("");
    v1("i", 1);
    v1("iiiiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    v1("dddddddddd", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0);
    v1("idididididid", 1, 2.0, 3, 4.0, 5, 6.0, 7, 8.0, 9, 10.0, 11, 12.0);
    v1("qqqqq", 1LL, -2LL, 3LL << 40, -4LL << 40, 5LL);
    v1("iqiqiqiq", 1, 2LL, 3, 4LL << 33, 5, 6LL, 7, -8LL);
    v1("iiqdiqd", c, h, (long long)c, f, uc, -1LL, (double)f * 3);
    v1("SPBOSPBO", s, p, b, o, s, p, b, o);
    v1("iSiPiBiOi", 1, s, 2, p, 3, b, 4, o, 5);
    v1("qSqPqBqOq", 1LL, s, 2LL, p, 3LL, b, 4LL, o, 5LL);
    v1("ulsf", 4000000000u, -5L, "text", twice);
    v2(9, "idqs", 1, 2.5, 3LL, "four");
    v2(9, "dBdPq", 1.5, b, 2.5, p, 3LL);
    v3(2.5, 7, "qid", 1LL << 50, 2, 3.75);
    v3(-2.5, -7, "BiPq", b, 1, p, -1LL);
    v9(1, 2, 3, 4, 5, 6, 7, 8, "iqdsB", 9, 10LL, 11.5, "twelve", b);
    v9(1, 2, 3, 4, 5, 6, 7, 8, "dddddddddi", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1);
    printf("%lld %lld\n", sum(0), sum(20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20));
    b = make(3, 1.0, 2.0, 3.5);
    printf("%d %.2f %s %.2f\n", b.n, b.d, b.text, make(1, -1.5).d);
    printf("%d %s %c %5.2f|%-6d|%06x %lld %u %%\n", c, "mixed", 'x', f, h, 0xbeef, -1LL << 40, 3000000000u);
    return 0;
}
