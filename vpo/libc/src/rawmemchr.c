/* rawmemchr, swab */

#include <stddef.h>
#include <string.h>

void *rawmemchr(const void *data, int c)
{
    const unsigned char *at = data;

    while (*at != (unsigned char)c)
        at++;
    return (void *)at;
}

void swab(const void *from, void *to, ptrdiff_t size)
{
    const char *in = from;
    char *out = to;

    for (; size > 1; size -= 2, in += 2, out += 2) {
        char first = in[0];

        out[0] = in[1];
        out[1] = first;
    }
}
