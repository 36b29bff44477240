#ifndef _UCHAR_H
#define _UCHAR_H
#include <_size_t.h>
#include <wchar.h>
#if __STDC_VERSION__ >= 202311L
typedef unsigned char char8_t;
size_t mbrtoc8(char8_t *, const char *, size_t, mbstate_t *), c8rtomb(char *, char8_t, mbstate_t *);
#endif
typedef uint_least16_t char16_t;
typedef uint_least32_t char32_t;
/* Characters are single bytes, so none takes two units. */
size_t mbrtoc16(char16_t *, const char *, size_t, mbstate_t *), c16rtomb(char *, char16_t, mbstate_t *);
size_t mbrtoc32(char32_t *, const char *, size_t, mbstate_t *), c32rtomb(char *, char32_t, mbstate_t *);
#endif
