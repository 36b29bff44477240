/* scanf. */
#include <stdio.h>
#include <string.h>

static int a, b, c, n;
static unsigned u;
static long l;
static long long ll;
static short h;
static signed char hh;
static float f;
static double d;
static char s[200], t[200];

#define TRY(text, format, ...) \
    do { \
        int count; \
        a = b = c = n = u = l = ll = h = hh = f = d = 0; \
        memset(s, 0, sizeof s); \
        memset(t, 0, sizeof t); \
        count = sscanf(text, format, __VA_ARGS__); \
        printf("%s|%s: %d  %d %d %d %d %u %ld %lld %d %d %a %a %s %s\n", text, format, count, a, b, c, n, u, l, ll, h, hh, \
               f, d, s, t); \
    } while (0)

int main(void)
{
    FILE *file;
    int line;

    TRY("12 34 -56", "%d%d%d", &a, &b, &c);
    TRY("12,34;-56", "%d,%d;%d%n", &a, &b, &c, &n);
    TRY("12 x", "%d%d", &a, &b);
    TRY("", "%d", &a);
    TRY("   ", "%d", &a);
    TRY("x", "%d", &a);
    TRY("-", "%d", &a);
    TRY("+7", "%d", &a);
    TRY("0x1F 017 19", "%i %i %i", &a, &b, &c);
    TRY("ff 0xfF 777", "%x%x%o", &a, &b, &c);
    TRY("12345", "%2d%2d%d", &a, &b, &c);
    TRY("0x12", "%1i%i", &a, &b);
    TRY("4294967295", "%u", &u);
    TRY("-1", "%u", &u);
    TRY("-2147483648", "%ld", &l);
    TRY("9223372036854775807", "%lld", &ll);
    TRY("99999999999999999999999", "%lld", &ll);
    TRY("-99999999999999999999999", "%lld", &ll);
    TRY("70000", "%hd", &h);
    TRY("300", "%hhd", &hh);
    TRY("1.5 2.5e3", "%f%lf", &f, &d);
    TRY("1.5e", "%lf", &d);
    TRY("1.5e+x", "%lf%s", &d, s);
    TRY("-.5", "%lf", &d);
    TRY("5.", "%lf", &d);
    TRY(".", "%lf", &d);
    TRY("inf", "%lf", &d);
    TRY("-infinity", "%lf", &d);
    TRY("0x1.8p4z", "%lf%s", &d, s);
    TRY("3.14159265358979", "%4lf%s", &d, s);
    TRY("1e5", "%la", &d);
    TRY("hello world", "%s%s", s, t);
    TRY("hello world", "%3s%s", s, t);
    TRY("hello world", "%*s%s", s);
    TRY("hello world", "%5c%c", s, t);
    TRY("hello", "%9c", s);
    TRY("abc123", "%[a-z]%[0-9]", s, t);
    TRY("abc]123", "%[]abc]%[^x]", s, t);
    TRY("abc 123", "%[^0-9]%d", s, &a);
    TRY("a-c", "%[a-]%s", s, t);
    TRY("x", "%[abc]", s);
    TRY("10%20", "%d%%%d", &a, &b);
    TRY("10 %20", "%d%%%d", &a, &b);
    TRY("a b", "a b%n", &n);
    TRY("ab", "a b%n", &n);
    TRY("key=value", "%[^=]=%s", s, t);
    TRY("12 34", "%d %*d%n", &a, &n);
    TRY("0", "%d", &a);
    TRY("00012", "%i", &a);
    TRY("1 2 3 4", "%hhd%hd%ld%lld", &hh, &h, &l, &ll);
    TRY("123456789012345678901234567890e-10", "%lf", &d);
    file = fopen("scan.tmp", "w");
    for (line = 0; line < 1000; line++)
        fprintf(file, "%d %f line%d\n", line * 7, line / 8.0, line);
    fclose(file);
    file = fopen("scan.tmp", "r");
    line = 0;
    while (fscanf(file, "%d %lf %s", &a, &d, s) == 3)
        if (a != line * 7 || d != line / 8.0 || strncmp(s, "line", 4))
            printf("line %d: %d %f %s\n", line, a, d, s);
        else
            line++;
    printf("%d %d\n", line, feof(file) != 0);
    fclose(file);
    remove("scan.tmp");
    return 0;
}
