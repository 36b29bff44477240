/* strptime */

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const char days[][10] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char months[][10] = {"January", "February", "March",     "April",   "May",      "June",
                                  "July",    "August",   "September", "October", "November", "December"};

/* What a date says in parts that only together make a field of it. */
struct parts {
    int century, year, afternoon, has_date, has_weekday, has_day_of_year;
};

/* Reads a number of at most `width` digits; fails (NULL) outside of a range. */
static const char *number(const char *text, int width, int low, int high, int *result)
{
    int value = 0, digits = 0;

    while (*text == ' ')
        text++;
    for (; digits < width && isdigit((unsigned char)*text); digits++)
        value = 10 * value + (*text++ - '0');
    *result = value;
    return digits && value >= low && value <= high ? text : NULL;
}

/* Reads one of some names, or its first three letters. */
static const char *name(const char *text, const char names[][10], int count, int *result)
{
    int i;

    for (i = 0; i < count; i++) {
        size_t length = strlen(names[i]);

        *result = i;
        if (strncasecmp(text, names[i], length) == 0)
            return text + length;
        if (strncasecmp(text, names[i], 3) == 0)
            return text + 3;
    }
    return NULL;
}

/* Reads how far a zone is from universal time. */
static const char *zone(const char *text, long *offset)
{
    int hours, minutes = 0, sign;

    while (*text == ' ')
        text++;
    *offset = 0;
    if (*text == 'Z')
        return text + 1;
    if (*text != '+' && *text != '-')
        return NULL;
    sign = *text == '-' ? -1 : 1;
    if (!isdigit((unsigned char)text[1]) || !isdigit((unsigned char)text[2]))
        return NULL;
    text = number(text + 1, 2, 0, 24, &hours);
    if (text && *text == ':')
        text++;
    if (text && isdigit((unsigned char)*text))
        text = number(text, 2, 0, 59, &minutes);
    *offset = sign * (hours * 60L + minutes) * 60;
    return text;
}

static const char *parse(const char *text, const char *format, struct tm *date, struct parts *parts)
{
    int ignored;

    for (; text && *format; format++) {
        if (isspace((unsigned char)*format)) {
            while (isspace((unsigned char)*text))
                text++;
            continue;
        }
        if (*format != '%') {
            if (*text++ != *format)
                return NULL;
            continue;
        }
        format++;
        if (*format == 'E' || *format == 'O' || *format == '-' || *format == '_' || *format == '0')
            format++;
        switch (*format) {
        case '%':
            text = *text == '%' ? text + 1 : NULL;
            break;
        case 'n':
        case 't':
            while (isspace((unsigned char)*text))
                text++;
            break;
        case 'a':
        case 'A':
            text = name(text, days, 7, &date->tm_wday);
            parts->has_weekday = 1;
            break;
        case 'b':
        case 'B':
        case 'h':
            text = name(text, months, 12, &date->tm_mon);
            parts->has_date = 1;
            break;
        case 'C':
            text = number(text, 2, 0, 99, &parts->century);
            parts->has_date = 1;
            break;
        case 'c':
            text = parse(text, "%a %b %e %H:%M:%S %Y", date, parts);
            break;
        case 'D':
        case 'x':
            text = parse(text, "%m/%d/%y", date, parts);
            break;
        case 'd':
        case 'e':
            text = number(text, 2, 1, 31, &date->tm_mday);
            parts->has_date = 1;
            break;
        case 'F':
            text = parse(text, "%Y-%m-%d", date, parts);
            break;
        case 'H':
        case 'k':
            text = number(text, 2, 0, 23, &date->tm_hour);
            parts->afternoon = -1;
            break;
        case 'I':
        case 'l':
            text = number(text, 2, 1, 12, &date->tm_hour);
            date->tm_hour %= 12;
            if (parts->afternoon < 0)
                parts->afternoon = 0;
            break;
        case 'j':
            text = number(text, 3, 1, 366, &date->tm_yday);
            date->tm_yday--;
            parts->has_day_of_year = 1;
            break;
        case 'M':
            text = number(text, 2, 0, 59, &date->tm_min);
            break;
        case 'm':
            text = number(text, 2, 1, 12, &date->tm_mon);
            date->tm_mon--;
            parts->has_date = 1;
            break;
        case 'p':
            if (strncasecmp(text, "AM", 2) && strncasecmp(text, "PM", 2))
                return NULL;
            parts->afternoon = toupper((unsigned char)*text) == 'P';
            text += 2;
            break;
        case 'R':
            text = parse(text, "%H:%M", date, parts);
            break;
        case 'r':
            text = parse(text, "%I:%M:%S %p", date, parts);
            break;
        case 'S':
            text = number(text, 2, 0, 60, &date->tm_sec);
            break;
        case 's': {
            time_t moment = 0;

            if (!isdigit((unsigned char)*text))
                return NULL;
            while (isdigit((unsigned char)*text))
                moment = 10 * moment + (*text++ - '0');
            gmtime_r(&moment, date);
            break;
        }
        case 'T':
        case 'X':
            text = parse(text, "%H:%M:%S", date, parts);
            break;
        case 'U':
        case 'W':
        case 'V':
            text = number(text, 2, 0, 53, &ignored);
            break;
        case 'u':
            text = number(text, 1, 1, 7, &date->tm_wday);
            date->tm_wday %= 7;
            parts->has_weekday = 1;
            break;
        case 'w':
            text = number(text, 1, 0, 6, &date->tm_wday);
            parts->has_weekday = 1;
            break;
        case 'Y':
            text = number(text, 4, 0, 9999, &date->tm_year);
            date->tm_year -= 1900;
            parts->year = parts->century = -1;
            parts->has_date = 1;
            break;
        case 'y':
            text = number(text, 2, 0, 99, &parts->year);
            parts->has_date = 1;
            break;
        case 'z':
            text = zone(text, &date->tm_gmtoff);
            break;
        case 'Z':
            while (isupper((unsigned char)*text))
                text++;
            break;
        default:
            return NULL;
        }
    }
    return text;
}

char *strptime(const char *text, const char *format, struct tm *date)
{
    struct parts parts = {-1, -1, -1, 0, 0, 0};
    struct tm whole;

    text = parse(text, format, date, &parts);
    if (text == NULL)
        return NULL;
    if (parts.afternoon > 0)
        date->tm_hour += 12;
    if (parts.century >= 0)
        date->tm_year = 100 * parts.century - 1900 + (parts.year >= 0 ? parts.year : 0);
    else if (parts.year >= 0)
        date->tm_year = parts.year < 69 ? parts.year + 100 : parts.year;
    if (parts.has_date) { /* what follows from the rest */
        whole = *date;
        whole.tm_sec = whole.tm_min = whole.tm_hour = 0;
        timegm(&whole);
        if (!parts.has_weekday)
            date->tm_wday = whole.tm_wday;
        if (!parts.has_day_of_year)
            date->tm_yday = whole.tm_yday;
    }
    return (char *)text;
}
