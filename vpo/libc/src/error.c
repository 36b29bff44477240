/* error, error_at_line: messages as GNU programs print them. */

#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);
extern char **__arguments;

static void begin(void)
{
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, "%s:", __arguments[0] ? __arguments[0] : "");
}

static void finish(int status, int number, const char *format, va_list ap)
{
    vfprintf(stderr, format, ap);
    error_message_count++;
    if (number)
        fprintf(stderr, ": %s", strerror(number));
    fputc('\n', stderr);
    fflush(stderr);
    if (status)
        exit(status);
}

void error(int status, int number, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    begin();
    if (error_print_progname == NULL)
        fputc(' ', stderr);
    finish(status, number, format, ap);
    va_end(ap);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    static const char *last_file;
    static unsigned last_line;
    va_list ap;

    if (error_one_per_line && last_line == line && last_file && file && strcmp(last_file, file) == 0)
        return;
    last_file = file;
    last_line = line;
    va_start(ap, format);
    begin();
    if (file)
        fprintf(stderr, "%s:%u: ", file, line);
    else
        fputc(' ', stderr);
    finish(status, number, format, ap);
    va_end(ap);
}
