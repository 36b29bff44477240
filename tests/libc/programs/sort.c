/* qsort and bsearch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "random.h"

static long comparisons;

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;

    comparisons++;
    return x < y ? -1 : x > y;
}

static int by_text(const void *a, const void *b)
{
    comparisons++;
    return strcmp(a, b);
}

static int by_long(const void *a, const void *b)
{
    long long x = *(const long long *)a;
    long long y = *(const long long *)b;

    return x < y ? -1 : x > y;
}

static int by_byte(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

struct small {
    int key, number;
};

struct large {
    int key, number;
    char rest[42];
};

static int by_key(const void *a, const void *b)
{
    comparisons++;
    return ((const struct small *)a)->key - ((const struct small *)b)->key;
}

/* Equal elements keep their order. */
static void stable(void)
{
    static struct small small[3000];
    static struct large large[3000];
    int count, i, wrong = 0;

    for (count = 0; count < 3000; count = count * 3 + 1) {
        for (i = 0; i < count; i++) {
            small[i].key = large[i].key = (int)(next() % 20);
            small[i].number = large[i].number = i;
            large[i].rest[41] = (char)i;
        }
        comparisons = 0;
        qsort(small, count, sizeof *small, by_key);
        qsort(large, count, sizeof *large, by_key);
        for (i = 0; i < count; i++)
            wrong += large[i].key != small[i].key || large[i].number != small[i].number || large[i].rest[41] != (char)large[i].number;
        for (i = 1; i < count; i++)
            wrong += small[i - 1].key > small[i].key || (small[i - 1].key == small[i].key && small[i - 1].number > small[i].number);
        printf("%d %d %ld\n", count, wrong, comparisons);
    }
}

static void fill(int *numbers, int count, int kind)
{
    int i;

    for (i = 0; i < count; i++)
        numbers[i] = kind == 0   ? (int)next()
                     : kind == 1 ? i
                     : kind == 2 ? -i
                     : kind == 3 ? 7
                     : kind == 4 ? (int)(next() % 5)
                     : kind == 5 ? i ^ 1
                     : kind == 6 ? (i < count / 2 ? i : count - i)
                                 : i * 7919 % 1001;
}

int main(void)
{
    static int numbers[20000];
    static char words[1000][11];
    static long long wide[500];
    static char bytes[300];
    int kind, i, count;

    for (kind = 0; kind < 8; kind++)
        for (count = 0; count < 20000; count = count * 3 + 1) {
            uint32_t sum = 0;

            fill(numbers, count, kind);
            for (i = 0; i < count; i++)
                sum += (uint32_t)numbers[i] * 31;
            comparisons = 0;
            qsort(numbers, count, sizeof *numbers, by_int);
            for (i = 0; i < count; i++)
                sum -= (uint32_t)numbers[i] * 31;
            if (sum)
                printf("lost elements\n");
            for (i = 1; i < count; i++)
                if (numbers[i - 1] > numbers[i]) {
                    printf("kind %d count %d: disorder at %d\n", kind, count, i);
                    break;
                }
            if (comparisons > 40L * count + 40)
                printf("kind %d count %d: %ld comparisons\n", kind, count, comparisons);
        }
    stable();
    for (i = 0; i < 1000; i++)
        sprintf(words[i], "%u", (unsigned)next() % 100000);
    qsort(words, 1000, sizeof *words, by_text);
    for (i = 0; i < 1000; i += 50)
        printf("%s\n", words[i]);
    for (i = 0; i < 500; i++)
        wide[i] = (long long)next64();
    qsort(wide, 500, sizeof *wide, by_long);
    for (i = 0; i < 500; i += 50)
        printf("%lld\n", wide[i]);
    for (i = 0; i < 299; i++)
        bytes[i] = 'a' + next() % 26;
    qsort(bytes, 299, 1, by_byte);
    puts(bytes);
    for (i = 0; i < 500; i += 37) {
        long long key = wide[i];
        long long *found = bsearch(&key, wide, 500, sizeof *wide, by_long);

        printf("%d ", found ? (int)(found - wide) : -1);
        key++;
        printf("%d\n", bsearch(&key, wide, 500, sizeof *wide, by_long) != NULL);
    }
    return 0;
}
