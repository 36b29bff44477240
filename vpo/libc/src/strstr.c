/* strstr: candidates by their first byte; quadratic only for texts made to be so. */

#include <string.h>

char *strstr(const char *string, const char *wanted)
{
    const char first = *wanted;

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
    }
    return NULL;
}
