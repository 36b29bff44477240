#ifndef _STDDEF_H
#define _STDDEF_H
#include <_size_t.h>
#if __SIZEOF_POINTER__ == __SIZEOF_INT__
typedef int ptrdiff_t;
#else
typedef long ptrdiff_t;
#endif
#ifndef _WCHAR_T
#define _WCHAR_T
typedef int wchar_t;
#endif
typedef struct {
    long long __integer;
    long double __floating;
    void *__pointer;
} max_align_t;
#if __STDC_VERSION__ >= 202311L
typedef __typeof__(nullptr) nullptr_t;
#define unreachable() (__builtin_unreachable())
#endif
#define offsetof(type, member) ((size_t)&((type *)0)->member)
#endif
