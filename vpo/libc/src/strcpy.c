/* strcpy: a word at a time when both strings are aligned. */

#include <string.h>
#include "libc.h"

char *strcpy(char *target, const char *source)
{
    char *to = target;

    if (MISALIGNED((uintptr_t)to | (uintptr_t)source) == 0)
        while (!HAS_ZERO(*(const word *)source)) {
            *(word *)to = *(const word *)source;
            to += WORD;
            source += WORD;
        }
    while ((*to++ = *source++) != 0)
        ;
    return target;
}
