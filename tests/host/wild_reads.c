/* Reads of a wild pointer whose values nobody needs.  The machine makes them, so each of them faults. */
#include <stdlib.h>
#include <string.h>

static volatile int sixteen = 16;

static int get(int *p) { return *p; }

static int partly(int *p, int n)
{
    int x = *p;

    return n ? x + 1 : 2;
}

static int sum(int *p, int n)
{
    int s = 0;

    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

static int search(int *p)
{
    int i;

    for (i = 0; i < 10; i++)
        if (p[i] == 3)
            break;
    return 1;
}

int main(int argc, char **argv)
{
    int *p = (int *)(size_t)sixteen, x, y;
    double d;

    switch (atoi(argv[1])) {
    case 0: get(p); break;
    case 1: partly(p, 0); break;
    case 2: sum(p, 3); break;
    case 3: x = *p; x = 5; return x;
    case 4: *p = *p; break;
    case 5: *(volatile int *)p; break;
    case 6: x = *p - *p; return x;
    case 7: if (*p == *p) return 0; return 3;
    case 8: x = *p; y = *p; return (x ^ y) & 1;
    case 9: for (x = 0; x < 3; x++) p = (int *)(size_t)*p; break;
    case 10: d = *(double *)p; break;
    case 11: strlen((char *)p); break;
    case 12: *(volatile int *)16; break;
    case 13: search(p); break;
    case 14: if (*p) { } break;
    }
    return 0;
}
