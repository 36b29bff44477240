/* Programs that want all there is of something, by their number: time, memory, output, files.  See `exhausting.py`. */

#define _GNU_SOURCE
#include <alloca.h>
#include <dirent.h>
#include <fcntl.h>
#include <regex.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 1 << 20 };

static char area[MANY];
static volatile unsigned long counter;
static jmp_buf back;

static unsigned long deep(unsigned long n) { char frame[64]; frame[n & 63] = n; return deep(n + 1) + frame[n * 7 & 63]; }
static unsigned long broad(unsigned long n)
{
    char frame[40000];
    memset(frame, n, sizeof frame);
    return broad(n + 1) + frame[9];
}
static int forever(const void *a, const void *b) { for (;;) counter += a != b; }
static int disorder(const void *a, const void *b) { return (counter = counter * 1103515245 + 12345) >> 16 & 1 ? -1 : a != b; }
static void again(int number) { counter++; raise(number); }
static void seen(int number) { counter += number; signal(number, seen); }
static void leave(void) { for (;;) counter++; }
static void jump(int number) { signal(number, jump); longjmp(back, 1); }
static int fresh(char *name, int i) { sprintf(name, "made%d", i); return open(name, O_WRONLY | O_CREAT, 0600); }

static void use_up_time(int which)
{
    char text[40], *line = NULL;
    struct itimerval soon = {{0, 1}, {0, 1}};
    regex_t expression;
    FILE *file;
    int ends[2];

    switch (which) {
    case 0: for (;;) ;
    case 1: for (;;) counter++;
    case 2: counter = deep(1); break;
    case 3: counter = broad(1); break;
    case 4: qsort(area, 100, 1, forever); break;
    case 5: for (;;) qsort(area, MANY, 1, disorder);
    case 6: setjmp(back); counter++; longjmp(back, 1);
    case 7: signal(SIGUSR1, seen); for (;;) raise(SIGUSR1);
    case 8: signal(SIGUSR1, again); raise(SIGUSR1); break;
    case 9: signal(SIGALRM, seen); setitimer(ITIMER_REAL, &soon, NULL); for (;;) pause();
    case 10: for (;;) sleep(1 << 30);
    case 11: for (;;) counter += getpid() + sched_yield();
    case 12: while (time(NULL) < 2000000000) counter++; break;
    case 13: for (;;) counter += read(0, text, sizeof text);
    case 14: file = fopen("/dev/zero", "r"); while (getc(file) != EOF) counter++; break;
    case 15: ends[0] = open("/dev/urandom", O_RDONLY); while (read(ends[0], area, MANY) > 0) counter++; break;
    case 16: regcomp(&expression, "^\\(.*\\)*\\(.*\\)*\\1\\2x$", 0); memset(area, 'a', 3000);
        for (;;) counter += regexec(&expression, area, 0, NULL, 0);
    case 17: for (;;) counter += snprintf(text, sizeof text, "%*d%.*f", 1 << 30, 5, 1000000, 0.1);
    case 18: signal(SIGSEGV, jump); for (setjmp(back);; ) *(volatile int *)(counter & 4) = 1;
    case 19: signal(SIGSEGV, seen); *(volatile int *)0 = 1; break;
    case 20: atexit(leave); exit(0);
    case 21: if (getline(&line, &(size_t){0}, fopen("/dev/zero", "r")) < 0) abort(); break;
    case 22: pipe(ends); for (;;) { write(ends[1], text, 40); counter += read(ends[0], text, 40); }
    case 23: sigprocmask(SIG_BLOCK, &(sigset_t){~0ul}, NULL); for (;;) raise(1 + counter++ % 31);
    }
}

