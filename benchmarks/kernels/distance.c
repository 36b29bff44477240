/*
 * distance - edit distance and longest common subsequence of two texts, by dynamic programming.
 *
 * usage: distance [LENGTH]
 *
 * The distance keeps two rows; the subsequence keeps the whole table, to walk back through it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static char *first, *second;
static int length;

/* The second text is the first with changes, insertions and deletions. */
static void make_texts(void)
{
    uint32_t state = 29;
    int j = 0;

    for (int i = 0; i < length; i++) {
        state = state * UINT32_C(1664525) + UINT32_C(1013904223);
        first[i] = "acgt"[state >> 24 & 3];
    }
    for (int i = 0; i < length; i++) {
        state = state * UINT32_C(1664525) + UINT32_C(1013904223);
        second[i] = first[j % length];
        if (state >> 28 == 0)
            second[i] = "acgt"[state >> 16 & 3];
        else if (state >> 28 == 1)
            continue;
        else if (state >> 28 == 2)
            j++;
        j++;
    }
}

static int smallest(int a, int b, int c)
{
    int least = a < b ? a : b;

    return least < c ? least : c;
}

static int edit_distance(void)
{
    int *above = malloc((size_t)(length + 1) * sizeof *above), *row = malloc((size_t)(length + 1) * sizeof *row), result;

    if (above == NULL || row == NULL)
        exit(1);
    for (int j = 0; j <= length; j++)
        above[j] = j;
    for (int i = 1; i <= length; i++) {
        int *kept = above;

        row[0] = i;
        for (int j = 1; j <= length; j++)
            row[j] = smallest(above[j] + 1, row[j - 1] + 1, above[j - 1] + (first[i - 1] != second[j - 1]));
        above = row;
        row = kept;
    }
    result = above[length];
    free(above);
    free(row);
    return result;
}

static int common_subsequence(uint32_t *sum)
{
    size_t width = (size_t)length + 1;
    int16_t *table = calloc(width * width, sizeof *table);
    int i = length, j = length, result;

    if (table == NULL)
        exit(1);
    for (int a = 1; a <= length; a++) {
        int16_t *row = table + (size_t)a * width, *above = row - width;

        for (int b = 1; b <= length; b++)
            if (first[a - 1] == second[b - 1])
                row[b] = (int16_t)(above[b - 1] + 1);
            else
                row[b] = above[b] > row[b - 1] ? above[b] : row[b - 1];
    }
    result = table[width * width - 1];
    while (i > 0 && j > 0) {
        if (first[i - 1] == second[j - 1]) {
            *sum = *sum * 31 + (uint32_t)first[i - 1];
            i--;
            j--;
        } else if (table[(size_t)(i - 1) * width + (size_t)j] >= table[(size_t)i * width + (size_t)j - 1]) {
            i--;
        } else {
            j--;
        }
    }
    free(table);
    return result;
}

int main(int argc, char **argv)
{
    uint32_t sum = 0;
    int distance, common;

    length = argc > 1 ? atoi(argv[1]) : 60;
    if (length < 1 || length > 4000)
        return 1;
    first = malloc((size_t)length);
    second = malloc((size_t)length);
    if (first == NULL || second == NULL)
        return 1;
    make_texts();
    distance = edit_distance();
    common = common_subsequence(&sum);
    printf("distance %d: %d, common %d, %08lx\n", length, distance, common, (unsigned long)sum);
    return 0;
}
