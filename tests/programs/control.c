/* Control flow: goto in every direction, loops of all kinds, short circuits, conditional expressions. */
#include <stdio.h>

static int calls;
static int yes(int n) { calls = calls * 3 + n; return 1; }
static int no(int n) { calls = calls * 3 + n; return 0; }

static int into(int n)
{
    int i = 0, total = 0;

    if (n & 1)
        goto middle;
    for (i = 10; i < 20; i++) {
        total += i;
middle:
        total += 100;
        if (total > 1000)
            goto done;
        if (n == 2 && i == 12)
            goto after;
        continue;
after:
        total *= 2;
    }
    if (n-- > 0)
        goto middle;
done:
    return total + i;
}

static int backwards(int n)
{
    int a = 0, b = 1;

again:
    if (n == 0)
        return a;
    b += a;
    a = b - a;
    n--;
    goto again;
}

static int nest(int n)
{
    int i, j, k, total = 0;

    for (i = 0; i < n; i++) {
        for (j = i; ; j++) {
            if (j > n)
                break;
            if ((i + j) % 3 == 0)
                continue;
            k = j;
            while (k > 0) {
                if (k == 5)
                    goto next;
                k -= 2;
                if (k == 1)
                    continue;
                total += i * j + k;
            }
            do {
                total++;
                if (total % 7 == 0)
                    break;
            } while (++k < 3);
        }
next:
        total ^= i;
    }
    return total;
}

static int conditions(int a, int b, int c)
{
    int n = 0;

    if (a && b) n |= 1;
    if (a || b) n |= 2;
    if (!a && (b || !c)) n |= 4;
    if ((a && b) || (b && c) || (c && a)) n |= 8;
    if (!(a || b) == !c) n |= 16;
    if (a ? b : c) n |= 32;
    if ((a ? !b : c) && (b ? a : !c)) n |= 64;
    if (a < b && b < c) n |= 128;
    if (a <= b != b <= c) n |= 256;
    if (!(a > b || b > c)) n |= 512;
    n += (a && b) * 1000 + (a || c) * 2000 + !(b && c) * 4000 + (a == b) * 8000 + (!a == !b) * 16000;
    n += (a ? b ? 1 : 2 : c ? 3 : 4) * 100000;
    return n;
}

static int infinite(int n)
{
    for (;;) {
        while (1) {
            if (n > 100)
                return n;
            if (n & 1)
                break;
            n += 3;
        }
        n *= 2;
        do
            n++;
        while (0);
    }
}

static int collatz(unsigned n)
{
    int steps = 0;

    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

static int scopes(int x)
{
    int y = x;
    {
        int x = y + 1;
        {
            int y = x * 2;
            x += y;
        }
        y += x;
        for (int x = 0, z = y; x < 3; x++, z--)
            y += z;
    }
    return x + y;
}

int main(void)
{
    int i, a, b, c;

    for (i = 0; i < 5; i++)
        printf("%d %d %d %d\n", into(i), backwards(i * 5), nest(i * 4), infinite(i));
    for (a = -1; a < 2; a++)
        for (b = -1; b < 2; b++)
            for (c = 0; c < 2; c++)
                printf("%d ", conditions(a, b, c));
    printf("\n");
    if ((yes(1) && no(2) && yes(3)) || (no(4) || (yes(5) && yes(6))))
        printf("%d\n", calls);
    i = yes(7) ? no(8) ? yes(9) : no(10) : yes(11);
    printf("%d %d\n", i, calls);
    i = (no(1), yes(2)) && (yes(3), no(4)) || !yes(5);
    printf("%d %d\n", i, calls);
    for (i = 0, a = 10; i < a; i++, a--)
        if (i == 3)
            a++;
    printf("%d %d\n", i, a);
    for (i = 1; i < 30; i += 4)
        printf("%d ", collatz(i));
    for (i = 5; i-- > 0;)
        printf("%d ", scopes(i));
    for (i = 0; i > 0; i--)
        printf("never");
    while (i)
        ;
    do
        i--;
    while (i > -5);
    printf("%d\n", i);
    goto end;
    printf("never");
end:
    return i & 0xff ? 3 : 4;
}
