/* memcmp: equal words are passed over; the bytes decide. */

#include <string.h>
#include "libc.h"

int memcmp(const void *left, const void *right, size_t count)
{
    const unsigned char *a = left;
    const unsigned char *b = right;

    if (MISALIGNED((uintptr_t)a | (uintptr_t)b) == 0)
        while (count >= WORD && *(const word *)a == *(const word *)b) {
            a += WORD;
            b += WORD;
            count -= WORD;
        }
    for (; count; a++, b++, count--)
        if (*a != *b)
            return *a - *b;
    return 0;
}
