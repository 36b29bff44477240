/* qsort: quicksort by the median of three, heapsort where that degenerates, insertion sort for what is small. */

#include <stdlib.h>
#include "libc.h"

#define SMALL 8 /* elements that insertion sort orders */

typedef int comparison(const void *, const void *);

/* Exchanges two elements; `words` says that they are made of whole, aligned words. */
static void swap(char *a, char *b, size_t size, int words)
{
    if (words) {
        word *x = (word *)a;
        word *y = (word *)b;

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

static void insertion_sort(char *base, char *end, size_t size, comparison *compare, int words)
{
    char *next;
    char *at;

    for (next = base + size; next < end; next += size)
        for (at = next; at > base && compare(at - size, at) > 0; at -= size)
            swap(at - size, at, size, words);
}

/* Lets the element at `root` sink in the heap of `count` elements. */
static void sink(char *base, size_t root, size_t count, size_t size, comparison *compare, int words)
{
    size_t child;

    while ((child = 2 * root + 1) < count) {
        if (child + 1 < count && compare(base + child * size, base + (child + 1) * size) < 0)
            child++;
        if (compare(base + root * size, base + child * size) >= 0)
            return;
        swap(base + root * size, base + child * size, size, words);
        root = child;
    }
}

static void heap_sort(char *base, size_t count, size_t size, comparison *compare, int words)
{
    size_t root = count / 2;

    while (root--)
        sink(base, root, count, size, compare, words);
    while (--count) {
        swap(base, base + count * size, size, words);
        sink(base, 0, count, size, compare, words);
    }
}

/* Orders [base, end); after `depth` bad divisions heapsort takes over.  Recurs for the smaller part only. */
static void quick_sort(char *base, char *end, size_t size, comparison *compare, int words, int depth)
{
    while ((size_t)(end - base) > SMALL * size) {
        size_t count = (end - base) / size;
        char *middle = base + count / 2 * size;
        char *low = base;
        char *high = end - size;

        if (depth-- == 0) {
            heap_sort(base, count, size, compare, words);
            return;
        }
        /* The median of three goes to the front, the smallest and the largest guard the scans. */
        if (compare(middle, high) > 0)
            swap(middle, high, size, words);
        if (compare(base, middle) < 0)
            swap(base, middle, size, words);
        if (compare(base, high) > 0)
            swap(base, high, size, words);
        for (;;) {
            do
                low += size;
            while (compare(low, base) < 0);
            while (compare(high, base) > 0)
                high -= size;
            if (low >= high)
                break;
            swap(low, high, size, words);
            high -= size;
        }
        swap(base, high, size, words);
        if (high - base < end - high) {
            quick_sort(base, high, size, compare, words, depth);
            base = high + size;
        } else {
            quick_sort(high + size, end, size, compare, words, depth);
            end = high;
        }
    }
    insertion_sort(base, end, size, compare, words);
}

void qsort(void *base, size_t count, size_t size, comparison *compare)
{
    int words = MISALIGNED((uintptr_t)base | size) == 0;
    int depth = 2;
    size_t rest;

    if (count < 2 || size == 0)
        return;
    for (rest = count; rest; rest >>= 1)
        depth += 2;
    quick_sort(base, (char *)base + count * size, size, compare, words, depth);
}
