/* openlog, syslog and their kin: there is no log but, where a program wants it, the standard error stream. */

#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>

static const char *identity;
static int options, mask = 0xff;

void openlog(const char *name, int wanted, int facility)
{
    (void)facility;
    identity = name;
    options = wanted;
}

void closelog(void)
{
    identity = NULL;
    options = 0;
}

int setlogmask(int wanted)
{
    int old = mask;

    if (wanted)
        mask = wanted;
    return old;
}

void vsyslog(int priority, const char *format, va_list ap)
{
    if (!(options & LOG_PERROR) || !(mask & LOG_MASK(LOG_PRI(priority))))
        return;
    fprintf(stderr, "%s: ", identity ? identity : getprogname());
    vfprintf(stderr, format, ap);
    fputc('\n', stderr);
}

void syslog(int priority, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsyslog(priority, format, ap);
    va_end(ap);
}
