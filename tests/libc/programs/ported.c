/* What ported programs ask of POSIX beside files. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <libgen.h>
#include <locale.h>
#include <malloc.h>
#include <net/if.h>
#include <netdb.h>
#include <nl_types.h>
#include <pwd.h>
#include <search.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
__BEGIN_DECLS /* of sys/types.h, which other headers include */
int main(void);
__END_DECLS

#if __has_include(<stdckdint.h>)
#include <stdckdint.h>
#else
#define ckd_add(result, a, b) __builtin_add_overflow(a, b, result)
#define ckd_sub(result, a, b) __builtin_sub_overflow(a, b, result)
#define ckd_mul(result, a, b) __builtin_mul_overflow(a, b, result)
#endif

static volatile sig_atomic_t caught;

static void handler(int number)
{
    caught = number;
}

static void catalogues(void)
{
    nl_catd catalogue = catopen("no such catalogue", NL_CAT_LOCALE);

    printf("%d %s\n", catalogue == (nl_catd)-1, catgets(catalogue, NL_SETD, 1, "the program's own text"));
}

static void locales(void)
{
    static const nl_item items[] = {
        CODESET, RADIXCHAR, THOUSEP, DAY_1, DAY_7, ABDAY_3, MON_1, MON_12, ABMON_9, AM_STR, PM_STR, D_T_FMT, D_FMT, T_FMT,
        T_FMT_AMPM, ERA, ERA_D_FMT, ERA_D_T_FMT, ERA_T_FMT, ALT_DIGITS, CRNCYSTR, YESEXPR, NOEXPR
    };
    locale_t locale = newlocale(LC_ALL_MASK, "C", NULL), before;
    size_t i;

    for (i = 0; i < sizeof items / sizeof *items; i++)
        printf("[%s] ", nl_langinfo(items[i]));
    before = uselocale(locale);
    printf("%d %d ", before == LC_GLOBAL_LOCALE, uselocale(before) == locale);
    printf("%d ", newlocale(LC_NUMERIC_MASK, "xx_XX.nowhere", NULL) == NULL);
    printf("%s %d\n", setlocale(LC_MESSAGES, NULL), WINT_MAX >= WINT_MIN + WCHAR_MAX);
    freelocale(locale);
}

static void small_functions(void)
{
    char secret[8] = "secret", *name;
    int fd = open("advice.txt", O_RDWR | O_CREAT, 0644), other;
    FILE *f = fopen("closed.txt", "w");

    explicit_bzero(secret, sizeof secret);
    printf("%d ", memcmp(secret, "\0\0\0\0\0\0\0", 8));
    printf("%d %d ", posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL), posix_fadvise(fd, 0, 0, 77));
    printf("%d %d ", posix_fadvise(99, 0, 0, POSIX_FADV_NORMAL) == EBADF, lockf(fd, F_LOCK, 0));
    other = dup3(fd, 50, 0);
    printf("%d %d ", other, dup3(fd, fd, 0));
    printf("%d %d ", eaccess("advice.txt", R_OK), euidaccess("none.txt", R_OK));
    printf("%d ", getdtablesize() > 19);
    name = canonicalize_file_name("./advice.txt");
    printf("%s ", strrchr(name, '/'));
    free(name);
    name = tempnam(".", "before");
    printf("%.7s %d ", name, access(name, F_OK));
    free(name);
    printf("%d %d %d %d\n", isascii('~') != 0, isascii(128) != 0, (isascii)(-1) != 0, toascii(0xe1));
    fputc_unlocked('x', f);
    fclose(f);
    f = fopen("closed.txt", "r");
    printf("%d ", fgetc_unlocked(f));
    printf("%d\n", fgetc_unlocked(f));
    fclose(f);
    close(fd);
    close(other);
    unlink("advice.txt");
    unlink("closed.txt");
}

