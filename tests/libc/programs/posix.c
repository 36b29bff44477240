/* What POSIX and others have beside C. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <monetary.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void handler(int number)
{
    caught = number;
}

static void aborted(int number)
{
    printf("aborted %d\n", number);
    fflush(stdout);
    _Exit(9);
}

static void numbers(void)
{
    unsigned short own[3] = {1, 2, 3};
    unsigned seed = 5;
    int i;

    for (i = 0; i < 40; i++) {
        printf("%ld ", random());
        printf("%d ", rand());
        printf("%d ", rand_r(&seed));
        if (i == 20)
            srandom(12345);
    }
    srand48(-7);
    printf("%ld ", lrand48());
    printf("%ld ", mrand48());
    printf("%.17g ", drand48());
    printf("%ld ", nrand48(own));
    printf("%.17g\n", erand48(own));
}

static void strings(void)
{
    char text[40], *rest = text, *word, *made;

    printf("%d ", (int)(stpcpy(text, "one,two,,three") - text));
    while ((word = strsep(&rest, ",")))
        printf("<%s>", word);
    printf("%s %d ", strcasestr("Hello World", "o wO"), strcasestr("abc", "x") == NULL);
    printf("%d %s ", *strchrnul("abc", 'x'), (char *)memrchr("abcabc", 'b', 6));
    printf("%s %d ", (char *)memmem("needle in hay", 13, "in", 2), memmem("a", 1, "ab", 2) == NULL);
    memset(text, '-', sizeof text);
    printf("%d %.8s", (int)(stpncpy(text, "ab", 4) - text), text + 4);
    printf(" %d", memccpy(text, "abcd", 'c', 4) == text + 3);
    printf(" %d", asprintf(&made, "%d-%s", 42, "x"));
    printf(" %s\n", made);
}

static void names(void)
{
    static const char *const patterns[] = {"*.c", "a?c", "[a-c]*", "[!a]*", "*", "\\*", "a*b*c", "*/x", "[]x]", "[a", ".*",
                                            "[[:alpha:]]*", "[![:alpha:]]", "[[.-.]-]]", "[[=d=]]/*", "[[:nosuch:]]", "[[:digit:"};
    static const char *const names[] = {"a.c", "abc", "aXbYbZc", "*", ".c", "d/x", "]", "", "[a"};
    int i, j;

    for (i = 0; i < (int)(sizeof patterns / sizeof *patterns); i++, putchar(' '))
        for (j = 0; j < 9; j++)
            printf("%d%d%d%d", fnmatch(patterns[i], names[j], FNM_LEADING_DIR) == 0,
                   fnmatch(patterns[i], names[j], 0) == 0, fnmatch(patterns[i], names[j], FNM_PATHNAME) == 0,
                   fnmatch(patterns[i], names[j], FNM_PERIOD | FNM_CASEFOLD) == 0);
    putchar('\n');
}

static void options(void)
{
    static char *words[] = {"prog", "-ab", "-ofile", "-o", "next", "--long=3", "--need", "v", "--fl", "-x", "--", "-a", NULL};
    static int flag;
    static const struct option all[] = {{"long", optional_argument, NULL, 'l'}, {"need", required_argument, NULL, 'n'},
                                        {"flag", no_argument, &flag, 5}, {NULL, 0, NULL, 0}};
    int c;

    opterr = 0;
    while ((c = getopt_long(12, words, "abo:", all, NULL)) != -1)
        printf("%c=%s ", c ? c : '0', optarg ? optarg : "none");
    printf("%d %d %s\n", flag, optopt, words[optind]);
}

/* Options behind other words; a cluster whose last option has its argument in the next word; -- ends all. */
static void mixed_options(const char *letters)
{
    static char *const original[] = {"prog", "file", "-ab", "x", "-", "-ov", "more", "-bo", "w", "--long=4", "-o", "u", "--", "-a", "end", NULL};
    static const struct option all[] = {{"long", required_argument, NULL, 'l'}, {NULL, 0, NULL, 0}};
    char *words[16];
    int c, i;

    memcpy(words, original, sizeof original);
    optind = 0;
    while ((c = getopt_long(15, words, letters, all, NULL)) != -1)
        printf("%c=%s ", c, optarg ? optarg : "none");
    for (i = optind; i < 15; i++)
        printf("%s ", words[i]);
    putchar('\n');
    memcpy(words, original, sizeof original);
    optind = 0;
    while ((c = getopt(9, words, letters)) != -1)
        printf("%c=%s ", c, optarg ? optarg : "none");
    for (i = optind; i < 9; i++)
        printf("%s ", words[i]);
    putchar('\n');
}

