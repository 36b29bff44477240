#ifndef _LANGINFO_H
#define _LANGINFO_H
#include <_locale_t.h>
#include <nl_types.h>
enum {
    CODESET = 14,
    RADIXCHAR,
    THOUSEP,
    ABDAY_1 = 0x100, ABDAY_2, ABDAY_3, ABDAY_4, ABDAY_5, ABDAY_6, ABDAY_7,
    DAY_1, DAY_2, DAY_3, DAY_4, DAY_5, DAY_6, DAY_7,
    ABMON_1, ABMON_2, ABMON_3, ABMON_4, ABMON_5, ABMON_6, ABMON_7, ABMON_8, ABMON_9, ABMON_10, ABMON_11, ABMON_12,
    MON_1, MON_2, MON_3, MON_4, MON_5, MON_6, MON_7, MON_8, MON_9, MON_10, MON_11, MON_12,
    AM_STR, PM_STR, D_T_FMT, D_FMT, T_FMT, T_FMT_AMPM,
    ERA, ERA_D_FMT, ALT_DIGITS, ERA_D_T_FMT, ERA_T_FMT,
    CRNCYSTR,
    YESEXPR, NOEXPR, YESSTR, NOSTR
};
/* Programs ask by #ifdef which of them there are. */
#define CODESET CODESET
#define RADIXCHAR RADIXCHAR
#define THOUSEP THOUSEP
#define DAY_1 DAY_1
#define ABDAY_1 ABDAY_1
#define MON_1 MON_1
#define ABMON_1 ABMON_1
#define AM_STR AM_STR
#define PM_STR PM_STR
#define D_T_FMT D_T_FMT
#define D_FMT D_FMT
#define T_FMT T_FMT
#define T_FMT_AMPM T_FMT_AMPM
#define ERA ERA
#define ERA_D_FMT ERA_D_FMT
#define ERA_D_T_FMT ERA_D_T_FMT
#define ERA_T_FMT ERA_T_FMT
#define ALT_DIGITS ALT_DIGITS
#define CRNCYSTR CRNCYSTR
#define YESEXPR YESEXPR
#define NOEXPR NOEXPR
char *nl_langinfo(nl_item), *nl_langinfo_l(nl_item, locale_t);
#endif
