/* strncmp */

#include <string.h>

int strncmp(const char *left, const char *right, size_t limit)
{
    const unsigned char *a = (const unsigned char *)left;
    const unsigned char *b = (const unsigned char *)right;

    for (; limit; limit--, a++, b++)
        if (*a != *b || *a == 0)
            return *a - *b;
    return 0;
}
