/* Functions on strings and memory that are not in C but in many systems. */

#include <ctype.h>
#include <string.h>
#include <strings.h>

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
    size_t length = strlen(part);

    for (; strncasecmp(string, part, length); string++)
        if (*string == 0)
            return NULL;
    return (char *)string;
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
    const char *at = memory;

    for (; size >= length; at++, size--)
        if (memcmp(at, part, length) == 0)
            return (char *)at;
    return NULL;
}

void *mempcpy(void *to, const void *from, size_t size)
{
    return (char *)memcpy(to, from, size) + size;
}
