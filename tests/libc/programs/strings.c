/* <string.h> and <ctype.h>, at all alignments, against simple definitions and in what they print. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "random.h"

#define SIZE 96

static unsigned char a[SIZE + 32], b[SIZE + 32], c[SIZE + 32];

static int sign(int value)
{
    return value < 0 ? -1 : value > 0;
}

static void fill(unsigned char *area)
{
    int i;

    for (i = 0; i < SIZE + 32; i++)
        area[i] = next() % 3 ? next() : next() % 2;
}

static void check(const char *name, int i, int j, size_t size)
{
    if (memcmp(b, c, sizeof b)) {
        printf("%s differs: %d %d %u\n", name, i, j, (unsigned)size);
        exit(1);
    }
}

static void try_areas(int i, int j, size_t size)
{
    size_t k;
    int order = 0;

    fill(a);
    fill(b);
    memcpy(c, b, sizeof b);
    memcpy(b + i, a + j, size);
    for (k = 0; k < size; k++)
        c[i + k] = a[j + k];
    check("memcpy", i, j, size);
    memset(b + i, j * 17, size);
    for (k = 0; k < size; k++)
        c[i + k] = j * 17;
    check("memset", i, j, size);
    fill(a);
    memcpy(b, a, sizeof a);
    memmove(b + i, b + j, size);
    for (k = 0; k < sizeof c; k++)
        c[k] = k >= (size_t)i && k < i + size ? a[k - i + j] : a[k];
    check("memmove", i, j, size);
    memcpy(b + i, a + j, size);
    if (size)
        b[i + next() % size] ^= next() % 2;
    for (k = 0; k < size && order == 0; k++)
        order = b[i + k] - a[j + k];
    if (sign(order) != sign(memcmp(b + i, a + j, size)))
        printf("memcmp differs\n");
    for (k = 0; k < size && a[j + k] != 1; k++)
        ;
    if (memchr(a + j, 1, size) != (k < size ? a + j + k : NULL))
        printf("memchr differs\n");
}

static void try_strings(int i, int j, size_t size)
{
    char *s = (char *)a + i;
    char *t = (char *)b + j;
    size_t k;

    fill(b);
    for (k = 0; k < size; k++)
        s[k] = 1 + next() % 255;
    s[size] = 0;
    if (strlen(s) != size || strnlen(s, 10) != (size < 10 ? size : 10))
        printf("strlen differs\n");
    if (strcpy(t, s) != t || memcmp(t, s, size + 1))
        printf("strcpy differs\n");
    if (strcmp(s, t) || strncmp(s, t, 1000))
        printf("strcmp differs\n");
    if (size) {
        k = next() % size;
        t[k] = next();
        if (sign(strcmp(s, t)) != sign((unsigned char)s[k] - (unsigned char)t[k]))
            printf("strcmp differs\n");
        if (sign(strncmp(s, t, k + 1)) != sign((unsigned char)s[k] - (unsigned char)t[k]) || strncmp(s, t, k))
            printf("strncmp differs\n");
        if (strchr(s, s[k]) > s + k || strrchr(s, s[k]) < s + k || strchr(s, 0) != s + size)
            printf("strchr differs\n");
    }
}

/* Texts in which simple searches compare the same bytes again and again. */
static void long_searches(void)
{
    enum { LONG = 60000 };
    char *text = malloc(LONG + 1), *part = malloc(LONG + 1);
    int i, k, length;

    for (i = 0; i < 400; i++) {
        int period = 1 + next() % 7, unlike = next() % 3;

        length = i < 380 ? 300 + (int)(next() % 3000) : LONG;
        for (k = 0; k < length; k++)
            text[k] = k < period || (unlike && next() % 200 == 0) ? 'a' + (int)(next() % 2) : text[k - period];
        text[length] = 0;
        k = next() % (length / 2);
        length = 1 + next() % (length / 2);
        memcpy(part, text + k, length);
        part[length] = 0;
        if (i % 2)
            part[next() % length] ^= 'a' ^ 'b';
        if (i % 5 == 0)
            part[length - 1] = 'c';
        {
            char *found[3] = {strstr(text, part), memmem(text, strlen(text), part, length), NULL};

            for (k = 0; k < length; k++)
                part[k] = k % 2 ? part[k] : part[k] - 'a' + 'A';
            found[2] = strcasestr(text, part);
            for (k = 0; k < 3; k++)
                printf("%ld ", found[k] ? (long)(found[k] - text) : -1);
        }
    }
    putchar('\n');
    free(text);
    free(part);
}

