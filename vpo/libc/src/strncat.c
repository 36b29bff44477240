/* strncat */

#include <string.h>

char *strncat(char *target, const char *source, size_t limit)
{
    char *to = target + strlen(target);

    for (; limit && *source; limit--)
        *to++ = *source++;
    *to = 0;
    return target;
}
