/* What a program asks of the system for itself alone: pipes, memory, functions at its end, addresses as text. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void pipes(void)
{
    char text[20] = "";
    struct stat status;
    int ends[2], other;
    FILE *stream;

    printf("pipe %d\n", pipe2(ends, O_NONBLOCK));
    fstat(ends[1], &status);
    printf("kind %d seeks %d", S_ISFIFO(status.st_mode) != 0, (int)lseek(ends[0], 0, SEEK_SET));
    printf(" %d\n", errno == ESPIPE);
    printf("wrote %d read", (int)write(ends[1], "hello", 5));
    printf(" %d %s\n", (int)read(ends[0], text, sizeof text), text);
    other = dup(ends[1]);
    close(ends[1]);
    stream = fdopen(other, "w");
    fprintf(stream, "line %d\n", 1);
    fclose(stream);
    stream = fdopen(ends[0], "r");
    while (fgets(text, sizeof text, stream))
        printf("stream %s", text);
    printf("end %d\n", feof(stream) != 0);
    fclose(stream);
    printf("closed %d\n", (int)read(ends[0], text, 1));
}

/* Where the library runs on a real system, that would wait, and does not know which signals the library ignores. */
static void pipes_without_partners(void)
{
    static char block[4096];
    long total = 0, got;
    int ends[2];

    pipe2(ends, O_NONBLOCK);
    printf("empty %d", (int)read(ends[0], block, sizeof block));
    printf(" %d\n", errno == EAGAIN);
    while ((got = write(ends[1], block, sizeof block)) > 0)
        total += got;
    printf("full %ld %d\n", total, errno == EAGAIN);
    while ((got = read(ends[0], block, sizeof block)) > 0)
        total -= got;
    printf("left %ld\n", total);
    signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    printf("nobody reads %d", (int)write(ends[1], "x", 1));
    printf(" %d\n", errno == EPIPE);
}

static void memory(void)
{
    char *before = malloc(100), *mine, *behind;
    char *heap = sbrk(0);

    mine = sbrk(100000);
    printf("contiguous %d %d\n", mine == heap, (char *)sbrk(0) == mine + 100000);
    memset(mine, 1, 100000);
    behind = malloc(300000);
    memset(behind, 2, 300000);
    before = realloc(before, 50000);
    memset(before, 3, 50000);
    printf("kept %d %d %d\n", mine[0], mine[99999], behind[299999]);
    free(behind);
    free(before);
    for (int i = 0; i < 99; i++)
        memset(malloc(i * 100), 4, i * 100);
    printf("kept %d %d\n", mine[0], mine[99999]);
}

static void address(int family, const char *text)
{
    unsigned char bytes[16];
    char back[INET6_ADDRSTRLEN];

    if (inet_pton(family, text, bytes) == 1)
        printf("%s is %s\n", text, inet_ntop(family, bytes, back, sizeof back));
    else
        printf("%s is none\n", text);
}

static void addresses(void)
{
    static const char *const texts[] = {
        "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::2::3", ":1", "1:", ":::", "::1.2.3.4",
        "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "12345::", "abcd:EF01::", "1:0:0:2:0:0:0:3",
        "1:0:2:0:3:0:4:0", "::ffff:0:0", "::5:0", "::01.2.3.4", "1:2:3:4:5:6::1.2.3.4", "1:2:3:4:5:6:7:8:9", "", "::1 ",
    };
    unsigned i;

    for (i = 0; i < sizeof texts / sizeof *texts; i++)
        address(AF_INET6, texts[i]);
    address(AF_INET, "1.2.3.4");
    address(AF_INET, "1.2.3");
}

static void plainly(void) { puts("at the end"); }
static void told(int status, void *what) { printf("%s: exit %d\n", (char *)what, status); }

int main(int argc, char **argv)
{
    /* the first request fails: those behind it do not suffer */
    char *too_much = malloc((size_t)-1 / 2 - 1000), *little = malloc(10);

    strcpy(little, "little");
    printf("%d %s\n", too_much == NULL, little);
    on_exit(told, "first");
    atexit(plainly);
    on_exit(told, "last");
    pipes();
    if (argc == 1)
        pipes_without_partners();
    memory();
    addresses();
    return 4;
}
