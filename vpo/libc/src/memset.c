/* memset: four words at a time in the middle. */

#include <string.h>
#include "libc.h"

void *memset(void *target, int byte, size_t count)
{
    unsigned char *to = target;

    if (count >= 2 * WORD) {
        word fill = (unsigned char)byte * ONES;
        word *to_word;

        while (MISALIGNED(to)) {
            *to++ = byte;
            count--;
        }
        to_word = (word *)to;
        while (count >= 4 * WORD) {
            to_word[0] = fill;
            to_word[1] = fill;
            to_word[2] = fill;
            to_word[3] = fill;
            to_word += 4;
            count -= 4 * WORD;
        }
        while (count >= WORD) {
            *to_word++ = fill;
            count -= WORD;
        }
        to = (unsigned char *)to_word;
    }
    while (count--)
        *to++ = byte;
    return target;
}
