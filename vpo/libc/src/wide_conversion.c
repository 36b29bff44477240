/* Multibyte characters that may be incomplete: in the C locale, a character is one byte, below 128. */

#include <errno.h>
#include <stdlib.h>
#include <wchar.h>

#define ASCII 128

wint_t btowc(int c)
{
    return c >= 0 && c < ASCII ? (wint_t)c : WEOF;
}

int wctob(wint_t c)
{
    return c < ASCII ? (int)c : -1;
}

int mbsinit(const mbstate_t *state)
{
    (void)state;
    return 1;
}

size_t mbrtowc(wchar_t *to, const char *from, size_t limit, mbstate_t *state)
{
    int c = from ? (unsigned char)*from : 0;

    (void)state;
    if (from == NULL)
        return 0;
    if (limit == 0)
        return (size_t)-2;
    if (c >= ASCII) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    if (to)
        *to = c;
    return c != 0;
}

size_t mbrlen(const char *from, size_t limit, mbstate_t *state)
{
    return mbrtowc(NULL, from, limit, state);
}

size_t wcrtomb(char *to, wchar_t c, mbstate_t *state)
{
    (void)state;
    if (to == NULL)
        return 1;
    if (c < 0 || c >= ASCII) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    *to = (char)c;
    return 1;
}

size_t mbsrtowcs(wchar_t *to, const char **from, size_t limit, mbstate_t *state)
{
    const char *at = *from;
    size_t count, used;

    for (count = 0; to == NULL || count < limit; count++) {
        wchar_t wide;

        used = mbrtowc(&wide, at, 1, state);
        if (used == (size_t)-1) {
            if (to)
                *from = at;
            return used;
        }
        if (to)
            to[count] = wide;
        if (used == 0) {
            at = NULL;
            break;
        }
        at++;
    }
    if (to)
        *from = at;
    return count;
}

size_t wcsrtombs(char *to, const wchar_t **from, size_t limit, mbstate_t *state)
{
    const wchar_t *at = *from;
    size_t count;

    for (count = 0; to == NULL || count < limit; count++, at++) {
        char narrow;

        if (wcrtomb(&narrow, *at, state) == (size_t)-1) {
            if (to)
                *from = at;
            return (size_t)-1;
        }
        if (to)
            to[count] = narrow;
        if (*at == 0) {
            at = NULL;
            break;
        }
    }
    if (to)
        *from = at;
    return count;
}
