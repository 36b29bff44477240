/* expect: 107 -3 5 6 */
/* A struct that fits in argument registers, passed when they are used up, was passed by address. */
#include <stdio.h>

struct one { char c; };
struct two { short a, b, c; };

static int last(int a, int b, int c, int d, int e, int f, int g, int h, struct one k)
{
    return k.c + a - b + c - d + e - f + g - h + 4;
}

static int pair(double x, int a, int b, int c, int d, int e, int f, int g, int h, struct two t, int i)
{
    printf(" %d %d %d", t.a, t.b, i);
    return 0;
}

int main(void)
{
    struct one k = {'k'};
    struct two t = {-3, 5, 7};

    printf("%d", last(1, 2, 3, 4, 5, 6, 7, 8, k));
    pair(1.5, 1, 2, 3, 4, 5, 6, 7, 8, t, 6);
    printf("\n");
    return 0;
}
