/* The calendar. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "random.h"

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
    return 0;
}
