/* Calls: recursion, pointers to functions, old-style definitions called without prototypes, many arguments. */
#include <stdio.h>
#include <stdlib.h>

static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static void hanoi(int n, char from, char to, char by, int *moves)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, by, to, moves);
    *moves = *moves * 3 + from - to;
    hanoi(n - 1, by, to, from, moves);
}

static long long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

/* definitions without prototypes: arguments arrive promoted */
int old_char(a, b, c) char a; unsigned char b; short c; { return a * 2 + b * 3 + c * 5; }
int old_float(f, d, g, n) float f, g; double d; int n; { return (int)(f * 100 + d * 10 + g) + n; }
double old_mixed(a, f, b, q, c, d, e, h, i, j) char a, b, c; float f; long long q; unsigned short d; short e; int h, i, j;
{ return a + f * 2 + b * 4 + q + c * 8 + d + e + h * 16 + i * 32 + j * 64; }
long long old_long();
int old_many();
int old_none() { return 42; }

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
static int (*const operations[])(int, int) = {add, subtract, multiply, 0};
typedef int (*operation)(int, int);
static operation choose(char c) { return c == '+' ? add : c == '-' ? &subtract : *multiply; }
static int apply(operation f, int n, int a) { while (n--) a = f(a, n + 1); return a; }
static operation (*chooser)(char) = choose;
struct object { int state; int (*method)(struct object *, int); };
static int method(struct object *self, int by) { self->state += by; if (by > 3) self->method = 0; return self->state; }

static int ten(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{ return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j; }
static int narrow(char a, short b, unsigned char c, unsigned short d, signed char e, char f, short g, char h, char i, short j, unsigned char k)
{ return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k; }
static double mixed(int a, double b, long long c, float d, char e, double f, long long g, int h, float i, double j, long long k, int l, int m)
{ return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m; }
static int by_address(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{ int *p = &i, *q = &a; *p += *q; q = &j; *q -= b; return ten(a, b, c, d, e, f, g, h, i, j); }
static unsigned char wrap(int x) { return x; }
static signed char wrap_signed(int x) { return x; }
static _Bool truth(int x) { return x; }
static void nothing(void) {}
static int order[4], count;
static int trace(int x) { order[count++] = x; return x; }

static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }

int main(int argc, char **argv)
{
    int moves = 1, i, numbers[50], *key;
    struct object o = {5, method};
    char c = -7;
    float f = 1.25f;
    short s = -1000;

    printf("%d %d %d\n", ackermann(2, 3), is_even(101), is_odd(77));
    hanoi(6, 'a', 'b', 'c', &moves);
    printf("%d %lld\n", moves, fibonacci(15));
    printf("%d %d\n", old_char(c, 200, s), old_char(300, 300, 70000));
    printf("%d %d\n", old_float(f, 2.5, f * 2, 3), old_float(0.1, 0.2, 0.3, 4));
    printf("%.3f\n", old_mixed(c, f, 'x', 1LL << 40, 300, 70000, s, 1, 2, 3));
    printf("%lld %d %d\n", old_long(5LL, c, f), old_many(1, 2, 3, 4, 5, 6, 7, 8, c, s, f), old_none());
    for (i = 0; operations[i]; i++)
        printf("%d %d ", operations[i](7, 3), (**operations[i])(-7, i));
    printf("%d %d\n", apply(choose('-'), 5, 100), apply(chooser('*'), 5, 1));
    while (o.method)
        printf("%d ", o.method(&o, o.state / 3));
    printf("%d\n", (choose('+') == add) + (chooser('-') != operations[1]));
    printf("%d\n", ten(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%d\n", ten(ten(1, 1, 1, 1, 1, 1, 1, 1, 1, 1), 2, ten(0, 1, 0, 1, 0, 1, 0, 1, 0, 1), 4, 5, 6, 7, 8, 9, ten(9, 8, 7, 6, 5, 4, 3, 2, 1, 0)));
    printf("%d %d\n", narrow(1, -2, 3, 4, -5, 6, 7, 8, 9, 10, 11), narrow(300, 70000, -1, -1, 200, c, s, i, 127, 32767, 255));
    printf("%.3f\n", mixed(1, 2.5, 3LL << 33, 4.5f, 'e', 6.25, -7, 8, 9.5f, 10.5, -11LL << 35, 12, 13));
    printf("%d\n", by_address(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%d %d %d %d\n", wrap(-1), wrap_signed(200), truth(256), wrap(300) + wrap_signed(-129));
    nothing();
    (void)trace(0), trace(1), trace(2) ? trace(3) : 0;
    printf("%d %d%d%d%d\n", count, order[0], order[1], order[2], order[3]);
    for (i = 0; i < 50; i++)
        numbers[i] = i * 7919 % 101 - 50;
    qsort(numbers, 50, sizeof *numbers, compare);
    for (i = 1; i < 50; i++)
        if (numbers[i - 1] >= numbers[i])
            printf("not in order: %d\n", i);
    i = numbers[20];
    key = bsearch(&i, numbers, 50, sizeof *numbers, compare);
    printf("%d %d %d\n", (int)(key - numbers), argc, argv[argc] == 0);
    return ten(0, 0, 0, 0, 0, 0, 0, 0, 0, 2) - 1;
}

long long old_long(q, c, f) long long q; char c; float f; { return q * 100 + c * 10 + (long long)f; }
int old_many(a, b, c, d, e, f, g, h, i, j, k) int a, b, c, d, e, f, g, h; char i; short j; float k;
{ return a + b + c + d + e + f + g + h + i * 3 + j + (int)(k * 4); }
