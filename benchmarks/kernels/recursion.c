/*
 * recursion - functions that hardly do more than call themselves: Fibonacci, Takeuchi, Ackermann, towers of Hanoi.
 *
 * usage: recursion [SIZE]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int heights[3];
static uint32_t moves;

static uint32_t fibonacci(int n)
{
    return n < 2 ? (uint32_t)n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int takeuchi(int x, int y, int z)
{
    return y < x ? takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y)) : z;
}

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static void hanoi(int disks, int from, int to)
{
    if (disks == 0)
        return;
    hanoi(disks - 1, from, 3 - from - to);
    heights[from]--;
    heights[to]++;
    moves = moves * 5 + (uint32_t)(from * 3 + to);
    hanoi(disks - 1, 3 - from - to, to);
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 12;

    if (size < 6 || size > 40)
        return 1;
    printf("recursion %d: %lu", size, (unsigned long)fibonacci(size + 3));
    printf(" %d", takeuchi(size, size * 2 / 3, size / 3));
    printf(" %d", ackermann(2, size * 4));
    heights[0] = size;
    hanoi(size, 0, 2);
    printf(" %d %08lx\n", heights[2], (unsigned long)moves);
    return 0;
}
