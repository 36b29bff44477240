/* printf of everything but doubles. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "random.h"

static int total;

#define SHOW(format, value) (total += printf("[" format "]\n", value))

static void show_positions(void)
{
    int counted = 0, i;
    char text[60];

    errno = EDOM;
    printf("%m|%30m|%-40m|%.5m|\n");
    printf("%'d %'5ld|%-'7u|%'.3f|%0'6d\n", 1234, 56L, 78u, 1.5, 9);
    printf("%2$s %1$d %2$s %3$c%%\n", 5, "twice", 'x');
    printf("%1$*2$d|%1$-*2$d|%1$0*2$d|%1$+.*3$d|\n", 42, 7, 4);
    for (i = -3; i < 4; i++)
        printf("%3$*1$.*2$f|%4$*1$.*2$s|%5$#*1$llx|\n", 3 * i, i, 3.14159, "string", 255LL);
    printf("%4$ld %3$lld %2$hhd %1$p|%5$zu %6$g\n", (void *)0, 300, 1LL << 40, -7L, (size_t)9, 1e100);
    printf("%2$d%3$n %1$d\n", 1, 22, &counted);
    printf("%d\n", counted);
    printf("%d ", sprintf(text, "before %2$.2s|%1$5d|", 3, "abc"));
    printf("%s\n", text);
    printf("%d ", snprintf(text, 8, "%2$s%1$s", "right", "left"));
    printf("%s\n", text);
}

int main(void)
{
    static const char flags[] = "-+ #0";
    static const char kinds[] = "diouxX";
    int mask, kind, i, count;
    char text[200];
    signed char tiny;
    short small;
    long large;
    long long huge;

    for (mask = 0; mask < 32; mask++)
        for (kind = 0; kind < 6; kind++)
            for (i = 0; i < 12; i++) {
                static const int values[] = {0, 1, -1, 8, 100, -12345, INT_MAX, INT_MIN, 255, 10, 7, 4095};
                static const char *const sizes[] = {"", "5", "12", ".0", ".5", "9.4", "2.9", "1.", "*", ".*", "015.3", "*.*"};
                char format[40];
                char *to = format;
                int bit;

                *to++ = '%';
                for (bit = 0; bit < 5; bit++)
                    if (mask >> bit & 1)
                        *to++ = flags[bit];
                strcpy(to, sizes[(i + mask) % 12]);
                to += strlen(to);
                *to++ = kinds[kind];
                strcpy(to, "|\n");
                if (strstr(format, "*.*"))
                    printf(format, i - 6, 3 - i, values[i]);
                else if (strchr(format, '*'))
                    printf(format, i - 6, values[i]);
                else
                    printf(format, values[i]);
            }
    SHOW("%hhd", 300);
    SHOW("%hhu", -1);
    SHOW("%hd", 70000);
    SHOW("%hu", -1);
    SHOW("%hx", -1);
    SHOW("%lld", LLONG_MAX);
    SHOW("%lld", LLONG_MIN);
    SHOW("%llu", ULLONG_MAX);
    SHOW("%llx", ULLONG_MAX);
    SHOW("%llo", ULLONG_MAX);
    SHOW("%#llo", ULLONG_MAX);
    SHOW("%#llX", 0x123456789abcdefLL);
    SHOW("%+lld", 1000000000000LL);
    SHOW("%030lld", -1000000000000LL);
    SHOW("%lld", 1000000000000000000LL);
    SHOW("%lld", 4294967296LL);
    SHOW("%lld", 4294967295LL);
    SHOW("%jd", (intmax_t)-5);
    SHOW("%ju", UINTMAX_MAX);
    SHOW("%zu", (size_t)77);
    SHOW("%zd", (size_t)77);
    SHOW("%td", (ptrdiff_t)-77);
    SHOW("%" PRId64, INT64_C(-9007199254740993));
    SHOW("%" PRIx32, UINT32_C(0xdeadbeef));
    SHOW("%" PRIu16, (uint16_t)65535);
    SHOW("%p", NULL);
    SHOW("%p", (void *)0x1234);
    SHOW("%20p", (void *)0x1234);
    SHOW("%-20p", (void *)0x1234);
    SHOW("%s", "");
    SHOW("%s", "string");
    SHOW("%10s", "string");
    SHOW("%-10s", "string");
    SHOW("%.3s", "string");
    SHOW("%10.3s", "string");
    SHOW("%-10.0s", "string");
    SHOW("%c", 'x');
    SHOW("%5c", 'x');
    SHOW("%-5c", 'x');
    SHOW("%.0d", 0);
    SHOW("%.80d", 12);
    SHOW("%-100d", 12);
    SHOW("%0100d", -12);
    SHOW("%%%d", 1);
    SHOW("%5%%d", 1);
    printf("%d %s %ld %c %lld %u %s\n", 1, "two", 3L, '4', 5LL, 6U, "seven");
    printf("%hhn%hn%n%ln", &tiny, &small, &count, &large);
    printf("four%hhn and%hn ten%n%ln%lln\n", &tiny, &small, &count, &large, &huge);
    printf("%d %d %d %ld %lld\n", tiny, small, count, large, huge);
    for (i = 0; i < 2000; i++) {
        uint64_t value = next64() >> next() % 64;

        printf("%lld %llu %llx %llo %ld %lx\n", (long long)value, (unsigned long long)value, (unsigned long long)value,
               (unsigned long long)value, (long)(int32_t)value, (unsigned long)(uint32_t)value);
    }
    for (i = 0; i < 12; i++) {
        memset(text, '#', sizeof text);
        count = snprintf(text, i, "%d-%s", 1234, "abc");
        printf("%d %.*s %c\n", count, i, i ? text : "", text[i]);
    }
    count = sprintf(text, "%s%c%s", "a", 0, "b");
    printf("%d %d %c\n", count, text[1], text[2]);
    printf("%d\n", total);
    show_positions();
    return 0;
}
