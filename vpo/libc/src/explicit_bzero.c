/* explicit_bzero, memset_explicit: stores that are made, whatever becomes of the memory. */

#include <string.h>

void explicit_bzero(void *memory, size_t size)
{
    volatile unsigned char *to = memory;

    while (size--)
        *to++ = 0;
}

void *memset_explicit(void *memory, int value, size_t size)
{
    volatile unsigned char *to = memory;

    while (size--)
        *to++ = (unsigned char)value;
    return memory;
}
