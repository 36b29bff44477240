/* qsort: merging, so that equal elements keep their order, as in glibc, on which programs came to rely; heapsort, which
   does not keep it, where there is no memory. */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "libc.h"

#define LARGE 32   /* bytes of elements in whose place pointers are sorted */
#define SPARE 1024 /* bytes for merging that need not be allocated */

typedef int comparison(const void *, const void *);

struct order {
    comparison *compare;
    char *spare; /* as large as what is sorted */
    size_t size;
    int words, by_pointers;
};

static int compare(const struct order *how, const char *a, const char *b)
{
    return how->by_pointers ? how->compare(*(void *const *)a, *(void *const *)b) : how->compare(a, b);
}

/* Exchanges two elements; `words` says that they are made of whole, aligned words. */
static void swap(char *a, char *b, size_t size, int words)
{
    if (words) {
        word *x = (word *)a, *y = (word *)b;

        do {
            word kept = *x;

            *x++ = *y;
            *y++ = kept;
        } while (size -= WORD);
    } else
        do {
            char kept = *a;

            *a++ = *b;
            *b++ = kept;
        } while (--size);
}

/* Merges what is in `left`, up to `left_end`, with [right, end), in front of which there is room for it. */
static void merge(const struct order *how, char *left, char *left_end, char *right, char *end)
{
    size_t size = how->size;
    char *to = right - (left_end - left);

    for (;;) {
        int first = compare(how, left, right) <= 0;
        char *from = first ? left : right, *behind = from + size;

        if (how->words) {
            do {
                *(word *)to = *(word *)from;
                to += WORD;
                from += WORD;
            } while (from < behind);
        } else
            do
                *to++ = *from++;
            while (from < behind);
        if (first) {
            left = behind;
            if (left == left_end)
                return;
        } else {
            right = behind;
            if (right == end)
                break;
        }
    }
    memcpy(to, left, left_end - left);
}

static void merge_sort(const struct order *how, char *base, size_t count)
{
    size_t size = how->size, lefts = count / 2, part = lefts * size;
    char *right = base + part;

    if (count == 2) {
        if (compare(how, base, right) > 0)
            swap(base, right, size, how->words);
        return;
    }
    if (lefts > 1)
        merge_sort(how, base, lefts);
    merge_sort(how, right, count - lefts);
    merge(how, memcpy(how->spare, base, part), how->spare + part, right, base + count * size);
}

/* Puts the elements where pointers to them are. */
static void arrange(char *base, char **pointers, size_t count, size_t size, char *kept)
{
    size_t i;

    for (i = 0; i < count; i++) {
        char *to = base + i * size, *begin = to, **at = pointers + i;

        if (*at == to)
            continue;
        memcpy(kept, to, size);
        while (*at != begin) {
            char *from = *at;

            memcpy(to, from, size);
            *at = to;
            to = from;
            at = pointers + (from - base) / size;
        }
        memcpy(to, kept, size);
        *at = to;
    }
}

/* Lets the element at `root` sink in the heap of `count` elements. */
static void sink(const struct order *how, char *base, size_t root, size_t count)
{
    size_t child, size = how->size;

    while ((child = 2 * root + 1) < count) {
        if (child + 1 < count && how->compare(base + child * size, base + (child + 1) * size) < 0)
            child++;
        if (how->compare(base + root * size, base + child * size) >= 0)
            return;
        swap(base + root * size, base + child * size, size, how->words);
        root = child;
    }
}

static void heap_sort(const struct order *how, char *base, size_t count)
{
    size_t root = count / 2;

    while (root--)
        sink(how, base, root, count);
    while (--count) {
        swap(base, base + count * how->size, how->size, how->words);
        sink(how, base, 0, count);
    }
}

void qsort(void *base, size_t count, size_t size, comparison *with)
{
    union {
        max_align_t alignment; /* of any element */
        char bytes[SPARE];
    } small;
    struct order how = {with, small.bytes, size, MISALIGNED((uintptr_t)base | size) == 0, size > LARGE};
    size_t i, needed = how.by_pointers ? 2 * count * sizeof(char *) + size : count * size;
    char **pointers;

    if (count < 2 || size == 0)
        return;
    if (needed > SPARE)
        how.spare = malloc(needed);
    if (how.spare == NULL) {
        heap_sort(&how, base, count);
        return;
    }
    if (how.by_pointers) {
        pointers = (char **)how.spare + count;
        for (i = 0; i < count; i++)
            pointers[i] = (char *)base + i * size;
        how.size = sizeof(char *);
        how.words = sizeof(char *) % WORD == 0;
        merge_sort(&how, (char *)pointers, count);
        arrange(base, pointers, count, size, (char *)(pointers + count));
    } else
        merge_sort(&how, base, count);
    if (how.spare != small.bytes)
        free(how.spare);
}
