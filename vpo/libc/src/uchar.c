/* mbrtoc8, c8rtomb, mbrtoc16, c16rtomb, mbrtoc32, c32rtomb */

#include <uchar.h>

size_t mbrtoc8(unsigned char *to, const char *from, size_t limit, mbstate_t *state)
{
    wchar_t wide;
    size_t used = mbrtowc(&wide, from, limit, state);

    if (to && from && used <= 1)
        *to = (unsigned char)wide;
    return used;
}

size_t c8rtomb(char *to, unsigned char c, mbstate_t *state)
{
    return wcrtomb(to, (wchar_t)c, state);
}

size_t mbrtoc16(char16_t *to, const char *from, size_t limit, mbstate_t *state)
{
    wchar_t wide;
    size_t used = mbrtowc(&wide, from, limit, state);

    if (to && from && used <= 1)
        *to = (char16_t)wide;
    return used;
}

size_t c16rtomb(char *to, char16_t c, mbstate_t *state)
{
    return wcrtomb(to, (wchar_t)c, state);
}

size_t mbrtoc32(char32_t *to, const char *from, size_t limit, mbstate_t *state)
{
    wchar_t wide;
    size_t used = mbrtowc(&wide, from, limit, state);

    if (to && from && used <= 1)
        *to = (char32_t)wide;
    return used;
}

size_t c32rtomb(char *to, char32_t c, mbstate_t *state)
{
    return wcrtomb(to, (wchar_t)c, state);
}
