/* Dates beyond the 32 bits of a long: where time_t has 64, as on every system without an older one to be compatible with. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static void show(const struct tm *date)
{
    char text[100];

    if (date == NULL) {
        puts(errno == EOVERFLOW ? "too far" : "?");
        return;
    }
    strftime(text, sizeof text, "%A %j %s", date);
    printf("%d-%d-%d %02d:%02d:%02d %d %d %s\n", date->tm_year, date->tm_mon, date->tm_mday, date->tm_hour, date->tm_min,
           date->tm_sec, date->tm_wday, date->tm_yday, text);
}

int main(void)
{
    static const long long moments[] = {
        0, -1, 951782399, 951782400, 1709164800, 2147483647, 2147483648, 4102444800, 253402300799, 253402300800, -62167219201,
        -9999999999, 67767976233446399, 67767976233446400, 67767976233532800, 67768036191676799, 67768036191676800,
        -67768040609740800, -67768040609740801, LLONG_MAX, LLONG_MIN,
    };
    struct tm date;
    time_t now = time(NULL);
    struct timespec spec;
    struct stat status;

    printf("%d\n", (int)sizeof(time_t));
    for (unsigned i = 0; i < sizeof moments / sizeof *moments; i++) {
        time_t moment = moments[i];

        show(gmtime(&moment));
    }
    for (int year = -4000; year < 4000; year += 777)
        for (int month = -30; month < 40; month += 23) {
            memset(&date, 0, sizeof date);
            date.tm_year = year;
            date.tm_mon = month;
            date.tm_mday = year % 50;
            printf("%lld ", (long long)mktime(&date));
            show(&date);
        }
    memset(&date, 0, sizeof date);
    date.tm_year = INT_MAX;
    date.tm_mday = 1;
    printf("%lld\n", (long long)mktime(&date));
    date.tm_mon = 12;
    date.tm_year = INT_MAX;
    printf("%lld\n", (long long)mktime(&date));
    clock_gettime(CLOCK_REALTIME, &spec);
    printf("%d %d\n", now >= 0 && spec.tv_sec - now < 100, stat(".", &status) == 0 && status.st_mtime >= 0);
    printf("%.0f\n", difftime((time_t)1 << 40, 1));
    return 0;
}
