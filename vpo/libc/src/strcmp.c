/* strcmp: equal words are passed over when both strings are aligned; the bytes decide.  What lies behind the end of a
   string must not matter, not even to what is executed: so the zero is looked for first. */

#include <string.h>
#include "libc.h"

int strcmp(const char *left, const char *right)
{
    const unsigned char *a = (const unsigned char *)left;
    const unsigned char *b = (const unsigned char *)right;

    if (MISALIGNED((uintptr_t)a | (uintptr_t)b) == 0)
        for (;;) {
            word both = *(const word *)a;

            if (HAS_ZERO(both) || both != *(const word *)b)
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
