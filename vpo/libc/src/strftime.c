/* strftime, asctime, ctime */

#include <ctype.h>
#include <string.h>
#include <time.h>

static const char days[][10] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char months[][10] = {"January", "February", "March",     "April",   "May",      "June",
                                  "July",    "August",   "September", "October", "November", "December"};

#define MOST 1000 /* a greater width is not counted out */

/* Where the text goes: `to` may pass `end`, but nothing is stored there. */
struct target {
    char *to, *end;
};

/* How a field is written: what fills it up to its width, and whether its letters change.  0 is the field's own way;
   '-' fills up nothing. */
struct style {
    char pad, letters;
    int width;
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

static void fill(struct target *target, int count, char pad)
{
    while (count-- > 0 && target->end)
        add(target, &pad, 1);
}

/* Adds a number in decimal, filled up to a number of digits. */
static void add_number(struct target *target, long number, int digits, char pad, struct style style)
{
    char text[24];
    char *at = text + sizeof text;
    unsigned long value = number < 0 ? -(unsigned long)number : (unsigned long)number;
    int length;

    do
        *--at = '0' + (int)(value % 10);
    while (value /= 10);
    length = text + sizeof text - at + (number < 0);
    pad = style.pad ? style.pad : pad;
    if (pad == '-' || digits < style.width)
        digits = style.width;
    if (pad != '0')
        fill(target, digits - length, ' ');
    if (number < 0)
        add(target, "-", 1);
    if (pad == '0')
        fill(target, digits - length, '0');
    add(target, at, text + sizeof text - at);
}

/* Adds what stands in a text up to its end, filled up and with its letters changed. */
static void add_text(struct target *target, const char *text, int length, struct style style)
{
    char *at;

    fill(target, style.width - length, style.pad == '0' ? '0' : ' ');
    at = target->to;
    add(target, text, length);
    for (; style.letters && target->end && at < target->to; at++)
        *at = style.letters == '^' ? toupper((unsigned char)*at) : tolower((unsigned char)*at);
}

static int is_leap(int year)
{
    return year % 4 == 0 && (year % 100 || year % 400 == 0);
}

/* Adds a number of seconds, of which a long may not have all. */
static void add_moment(struct target *target, time_t moment, struct style style)
{
    if (moment == (long)moment) {
        add_number(target, (long)moment, 1, '_', style);
        return;
    }
    add_number(target, (long)(moment / 1000000000), 1, '_', style);
    moment %= 1000000000;
    add_number(target, (long)(moment < 0 ? -moment : moment), 9, '0', style);
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

static const char *zone_of(const struct tm *date)
{
    return date->tm_zone ? date->tm_zone : "";
}

static void format_date(struct target *, const char *, const struct tm *);

/* Adds a field that consists of others. */
static void add_fields(struct target *target, const char *format, const struct tm *date, struct style style)
{
    char text[120];
    struct target part = {text, text + sizeof text};

    format_date(&part, format, date);
    add_text(target, text, part.to - text, style);
}

/* Adds a field that is a name or several fields; returns whether the letter stands for one. */
static int add_words(struct target *target, char letter, const struct tm *date, struct style style)
{
    const char *text = NULL, *format = NULL;
    int length = 0;

    switch (letter) {
    case 'a': text = name_of(days, date->tm_wday, 7); length = 3; break;
    case 'A': text = name_of(days, date->tm_wday, 7); break;
    case 'b':
    case 'h': text = name_of(months, date->tm_mon, 12); length = 3; break;
    case 'B': text = name_of(months, date->tm_mon, 12); break;
    case 'n': text = "\n"; break;
    case 'p':
    case 'P': text = date->tm_hour < 12 ? "AM" : "PM"; break;
    case 't': text = "\t"; break;
    case 'Z': text = zone_of(date); break;
    case '%': text = "%"; break;
    case 'c': format = "%a %b %e %H:%M:%S %Y"; break;
    case 'D':
    case 'x': format = "%m/%d/%y"; break;
    case 'F': format = "%Y-%m-%d"; break;
    case 'r': format = "%I:%M:%S %p"; break;
    case 'R': format = "%H:%M"; break;
    case 'T':
    case 'X': format = "%H:%M:%S"; break;
    }
    if (style.letters == '#')
        style.letters = format ? 0 : letter == 'p' || letter == 'Z' ? 'v' : '^';
    if (letter == 'P')
        style.letters = 'v';
    if (text)
        add_text(target, text, length && text[0] != '?' ? length : (int)strlen(text), style);
    else if (format)
        add_fields(target, format, date, style);
    return text || format;
}

/* Adds a field that is a number; returns whether the letter stands for one. */
static int add_value(struct target *target, char letter, const struct tm *date, struct style style)
{
    int year = date->tm_year + 1900, iso_year, week = iso_week(date, &iso_year);
    int hour = date->tm_hour % 12 ? date->tm_hour % 12 : 12, offset = date->tm_gmtoff / 60;
    struct tm copy = *date;

    switch (letter) {
    case 'C': add_number(target, year / 100, 2, '0', style); break;
    case 'd': add_number(target, date->tm_mday, 2, '0', style); break;
    case 'e': add_number(target, date->tm_mday, 2, '_', style); break;
    case 'g': add_number(target, iso_year % 100, 2, '0', style); break;
    case 'G': add_number(target, iso_year, 1, '0', style); break;
    case 'H': add_number(target, date->tm_hour, 2, '0', style); break;
    case 'I': add_number(target, hour, 2, '0', style); break;
    case 'j': add_number(target, date->tm_yday + 1, 3, '0', style); break;
    case 'k': add_number(target, date->tm_hour, 2, '_', style); break;
    case 'l': add_number(target, hour, 2, '_', style); break;
    case 'm': add_number(target, date->tm_mon + 1, 2, '0', style); break;
    case 'M': add_number(target, date->tm_min, 2, '0', style); break;
    case 's': add_moment(target, mktime(&copy), style); break;
    case 'S': add_number(target, date->tm_sec, 2, '0', style); break;
    case 'u': add_number(target, date->tm_wday ? date->tm_wday : 7, 1, '0', style); break;
    case 'U': add_number(target, (date->tm_yday + 7 - date->tm_wday) / 7, 2, '0', style); break;
    case 'V': add_number(target, week, 2, '0', style); break;
    case 'w': add_number(target, date->tm_wday, 1, '0', style); break;
    case 'W': add_number(target, (date->tm_yday + 7 - (date->tm_wday + 6) % 7) / 7, 2, '0', style); break;
    case 'y': add_number(target, year % 100, 2, '0', style); break;
    case 'Y': add_number(target, year, 1, '0', style); break;
    case 'z':
        add(target, offset < 0 ? "-" : "+", 1);
        style.width--;
        offset = offset < 0 ? -offset : offset;
        add_number(target, offset / 60 * 100 + offset % 60, 4, '0', style);
        break;
    default: return 0;
    }
    return 1;
}

static void format_date(struct target *target, const char *format, const struct tm *date)
{
    for (; *format && target->end; format++) {
        struct style style = {0, 0, 0};
        const char *begin = format;

        if (*format != '%') {
            add(target, format, 1);
            continue;
        }
        for (format++; *format && strchr("_-0^#", *format); format++)
            if (*format == '^' || *format == '#')
                style.letters = *format;
            else
                style.pad = *format;
        for (; isdigit((unsigned char)*format); format++)
            if (style.width < MOST)
                style.width = 10 * style.width + (*format - '0');
        if (*format == 'E' || *format == 'O')
            format++;
        if (*format == 0) {
            add(target, begin, format - begin);
            return;
        }
        if (!add_words(target, *format, date, style) && !add_value(target, *format, date, style))
            add(target, begin, format + 1 - begin);
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