static void network_addresses(void)
{
    static const char *const texts[] = {"127.0.0.1", "255.255.255.255", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1..2.3", ""};
    unsigned char bytes[4];
    char text[INET_ADDRSTRLEN];
    size_t i;

    for (i = 0; i < sizeof texts / sizeof *texts; i++)
        if (inet_pton(AF_INET, texts[i], bytes) == 1)
            printf("%d.%d %s ", bytes[0], bytes[3], inet_ntop(AF_INET, bytes, text, sizeof text));
        else
            printf("no ");
    printf("%d ", inet_ntop(AF_INET, bytes, text, 5) == NULL && errno == ENOSPC);
    printf("%d ", getservbyname("no such service", "tcp") == NULL);
    printf("%d %d\n", if_nametoindex("nothing0") == 0, (int)(sizeof(struct sockaddr_un) > 100));
}

static void checked_sums(void)
{
    int sum;
    unsigned char byte;
    long long product;

    printf("%d ", ckd_add(&sum, 2147483647, 1));
    printf("%d ", ckd_add(&sum, -5, 3u));
    printf("%d ", sum);
    printf("%d ", ckd_sub(&byte, 3, 4));
    printf("%d ", byte);
    printf("%d ", ckd_mul(&product, 1LL << 40, 1 << 20));
    printf("%lld\n", product);
}

static void informed(int number, siginfo_t *information, void *context)
{
    (void)context;
    printf("%d %d %d ", number == information->si_signo, information->si_code == SI_USER,
           information->si_code == SI_TKILL);
}

static void signal_stacks(void)
{
    static char room[0x4000];
    stack_t stack = {room, 0, sizeof room}, old;

    printf("%d ", sigaltstack(NULL, &old));
    printf("%d ", old.ss_flags == SS_DISABLE);
    printf("%d ", sigaltstack(&stack, NULL));
    printf("%d ", sigaltstack(NULL, &old));
    printf("%d ", old.ss_sp == room && old.ss_size == sizeof room && old.ss_flags == 0);
    stack.ss_size = 16;
    printf("%d ", sigaltstack(&stack, NULL));
    printf("%d %d\n", siginterrupt(SIGUSR1, 1), siginterrupt(NSIG + 99, 1));
}

static void signals(void)
{
    struct sigaction action = {0}, old;
    sigset_t set;

    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    printf("%d ", sigaction(SIGUSR1, &action, NULL));
    printf("%d ", kill(getpid(), SIGUSR1));
    printf("%d ", (int)caught);
    printf("%d ", sigaction(SIGUSR1, NULL, &old));
    printf("%d ", old.sa_handler == handler);
    raise(SIGUSR1);
    printf("%d ", kill(getpid(), 0));
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    printf("%d %d ", sigismember(&set, SIGINT), sigismember(&set, SIGTERM));
    printf("%d ", sigprocmask(SIG_BLOCK, &set, NULL));
    sigprocmask(SIG_SETMASK, NULL, &set);
    printf("%d ", sigismember(&set, SIGINT));
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = informed;
    printf("%d ", sigaction(SIGUSR2, &action, NULL));
    kill(getpid(), SIGUSR2);
    raise(SIGUSR2);
    signal_stacks();
    printf("%s %s %s\n", strsignal(SIGSEGV), strsignal(SIGINT), strsignal(SIGCHLD));
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void visit(const void *node, VISIT order, int depth)
{
    (void)depth;
    if (order == postorder || order == leaf)
        printf("%d ", **(int *const *)node);
}

static int destroyed;

static void count_destroyed(void *key)
{
    destroyed += *(int *)key;
}

static void searches(void)
{
    static int numbers[200], more[10] = {5, 3, 9};
    static char *words[] = {"one", "two", "three", "four", "five"};
    void *root = NULL;
    size_t count = 3;
    ENTRY entry = {0}, *found;
    int i, key;

    for (i = 0; i < 200; i++) {
        numbers[i] = i * 67 % 101;
        tsearch(numbers + i, &root, compare);
    }
    for (i = 0; i < 101; i += 2)
        printf("%d", tdelete(&i, &root, compare) != NULL);
    key = 33;
    printf(" %d ", **(int **)tfind(&key, &root, compare));
    key = 34;
    printf("%d %d\n", tfind(&key, &root, compare) == NULL, tdelete(&key, &root, compare) == NULL);
    twalk(root, visit);
    putchar('\n');
    tdestroy(root, count_destroyed);
    printf("%d\n", destroyed);
    hcreate(10);
    for (i = 0; i < 5; i++) {
        entry.key = words[i];
        entry.data = words[4 - i];
        hsearch(entry, ENTER);
    }
    entry.key = "four";
    found = hsearch(entry, FIND);
    printf("%s ", (char *)found->data);
    entry.key = "six";
    printf("%d ", hsearch(entry, FIND) == NULL);
    hdestroy();
    key = 7;
    lsearch(&key, more, &count, sizeof *more, compare);
    key = 3;
    printf("%d ", (int)((int *)lfind(&key, more, &count, sizeof *more, compare) - more));
    lsearch(&key, more, &count, sizeof *more, compare);
    printf("%d %d\n", (int)count, more[3]);
}

static void memory(void)
{
    struct iovec parts[2] = {{"scatter", 7}, {" gather\n", 8}};
    int fd = open("map", O_RDWR | O_CREAT | O_TRUNC, 0600);
    static void *areas[100];
    char *map, *own;
    void *aligned;
    int i;

    printf("%d ", (int)writev(fd, parts, 2));
    map = mmap(NULL, 15, PROT_READ, MAP_PRIVATE, fd, 0);
    own = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    own[9999] = 'x';
    printf("%.15s%d %d ", map, map[20], own[0]);
    printf("%d %d ", munmap(map, 15), munmap(own, 10000));
    printf("%d ", posix_memalign(&aligned, 64, 100));
    printf("%d %d\n", (int)((unsigned long)aligned & 63), posix_memalign(&aligned, 3, 100) == EINVAL);
    for (i = 0; i < 500; i++) { /* among others that come and go */
        size_t alignment = (size_t)16 << i % 8, size = (size_t)(i * 37 % 900 + 1);

        free(areas[i * 7 % 100]);
        free(areas[(i * 7 + 50) % 100]);
        areas[i * 7 % 100] = aligned_alloc(alignment, size);
        areas[(i * 7 + 50) % 100] = malloc(size / 2);
        if ((unsigned long)areas[i * 7 % 100] & (alignment - 1))
            puts("not aligned");
        memset(areas[i * 7 % 100], i, size);
        memset(areas[(i * 7 + 50) % 100], i, size / 2);
    }
    close(fd);
    unlink("map");
}

static void names(void)
{
    static const char *const paths[] = {"/usr/lib", "/usr/", "usr", "/", ".", "..", "", "a//b//", "x"};
    static const char *const versions[] = {"a1", "a10", "a9", "a01", "a010", "a09", "a0", "", "b", "a1.2", "a1.10"};
    char text[20];
    int i, j;

    for (i = 0; i < 9; i++) {
        strcpy(text, paths[i]);
        printf("%s ", basename(text));
        strcpy(text, paths[i]);
        printf("%s ", dirname(text));
    }
    putchar('\n');
    for (i = 0; i < 11; i++)
        for (j = 0; j < 11; j++) {
            int order = strverscmp(versions[i], versions[j]);

            putchar(order < 0 ? '<' : order > 0 ? '>' : '=');
        }
    swab("abcdef", text, 6);
    printf(" %.6s %d\n", text, (int)((char *)rawmemchr("hello", 'l') - "hello"));
}

static void refusals(void)
{
    struct termios settings;
    struct winsize size;
    struct utsname system;
    struct rlimit limit;
    struct timeval a = {5, 600000}, b = {2, 700000}, difference;
    unsigned short seed[7] = {1, 2, 3, 4, 5, 6, 7};

    printf("%d ", tcgetattr(0, &settings));
    printf("%d ", errno == ENOTTY);
    printf("%d ", ioctl(0, TIOCGWINSZ, &size));
    printf("%d ", wait(NULL));
    printf("%d ", errno == ECHILD);
    printf("%d %d ", uname(&system), getrlimit(RLIMIT_NOFILE, &limit));
    printf("%d %ld ", getpagesize(), sysconf(_SC_PAGESIZE));
    printf("%d ", getpwnam("nobody who is known") == NULL);
    timersub(&a, &b, &difference);
    printf("%ld %ld ", (long)difference.tv_sec, (long)difference.tv_usec);
    lcong48(seed);
    printf("%ld ", lrand48());
    seed48(seed);
    printf("%ld %s", mrand48(), "");
    fflush(stdout);
    printf("%s\n", ctime_r(&(time_t){86400}, (char[40]){0}));
}

/* Defined as in the first edition of the language, behind a prototype of today. */
int old_style(float, const char *, short);

int old_style(number, text, small)
float number;
const char *text;
short small;
{
    return printf("%g %s %d\n", number, text, small);
}

static void addresses(void)
{
    static const char *const texts[] = {"10.0x20.259", "1.2.3.4", "255.255.255.255", "1.2.3.256", "0177.1", "1..2", "x", ""};
    struct in_addr address;
    size_t i;

    for (i = 0; i < sizeof texts / sizeof *texts; i++)
        printf("%s ", inet_aton(texts[i], &address) ? inet_ntoa(address) : "none");
    printf("%x %x %x\n", (unsigned)ntohl(htonl(0x1020304)), ntohs(htons(0x102)), (unsigned)ntohl(inet_addr("1.2.3.4")));
    printf("%d %d\n", flock(1, LOCK_EX), flock(99, LOCK_EX));
}

/* All that an allocation can be used for is apart from the others. */
static void usable(void)
{
    size_t size, wrong = malloc_usable_size(NULL);

    for (size = 1; size < 200; size++) {
        char *first = malloc(size), *second = malloc(1);
        size_t room = malloc_usable_size(first), other = malloc_usable_size(second);

        memset(first, -1, room);
        wrong += room < size || malloc_usable_size(second) != other;
        free(first);
        free(second);
    }
    printf("%d\n", (int)wrong);
}

int main(void)
{
    addresses();
    usable();
    old_style(1.5, "old", 70000);
    signals();
    catalogues();
    network_addresses();
    small_functions();
    locales();
    checked_sums();
    searches();
    memory();
    names();
    refusals();
    return 0;
}
