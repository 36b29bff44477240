/* mallopt, malloc_trim, mallinfo, malloc_stats: nothing is set, given back or counted. */

#include <malloc.h>

int mallopt(int setting, int value)
{
    (void)setting;
    (void)value;
    return 1;
}

int malloc_trim(size_t keep)
{
    (void)keep;
    return 0;
}

struct mallinfo mallinfo(void)
{
    struct mallinfo none = {0};

    return none;
}

struct mallinfo2 mallinfo2(void)
{
    struct mallinfo2 none = {0};

    return none;
}

void malloc_stats(void)
{
}
