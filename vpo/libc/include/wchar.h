#ifndef _WCHAR_H
#define _WCHAR_H
#include <_size_t.h>
#include <stdint.h>
#ifndef _WCHAR_T
#define _WCHAR_T
typedef int wchar_t;
#endif
#ifndef _WINT_T
#define _WINT_T
typedef unsigned wint_t;
#endif
#ifndef WEOF
#define WEOF ((wint_t)-1)
#endif
typedef struct { int __nothing; } mbstate_t; /* a character is one byte */
size_t wcslen(const wchar_t *), wcsspn(const wchar_t *, const wchar_t *), wcscspn(const wchar_t *, const wchar_t *);
wchar_t *wcscpy(wchar_t *, const wchar_t *), *wcsncpy(wchar_t *, const wchar_t *, size_t);
wchar_t *wcscat(wchar_t *, const wchar_t *), *wcsncat(wchar_t *, const wchar_t *, size_t);
int wcscmp(const wchar_t *, const wchar_t *), wcsncmp(const wchar_t *, const wchar_t *, size_t);
int wcscoll(const wchar_t *, const wchar_t *);
size_t wcsxfrm(wchar_t *, const wchar_t *, size_t);
wchar_t *wcschr(const wchar_t *, wchar_t), *wcsrchr(const wchar_t *, wchar_t), *wcspbrk(const wchar_t *, const wchar_t *);
wchar_t *wcsstr(const wchar_t *, const wchar_t *), *wcstok(wchar_t *, const wchar_t *, wchar_t **);
wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t), *wmemmove(wchar_t *, const wchar_t *, size_t);
wchar_t *wmemset(wchar_t *, wchar_t, size_t), *wmemchr(const wchar_t *, wchar_t, size_t);
int wmemcmp(const wchar_t *, const wchar_t *, size_t);
wint_t btowc(int);
int wctob(wint_t), mbsinit(const mbstate_t *);
size_t mbrlen(const char *, size_t, mbstate_t *), mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
size_t wcrtomb(char *, wchar_t, mbstate_t *);
size_t mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *), wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *);
#endif
