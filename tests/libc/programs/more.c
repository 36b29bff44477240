/* What the C library of GNU has beside C and POSIX: random states, locales, wide strings with limits, and others. */
#define _GNU_SOURCE
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

static void generators(void)
{
    static const int sizes[] = {8, 31, 32, 64, 128, 256};
    struct drand48_data data = {0};
    struct random_data other = {0};
    char states[6][256], *before;
    unsigned short words[7] = {1, 2, 3, 4, 5, 6, 7};
    double real;
    long whole;
    int32_t half;
    int i, k;

    printf("%ld ", random());
    for (i = 0; i < 6; i++) {
        before = initstate(i + 7, states[i], sizes[i]);
        for (k = 0; k < 5; k++)
            printf("%ld ", random());
        if (i == 4) {
            setstate(states[2]);
            printf("| %ld ", random());
            setstate(states[4]);
            printf("%ld ", random());
        }
    }
    printf("%d\n", before == states[4]);
    initstate_r(5, states[0], 64, &other);
    srandom_r(77, &other);
    for (k = 0; k < 40; k++) {
        random_r(&other, &half);
        printf("%ld ", (long)half);
    }
    srand48_r(-3, &data);
    drand48_r(&data, &real);
    lrand48_r(&data, &whole);
    printf("%.17g %ld ", real, whole);
    mrand48_r(&data, &whole);
    printf("%ld ", whole);
    lcong48_r(words, &data);
    jrand48_r(words, &data, &whole);
    printf("%ld ", whole);
    seed48_r(words, &data);
    erand48_r(words, &data, &real);
    nrand48_r(words, &data, &whole);
    printf("%.17g %ld\n", real, whole);
}

static void classes(void)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", NULL);
    int i, sum = 0;

    for (i = 0; i < 128; i++) {
        sum = sum * 5 + (isalnum_l(i, c) != 0) + 2 * (ispunct_l(i, c) != 0) + 4 * (isxdigit_l(i, c) != 0) + tolower_l(i, c);
        sum = sum * 5 + (iswupper_l(i, c) != 0) + 2 * (iswspace_l(i, c) != 0) + (int)towupper_l(i, c) + toascii(i + 1000);
    }
    printf("%d %d %d ", sum, isascii(127) != 0, isascii(128) != 0);
    printf("%d %d ", strcoll_l("a", "b", c) < 0, strcasecmp_l("aBc", "AbC", c));
    printf("%g %ld %s\n", strtod_l("2.5x", NULL, c), strtol_l("0x1f", NULL, 0, c), strerror_l(ENOENT, c));
    printf("%d ", newlocale(LC_ALL_MASK, "no_SUCH", NULL) == NULL && errno == ENOENT);
    printf("%d ", uselocale(NULL) == LC_GLOBAL_LOCALE);
    printf("%d ", uselocale(c) == LC_GLOBAL_LOCALE);
    printf("%d\n", uselocale(LC_GLOBAL_LOCALE) == c);
    freelocale(c);
}

static void language(void)
{
    static const nl_item items[] = {ABDAY_1, ABDAY_7, DAY_1, DAY_4, ABMON_1, ABMON_12, MON_1, MON_12, AM_STR, PM_STR, D_T_FMT,
                                    D_FMT, T_FMT, T_FMT_AMPM, CODESET, RADIXCHAR, THOUSEP, YESEXPR, NOEXPR, CRNCYSTR, ERA};
    unsigned i;

    for (i = 0; i < sizeof items / sizeof *items; i++)
        printf("<%s>", nl_langinfo(items[i]));
    putchar('\n');
}

static void numbers(void)
{
    static const float small[] = {0, 1e-40f, -1e-45f, FLT_MIN, -1, FLT_MAX, INFINITY, NAN};
    static const double doubles[] = {0, 1e-310, -5e-324, DBL_MIN, 1e-40, DBL_MAX, -INFINITY, NAN};
    int i, k, point, sign;
    char text[30];

    for (i = 0; i < 8; i++) {
        printf("%d%d%d%d ", fpclassify(small[i]), isnormal(small[i]) != 0, isfinite(small[i]) != 0, isnan(small[i]) != 0);
        printf("%d%d%d%d ", fpclassify(doubles[i]), isnormal(doubles[i]) != 0, isinf(doubles[i]), signbit(doubles[i]) != 0);
        for (k = 0; k < 8; k++)
            printf("%d%d%d", isless(small[i], doubles[k]), islessgreater(small[i], small[k]), isunordered(doubles[i], small[k]));
    }
    printf("\n%d %d %g %g %d ", finitef(1), isinff(-INFINITY), significandf(12), scalbf(3, 4), isnanf(NAN) != 0);
    printf("%g %g %.15g\n", dremf(7, 4), (double)dreml(-7, 4), M_2_SQRTPI);
    printf("%s ", qecvt(1234.5L, 6, &point, &sign));
    printf("%d %d ", point, sign);
    printf("%s %ld %d %s ", qgcvt(0.1L, 5, text), a64l("zz./1"), (int)a64l("zzzzzz"), l64a(123456789));
    printf("<%s> %d %d %d %d\n", l64a(0), rpmatch("no"), rpmatch("y"), dysize(1900), dysize(2000));
    printf("%d %d %d %d %d\n", FLT_DECIMAL_DIG, DBL_DECIMAL_DIG, DBL_HAS_SUBNORM, roundup(13, 8), howmany(17, 8));
}

