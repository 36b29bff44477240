/* expect: 9 1000 1001 77 -5 2000 2001 8 */
/* Copying a large struct to the stack called memcpy, whose own arguments lie where the others had been put. */
#include <stdio.h>

struct large { int first, middle[20], last; };
struct odd { char first, middle[65], last; };

static void show(int a, struct large x, char c, struct odd o, struct large y, int b)
{
    printf("%d %d %d %d %d %d %d %d\n", a, x.first, x.last, c, o.last, y.first, y.last, b);
}

int main(void)
{
    struct large x = {1000, {0}, 1001}, y = {2000, {0}, 2001};
    struct odd o = {1, {0}, -5};

    show(9, x, 77, o, y, 8);
    return 0;
}
