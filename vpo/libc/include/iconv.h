#ifndef _ICONV_H
#define _ICONV_H
/* Between ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-32 and wide characters; other names are refused (EINVAL). */
#include <_size_t.h>
typedef struct __iconv *iconv_t;
iconv_t iconv_open(const char *, const char *);
size_t iconv(iconv_t, char **, size_t *, char **, size_t *);
int iconv_close(iconv_t);
#endif
