/* fgetwc, fputwc and their kin: a wide character is one byte of the file. */

#include <errno.h>
#include <wchar.h>
#include "stream.h"

static int orientation(int wanted)
{
    return wanted > 0 ? 1 : wanted < 0 ? -1 : 0;
}

/* Streams take both kinds of characters. */
int fwide(FILE *f, int wanted)
{
    (void)f;
    return orientation(wanted);
}

wint_t fgetwc(FILE *f)
{
    int c = getc(f);

    if (c == EOF)
        return WEOF;
    if (c > 127) {
        f->_flags |= FAILED;
        errno = EILSEQ;
        return WEOF;
    }
    return (wint_t)c;
}

wint_t getwc(FILE *f)
{
    return fgetwc(f);
}

wint_t getwchar(void)
{
    return fgetwc(stdin);
}

wint_t ungetwc(wint_t c, FILE *f)
{
    return c > 127 || ungetc((int)c, f) == EOF ? WEOF : c;
}

wint_t fputwc(wchar_t c, FILE *f)
{
    if (c < 0 || c > 127) {
        f->_flags |= FAILED;
        errno = EILSEQ;
        return WEOF;
    }
    return putc((int)c, f) == EOF ? WEOF : (wint_t)c;
}

wint_t putwc(wchar_t c, FILE *f)
{
    return fputwc(c, f);
}

wint_t putwchar(wchar_t c)
{
    return fputwc(c, stdout);
}

int fputws(const wchar_t *string, FILE *f)
{
    for (; *string; string++)
        if (fputwc(*string, f) == WEOF)
            return -1;
    return 1;
}

wchar_t *fgetws(wchar_t *string, int size, FILE *f)
{
    wchar_t *to = string;
    wint_t c = 0;

    if (size <= 0)
        return NULL;
    while (--size > 0 && c != '\n' && (c = fgetwc(f)) != WEOF)
        *to++ = (wchar_t)c;
    if (c == WEOF && (to == string || ferror(f)))
        return NULL;
    *to = 0;
    return string;
}
