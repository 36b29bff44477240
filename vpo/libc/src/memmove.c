/* memmove: forward is memcpy; backward when the target begins inside the source. */

#include <string.h>
#include "libc.h"

void *memmove(void *target, const void *source, size_t count)
{
    unsigned char *to = target;
    const unsigned char *from = source;

    if ((size_t)(to - from) >= count)
        return memcpy(target, source, count);
    to += count;
    from += count;
    if (count >= 2 * WORD && MISALIGNED((uintptr_t)to ^ (uintptr_t)from) == 0) {
        while (MISALIGNED(to)) {
            *--to = *--from;
            count--;
        }
        while (count >= WORD) {
            to -= WORD;
            from -= WORD;
            *(word *)to = *(const word *)from;
            count -= WORD;
        }
    }
    while (count--)
        *--to = *--from;
    return target;
}
