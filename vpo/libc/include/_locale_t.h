#ifndef _LOCALE_T_H
#define _LOCALE_T_H
/* The C locale is the only one: every object stands for it. */
typedef const struct _locale *locale_t;
#endif
