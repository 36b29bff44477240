#ifndef _MONETARY_H
#define _MONETARY_H
#include <sys/types.h>
#include <_locale_t.h>
ssize_t strfmon(char *, size_t, const char *, ...), strfmon_l(char *, size_t, locale_t, const char *, ...);
#endif
