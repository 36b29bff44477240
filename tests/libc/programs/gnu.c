/* What programs written for GNU's library and for BSD ask beside POSIX. */
#define _GNU_SOURCE
#include <byteswap.h>
#include <endian.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <getopt.h>
#include <iconv.h>
#include <libintl.h>
#include <math.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <sysexits.h>
#include <syslog.h>
#include <wchar.h>

static void digits(void)
{
    static const double values[] = {0, 1, -1, 123.456, 0.000123, 9.4446, 1e22, -2.5e-7, 0.04, 92.5};
    char text[60];
    size_t i;
    int point, sign, count;

    for (i = 0; i < sizeof values / sizeof *values; i++)
        for (count = 0; count < 8; count += 3) {
            printf("%s", ecvt(values[i], count + 1, &point, &sign));
            printf(" %d %d ", point, sign);
            printf("%s", fcvt(values[i], count, &point, &sign));
            printf(" %d %d %s\n", point, sign, gcvt(values[i], count + 1, text));
        }
}

static void options(int only)
{
    static const struct option all[] = {
        {"verbose", no_argument, NULL, 'v'}, {"output", required_argument, NULL, 'o'}, {"level", optional_argument, NULL, 'l'}, {0}};
    static char words[][20] = {"prog", "-verbose", "file", "-out", "x", "-level=3", "--level", "-v", "-ab", "-o", "y", "-zz", "--", "-v"};
    char *arguments[15] = {0};
    int c, i, count = sizeof words / sizeof *words;

    for (i = 0; i < count; i++)
        arguments[i] = words[i];
    optind = 0;
    opterr = 0;
    while ((c = (only ? getopt_long_only : getopt_long)(count, arguments, "vabo:", all, NULL)) != -1)
        printf("%c=%s ", c, optarg ? optarg : "");
    for (i = optind; i < count; i++)
        printf("[%s]", arguments[i]);
    printf("\n");
}

static void suboptions(void)
{
    char text[] = "ro,size=20,,sizes=1,name=a=b", *rest = text, *value;
    char *const names[] = {"ro", "size", "name", NULL};

    while (*rest) {
        int found = getsubopt(&rest, names, &value);
        printf("%d %s;", found, value ? value : "-");
    }
    printf("\n");
}

static void convert(const char *to, const char *from, const char *text, size_t size, size_t room)
{
    char buffer[100], *in = (char *)text, *out = buffer;
    iconv_t how = iconv_open(to, from);
    size_t result;

    if (how == (iconv_t)-1) {
        printf("%s to %s: %d\n", from, to, errno == EINVAL);
        return;
    }
    errno = 0;
    result = iconv(how, &in, &size, &out, &room);
    printf("%s to %s: %d %d %d:", from, to, (int)result, errno, (int)size);
    for (in = buffer; in < out; in++)
        printf(" %02x", (unsigned char)*in);
    printf(" %d\n", iconv_close(how));
}

