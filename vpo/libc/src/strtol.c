/* strtol, strtoul */

#define NUMBER unsigned long
#define NUMBER_MAX ULONG_MAX
#include "number.h"

unsigned long strtoul(const char *string, char **end, int base)
{
    int state;
    unsigned long value = magnitude(string, end, base, &state);

    return state == NEGATIVE ? -value : value;
}

long strtol(const char *string, char **end, int base)
{
    int state;
    unsigned long value = magnitude(string, end, base, &state);
    unsigned long limit = LONG_MAX;

    if (state & NEGATIVE)
        limit++;
    if (value > limit) {
        errno = ERANGE;
        value = limit;
    }
    return state & NEGATIVE ? -value : value;
}
