#ifndef _WCTYPE_H
#define _WCTYPE_H
#ifndef _WINT_T
#define _WINT_T
typedef unsigned wint_t;
#endif
#ifndef WEOF
#define WEOF ((wint_t)-1)
#endif
typedef int (*wctype_t)(int);
typedef int (*wctrans_t)(int);
int iswalnum(wint_t), iswalpha(wint_t), iswblank(wint_t), iswcntrl(wint_t), iswdigit(wint_t), iswgraph(wint_t);
int iswlower(wint_t), iswprint(wint_t), iswpunct(wint_t), iswspace(wint_t), iswupper(wint_t), iswxdigit(wint_t);
wint_t towlower(wint_t), towupper(wint_t);
int iswctype(wint_t, wctype_t);
wctype_t wctype(const char *);
wint_t towctrans(wint_t, wctrans_t);
wctrans_t wctrans(const char *);
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _XOPEN_SOURCE || defined _POSIX_C_SOURCE
#include <_locale_t.h>
int iswalnum_l(wint_t, locale_t), iswalpha_l(wint_t, locale_t), iswblank_l(wint_t, locale_t), iswcntrl_l(wint_t, locale_t);
int iswdigit_l(wint_t, locale_t), iswgraph_l(wint_t, locale_t), iswlower_l(wint_t, locale_t), iswprint_l(wint_t, locale_t);
int iswpunct_l(wint_t, locale_t), iswspace_l(wint_t, locale_t), iswupper_l(wint_t, locale_t), iswxdigit_l(wint_t, locale_t);
wint_t towlower_l(wint_t, locale_t), towupper_l(wint_t, locale_t), towctrans_l(wint_t, wctrans_t, locale_t);
wctype_t wctype_l(const char *, locale_t);
wctrans_t wctrans_l(const char *, locale_t);
int iswctype_l(wint_t, wctype_t, locale_t);
#endif
#endif
