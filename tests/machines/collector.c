/* A mark-and-sweep collector that finds its roots as conservative ones do: registers by setjmp, the stack word by word. */

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 400

struct cell {
    struct cell *left, *right;
    long value;
    int used, marked;
};

static struct cell *heap;
static uintptr_t *bottom; /* of the stack: the end that main has */
static int collections, freed;

static void mark(uintptr_t word)
{
    uintptr_t offset = word - (uintptr_t)heap;
    struct cell *cell = heap + offset / sizeof *heap;

    if (offset >= CELLS * sizeof *heap || offset % sizeof *heap != 0 || !cell->used || cell->marked)
        return;
    cell->marked = 1;
    mark((uintptr_t)cell->left);
    mark((uintptr_t)cell->right);
}

static void mark_between(uintptr_t *low, uintptr_t *high)
{
    for (; low < high; low++)
        mark(*low);
}

static __attribute__((noinline)) void collect(void)
{
    jmp_buf registers;
    uintptr_t *top = (uintptr_t *)&registers;

    setjmp(registers);
    if (top < bottom)
        mark_between(top, bottom);
    else
        mark_between(bottom, (uintptr_t *)(&registers + 1));
    for (int i = 0; i < CELLS; i++) {
        if (heap[i].used && !heap[i].marked) {
            heap[i] = (struct cell){.value = -1};
            freed++;
        }
        heap[i].marked = 0;
    }
    collections++;
}

static struct cell *new_cell(struct cell *left, struct cell *right, long value)
{
    for (int tries = 0; tries < 2; tries++) {
        for (int i = 0; i < CELLS; i++)
            if (!heap[i].used) {
                heap[i] = (struct cell){left, right, value, 1, 0};
                return heap + i;
            }
        collect();
    }
    puts("no room");
    exit(1);
}

/* Build a tree whose inner cells are held by local variables only, in registers and frames, while subtrees are built. */
static struct cell *build(int depth, long value)
{
    struct cell *left, *right;

    if (depth == 0)
        return new_cell(NULL, NULL, value);
    left = build(depth - 1, 2 * value);
    right = build(depth - 1, 2 * value + 1);
    return new_cell(left, right, value);
}

static long sum(const struct cell *cell) { return cell == NULL ? 0 : cell->value + sum(cell->left) + 3 * sum(cell->right); }

static __attribute__((noinline)) int work(void)
{
    struct cell *kept = build(6, 1);
    long before = sum(kept);

    for (int round = 0; round < 12; round++)
        if (sum(build(5, round)) < 0)
            return 1;
    printf("%ld %ld\n", before, sum(kept));
    return before != sum(kept);
}

int main(void)
{
    uintptr_t here;
    int wrong;

    heap = calloc(CELLS, sizeof *heap);
    bottom = &here;
    wrong = work();
    printf("%s after %d collections\n", wrong ? "lost" : "kept", collections > 1 ? 2 : collections);
    return wrong || freed == 0;
}
