/* Strings and arrays of wide characters. */

#include <string.h>
#include <wchar.h>

size_t wcslen(const wchar_t *s)
{
    const wchar_t *end = s;

    while (*end)
        end++;
    return end - s;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t count)
{
    for (; count > 0; count--, s++)
        if (*s == c)
            return (wchar_t *)s;
    return NULL;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count)
{
    for (; count > 0; count--, a++, b++)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t count)
{
    wchar_t *at = to;

    while (count-- > 0)
        *at++ = c;
    return to;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count)
{
    return memcpy(to, from, count * sizeof *to);
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count)
{
    return memmove(to, from, count * sizeof *to);
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from)
{
    return wmemcpy(to, from, wcslen(from) + 1);
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t count)
{
    size_t i;

    for (i = 0; i < count && from[i]; i++)
        to[i] = from[i];
    wmemset(to + i, 0, count - i);
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
    wcscpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t count)
{
    wchar_t *end = to + wcslen(to);

    while (count-- > 0 && *from)
        *end++ = *from++;
    *end = 0;
    return to;
}

int wcscmp(const wchar_t *a, const wchar_t *b)
{
    while (*a == *b && *a)
        a++, b++;
    return *a == *b ? 0 : *a < *b ? -1 : 1;
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t count)
{
    for (; count > 0 && *a == *b && *a; count--)
        a++, b++;
    return count == 0 || *a == *b ? 0 : *a < *b ? -1 : 1;
}

int wcscoll(const wchar_t *a, const wchar_t *b)
{
    return wcscmp(a, b);
}

size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t count)
{
    size_t length = wcslen(from);

    if (length < count)
        wcscpy(to, from);
    return length;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
    return wmemchr(s, c, wcslen(s) + 1);
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    size_t i = wcslen(s) + 1;

    while (i-- > 0)
        if (s[i] == c)
            return (wchar_t *)s + i;
    return NULL;
}

size_t wcsspn(const wchar_t *s, const wchar_t *set)
{
    size_t i;

    for (i = 0; s[i] && wcschr(set, s[i]); i++)
        ;
    return i;
}

size_t wcscspn(const wchar_t *s, const wchar_t *set)
{
    size_t i;

    for (i = 0; !wcschr(set, s[i]); i++)
        ;
    return i;
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set)
{
    s += wcscspn(s, set);
    return *s ? (wchar_t *)s : NULL;
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part)
{
    size_t length = wcslen(part);

    for (; wcsncmp(s, part, length) != 0; s++)
        if (*s == 0)
            return NULL;
    return (wchar_t *)s;
}

wchar_t *wcstok(wchar_t *s, const wchar_t *separators, wchar_t **rest)
{
    wchar_t *token = s ? s : *rest;

    token += wcsspn(token, separators);
    *rest = token + wcscspn(token, separators);
    if (**rest)
        *(*rest)++ = 0;
    return *token ? token : NULL;
}
