/* qsort_r: qsort whose comparison has an argument; sorting within a comparison is allowed. */

#include <stdlib.h>

typedef int comparison(const void *, const void *, void *);

static comparison *current;
static void *argument;

static int compare(const void *left, const void *right)
{
    return current(left, right, argument);
}

void qsort_r(void *base, size_t count, size_t size, comparison *with, void *its_argument)
{
    comparison *outer = current;
    void *outer_argument = argument;

    current = with;
    argument = its_argument;
    qsort(base, count, size, compare);
    current = outer;
    argument = outer_argument;
}
