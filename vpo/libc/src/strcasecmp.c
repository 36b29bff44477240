/* strcasecmp, strncasecmp */

#include <ctype.h>
#include <strings.h>

int strncasecmp(const char *left, const char *right, size_t limit)
{
    const unsigned char *a = (const unsigned char *)left;
    const unsigned char *b = (const unsigned char *)right;

    for (; limit; limit--, a++, b++) {
        int difference = *a == *b ? 0 : tolower(*a) - tolower(*b);

        if (difference || *a == 0)
            return difference;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right)
{
    return strncasecmp(left, right, (size_t)-1);
}
