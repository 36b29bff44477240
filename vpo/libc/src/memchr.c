/* memchr */

#include <string.h>

void *memchr(const void *area, int byte, size_t count)
{
    const unsigned char *at = area;
    const unsigned char *end = at + count;

    for (; at < end; at++)
        if (*at == (unsigned char)byte)
            return (void *)at;
    return NULL;
}
