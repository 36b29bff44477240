/* Streams and files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "random.h"

static const char name[] = "files.tmp";
static const char other[] = "other.tmp";
static char big[20000], back[20000];

static void leave(void)
{
    printf("leaving\n");
}

static void show(FILE *f)
{
    int c;

    while ((c = getc(f)) != EOF)
        putchar(c);
    printf("| %d %d %ld\n", feof(f) != 0, ferror(f) != 0, ftell(f));
}

int main(void)
{
    FILE *f, *g;
    int i, c;
    char line[100];
    fpos_t position;

    atexit(leave);
    for (i = 0; i < (int)sizeof big; i++)
        big[i] = next();
    f = fopen("does not exist", "r");
    printf("%d ", f == NULL);
    printf("%d\n", errno == ENOENT);
    printf("%d\n", fopen(name, "?") == NULL);

    f = fopen(name, "w");
    printf("%d ", fputs("first\nsecond\n", f) >= 0);
    printf("%d\n", putc('x', f));
    fprintf(f, "%d-%s\n", 12, "abc");
    printf("%d ", (int)fwrite("0123456789", 2, 4, f));
    printf("%d ", (int)fwrite("", 0, 5, f));
    printf("%d\n", (int)ftell(f));
    printf("%d\n", getc(f));
    clearerr(f);
    printf("%d\n", fclose(f));

    f = fopen(name, "r");
    while (fgets(line, 8, f))
        printf("[%s]", line);
    printf("%d ", feof(f) != 0);
    printf("%d\n", fgets(line, 8, f) == NULL);
    rewind(f);
    printf("%d ", ungetc('!', f));
    putchar(getc(f));
    putchar(getc(f));
    printf(" %ld", ftell(f));
    ungetc('?', f);
    printf(" %ld ", ftell(f));
    printf("%c\n", getc(f));
    fseek(f, 6, SEEK_SET);
    fgetpos(f, &position);
    printf("%s", fgets(line, 100, f));
    fseek(f, -3, SEEK_END);
    show(f);
    fsetpos(f, &position);
    printf("%s", fgets(line, 100, f));
    fseek(f, 2, SEEK_CUR);
    show(f);
    printf("%d ", putc('x', f));
    printf("%d\n", ferror(f) != 0);
    fclose(f);

    f = fopen(name, "a+");
    fputs("appended\n", f);
    fseek(f, 0, SEEK_SET);
    show(f);
    fclose(f);

    f = fopen(name, "r+");
    fputs("FIRST", f);
    fflush(f);
    printf("%c\n", getc(f) == '\n' ? 'n' : '?');
    fseek(f, 0, SEEK_CUR);
    fputs("SEC", f);
    rewind(f);
    show(f);
    fclose(f);

    f = fopen(name, "wb+");
    for (i = 0; i < (int)sizeof big;) {
        int size = next() % 6000;

        if (size > (int)sizeof big - i)
            size = sizeof big - i;
        if (size % 3 == 0 && i < (int)sizeof big) {
            putc(big[i], f);
            i++;
        } else {
            fwrite(big + i, 1, size, f);
            i += size;
        }
    }
    printf("%ld\n", ftell(f));
    rewind(f);
    for (i = 0; i < (int)sizeof back;) {
        int size = next() % 9000;

        if (size % 3 == 0) {
            if ((c = getc(f)) == EOF)
                break;
            back[i++] = c;
        } else {
            if (size > (int)sizeof back - i)
                size = sizeof back - i;
            c = fread(back + i, 1, size, f);
            if (c != size)
                printf("short\n");
            i += c;
        }
    }
    printf("%d %d\n", memcmp(big, back, sizeof big), (int)fread(back, 3, 7, f));
    fseek(f, -8, SEEK_END);
    printf("%d ", (int)fread(back, 3, 7, f));
    printf("%d\n", feof(f) != 0);
    fclose(f);

    f = fopen(name, "w");
    setvbuf(f, NULL, _IONBF, 0);
    fputs("unbuffered\n", f);
    g = fopen(name, "r");
    show(g);
    fclose(g);
    setvbuf(f, line, _IOLBF, sizeof line);
    fputs("line\nrest", f);
    g = fopen(name, "r");
    setvbuf(g, NULL, _IONBF, 0);
    c = getc(g);
    ungetc(c, g);
    fgets(back, 100, g);
    fputs(back, stdout);
    fgets(back, 100, g);
    fputs(back, stdout);
    fclose(g);
    fclose(f);
    f = freopen(name, "r", stdin);
    printf("%d", getchar());
    while ((c = getchar()) != EOF)
        putchar(c);
    putchar('\n');
    f = fopen(name, "r+");
    fputc('X', f);
    f = freopen(NULL, "r+", f);
    printf("%d %ld %c ", f != NULL, ftell(f), getc(f));
    f = freopen(NULL, "w+", f);
    fseek(f, 0, SEEK_END);
    printf("%ld\n", ftell(f));
    fclose(f);
    printf("%d ", rename(name, other));
    printf("%d\n", fopen(name, "r") == NULL);
    printf("%d ", remove(other));
    printf("%d ", remove(other));
    printf("%d\n", errno == ENOENT);
    perror("files");
    fprintf(stderr, "%s %d\n", "to the standard error", 3);
    fputs("and more\n", stderr);
    putc('\n', stderr);
    puts("done");
    exit(3);
}
