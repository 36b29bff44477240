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
    return mbsnrtowcs(to, from, (size_t)-1, limit, state);
}

size_t wcsrtombs(char *to, const wchar_t **from, size_t limit, mbstate_t *state)
{
    return wcsnrtombs(to, from, (size_t)-1, limit, state);
}
