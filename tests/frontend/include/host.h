/* What the test programs need of the host's library, for both compilers. */
#ifdef __ease__
typedef __builtin_va_list va_list;
#define va_start(ap, last) __builtin_va_start(ap, last)
#define va_arg(ap, type) (*(type *)__builtin_va_arg((ap), (type *)0))
#define va_end(ap) ((void)0)
#define va_copy(to, from) ((to) = (from))
#define offsetof_idiom(type, member) ((unsigned long)&((type *)0)->member)
#else
#include <stdarg.h>
#define offsetof_idiom(type, member) __builtin_offsetof(type, member)
#endif
int printf(const char *, ...);
void *memset(void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long);
#define NULL ((void *)0)