static void files(void)
{
    struct stat about;
    char name[] = "temp.XXXXXX", *line = NULL;
    size_t size = 0;
    FILE *f = tmpfile();
    int fd = mkstemp(name);

    fputs("first\nsecond", f);
    rewind(f);
    while (getline(&line, &size, f) > 0)
        printf("[%s]", line);
    printf(" %ld ", (long)ftello(f));
    printf("%d ", fclose(f));
    f = fdopen(fd, "w");
    fputs("hello", f);
    fclose(f);
    printf("%d ", stat(name, &about));
    printf("%ld %d ", (long)about.st_size, S_ISREG(about.st_mode));
    printf("%d ", stat(".", &about));
    printf("%d ", S_ISDIR(about.st_mode) != 0);
    printf("%d ", access(name, F_OK));
    printf("%d ", unlink(name));
    printf("%d ", access(name, F_OK));
    printf("%d ", errno == ENOENT);
    printf("%d\n", isatty(open("nowhere", O_RDONLY)));
}

/* Amounts of money, limits of numbers, addresses and messages of a network that need none. */
static void amounts(void)
{
    static const char *const formats[] = {"%n", "%11i|", "%=*#5n", "%(#5n", "%-14#5.4n|", "%.0n", "a%%b%!n", "%(n", "%Q"};
    static const double values[] = {123.45, -3456.781, 0, 1e10};
    struct in6_addr mapped = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 1, 2, 3, 4}}, other = {{0xfe, 0x80, 1}};
    char text[100];
    union {
        char room[100];
        struct cmsghdr first;
    } control = {{0}};
    struct msghdr message = {0};
    struct cmsghdr *header;
    unsigned i, j;

    for (i = 0; i < sizeof formats / sizeof *formats; i++)
        for (j = 0; j < 4; j++) {
            int length = (int)strfmon(text, sizeof text, formats[i], values[j]);

            printf("%d <%s>", length, length < 0 ? "" : text);
        }
    i = strfmon(text, 6, "%n", values[0]) == 6;
    j = strfmon(text, 7, "%n", values[0]) == 6;
    errno = 0;
    printf("%u %u %ld", i, j, strtol("12", NULL, 37));
    printf(" %d\n", errno == EINVAL);
    printf("%d%d%d%d", IN6_IS_ADDR_UNSPECIFIED(&in6addr_any), IN6_IS_ADDR_LOOPBACK(&in6addr_loopback),
           IN6_IS_ADDR_V4MAPPED(&mapped), IN6_IS_ADDR_LOOPBACK(&mapped));
    printf("%d%d%d\n", IN6_IS_ADDR_LINKLOCAL(&other) != 0, IN6_IS_ADDR_MULTICAST(&other), IN6_IS_ADDR_V4COMPAT(&in6addr_any));
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(4) + CMSG_SPACE(9);
    header = CMSG_FIRSTHDR(&message);
    header->cmsg_len = CMSG_LEN(4);
    header = CMSG_NXTHDR(&message, header);
    header->cmsg_len = CMSG_LEN(9);
    printf("%d %d %d\n", (int)((char *)CMSG_DATA(header) - control.room), (int)message.msg_controllen,
           CMSG_NXTHDR(&message, header) == NULL);
}

int main(void)
{
    amounts();
    numbers();
    strings();
    names();
    options();
    mixed_options("abo:");
    mixed_options("+abo:");
    files();
    printf("%d ", signal(SIGUSR1, handler) == SIG_DFL);
    printf("%d ", raise(SIGUSR1));
    printf("%d ", (int)caught);
    printf("%d ", signal(SIGUSR1, SIG_IGN) == handler);
    printf("%d ", raise(SIGUSR1));
    printf("%d %d\n", signal(99, handler) == SIG_ERR, raise(-1));
    signal(SIGABRT, aborted);
    abort();
}
