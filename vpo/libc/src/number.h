/* strtol and its kin, for the type NUMBER and its greatest value NUMBER_MAX; with BINARY_NUMBERS, 0b101 is a number. */

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#define NEGATIVE 1
#define TOO_BIG 2

static unsigned digit_value(unsigned c)
{
    if (c - '0' < 10)
        return c - '0';
    c |= 'a' - 'A';
    return c - 'a' < 26 ? c - 'a' + 10 : 99;
}

/* The magnitude of the number that begins the string; `state` tells whether it is NEGATIVE or TOO_BIG. */
static NUMBER magnitude(const char *string, char **end, unsigned base, int *state)
{
    const unsigned char *at = (const unsigned char *)string;
    const unsigned char *last = at;
    NUMBER value = 0;
    unsigned digit;

    *state = 0;
    if (base > 36 || base == 1) {
        errno = EINVAL;
        if (end)
            *end = (char *)string;
        return 0;
    }
    while (isspace(*at))
        at++;
    *state = *at == '-' ? NEGATIVE : 0;
    if (*at == '-' || *at == '+')
        at++;
#ifdef BINARY_NUMBERS
    if ((base == 0 || base == 2) && *at == '0' && (at[1] | 32) == 'b' && digit_value(at[2]) < 2) {
        base = 2;
        at += 2;
    }
#endif
    if (base == 0)
        base = *at != '0' ? 10 : (at[1] | 32) == 'x' ? 16 : 8;
    if (base == 16 && *at == '0' && (at[1] | 32) == 'x' && digit_value(at[2]) < 16)
        at += 2;
    for (; (digit = digit_value(*at)) < base; last = ++at)
        if (value >= NUMBER_MAX / 36 && value > (NUMBER_MAX - digit) / base) {
            *state |= TOO_BIG;
            errno = ERANGE;
        } else
            value = value * base + digit;
    if (end)
        *end = (char *)last;
    return *state & TOO_BIG ? NUMBER_MAX : value;
}
