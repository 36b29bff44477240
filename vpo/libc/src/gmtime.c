/* gmtime, localtime (which is the same), mktime: the calendar in eras of 400 years that begin in March. */

#include <errno.h>
#include <time.h>

#define DAY 86400L
#define ERA 146097L       /* days in 400 years */
#define TO_EPOCH 719468L  /* days from March 1 of year 0 to January 1, 1970 */

static long divide_down(long dividend, long divisor)
{
    long quotient = dividend / divisor;

    return quotient * divisor > dividend ? quotient - 1 : quotient;
}

/* The days from 1970 to a date; a month beyond the year counts on. */
static long days_to(long year, long month, long day)
{
    long era, year_of_era, month_from_march;

    year += divide_down(month, 12);
    month -= divide_down(month, 12) * 12;
    month_from_march = month >= 2 ? month - 2 : month + 10;
    if (month < 2)
        year--;
    era = divide_down(year, 400);
    year_of_era = year - era * 400;
    return era * ERA + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + (153 * month_from_march + 2) / 5 +
           day - 1 - TO_EPOCH;
}

struct tm *gmtime_r(const time_t *moment, struct tm *date)
{
    long days = divide_down(*moment, DAY);
    long seconds = *moment - days * DAY;
    long shifted = days + TO_EPOCH;
    long era = divide_down(shifted, ERA);
    long day = shifted - era * ERA;
    long year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    long day_from_march = day - (365 * year + year / 4 - year / 100);
    long month = (5 * day_from_march + 2) / 153;

    date->tm_hour = seconds / 3600;
    date->tm_min = seconds / 60 % 60;
    date->tm_sec = seconds % 60;
    date->tm_mday = day_from_march - (153 * month + 2) / 5 + 1;
    date->tm_mon = month < 10 ? month + 2 : month - 10;
    year += era * 400 + (month >= 10);
    date->tm_year = year - 1900;
    date->tm_wday = (days + 4) - divide_down(days + 4, 7) * 7;
    date->tm_yday = days - days_to(year, 0, 1);
    date->tm_isdst = 0;
    date->tm_gmtoff = 0;
    date->tm_zone = "GMT";
    return date;
}

struct tm *localtime_r(const time_t *moment, struct tm *date)
{
    gmtime_r(moment, date);
    date->tm_zone = "UTC";
    return date;
}

static struct tm date; /* one for both functions, as in other libraries */

struct tm *gmtime(const time_t *moment)
{
    return gmtime_r(moment, &date);
}

struct tm *localtime(const time_t *moment)
{
    return localtime_r(moment, &date);
}

time_t mktime(struct tm *date)
{
    long days = days_to(date->tm_year + 1900L, date->tm_mon, date->tm_mday);
    long long seconds = ((days * 24LL + date->tm_hour) * 60 + date->tm_min) * 60 + date->tm_sec;
    time_t moment = seconds;

    if (moment != seconds) {
        errno = EOVERFLOW;
        return -1;
    }
    localtime_r(&moment, date);
    return moment;
}

time_t timegm(struct tm *date)
{
    time_t moment = mktime(date);

    date->tm_zone = "GMT";
    return moment;
}

char *tzname[2] = {"UTC", "UTC"};
long timezone;
int daylight;

void tzset(void)
{
}
