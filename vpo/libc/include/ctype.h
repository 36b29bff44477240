#ifndef _CTYPE_H
#define _CTYPE_H
extern const unsigned char __ctype[];
int isalnum(int), isalpha(int), isblank(int), iscntrl(int), isdigit(int), isgraph(int), islower(int);
int isascii(int), toascii(int);
int isprint(int), ispunct(int), isspace(int), isupper(int), isxdigit(int), tolower(int), toupper(int);
#define isupper(c) (__ctype[(c) + 1] & 1)
#define islower(c) (__ctype[(c) + 1] & 2)
#define isalpha(c) (__ctype[(c) + 1] & 3)
#define isdigit(c) ((unsigned)(c) - '0' < 10)
#define isalnum(c) (__ctype[(c) + 1] & 7)
#define isspace(c) (__ctype[(c) + 1] & 8)
#define ispunct(c) (__ctype[(c) + 1] & 16)
#define isgraph(c) (__ctype[(c) + 1] & 23)
#define isxdigit(c) (__ctype[(c) + 1] & 32)
#define iscntrl(c) (__ctype[(c) + 1] & 64)
#define isblank(c) (__ctype[(c) + 1] & 128)
#define isascii(c) (((c) & ~0x7f) == 0)
#define toascii(c) ((c)&0x7f)
#define _toupper(c) ((c) - 32)
#define _tolower(c) ((c) + 32)
#define isprint(c) ((unsigned)(c) - ' ' < 95)
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _XOPEN_SOURCE || defined _POSIX_C_SOURCE
#include <_locale_t.h>
int isalnum_l(int, locale_t), isalpha_l(int, locale_t), isblank_l(int, locale_t), iscntrl_l(int, locale_t), isdigit_l(int, locale_t), isgraph_l(int, locale_t);
int islower_l(int, locale_t), isprint_l(int, locale_t), ispunct_l(int, locale_t), isspace_l(int, locale_t), isupper_l(int, locale_t), isxdigit_l(int, locale_t);
int tolower_l(int, locale_t), toupper_l(int, locale_t);
#endif
#endif
