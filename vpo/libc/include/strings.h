#ifndef _STRINGS_H
#define _STRINGS_H
#include <_size_t.h>
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
int bcmp(const void *, const void *, size_t);
void bcopy(const void *, void *, size_t);
void bzero(void *, size_t);
char *index(const char *, int);
char *rindex(const char *, int);
int ffs(int), ffsl(long), ffsll(long long);
#include <_locale_t.h>
int strcasecmp_l(const char *, const char *, locale_t), strncasecmp_l(const char *, const char *, size_t, locale_t);
#endif
