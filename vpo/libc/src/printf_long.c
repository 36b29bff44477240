/* Integers of printf that are longer than a word, and those in binary. */

#include <limits.h>
#include "printf.h"

/* Writes the digits of `value` up to `end`, in decimal if `shift` is 0, else in that power of two; returns them. */
char *__print_long(char *end, unsigned long long value, int shift, const char *digits)
{
    unsigned mask = (1 << shift) - 1;

    if (shift) {
        for (; value > ULONG_MAX; value >>= shift)
            *--end = digits[(unsigned)value & mask];
        return __power_of_two(end, (unsigned long)value, shift, digits);
    }
    while (value > ULONG_MAX) { /* the lower digits until the rest fits a word */
        unsigned long long rest = value / 1000000000;
        char *start = end - 9;

        for (end = __decimal(end, (unsigned long)(value - rest * 1000000000)); end > start;)
            *--end = '0';
        value = rest;
    }
    return __decimal(end, (unsigned long)value);
}
