/* err, warn and their kin. */

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void begin(void)
{
    fprintf(stderr, "%s: ", getprogname());
}

void vwarnx(const char *format, va_list ap)
{
    begin();
    if (format)
        vfprintf(stderr, format, ap);
    fputc('\n', stderr);
}

void vwarn(const char *format, va_list ap)
{
    const char *message = strerror(errno);

    begin();
    if (format) {
        vfprintf(stderr, format, ap);
        fputs(": ", stderr);
    }
    fprintf(stderr, "%s\n", message);
}

void verr(int status, const char *format, va_list ap)
{
    vwarn(format, ap);
    exit(status);
}

void verrx(int status, const char *format, va_list ap)
{
    vwarnx(format, ap);
    exit(status);
}

void warn(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vwarn(format, ap);
    va_end(ap);
}

void warnx(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vwarnx(format, ap);
    va_end(ap);
}

void err(int status, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    verr(status, format, ap);
}

void errx(int status, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    verrx(status, format, ap);
}
