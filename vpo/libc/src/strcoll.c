/* strcoll, strxfrm: the C locale collates by byte. */

#include <string.h>

int strcoll(const char *left, const char *right)
{
    return strcmp(left, right);
}

size_t strxfrm(char *target, const char *source, size_t limit)
{
    size_t length = strlen(source);

    if (limit > length)
        memcpy(target, source, length + 1);
    else if (limit) {
        memcpy(target, source, limit - 1);
        target[limit - 1] = 0;
    }
    return length;
}
