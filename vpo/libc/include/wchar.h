#ifndef _WCHAR_H
#define _WCHAR_H
#include <_size_t.h>
#include <stdarg.h>
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
#include <_file_t.h>
struct tm;
wint_t fgetwc(struct _file *), getwc(struct _file *), getwchar(void), ungetwc(wint_t, struct _file *);
wint_t fputwc(wchar_t, struct _file *), putwc(wchar_t, struct _file *), putwchar(wchar_t);
wchar_t *fgetws(wchar_t *, int, struct _file *);
struct _file *open_wmemstream(wchar_t **, size_t *);
int fputws(const wchar_t *, struct _file *), fwide(struct _file *, int);
int wprintf(const wchar_t *, ...), fwprintf(struct _file *, const wchar_t *, ...);
int swprintf(wchar_t *, size_t, const wchar_t *, ...), vswprintf(wchar_t *, size_t, const wchar_t *, va_list);
int vwprintf(const wchar_t *, va_list), vfwprintf(struct _file *, const wchar_t *, va_list);
int wscanf(const wchar_t *, ...), fwscanf(struct _file *, const wchar_t *, ...);
int swscanf(const wchar_t *, const wchar_t *, ...), vswscanf(const wchar_t *, const wchar_t *, va_list);
int vwscanf(const wchar_t *, va_list), vfwscanf(struct _file *, const wchar_t *, va_list);
long wcstol(const wchar_t *, wchar_t **, int);
unsigned long wcstoul(const wchar_t *, wchar_t **, int);
long long wcstoll(const wchar_t *, wchar_t **, int);
unsigned long long wcstoull(const wchar_t *, wchar_t **, int);
double wcstod(const wchar_t *, wchar_t **);
float wcstof(const wchar_t *, wchar_t **);
long double wcstold(const wchar_t *, wchar_t **);
size_t wcsftime(wchar_t *, size_t, const wchar_t *, const struct tm *);
size_t wcsnlen(const wchar_t *, size_t);
wchar_t *wcsdup(const wchar_t *), *wcpcpy(wchar_t *, const wchar_t *);
int wcscasecmp(const wchar_t *, const wchar_t *), wcsncasecmp(const wchar_t *, const wchar_t *, size_t);
int wcwidth(wchar_t), wcswidth(const wchar_t *, size_t);
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
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _XOPEN_SOURCE || defined _POSIX_C_SOURCE
#include <_locale_t.h>
size_t mbsnrtowcs(wchar_t *, const char **, size_t, size_t, mbstate_t *);
size_t wcsnrtombs(char *, const wchar_t **, size_t, size_t, mbstate_t *);
wchar_t *wcpncpy(wchar_t *, const wchar_t *, size_t);
int wcscoll_l(const wchar_t *, const wchar_t *, locale_t), wcscasecmp_l(const wchar_t *, const wchar_t *, locale_t);
int wcsncasecmp_l(const wchar_t *, const wchar_t *, size_t, locale_t);
size_t wcsxfrm_l(wchar_t *, const wchar_t *, size_t, locale_t);
#endif
#endif
