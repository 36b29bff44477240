/* No guard: each inclusion obeys NDEBUG anew. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __extension__ __func__))
#endif
#ifndef _ASSERT_H
#define _ASSERT_H
#if __STDC_VERSION__ < 202311L
#define static_assert _Static_assert
#endif
void __assert_fail(const char *, const char *, int, const char *);
#endif