static void use_up_memory(int which)
{
    char *block = NULL, *end;
    size_t size;
    FILE *file;

    switch (which) {
    case 0: while (malloc(MANY)) ; break;
    case 1: while ((block = malloc(MANY))) memset(block, 1, MANY); break;
    case 2: while (sbrk(MANY) != (void *)-1) ; break;
    case 3: for (size = 16; (end = realloc(block, size)); size *= 2) memset(block = end, 2, size); break;
    case 4: counter = (unsigned long)calloc(1 << 15, 1 << 15); break;
    case 5: while (mmap(NULL, MANY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) ; break;
    case 6: for (;;) ((char *)alloca(100000))[5] = 1;
    case 7: { volatile char all[(size = 1u << 30) + getpid() % 2]; all[0] = all[size - 1] = 1; break; }
    case 8: while (malloc(16)) ; break;
    case 9: for (block = malloc(1);; block += 4096) *block = 1;
    case 10: for (end = (char *)&end;; end -= 4096) *(volatile char *)end = 1;
    case 11: file = open_memstream(&block, &size); for (;;) if (fwrite(area, MANY, 1, file) != 1) break; break;
    case 12: while (!atexit(leave)) counter++; break;
    case 13: for (char name[30];
        sprintf(name, "name%lu", counter++), !setenv(name, area, 1); ) ; break;
    case 14: for (;;) {
        block = malloc(MANY * 8); for (size = 0; block && size < MANY * 8; size += 64) block[size] = 1;
        if (!block) break;
    }
    case 15: for (;;) area[(counter = counter * 69069 + 1) % MANY]++;
    }
}

static void use_up_output(int which)
{
    int file = open("written", O_RDWR | O_CREAT | O_TRUNC, 0600);

    switch (which) {
    case 0: while (write(1, area, MANY) > 0) ; break;
    case 1: while (write(2, "x", 1) > 0) ; break;
    case 2: while (printf("%d %s\n", 12345, "text") > 0) ; break;
    case 3: while (write(file, area, MANY) > 0) ; break;
    case 4: for (off_t at = 1; lseek(file, at <<= 1, SEEK_SET) > 0 && write(file, "x", 1) > 0; ) ; break;
    case 5: for (off_t size = 1; size > 0 && !ftruncate(file, size); size *= 2) ; break;
    case 6: file = open("/dev/null", O_WRONLY); for (;;) write(file, area, MANY);
    case 7: file = open("/dev/full", O_WRONLY); for (;;) counter += write(file, area, MANY);
    case 8: {
        int from = open("written", O_RDONLY), n; write(file, area, 5000);
        while ((n = read(from, area, MANY)) > 0 && write(file, area, n) == n) ;
        break;
    }
    case 9: for (;;) if (pwrite(file, "x", 1, counter += 1 << 16) <= 0) break; break;
    case 10: for (;;) { if (write(file, "line\n", 5) <= 0) break; fsync(file); } break;
    case 11: for (;;) { counter += puts("line") < 0; fflush(stdout); }
    }
}

static void use_up_files(int which)
{
    char name[5000];
    int ends[2], i;
    DIR *folder;

    switch (which) {
    case 0: for (i = 0; close(fresh(name, i)) == 0; i++) ; break;
    case 1: while (!mkdir("inner", 0700) && !chdir("inner")) ; break;
    case 2: while (open(".", O_RDONLY) >= 0) ; break;
    case 3: while (dup(1) >= 0) ; break;
    case 4: while (!pipe(ends)) ; break;
    case 5: for (close(fresh(name, 0));; ) { rename("made0", "made1"); rename("made1", "made0"); }
    case 6: for (i = 0;; i++) { close(fresh(name, i)); unlink(name); }
    case 7: folder = opendir("."); for (i = 0;; i++) { if (!readdir(folder)) rewinddir(folder); close(fresh(name, i)); }
    case 8: memset(name, 'n', 4999); name[4999] = 0; for (;;) counter += open(name, O_CREAT, 0600) < 0;
    case 9: while (tmpfile()) ; break;
    case 10: for (i = 0;; i++) {
        sprintf(name, "/tmp/denial-%d", i);
        if (open(name, O_WRONLY | O_CREAT, 0600) < 0) break;
    } break;
    case 11: for (;;) {
        if (!fork()) counter++;
        execl("/bin/sh", "sh", (char *)0); kill(-1, SIGKILL); kill(getppid(), SIGKILL);
    }
    }
}

int main(int argc, char **argv)
{
    static void (*const all[])(int) = {use_up_time, use_up_memory, use_up_output, use_up_files};
    if (argc > 2)
        all[atoi(argv[1])](atoi(argv[2]));
    return 0;
}
