/* The calendar. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "random.h"

static const char *const parsed[][2] = {
    {"2024-02-29T23:59:60Z", "%Y-%m-%dT%H:%M:%S%z"}, {"Thu, 01 Jan 1970 00:00:00 GMT", "%a, %d %b %Y %H:%M:%S %Z"},
    {"  7/ 4/76 11:05:09 pm", "%D %r"}, {"12:00 AM", "%I:%M %p"}, {"3 PM", "%I %p"}, {"68 69", "%y%n%C"}, {"monday MAY", "%A %B"},
    {"2023-13-01", "%F"}, {"31 x", "%d y"}, {"100%", "%j%%"}, {"12:34:56 rest", "%T"}, {"1 Septem", "%e %b"}, {"", "%d"},
    {"86400", "%s"}, {"20240131", "%Y%m%d"}, {"6 2", "%u %w"}, {"+0530", "%z"}, {"-06:30", "%z"}, {"+1", "%z"}, {"Wed Sep  9 01:46:40 2099", "%c"},
};

static void parse(void)
{
    unsigned i;

    for (i = 0; i < sizeof parsed / sizeof *parsed; i++) {
        struct tm d = {1, 2, 3, 4, 5, 106, 0, 7, 0};
        const char *rest = strptime(parsed[i][0], parsed[i][1], &d);

        if (rest == NULL) {
            printf("%u no\n", i);
            continue;
        }
        printf("%u %d-%d-%d %d:%d:%d %d %d %ld <%s>\n", i, d.tm_year, d.tm_mon, d.tm_mday, d.tm_hour, d.tm_min, d.tm_sec,
               d.tm_wday, d.tm_yday, d.tm_gmtoff, rest);
    }
}

/* Each field with flags and widths. */
static void styles(void)
{
    static const char *const flags[] = {"", "-", "_", "0", "^", "#", "5", "-5", "_5", "05", "^10", "012", "_012", "#8"};
    static const char letters[] = "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYZ%Q";
    static const time_t moments[] = {0, 951782400, 1735689599, -10000000000};
    unsigned i, j;
    const char *letter;

    for (i = 0; i < sizeof moments / sizeof *moments; i++)
        for (j = 0; j < sizeof flags / sizeof *flags; j++)
            for (letter = letters; *letter; letter++) {
                char format[20], text[200];

                sprintf(format, "<%%%s%c>", flags[j], *letter);
                if (*letter != 'Q' || j == 0) /* what is unknown stays as it is */
                    printf("%s %d %s\n", format, (int)strftime(text, sizeof text, format, gmtime(&moments[i])), text);
            }
}

/* What has no place in a time, or ends before it should. */
static void limits(void)
{
    struct tm date = {0, 0, 0, 1, 0, 2147483647}, other = {5, 4, 3, 2, 1, 100};
    char text[100];
    int failed = mktime(&date) == -1;

    printf("%d %d\n", failed, errno == EOVERFLOW);
    failed = nanosleep(&(struct timespec){0, 1000000000}, NULL);
    printf("%d %d ", failed, errno == EINVAL);
    printf("%d\n", clock_nanosleep(CLOCK_REALTIME, 0, &(struct timespec){0, -1}, NULL) == EINVAL);
    mktime(&other);
    printf("%s ", other.tm_zone);
    timegm(&other);
    other.tm_gmtoff = -19800;
    strftime(text, sizeof text, "%Z %z %", &other);
    puts(text);
    printf("%d %d\n", (int)strftime(text, 5, "%H:%M", &other), (int)strftime(text, 6, "%H:%M", &other));
}

int main(void)
{
    static const char *const formats[] = {
        "%a %A %b %B %c", "%C %d %D %e %F %g %G %h", "%H %I %j %m %M %p %r %R %S", "%T %u %U %V %w %W %x %X %y %Y %%"
    };
    char text[200];
    int i;
    unsigned k;
    struct tm date;

    for (i = 0; i < 500; i++) {
        time_t moment = (time_t)(int32_t)next();

        if (i < 40)
            moment = 1009800000L + i * 86400L * 91;
        date = *gmtime(&moment);
        if (date.tm_gmtoff != 0 || date.tm_zone == NULL)
            puts("not universal time");
        if (mktime(&date) != moment)
            printf("mktime differs\n");
        printf("%ld %s", (long)moment, asctime(&date));
        for (k = 0; k < sizeof formats / sizeof *formats; k++) {
            strftime(text, sizeof text, formats[k], &date);
            puts(text);
        }
    }
    memset(&date, 0, sizeof date);
    date.tm_year = 99;
    date.tm_mon = 25;
    date.tm_mday = -300;
    date.tm_hour = 1000;
    date.tm_min = -7;
    date.tm_sec = 100000;
    printf("%ld ", (long)mktime(&date));
    fputs(asctime(&date), stdout);
    printf("%d\n", (int)strftime(text, 5, "%Y-%m", &date));
    printf("%.1f\n", difftime(1000000000, 1000000001));
    printf("%d %d\n", time(NULL) > 1600000000, clock() != (clock_t)-1);
    parse();
    styles();
    limits();
    return 0;
}
