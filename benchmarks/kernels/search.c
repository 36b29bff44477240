/*
 * search - finds words in a text: by Horspool's algorithm, and by that of Knuth, Morris and Pratt.
 *
 * usage: search [BYTES [REPEAT]]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 32

static const char *const patterns[] = {"abba", "cabbage", "abacabadabacaba", "aaaaaaaaab", "bbb", "dadadadadadadaca"};

static char *text;
static int size;

/* Four letters, some much more frequent, and now and then one of the patterns. */
static void make_text(void)
{
    uint32_t state = 11;
    int at = 0;

    while (at < size) {
        state = state * UINT32_C(1664525) + UINT32_C(1013904223);
        if (state >> 26 == 0) {
            const char *pattern = patterns[(state >> 16 & 1023) % 6];

            while (*pattern != '\0' && at < size)
                text[at++] = *pattern++;
        } else {
            text[at++] = "aaaaabbbbccdaabe"[state >> 20 & 15];
        }
    }
}

/* Returns the number of occurrences and adds their places to the sum. */
static int horspool(const char *pattern, uint32_t *sum)
{
    int shift[256], length = (int)strlen(pattern), found = 0;

    for (int i = 0; i < 256; i++)
        shift[i] = length;
    for (int i = 0; i < length - 1; i++)
        shift[(unsigned char)pattern[i]] = length - 1 - i;
    for (int at = 0; at + length <= size; at += shift[(unsigned char)text[at + length - 1]]) {
        int i = length - 1;

        while (i >= 0 && text[at + i] == pattern[i])
            i--;
        if (i < 0) {
            found++;
            *sum = *sum * 31 + (uint32_t)at;
        }
    }
    return found;
}

static int knuth_morris_pratt(const char *pattern, uint32_t *sum)
{
    int border[LONGEST + 1], length = (int)strlen(pattern), found = 0, matched = 0;

    border[0] = -1;
    for (int i = 0, j = -1; i < length;) {
        while (j >= 0 && pattern[i] != pattern[j])
            j = border[j];
        border[++i] = ++j;
    }
    for (int at = 0; at < size; at++) {
        while (matched >= 0 && text[at] != pattern[matched])
            matched = border[matched];
        if (++matched == length) {
            found++;
            *sum = *sum * 31 + (uint32_t)(at - length + 1);
            matched = border[matched];
        }
    }
    return found;
}

int main(int argc, char **argv)
{
    int repeat = argc > 2 ? atoi(argv[2]) : 1, found[2] = {0, 0};
    uint32_t sums[2] = {0, 0};

    size = argc > 1 ? atoi(argv[1]) : 2000;
    text = malloc((size_t)size + 1);
    if (text == NULL || size < 1)
        return 1;
    make_text();
    for (int n = 0; n < repeat; n++)
        for (int i = 0; i < 6; i++) {
            found[0] += horspool(patterns[i], &sums[0]);
            found[1] += knuth_morris_pratt(patterns[i], &sums[1]);
        }
    printf("search %d: %d %08lx, %d %08lx\n", size, found[0], (unsigned long)sums[0], found[1], (unsigned long)sums[1]);
    return 0;
}
