/* strftime, asctime, ctime */

#include <string.h>
#include <time.h>

static const char days[][10] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char months[][10] = {"January", "February", "March",     "April",   "May",      "June",
                                  "July",    "August",   "September", "October", "November", "December"};

/* Where the text goes: `to` may pass `end`, but nothing is stored there. */
struct target {
    char *to, *end;
};

static void add(struct target *target, const char *text, int length)
{
    for (; length && *text; length--)
        if (target->to < target->end)
            *target->to++ = *text++;
        else {
            target->end = NULL; /* too long */
            return;
        }
}

/* Adds a number with at least `width` digits, after `pad`s. */
static void add_number(struct target *target, long number, int width, char pad)
{
    char text[24];
    char *at = text + sizeof text;
    unsigned long value = number < 0 ? -(unsigned long)number : (unsigned long)number;

    do {
        *--at = '0' + (int)(value % 10);
        width--;
    } while (value /= 10);
    while (width-- > 0)
        *--at = pad;
    if (number < 0)
        *--at = '-';
    add(target, at, text + sizeof text - at);
}

static int is_leap(int year)
{
    return year % 4 == 0 && (year % 100 || year % 400 == 0);
}

/* The ISO 8601 week of a date, and, in `*year`, the year it belongs to. */
static int iso_week(const struct tm *date, int *year)
{
    int monday = (date->tm_wday + 6) % 7;
    int week = (date->tm_yday - monday + 10) / 7;
    int year_days, first;

    *year = date->tm_year + 1900;
    if (week == 0) {
        --*year;
        year_days = 365 + is_leap(*year);
        return (date->tm_yday + year_days - monday + 10) / 7;
    }
    year_days = 365 + is_leap(*year);
    first = (monday - date->tm_yday % 7 + 7 + year_days % 7) % 7; /* the weekday that the next year begins with */
    if (week == 53 && first <= 3) {
        ++*year;
        return 1;
    }
    return week;
}

static const char *name_of(const char names[][10], int index, int count)
{
    return index >= 0 && index < count ? names[index] : "?";
}

static void format_date(struct target *target, const char *format, const struct tm *date)
{
    int year = date->tm_year + 1900;
    int hour = date->tm_hour % 12 ? date->tm_hour % 12 : 12;
    int iso_year;

    for (; *format && target->end; format++) {
        if (*format != '%') {
            add(target, format, 1);
            continue;
        }
        format++;
        if (*format == 'E' || *format == 'O')
            format++;
        switch (*format) {
        case 'a': add(target, name_of(days, date->tm_wday, 7), 3); break;
        case 'A': add(target, name_of(days, date->tm_wday, 7), 10); break;
        case 'b':
        case 'h': add(target, name_of(months, date->tm_mon, 12), 3); break;
        case 'B': add(target, name_of(months, date->tm_mon, 12), 10); break;
        case 'c': format_date(target, "%a %b %e %H:%M:%S %Y", date); break;
        case 'C': add_number(target, year / 100, 2, '0'); break;
        case 'd': add_number(target, date->tm_mday, 2, '0'); break;
        case 'D':
        case 'x': format_date(target, "%m/%d/%y", date); break;
        case 'e': add_number(target, date->tm_mday, 2, ' '); break;
        case 'F': format_date(target, "%Y-%m-%d", date); break;
        case 'g': iso_week(date, &iso_year); add_number(target, iso_year % 100, 2, '0'); break;
        case 'G': iso_week(date, &iso_year); add_number(target, iso_year, 1, '0'); break;
        case 'H': add_number(target, date->tm_hour, 2, '0'); break;
        case 'I': add_number(target, hour, 2, '0'); break;
        case 'j': add_number(target, date->tm_yday + 1, 3, '0'); break;
        case 'm': add_number(target, date->tm_mon + 1, 2, '0'); break;
        case 'M': add_number(target, date->tm_min, 2, '0'); break;
        case 'n': add(target, "\n", 1); break;
        case 'p': add(target, date->tm_hour < 12 ? "AM" : "PM", 2); break;
        case 'r': format_date(target, "%I:%M:%S %p", date); break;
        case 'R': format_date(target, "%H:%M", date); break;
        case 'S': add_number(target, date->tm_sec, 2, '0'); break;
        case 't': add(target, "\t", 1); break;
        case 'T':
        case 'X': format_date(target, "%H:%M:%S", date); break;
        case 'u': add_number(target, date->tm_wday ? date->tm_wday : 7, 1, '0'); break;
        case 'U': add_number(target, (date->tm_yday + 7 - date->tm_wday) / 7, 2, '0'); break;
        case 'V': add_number(target, iso_week(date, &iso_year), 2, '0'); break;
        case 'w': add_number(target, date->tm_wday, 1, '0'); break;
        case 'W': add_number(target, (date->tm_yday + 7 - (date->tm_wday + 6) % 7) / 7, 2, '0'); break;
        case 'y': add_number(target, year % 100, 2, '0'); break;
        case 'Y': add_number(target, year, 1, '0'); break;
        case 'z': add(target, "+0000", 5); break;
        case 'Z': add(target, "GMT", 3); break;
        case '%': add(target, "%", 1); break;
        case 0: return;
        }
    }
}

size_t strftime(char *string, size_t size, const char *format, const struct tm *date)
{
    struct target target;

    if (size == 0)
        return 0;
    target.to = string;
    target.end = string + size - 1;
    format_date(&target, format, date);
    if (target.end == NULL)
        return 0;
    *target.to = 0;
    return target.to - string;
}

char *asctime_r(const struct tm *date, char *text)
{
    strftime(text, 40, "%a %b %e %H:%M:%S %Y\n", date);
    return text;
}

char *asctime(const struct tm *date)
{
    static char text[40];

    return asctime_r(date, text);
}

char *ctime_r(const time_t *moment, char *text)
{
    struct tm date;

    return asctime_r(localtime_r(moment, &date), text);
}

char *ctime(const time_t *moment)
{
    return asctime(localtime(moment));
}
