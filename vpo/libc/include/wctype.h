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
#endif
