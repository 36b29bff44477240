#ifndef _ERR_H
#define _ERR_H
#include <stdarg.h>
_Noreturn void err(int, const char *, ...), errx(int, const char *, ...);
_Noreturn void verr(int, const char *, va_list), verrx(int, const char *, va_list);
void warn(const char *, ...), warnx(const char *, ...), vwarn(const char *, va_list), vwarnx(const char *, va_list);
#endif
