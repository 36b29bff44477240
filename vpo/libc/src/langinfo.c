/* nl_langinfo: what the "C" locale says of itself, as in glibc. */

#include <langinfo.h>
#include <stddef.h>

static const char *const dates[] = {
    "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat",
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
    "AM", "PM", "%a %b %e %H:%M:%S %Y", "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p"
};

char *nl_langinfo(nl_item item)
{
    if (item >= ABDAY_1 && item <= T_FMT_AMPM)
        return (char *)dates[item - ABDAY_1];
    switch (item) {
    case CODESET:
        return "ANSI_X3.4-1968";
    case RADIXCHAR:
        return ".";
    case CRNCYSTR:
        return "-";
    case YESEXPR:
        return "^[yY]";
    case NOEXPR:
        return "^[nN]";
    }
    return "";
}

char *nl_langinfo_l(nl_item item, locale_t locale)
{
    (void)locale;
    return nl_langinfo(item);
}
