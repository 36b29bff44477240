/* Streams in memory and of a program's own functions. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static void growing(void)
{
    char *text = NULL;
    size_t length = 99;
    FILE *f = open_memstream(&text, &length);
    int i;

    fflush(f);
    printf("empty %lu '%s'\n", (unsigned long)length, text);
    fprintf(f, "one %d", 1);
    fputc('!', f);
    fflush(f);
    printf("%lu '%s' %ld\n", (unsigned long)length, text, ftell(f));
    for (i = 0; i < 300; i++)
        fprintf(f, " %d", i);
    fseek(f, 4, SEEK_SET);
    fputs("EIGHT", f);
    fclose(f);
    printf("%lu '%.*s'\n", (unsigned long)length, (int)length, text);
    free(text);
}

static void reading(const char *text)
{
    char copy[40], word[20];
    FILE *f;
    int n, c;

    strcpy(copy, text);
    f = fmemopen(copy, strlen(copy), "r");
    printf("%d", fscanf(f, "%s %d", word, &n));
    printf(" %s %d", word, n);
    c = getc(f);
    ungetc('?', f);
    printf(" %d %c", c, getc(f));
    printf(" at %ld", ftell(f));
    printf(" put %d", putc('x', f));
    printf(" %d", ferror(f) != 0);
    clearerr(f);
    while ((c = getc(f)) != EOF)
        putchar(c);
    printf(" %d %ld", feof(f) != 0, ftell(f));
    rewind(f);
    printf(" %s", fgets(word, 4, f));
    printf(" %d", fseek(f, 100, SEEK_SET));
    printf(" %d\n", fclose(f));
}

static void writing(void)
{
    char room[16];
    FILE *f;

    memset(room, '#', sizeof room);
    f = fmemopen(room, sizeof room, "w+");
    printf("'%s'", room);
    fprintf(f, "abc%d", 12);
    fflush(f);
    printf(" '%s' %ld", room, ftell(f));
    rewind(f);
    printf(" %c", getc(f));
    fseek(f, 0, SEEK_CUR);
    putc('X', f);
    fflush(f);
    printf(" '%s'", room);
    fclose(f);
    f = fmemopen(room, sizeof room, "a");
    fputs("more", f);
    fclose(f);
    printf(" '%s'\n", room);
}

static ssize_t counted_read(void *cookie, char *to, size_t size)
{
    int *left = cookie;
    size_t count = 0;

    while (count < size && *left > 0)
        to[count++] = 'a' + (*left)-- % 7;
    return count;
}

static ssize_t shouted(void *cookie, const char *from, size_t size)
{
    size_t i;

    for (i = 0; i < size; i++)
        putchar(from[i] >= 'a' && from[i] <= 'z' ? from[i] - 32 : from[i]);
    ++*(int *)cookie;
    return size;
}

static int closed(void *cookie)
{
    printf("closed %d\n", *(int *)cookie > 0);
    return 0;
}

static void own(void)
{
    int left = 1500, calls = 0, c;
    unsigned long sum = 0;
    cookie_io_functions_t reads = {counted_read, NULL, NULL, closed}, writes = {NULL, shouted, NULL, closed};
    FILE *f = fopencookie(&left, "r", reads);

    while ((c = getc(f)) != EOF)
        sum = sum * 31 % 65521 + c;
    printf("%lu %d", sum, left);
    printf(" %d", fseek(f, 0, SEEK_SET));
    fclose(f);
    f = fopencookie(&calls, "w", writes);
    fprintf(f, "hello %s %d\n", "there", 5);
    fflush(f);
    fclose(f);
}

int main(void)
{
    growing();
    reading("word 42 and the rest");
    writing();
    own();
    return 0;
}
