/* strcmp: equal words are passed over when both strings are aligned; the bytes decide. */

#include <string.h>
#include "libc.h"

int strcmp(const char *left, const char *right)
{
    const unsigned char *a = (const unsigned char *)left;
    const unsigned char *b = (const unsigned char *)right;

    if (MISALIGNED((uintptr_t)a | (uintptr_t)b) == 0)
        for (;;) {
            word both = *(const word *)a;

            if (both != *(const word *)b || HAS_ZERO(both))
                break;
            a += WORD;
            b += WORD;
        }
    while (*a == *b && *a) {
        a++;
        b++;
    }
    return *a - *b;
}
