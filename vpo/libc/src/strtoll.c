/* strtoll, strtoull, strtoimax, strtoumax */

#include <inttypes.h>

#if __SIZEOF_LONG__ == __SIZEOF_LONG_LONG__

#include <stdlib.h>

unsigned long long strtoull(const char *string, char **end, int base)
{
    return strtoul(string, end, base);
}

long long strtoll(const char *string, char **end, int base)
{
    return strtol(string, end, base);
}

#else

#define NUMBER unsigned long long
#define NUMBER_MAX ULLONG_MAX
#include "number.h"

unsigned long long strtoull(const char *string, char **end, int base)
{
    int state;
    unsigned long long value = magnitude(string, end, base, &state);

    return state == NEGATIVE ? -value : value;
}

long long strtoll(const char *string, char **end, int base)
{
    int state;
    unsigned long long value = magnitude(string, end, base, &state);
    unsigned long long limit = LLONG_MAX;

    if (state & NEGATIVE)
        limit++;
    if (value > limit) {
        errno = ERANGE;
        value = limit;
    }
    return state & NEGATIVE ? -value : value;
}

#endif

intmax_t strtoimax(const char *string, char **end, int base)
{
    return strtoll(string, end, base);
}

uintmax_t strtoumax(const char *string, char **end, int base)
{
    return strtoull(string, end, base);
}
