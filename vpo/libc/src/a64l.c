/* a64l, l64a: numbers of 32 bits in up to six digits of base 64, the least first. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

long a64l(const char *text)
{
    uint32_t value = 0;
    unsigned shift;
    const char *digit;

    for (shift = 0; shift < 36 && *text && (digit = strchr(digits, *text)) != NULL; shift += 6, text++)
        value |= (uint32_t)(digit - digits) << shift;
    return (int32_t)value;
}

char *l64a(long number)
{
    static char text[7];
    uint32_t value = (uint32_t)number;
    char *to = text;

    for (; value; value >>= 6)
        *to++ = digits[value & 63];
    *to = 0;
    return text;
}
