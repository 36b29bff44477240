/* When the lengths in variable types are evaluated (typeof, casts, va_arg), and how long objects of alloca live. */
#include <stdio.h>

static char bytes[8];

static int next(int count, ...)
{
    __builtin_va_list list;
    char(*row)[8];

    __builtin_va_start(list, count);
    row = __builtin_va_arg(list, typeof(char(*)[++count]));
    __builtin_va_end(list);
    return count * 10 + (row == &bytes);
}

static int lives(int length)
{
    char *kept = 0, *again;
    int i, sum = 0;

    for (i = 0; i < 3; i++) {
        char local[length];
        local[0] = 1;
        if (i == 1) {
            kept = __builtin_alloca(8);
            kept[0] = 7;
        }
        sum += local[0];
    }
    {
        char other[length], *p = other;
        while (p < other + length)
            *p++ = 9;
    }
    again = __builtin_alloca(64);
    __builtin_memset(again, 0, 64);
    return sum * 10 + kept[0];
}

int main(void)
{
    void *p = bytes;
    int i = 0, j = -1, k = -1;

    (j = ++i), (void)(typeof((int(*)[(k = ++i)])p))p;
    printf("%d %d %d\n", i, j, k);
    (j = ++i), (void)((typeof(1 + (int(*)[(k = ++i)])p))p);
    printf("%d %d %d\n", i, j, k);
    i = 0;
    printf("%d ", (int)sizeof(typeof(*(++i, (char(*)[i])bytes))));
    printf("%d ", (int)sizeof(typeof(*(char(*)[i += 2])bytes)));
    printf("%d\n", i);
    typeof(i++) fixed = 5;
    printf("%d %d %d %d\n", i, fixed, next(4, &bytes), lives(48));
    return 0;
}
