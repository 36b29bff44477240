#ifndef _STRING_H
#define _STRING_H
#include <_size_t.h>
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
int strcoll(const char *, const char *);
size_t strxfrm(char *, const char *, size_t);
char *strchr(const char *, int);
char *strrchr(const char *, int);
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);
char *strpbrk(const char *, const char *);
char *strstr(const char *, const char *);
char *strtok(char *, const char *);
char *strtok_r(char *, const char *, char **);
char *strerror(int);
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
char *strdup(const char *);
char *stpcpy(char *, const char *), *stpncpy(char *, const char *, size_t);
char *strsep(char **, const char *);
char *strchrnul(const char *, int), *strcasestr(const char *, const char *);
size_t strlcpy(char *, const char *, size_t), strlcat(char *, const char *, size_t);
void *memccpy(void *, const void *, int, size_t), *memrchr(const void *, int, size_t);
void *memmem(const void *, size_t, const void *, size_t), *mempcpy(void *, const void *, size_t);
char *strndup(const char *, size_t), *strsignal(int);
int strerror_r(int, char *, size_t), strverscmp(const char *, const char *);
void *rawmemchr(const void *, int);
void explicit_bzero(void *, size_t);
#if __STDC_VERSION__ >= 202311L || defined _GNU_SOURCE
void *memset_explicit(void *, int, size_t);
#endif
void swab(const void *, void *, __PTRDIFF_TYPE__);
#ifdef _GNU_SOURCE
/* Copies on the stack of the function that calls. */
#define strdupa(string) \
    (__extension__({ \
        const char *__from = (string); \
        size_t __room = strlen(__from) + 1; \
        (char *)memcpy(__builtin_alloca(__room), __from, __room); \
    }))
#define strndupa(string, count) \
    (__extension__({ \
        const char *__from = (string); \
        size_t __length = strnlen(__from, count); \
        char *__to = (char *)__builtin_alloca(__length + 1); \
        __to[__length] = 0; \
        (char *)memcpy(__to, __from, __length); \
    }))
#endif
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _XOPEN_SOURCE || defined _POSIX_C_SOURCE
#include <_locale_t.h>
int strcoll_l(const char *, const char *, locale_t);
size_t strxfrm_l(char *, const char *, size_t, locale_t);
char *strerror_l(int, locale_t);
#endif
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE
#include <strings.h>
#endif
#endif
