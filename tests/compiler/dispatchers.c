/* calls through pointers: each kind of argument and result, on a machine that has only calls of known functions */
#include <stdarg.h>
struct big { int a[5]; double d; };
struct small { short a, b; };
static struct big copy(int a, struct big b) { b.a[2] += a; b.d *= 2; return b; }
static struct small moved(int a, struct small s) { s.a += a; s.b -= a; return s; }
static double product(float a, double b) { return a * b; }
static long long wide(long long a, char b, unsigned short c) { return a * b + c; }
static int sum(int n, ...)
{
    va_list a;
    int s = 0;
    va_start(a, n);
    while (n--) s = s * 3 + va_arg(a, int) + (int)va_arg(a, double);
    va_end(a);
    return s;
}
static int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, double k)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + (int)k;
}
static int fewer(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, double k)
{
    return -many(a, b, c, d, e, f, g, h, i, j, k);
}
static int last;
static void note(int a) { last = last * 2 + a; }
static void forget(int a) { last -= a; }
static void nothing(int a) { (void)a; }
static void (*const notes[])(int) = { note, forget, nothing, note, nothing, forget };
int other(int (*f)(int), int a);
int negated(int a) { return -a; }
int main(int argc, char **argv)
{
    struct big (*p)(int, struct big) = copy;
    struct small (*q)(int, struct small) = moved;
    double (*r)(float, double) = product;
    long long (*s)(long long, char, unsigned short) = wide;
    int (*t)(int, ...) = sum;
    int (*u[2])(int, int, int, int, int, int, int, int, int, int, double) = { many, fewer };
    struct big b = {{1, 2, 3, 4, 5}, 1.5};
    struct small c = {4, 5};
    int i;
    if (argc > 1) u[0] = 0;
    b = p(10, b);
    c = q(3, c);
    for (i = 0; i < 6; i++) notes[i](i + 1);
    last += u[argc == 1](1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11.5) + 2 * u[0](10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    last = last * 3 + (int)r(1.5f, 2.5) + (int)(s(123456789012LL, -3, 65535) >> 5) + t(3, 1, 2.0, 3, 4.0, 5, 6.0);
    return (last ^ b.a[2] ^ (int)b.d << 4 ^ c.a << 8 ^ c.b << 12 ^ other(negated, last)) & 127;
}
