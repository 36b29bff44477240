/* Values of every kind that outlive calls: in loops, on paths without calls, in recursion, beside results and arguments. */
#include <stdio.h>

static unsigned sum;

static void put(unsigned n)
{
    sum = sum * 31 + n;
    if (n >= 10)
        put(n / 10);
    putchar('0' + n % 10);
}

static int step(int n) { return n & 1 ? 3 * n + 1 : n / 2; }

static int collatz(int n)
{
    int steps = 0, top = n;
    while (n != 1) {
        n = step(n);
        if (n > top)
            top = n;
        steps++;
    }
    return steps + top;
}

static double mean(int n, double (*f)(int, double), double start)
{
    double total = start;
    int i;
    for (i = 0; i < n; i++)
        total += f(i, start) / n;
    return total;
}

static double half(int i, double x) { return i * 0.5 + x; }

static long long power(long long base, int exponent)
{
    long long square;
    if (exponent == 0)
        return 1;
    square = power(base * base, exponent / 2);
    return exponent & 1 ? square * base : square;
}

static int early(int *p, int n)
{
    int i, found = 0;
    if (!p)
        return -1;
    for (i = 0; i < n; i++) {
        if (p[i] < 0)
            return i;
        if (p[i] > 100) {
            put((unsigned)p[i]);
            found += collatz(p[i]);
        }
    }
    return found + n;
}

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    int values[6] = {3, 101, 50, 777, -1, 9}, i;
    for (i = 1; i < 12; i += 3) {
        put((unsigned)collatz(i));
        putchar(' ');
    }
    put((unsigned)early(values, 6));
    putchar(' ');
    put((unsigned)early(values, 3));
    putchar(' ');
    put((unsigned)(early(0, 3) + 2));
    putchar(' ');
    put((unsigned)(mean(8, half, 2.25) * 100));
    putchar(' ');
    put((unsigned)(power(3, 25) >> 13));
    putchar(' ');
    put((unsigned)ackermann(2, 4));
    putchar('\n');
    put(sum);
    return 0;
}
