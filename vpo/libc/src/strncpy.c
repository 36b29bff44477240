/* strncpy: pads with zeros. */

#include <string.h>

char *strncpy(char *target, const char *source, size_t limit)
{
    char *to = target;

    for (; limit && *source; limit--)
        *to++ = *source++;
    memset(to, 0, limit);
    return target;
}
