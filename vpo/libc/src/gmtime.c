/* gmtime, localtime (which is the same), mktime: the calendar in eras of 400 years that begin in March. */

#include <errno.h>
#include <limits.h>
#include <time.h>

#define DAY 86400L
#define ERA 146097L       /* days in 400 years */
#define TO_EPOCH 719468L  /* days from March 1 of year 0 to January 1, 1970 */

static time_t divide_down(time_t dividend, long divisor)
{
    time_t quotient = dividend / divisor;

    return quotient * divisor > dividend ? quotient - 1 : quotient;
}

static int is_leap(long year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

struct tm *gmtime_r(const time_t *moment, struct tm *date)
{
    time_t days = divide_down(*moment, DAY);
    long seconds = (long)(*moment - days * DAY);
    time_t era = divide_down(days + TO_EPOCH, ERA);
    long day = (long)(days + TO_EPOCH - era * ERA);
    long year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    long day_from_march = day - (365 * year + year / 4 - year / 100);
    long month = (5 * day_from_march + 2) / 153;

    time_t years;

    year += month >= 10;
    years = era * 400 - 1900 + year;
    if (years > INT_MAX || years < INT_MIN) {
        errno = EOVERFLOW;
        return NULL;
    }
    date->tm_hour = seconds / 3600;
    date->tm_min = seconds / 60 % 60;
    date->tm_sec = seconds % 60;
    date->tm_mday = day_from_march - (153 * month + 2) / 5 + 1;
    date->tm_mon = month < 10 ? month + 2 : month - 10;
    date->tm_year = (int)years;
    date->tm_wday = (day + 3) % 7; /* an era has whole weeks, and begins on a Wednesday */
    date->tm_yday = month >= 10 ? day_from_march - 306 : day_from_march + 59 + is_leap(year);
    date->tm_isdst = 0;
    date->tm_gmtoff = 0;
    date->tm_zone = "GMT";
    return date;
}

struct tm *localtime_r(const time_t *moment, struct tm *date)
{
    if (gmtime_r(moment, date) == NULL)
        return NULL;
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

/* The days from 1970 to a date; a month beyond the year counts on. */
static long long days_to(long long year, long month, long day)
{
    long years = month / 12 - (month % 12 < 0);
    long month_from_march = month - years * 12 - 2;
    long year_of_era;
    long long era;

    year += years;
    if (month_from_march < 0) {
        month_from_march += 12;
        year--;
    }
    era = year / 400 - (year % 400 < 0);
    year_of_era = (long)(year - era * 400);
    return era * ERA + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + (153 * month_from_march + 2) / 5 +
           day - 1 - TO_EPOCH;
}

time_t mktime(struct tm *date)
{
    long long days = days_to(date->tm_year + 1900LL, date->tm_mon, date->tm_mday);
    long long seconds = ((days * 24 + date->tm_hour) * 60 + date->tm_min) * 60 + date->tm_sec;
    time_t moment = seconds;

    if (moment != seconds || localtime_r(&moment, date) == NULL) {
        errno = EOVERFLOW;
        return -1;
    }
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
