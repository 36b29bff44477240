/* strstr: candidates by their first byte */

#include <string.h>
#include "libc.h"

char *strstr(const char *string, const char *wanted)
{
    const char first = *wanted;
    size_t compared = 0;

    if (first == 0)
        return (char *)string;
    for (; *string; string++) {
        const char *a = string;
        const char *b = wanted;

        if (*a != first)
            continue;
        do
            if (*++b == 0)
                return (char *)string;
        while (*++a == *b);
        compared += b - wanted;
        if (compared > TOO_MANY)
            return __two_way(string, strlen(string), wanted, strlen(wanted), 0);
    }
    return NULL;
}
