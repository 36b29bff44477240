/*
 * sort - quicksort and heapsort of pseudo-random integers.
 *
 * usage: sort [COUNT]   how many integers
 *
 * Quicksort walks the array in order and recurses; heapsort jumps through all of it and misses small caches.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SMALL 12 /* shorter stretches are left to the insertion sort */

static uint32_t state = 1;

static void fill(int32_t *values, int count)
{
    for (int i = 0; i < count; i++) {
        state = state * UINT32_C(1664525) + UINT32_C(1013904223);
        values[i] = (int32_t)(state >> 4) - (INT32_C(1) << 27);
    }
}

static void exchange(int32_t *a, int32_t *b)
{
    int32_t kept = *a;

    *a = *b;
    *b = kept;
}

static void insertion_sort(int32_t *values, int count)
{
    for (int i = 1; i < count; i++) {
        int32_t value = values[i];
        int j = i;

        for (; j > 0 && values[j - 1] > value; j--)
            values[j] = values[j - 1];
        values[j] = value;
    }
}

/* Leaves stretches of at most SMALL values out of order. */
static void quicksort(int32_t *values, int count)
{
    while (count > SMALL) {
        int32_t *low = values, *high = values + count - 1, *middle = values + count / 2;
        int32_t pivot;

        if (*middle < *low)
            exchange(middle, low);
        if (*high < *low)
            exchange(high, low);
        if (*high < *middle)
            exchange(high, middle);
        pivot = *middle;
        while (low <= high) {
            while (*low < pivot)
                low++;
            while (*high > pivot)
                high--;
            if (low <= high)
                exchange(low++, high--);
        }
        quicksort(values, (int)(high - values) + 1);
        count -= (int)(low - values);
        values = low;
    }
}

static void sink(int32_t *heap, int at, int count)
{
    int32_t value = heap[at];

    for (int child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= value)
            break;
        heap[at] = heap[child];
    }
    heap[at] = value;
}

static void heapsort(int32_t *values, int count)
{
    for (int i = count / 2; i-- > 0;)
        sink(values, i, count);
    for (int i = count - 1; i > 0; i--) {
        exchange(&values[0], &values[i]);
        sink(values, 0, i);
    }
}

static uint32_t checksum(const int32_t *values, int count)
{
    uint32_t sum = 0;

    for (int i = 0; i < count; i++) {
        if (i > 0 && values[i - 1] > values[i]) {
            printf("sort: out of order\n");
            exit(1);
        }
        sum = sum * 31 + (uint32_t)values[i];
    }
    return sum;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1000;
    int32_t *values = malloc((size_t)count * sizeof *values);
    uint32_t quick, heap;

    if (values == NULL || count < 1)
        return 1;
    fill(values, count);
    quicksort(values, count);
    insertion_sort(values, count);
    quick = checksum(values, count);
    fill(values, count);
    heapsort(values, count);
    heap = checksum(values, count);
    printf("sort %d: %08lx %08lx\n", count, (unsigned long)quick, (unsigned long)heap);
    return 0;
}
