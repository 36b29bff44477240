/* memcpy: words if both areas can be aligned together, else bytes; four at a time. */

#include <string.h>
#include "libc.h"

void *memcpy(void *target, const void *source, size_t count)
{
    unsigned char *to = target;
    const unsigned char *from = source;

    if (count >= 2 * WORD && MISALIGNED((uintptr_t)to ^ (uintptr_t)from) == 0) {
        word *to_word;
        const word *from_word;

        while (MISALIGNED(to)) {
            *to++ = *from++;
            count--;
        }
        to_word = (word *)to;
        from_word = (const word *)from;
        while (count >= 4 * WORD) {
            to_word[0] = from_word[0];
            to_word[1] = from_word[1];
            to_word[2] = from_word[2];
            to_word[3] = from_word[3];
            to_word += 4;
            from_word += 4;
            count -= 4 * WORD;
        }
        while (count >= WORD) {
            *to_word++ = *from_word++;
            count -= WORD;
        }
        to = (unsigned char *)to_word;
        from = (const unsigned char *)from_word;
    }
    while (count >= 4) {
        to[0] = from[0];
        to[1] = from[1];
        to[2] = from[2];
        to[3] = from[3];
        to += 4;
        from += 4;
        count -= 4;
    }
    while (count--)
        *to++ = *from++;
    return target;
}
