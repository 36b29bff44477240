/* strlen: a word at a time. */

#include <string.h>
#include "libc.h"

size_t strlen(const char *string)
{
    const char *at = string;
    const word *words;

    for (; MISALIGNED(at); at++)
        if (*at == 0)
            return at - string;
    for (words = (const word *)at; !HAS_ZERO(*words); words++)
        ;
    for (at = (const char *)words; *at; at++)
        ;
    return at - string;
}
