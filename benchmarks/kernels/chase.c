/*
 * chase - follows pointers round a ring whose nodes lie in random order.
 *
 * usage: chase [NODES [ROUNDS]]
 *
 * A node fills a line of 16 bytes or more: each step is a miss of every cache that does not hold the whole ring.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    uint32_t value, visits, unused;
};

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1000, rounds = argc > 2 ? atoi(argv[2]) : 4;
    struct node *nodes = malloc((size_t)count * sizeof *nodes), *at;
    int32_t *order = malloc((size_t)count * sizeof *order);
    uint32_t state = 13, sum = 0;

    if (nodes == NULL || order == NULL || count < 1)
        return 1;
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) { /* exchanges with an earlier one only: the permutation is one cycle */
        int32_t kept = order[i];
        int j;

        state = state * UINT32_C(1664525) + UINT32_C(1013904223);
        j = (int)((state >> 8) % (uint32_t)i);
        order[i] = order[j];
        order[j] = kept;
    }
    for (int i = 0; i < count; i++) {
        nodes[i].next = &nodes[order[i]];
        nodes[i].value = (uint32_t)i * UINT32_C(2654435761);
        nodes[i].visits = 0;
    }
    at = nodes;
    for (int32_t steps = (int32_t)count * rounds; steps > 0; steps--) {
        sum = (sum << 1 | sum >> 31) ^ (at->value + at->visits);
        at->visits++;
        at = at->next;
    }
    printf("chase %d: %08lx, %s\n", count, (unsigned long)sum, at == nodes ? "closed" : "open");
    return 0;
}
