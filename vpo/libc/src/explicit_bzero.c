/* explicit_bzero: stores that are made, whatever becomes of the memory. */

#include <string.h>

void explicit_bzero(void *memory, size_t size)
{
    volatile unsigned char *to = memory;

    while (size--)
        *to++ = 0;
}
