#ifndef _STDIO_EXT_H
#define _STDIO_EXT_H
/* The state of streams, as Solaris, glibc and musl tell it. */
#include <stdio.h>
#define FSETLOCKING_QUERY 0
#define FSETLOCKING_INTERNAL 1
#define FSETLOCKING_BYCALLER 2
size_t __fbufsize(FILE *), __fpending(FILE *), __freadahead(FILE *);
int __freading(FILE *), __fwriting(FILE *), __freadable(FILE *), __fwritable(FILE *), __flbf(FILE *);
int __fsetlocking(FILE *, int);
void __fpurge(FILE *), __fseterr(FILE *), _flushlbf(void);
const char *__freadptr(FILE *, size_t *);
void __freadptrinc(FILE *, size_t);
#endif
