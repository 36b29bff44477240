/* Functions on strings and memory that are not in C but in many systems. */

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include "libc.h"

char *stpcpy(char *to, const char *from)
{
    while ((*to = *from++))
        to++;
    return to;
}

char *stpncpy(char *to, const char *from, size_t size)
{
    size_t length = strnlen(from, size);

    strncpy(to, from, size);
    return to + length;
}

char *strsep(char **rest, const char *separators)
{
    char *word = *rest;

    if (word) {
        char *end = word + strcspn(word, separators);

        *rest = *end ? end + 1 : NULL;
        *end = 0;
    }
    return word;
}

char *strchrnul(const char *string, int c)
{
    while (*string && *string != (char)c)
        string++;
    return (char *)string;
}

char *strcasestr(const char *string, const char *part)
{
    size_t compared = 0;

    for (;; string++) {
        size_t i = 0;

        while (part[i] && tolower((unsigned char)string[i]) == tolower((unsigned char)part[i]))
            i++;
        if (part[i] == 0)
            return (char *)string;
        if (string[i] == 0)
            return NULL;
        compared += i;
        if (compared > TOO_MANY)
            return __two_way(string + 1, strlen(string + 1), part, strlen(part), 1);
    }
}

size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t length = strlen(from);

    if (size) {
        size_t fits = length < size ? length : size - 1;

        memcpy(to, from, fits);
        to[fits] = 0;
    }
    return length;
}

size_t strlcat(char *to, const char *from, size_t size)
{
    size_t length = strnlen(to, size);

    return length + strlcpy(to + length, from, size - length);
}

void *memccpy(void *to, const void *from, int c, size_t size)
{
    char *target = to;
    const char *source = from;

    while (size--)
        if ((*target++ = *source++) == (char)c)
            return target;
    return NULL;
}

void *memrchr(const void *memory, int c, size_t size)
{
    const char *bytes = memory;

    while (size--)
        if (bytes[size] == (char)c)
            return (char *)bytes + size;
    return NULL;
}

void *memmem(const void *memory, size_t size, const void *part, size_t length)
{
    const char *at = memory, *end = at + size, *wanted = part;
    size_t compared = 0;

    if (length == 0)
        return (void *)memory;
    while ((size_t)(end - at) >= length && (at = memchr(at, *wanted, end - at - length + 1)) != NULL) {
        size_t i = 1;

        while (i < length && at[i] == wanted[i])
            i++;
        if (i == length)
            return (void *)at;
        at++;
        compared += i;
        if (compared > TOO_MANY)
            return __two_way(at, end - at, part, length, 0);
    }
    return NULL;
}

void *mempcpy(void *to, const void *from, size_t size)
{
    return (char *)memcpy(to, from, size) + size;
}