struct item {
    STAILQ_ENTRY(item) link;
    int number;
};

static void queues(void)
{
    STAILQ_HEAD(, item) one = STAILQ_HEAD_INITIALIZER(one), two = STAILQ_HEAD_INITIALIZER(two);
    struct item items[5], *item;
    int i;

    for (i = 0; i < 5; i++)
        items[i].number = i;
    STAILQ_INSERT_TAIL(&one, &items[0], link);
    STAILQ_INSERT_AFTER(&one, &items[0], &items[1], link);
    STAILQ_INSERT_TAIL(&one, &items[2], link);
    STAILQ_INSERT_TAIL(&two, &items[3], link);
    STAILQ_INSERT_TAIL(&two, &items[4], link);
    STAILQ_REMOVE(&one, &items[2], item, link);
    STAILQ_CONCAT(&one, &two);
    STAILQ_FOREACH(item, &one, link)
        printf("%d ", item->number);
    printf("%d\n", STAILQ_EMPTY(&two));
}

static void wide(void)
{
    wchar_t to[20];
    char narrow[20];
    const char *from = "hello";
    const wchar_t *wides = L"wide";
    mbstate_t state = {0};
    int i;

    printf("%d ", (int)mbsnrtowcs(to, &from, 3, 20, &state));
    printf("%s ", from);
    printf("%d ", (int)mbsnrtowcs(to, &from, 9, 20, &state));
    printf("%d ", from == NULL);
    printf("%d ", (int)wcsnrtombs(narrow, &wides, 2, 20, &state));
    printf("%ls ", wides);
    printf("%d ", (int)wcsnrtombs(narrow, &wides, 9, 20, &state));
    printf("%d %s ", wides == NULL, narrow);
    for (i = 0; i < 20; i++)
        to[i] = L'-';
    printf("%d ", (int)(wcpncpy(to, L"ab", 4) - to));
    printf("%d %ld %ld\n", (int)(wcpncpy(to + 5, L"abcdef", 3) - to), (long)to[3], (long)to[4]);
}

static void files(void)
{
    struct iovec parts[2];
    struct termios settings = {0};
    struct stat found;
    char a[4] = "", b[4] = "", name[] = "more.tmp";
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
    FILE *f;

    parts[0].iov_base = "abc";
    parts[1].iov_base = "def";
    parts[0].iov_len = parts[1].iov_len = 3;
    printf("%d ", (int)pwritev(fd, parts, 2, 4));
    parts[0].iov_base = a;
    parts[1].iov_base = b;
    printf("%d %s %s ", (int)preadv(fd, parts, 2, 4), a, b);
    printf("%d ", posix_fallocate(fd, 0, 100));
    fstat(fd, &found);
    printf("%ld %d ", (long)found.st_size, posix_fallocate(fd, 0, 0) == EINVAL);
    printf("%d %d ", posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL), posix_fadvise(99, 0, 0, 0) == EBADF);
    printf("%d %d ", lockf(fd, F_LOCK, 0), DEFFILEMODE);
    printf("%d ", fcntl(fd, F_DUPFD, 20));
    printf("%d ", fcntl(fd, F_DUPFD, 20));
    printf("%d %d ", dup2(fd, 40), dup(fd) < 20);
    close(fd);
    f = fopen(name, "wb+");
    printf("%d ", putw(-123456, f));
    rewind(f);
    printf("%d ", getw(f));
    printf("%d ", getw(f));
    printf("%d\n", feof(f) != 0);
    fclose(f);
    unlink(name);
    settings.c_iflag = settings.c_oflag = settings.c_cflag = settings.c_lflag = 0177777;
    cfmakeraw(&settings);
    printf("%o %o %o %o ", settings.c_iflag & 03777, settings.c_oflag & 1, settings.c_cflag & 07777, settings.c_lflag & 07777);
    printf("%d ", tcgetattr(0, &settings));
    printf("%d %s\n", errno == ENOTTY, ctermid(NULL));
}

int main(void)
{
    generators();
    classes();
    language();
    numbers();
    queues();
    wide();
    files();
    return 0;
}
