/* Nested functions: variables of the functions around them, recursion, callbacks. */

#include "host.h"

static int apply(int (*f)(int), int n) { return f(n) + f(n + 1); }
static void each(int *v, int n, void (*f)(int)) { for (int i = 0; i < n; i++) f(v[i]); }

static int outer(int a, int b)
{
    int sum = 0;
    static int calls;
    struct { int x, y; } pair = { 1, 2 };
    auto int later(int);
    int add(int n) { sum += n * a; calls++; pair.y += n; return sum; }
    int twice(int n)
    {
        int inner(int k) { return add(k) + b + n; }
        return inner(n) + inner(n + 1);
    }
    int first = apply(add, 3);
    int second = twice(2) + later(5);
    int later(int n) { return n > 0 ? n + later(n - 1) : a; }
    printf("%d %d %d %d %d\n", first, second, sum, pair.y, calls);
    return sum;
}

static int recursive(int depth)
{
    int mine = depth * 10;
    int get(void) { return mine; }
    if (depth == 0)
        return get();
    int below = recursive(depth - 1);
    return below + get();
}

static double shadow(double x)
{
    double f(double x) { return x * 2; }
    { int x = 3; double g(double y) { return y + x; } return f(x) + g(0.5); }
}

int main(void)
{
    int v[] = { 4, 5, 6 }, total = 0;
    void count(int n) { total += n; }
    printf("%d\n", outer(2, 3));
    printf("%d\n", outer(5, 7));
    printf("%d %g\n", recursive(4), shadow(1));
    each(v, 3, count);
    int most = 0;
    void note(int n) { if (n > most) most = n; }
    each(v, 3, note);
    printf("%d %d\n", total, most);
    return 0;
}
