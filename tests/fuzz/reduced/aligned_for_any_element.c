/* expect: 0 */
/* qsort merged elements in memory that was aligned for words alone: reading doubles there failed. */
#include <stdio.h>
#include <stdlib.h>

static unsigned misaligned;

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;

    misaligned |= ((size_t)x | (size_t)y) & (_Alignof(double) - 1);
    return (*x > *y) - (*x < *y);
}

int main(void)
{
    double numbers[] = {3, 1, 2, 5, 4};

    qsort(numbers, 5, sizeof *numbers, compare);
    putchar('0' + misaligned + (numbers[3] != 4));
    putchar('\n');
    return 0;
}
