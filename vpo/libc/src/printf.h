/* What the parts of printf share. */

#include <stdarg.h>
#include "lengths.h"
#include "stream.h"

#define LEFT 1
#define PLUS 2
#define SPACE 4
#define ALTERNATE 8
#define ZERO 16

/* What stands between % and the conversion. */
struct spec {
    int flags;
    int width;
    int precision; /* -1: none */
};

const char *__read_length(const char *, enum length *);
char *__decimal(char *, unsigned long);
char *__power_of_two(char *, unsigned long, int, const char *);
char *__print_long(char *, unsigned long long, int, const char *);
int __print_positions(FILE *, const char *, va_list, int);
void __pad(FILE *, const char *, int);
int __put_wide_string(FILE *, const struct spec *, const wchar_t *);
int __format_float(FILE *, const struct spec *, double, int);

#define ZEROS "0000000000000000"
#define BLANKS "                "
#define PADDING 16 /* the length of both */