static void conversions(void)
{
    static const char text[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z";
    static const char *const targets[] = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-8", "utf-16", "LATIN1", "no-such-name"};
    size_t i;

    for (i = 0; i < sizeof targets / sizeof *targets; i++)
        convert(targets[i], "UTF-8", text, sizeof text - 1, 100);
    convert("UTF-8", "ISO-8859-1", "\xe4-\xff", 3, 100);
    convert("UTF-8", "ISO-8859-1", "\xe4-\xff", 3, 4);
    convert("UTF-8", "UTF-16LE", "\x3d\xd8\x00\xde\x41", 5, 100);
    convert("UTF-8", "UTF-16LE", "\x00\xdc\x41\x00", 4, 100);
    convert("UTF-8", "UTF-16", "\xfe\xff\x00\x41\x20\xac", 6, 100);
    convert("ISO-8859-1", "UTF-8", "\xc3\xa4\xe2\x82", 4, 100);
    convert("UTF-8", "UTF-8", "ab\xc0\x80", 4, 100);
    convert("ASCII", "UTF-8", "ab\xc3\xa4", 4, 100);
}

struct item {
    int number;
    TAILQ_ENTRY(item) links;
    LIST_ENTRY(item) others;
};
TAILQ_HEAD(queue, item);
LIST_HEAD(list, item);

static void queues(void)
{
    static struct item items[6];
    struct queue queue = TAILQ_HEAD_INITIALIZER(queue);
    struct list list = LIST_HEAD_INITIALIZER(list);
    struct item *one;
    int i;

    for (i = 0; i < 6; i++) {
        items[i].number = i;
        if (i % 2)
            TAILQ_INSERT_TAIL(&queue, &items[i], links);
        else
            TAILQ_INSERT_HEAD(&queue, &items[i], links);
        LIST_INSERT_HEAD(&list, &items[i], others);
    }
    TAILQ_REMOVE(&queue, &items[5], links);
    TAILQ_REMOVE(&queue, &items[0], links);
    TAILQ_INSERT_AFTER(&queue, &items[2], &items[0], links);
    LIST_REMOVE(&items[3], others);
    LIST_INSERT_AFTER(&items[1], &items[3], others);
    TAILQ_FOREACH(one, &queue, links)
        printf("%d", one->number);
    TAILQ_FOREACH_REVERSE(one, &queue, queue, links)
        printf("%d", one->number);
    LIST_FOREACH(one, &list, others)
        printf("%d", one->number);
    printf("\n");
}

static void wide_stream(void)
{
    wchar_t *text;
    size_t length;
    FILE *f = open_wmemstream(&text, &length);

    fwprintf(f, L"%d and %ls, ", 42, L"wide");
    fflush(f);
    printf("%d %d\n", (int)length, wcscmp(text, L"42 and wide, "));
    fputws(L"more", f);
    fclose(f);
    printf("%d %d\n", (int)length, wcscmp(text, L"42 and wide, more"));
    free(text);
}

static void bessel(void)
{
    static const double values[] = {1e-10, 0.3, 1, 2.5, 7, 14.25, 24.875, 25.5, 80, 1234.5};
    unsigned i;
    int n;

    for (i = 0; i < sizeof values / sizeof values[0]; i++) {
        double x = values[i];

        printf("%.12f %.12f %.12e %.12e %.5f %.5f", j0(x), j1(-x), y0(x), y1(x), j1f(x), y0f(x));
        for (n = 2; n < 40; n += 9)
            printf(" %.12e %.11e", jn(n, x), yn(n, x));
        printf(" %.12f %.12e\n", jn(-3, -x), yn(-3, x));
    }
    printf("%g %g %g %d\n", j0(HUGE_VAL), y1(HUGE_VAL), y0(0), isnan(yn(2, -1)) != 0);
}

static void show_stream(FILE *f)
{
    printf("%d%d%d%d%d %d\n", __freading(f) != 0, __fwriting(f) != 0, __freadable(f) != 0, __fwritable(f) != 0,
           __flbf(f) != 0, (int)__fpending(f));
}

/* Takes two of three characters that are left. */
static void read_ahead(FILE *f)
{
#ifdef OURS
    size_t size;
    const char *ahead = __freadptr(f, &size);

    printf("%d %.*s ", (int)__freadahead(f), (int)size, ahead);
    __freadptrinc(f, 2);
#else
    printf("3 ept ");
    getc(f);
    getc(f);
#endif
}

static void states_of_streams(void)
{
    FILE *f = fopen("state.txt", "w+");
    char text[20] = "";

    show_stream(f);
    fputs("some text", f);
    show_stream(f);
    fflush(f);
    printf("%d ", putw(0x41424344, f));
    fputs(" lost", f);
    rewind(f);
    fgets(text, 5, f);
    show_stream(f);
    fseek(f, 9L, SEEK_SET);
    printf("%s %x ", text, getw(f));
    __fpurge(f);
    printf("%d %d\n", getc(f), getw(f));
    fclose(f);
    f = fopen("state.txt", "r");
    show_stream(f);
    setvbuf(f, NULL, _IOLBF, 0);
    show_stream(f);
    fclose(f);
    f = fopen("state.txt", "w");
    fputs("purged", f);
    __fpurge(f);
    fputs("kept", f);
    fclose(f);
    f = fopen("state.txt", "r");
    printf("%c", getc(f));
    read_ahead(f);
    printf("%c ", getc(f));
    printf("%d\n", getc(f));
    fclose(f);
    remove("state.txt");
}

static void allocated_fields(void)
{
    char *word, *set, *letters;
    int count = sscanf("first   12ab...xyz rest", "%ms %m[0-9a-f.]%3mc", &word, &set, &letters);

    printf("%d %s %s %.3s\n", count, word, set, letters);
    free(word);
    free(set);
    free(letters);
    word = NULL;
    printf("%d %d\n", sscanf("", "%ms", &word), word == NULL);
    printf("%d ", sscanf("0123456789012345678901234567890123456789012345678901234567890123456789 x", "%ms", &word));
    printf("%s\n", word);
    free(word);
    printf("%d\n", sscanf("a b", "%*ms %ms", &word));
    free(word);
}

static void copies_on_the_stack(int times)
{
    char *copy = strdupa("duplicate"), *part = strndupa("a part", 3);

    copy[0] = 'D' + times;
    if (times)
        copies_on_the_stack(times - 1);
    printf("%s %s %s\n", copy, part, strndupa("all", 9));
}

int main(int argc, char **argv)
{
    u_int32_t number = 0x12345678;

    program_invocation_name = "folder/program";
    program_invocation_short_name = "program";
    (void)argv;
    digits();
    bessel();
    options(0);
    options(1);
    suboptions();
    conversions();
    queues();
    states_of_streams();
    allocated_fields();
    copies_on_the_stack(3);
    wide_stream();
    printf("%x %x %llx %d\n", bswap_16(0x1234), bswap_32(number), (unsigned long long)bswap_64(0x123456789abcdefULL), be32toh(htobe32(number)) == number);
    printf("%s %s %d\n", gettext("text"), ngettext("one", "many", argc), EX_USAGE);
    openlog("program", LOG_PERROR, LOG_USER);
    syslog(LOG_INFO, "%d", argc);
    printf("%d %d\n", (int)major(makedev(8, 3)), (int)minor(makedev(8, 3)));
    errno = ENOENT;
    warn("%d", 3);
    warnx("%s", "text");
    error(0, ENOENT, "file %s", "x");
    error(0, 0, "plain");
    error_at_line(0, EACCES, "file.c", 12, "what");
    printf("%u\n", error_message_count);
    errx(EX_DATAERR, "end");
}
