/* The names of before ANSI C: bcmp, bcopy, bzero, index, rindex, ffs. */

#include <string.h>
#include <strings.h>

int bcmp(const void *left, const void *right, size_t count)
{
    return memcmp(left, right, count);
}

void bcopy(const void *source, void *target, size_t count)
{
    memmove(target, source, count);
}

void bzero(void *target, size_t count)
{
    memset(target, 0, count);
}

char *index(const char *string, int byte)
{
    return strchr(string, byte);
}

char *rindex(const char *string, int byte)
{
    return strrchr(string, byte);
}

int ffs(int value)
{
    unsigned bits = value;
    int position = 1;

    if (bits == 0)
        return 0;
    for (; !(bits & 1); bits >>= 1)
        position++;
    return position;
}