int main(void)
{
    static const char *const texts[] = {"", "a", "ab", "abc", "aab", "aaab", "hello, world", "mississippi", " \t leading"};
    int i, j, count = sizeof texts / sizeof *texts;
    size_t size;
    char text[200], *token, *rest;

    for (i = 0; i < 9; i++)
        for (j = 0; j < 9; j++)
            for (size = 0; size < SIZE; size += 1 + size / 9) {
                try_areas(i, j, size);
                try_strings(i, j, size);
            }
    for (i = 0; i < count; i++)
        for (j = 0; j < count; j++) {
            const char *found = strstr(texts[i], texts[j]);

            printf("%d %d %d %d %d %d ", found ? (int)(found - texts[i]) : -1, (int)strspn(texts[i], texts[j]),
                   (int)strcspn(texts[i], texts[j]), strpbrk(texts[i], texts[j]) ? 1 : 0,
                   sign(strcmp(texts[i], texts[j])), sign(strcasecmp(texts[i], texts[j])));
            strcpy(text, texts[i]);
            strcat(text, texts[j]);
            strncat(text, texts[j], 2);
            printf("%s ", text);
            memset(text, '#', 20);
            text[20] = 0;
            strncpy(text, texts[i], j * 2);
            printf("%s ", text);
            printf("%d ", (int)strxfrm(text, texts[j], sizeof text));
            printf("%s\n", text);
        }
    printf("%s %s %s %d\n", strstr("aaabaaabaaaa", "aaaa"), strstr("xaxaxb", "axb"), strstr("abc", ""),
           strstr("abc", "abcd") == NULL);
    strcpy(text, "  one, two;;three  ");
    for (token = strtok(text, " ,;"); token; token = strtok(NULL, " ,;"))
        printf("<%s>", token);
    strcpy(text, "a:b::c");
    for (token = strtok_r(text, ":", &rest); token; token = strtok_r(NULL, ":", &rest))
        printf("<%s>", token);
    token = strdup("copy");
    printf(" %s", token);
    free(token);
    token = strndup("copy", 2);
    printf(" %s %d %d %d\n", token, ffs(0), ffs(1), ffs(0x50));
    for (i = -1; i < 140; i++) {
        printf("%d %d%d%d%d%d%d%d%d%d%d%d%d ", i, isalnum(i) != 0, isalpha(i) != 0, isblank(i) != 0, iscntrl(i) != 0,
               isdigit(i) != 0, isgraph(i) != 0, islower(i) != 0, isprint(i) != 0, ispunct(i) != 0, isspace(i) != 0,
               isupper(i) != 0, isxdigit(i) != 0);
        printf("%d%d%d%d %d %d\n", (isalnum)(i) != 0, (isprint)(i) != 0, (isdigit)(i) != 0, (isspace)(i) != 0,
               tolower(i), toupper(i));
    }
    for (i = 0; i <= ERFKILL; i++)
        puts(strerror(i));
    puts(strerror(12345));
    puts(strerror(-1));
    printf("%d %d %ld %ld\n", abs(-5), atoi(" \t-42x"), atol("+77"), labs(-9));
    printf("%lld %lld %d %d\n", llabs(-9LL), atoll("-123456789012"), div(-7, 2).quot, div(-7, 2).rem);
    printf("%lld %ld\n", lldiv(-1000000000001LL, 7).rem, ldiv(100, 7).quot);
    {
        static const char *const numbers[] = {
            "0", "-0", "12", " +12z", "0x1f", "0X1F", "017", "09", "zz", "-ZZ", "2147483647", "-2147483648", "", "-", "0x",
            "0xg", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
            "18446744073709551615", "18446744073709551616", "-18446744073709551615", "99999999999999999999999", "1010102"
        };
        static const int bases[] = {0, 10, 16, 8, 2, 36, 3};

        for (i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++)
            for (j = 0; j < 7; j++) {
                char *end1, *end2;
                long long x;
                unsigned long long y;
                int error;

                errno = 0;
                x = strtoll(numbers[i], &end1, bases[j]);
                error = errno == ERANGE;
                errno = 0;
                y = strtoull(numbers[i], &end2, bases[j]);
                printf("%s %d: %lld %d %d %llu %d %d\n", numbers[i], bases[j], x, error, (int)(end1 - numbers[i]), y,
                       errno == ERANGE, (int)(end2 - numbers[i]));
                if (strlen(numbers[i]) < 7)
                    printf("%ld\n", strtol(numbers[i], &end1, bases[j]));
            }
    }
    long_searches();
    return 0;
}
