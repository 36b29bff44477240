/* malloc, realloc, calloc, free: blocks keep what was written into them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "random.h"

#define BLOCKS 400

static unsigned char *blocks[BLOCKS];
static size_t sizes[BLOCKS];

static void check(int i)
{
    size_t k;

    for (k = 0; k < sizes[i]; k++)
        if (blocks[i][k] != (unsigned char)i) {
            printf("block %d of %u is damaged at %u\n", i, (unsigned)sizes[i], (unsigned)k);
            exit(1);
        }
}

int main(void)
{
    int round;
    unsigned char *first, *last;

    for (round = 0; round < 60000; round++) {
        int i = next() % BLOCKS;
        unsigned kind = next() % 16;
        size_t size = next() % (kind == 0 ? 20000 : kind < 4 ? 2000 : 120);

        if (blocks[i])
            check(i);
        if (kind < 6 && blocks[i]) {
            blocks[i] = realloc(blocks[i], size);
            if (size > sizes[i])
                size = sizes[i];
            sizes[i] = size;
            check(i);
        } else {
            free(blocks[i]);
            blocks[i] = NULL;
            if (next() % 4) {
                blocks[i] = kind == 7 ? calloc(size, 1) : malloc(size);
                if (kind == 7) {
                    size_t k;

                    for (k = 0; k < size; k++)
                        if (blocks[i][k])
                            printf("calloc: not zero\n");
                }
                memset(blocks[i], i, size);
                sizes[i] = size;
            }
        }
        if (blocks[i] && (uintptr_t)blocks[i] % (2 * sizeof(size_t)))
            printf("misaligned\n");
    }
    for (round = 0; round < BLOCKS; round++) {
        if (blocks[round])
            check(round);
        free(blocks[round]);
    }
    /* All is one piece again: what filled the heap fits again. */
    first = malloc(100000);
    free(first);
    last = malloc(100000);
    last = realloc(last, 200000);
#ifdef OURS
    if (first != last)
        printf("the heap is in pieces\n");
#endif
    free(last);
    printf("%d %d\n", malloc((size_t)-1) == NULL, calloc((size_t)-1 / 2, 3) == NULL);
    printf("%d\n", realloc(NULL, 10) != NULL);
    return 0;
}
