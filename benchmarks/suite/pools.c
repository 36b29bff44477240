/* Memory without malloc: pools of blocks of one size with bitmaps, and an arena of buddies. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 96
#define ORDERS 8
#define SMALLEST 32
#define ARENA (SMALLEST << (ORDERS - 1))

struct pool {
    uint32_t size, used, taken[BLOCKS / 32];
    unsigned char *memory;
};

struct free_block {
    struct free_block *next, *previous;
};

static struct pool pools[3];
static struct free_block lists[ORDERS];
static union {
    unsigned char bytes[ARENA];
    struct free_block align;
} arena;
static uint8_t order_of[ARENA / SMALLEST]; /* of the block that begins there; 128 more if it is free */

static void *take(struct pool *pool)
{
    for (int word = 0; word < BLOCKS / 32; word++)
        if (pool->taken[word] != 0xffffffffu) {
            int bit = 0;

            while (pool->taken[word] >> bit & 1)
                bit++;
            pool->taken[word] |= (uint32_t)1 << bit;
            pool->used++;
            return pool->memory + pool->size * (uint32_t)(word * 32 + bit);
        }
    return NULL;
}

static void give_back(struct pool *pool, void *block)
{
    uint32_t number = (uint32_t)((unsigned char *)block - pool->memory) / pool->size;

    pool->taken[number / 32] &= ~((uint32_t)1 << number % 32);
    pool->used--;
}

static void link_block(int place, int order)
{
    struct free_block *block = (struct free_block *)(void *)(arena.bytes + place * SMALLEST), *list = lists + order;

    block->next = list->next;
    block->previous = list;
    list->next->previous = block;
    list->next = block;
    order_of[place] = (uint8_t)(order | 128);
}

static int unlink_block(struct free_block *block)
{
    int place = (int)((unsigned char *)block - arena.bytes) / SMALLEST;

    block->next->previous = block->previous;
    block->previous->next = block->next;
    order_of[place] &= 127;
    return place;
}

static void *allocate(uint32_t size)
{
    int order = 0, from, place;

    while (order < ORDERS && (uint32_t)SMALLEST << order < size)
        order++;
    for (from = order; from < ORDERS && lists[from].next == lists + from; from++)
        ;
    if (from >= ORDERS)
        return NULL;
    place = unlink_block(lists[from].next);
    while (from > order) {
        from--;
        link_block(place + (1 << from), from);
    }
    order_of[place] = (uint8_t)order;
    return arena.bytes + place * SMALLEST;
}

static void release(void *block)
{
    int place = (int)((unsigned char *)block - arena.bytes) / SMALLEST, order = order_of[place];

    while (order < ORDERS - 1) {
        int buddy = place ^ 1 << order;

        if (order_of[buddy] != (order | 128))
            break;
        unlink_block((struct free_block *)(void *)(arena.bytes + buddy * SMALLEST));
        place &= ~(1 << order);
        order++;
    }
    link_block(place, order);
}

static struct pool *pool_of(uint32_t size)
{
    for (int i = 0; i < 3; i++)
        if (size <= pools[i].size)
            return pools + i;
    return NULL;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 8000, full = 0;
    unsigned char *held[64] = {0}, *buddies[32] = {0};
    uint32_t sizes[64] = {0}, seed = 31, sum = 0;

    for (uint32_t i = 0; i < 3; i++) {
        pools[i].size = 16u << i;
        pools[i].memory = malloc(BLOCKS * pools[i].size);
    }
    for (int i = 0; i < ORDERS; i++)
        lists[i].next = lists[i].previous = lists + i;
    link_block(0, ORDERS - 1);
    for (int i = 0; i < steps; i++) {
        uint32_t slot, size;

        seed = seed * 1664525u + 1013904223u;
        slot = seed >> 26;
        size = 1 + (seed >> 8) % 64;
        if (held[slot]) {
            sum = sum * 31 + held[slot][sizes[slot] - 1];
            give_back(pool_of(sizes[slot]), held[slot]);
            held[slot] = NULL;
        } else if ((held[slot] = take(pool_of(size))) != NULL) {
            sizes[slot] = size;
            memset(held[slot], i & 255, size);
        } else
            full++;
        slot /= 2;
        if (buddies[slot]) {
            sum = sum * 31 + buddies[slot][0];
            release(buddies[slot]);
            buddies[slot] = NULL;
        } else if ((buddies[slot] = allocate(size * size / 4 + 1)) != NULL)
            buddies[slot][0] = (unsigned char)i;
        else
            full++;
    }
    printf("%lu %lu %lu used, %d refused, %08lx\n", (unsigned long)pools[0].used, (unsigned long)pools[1].used,
           (unsigned long)pools[2].used, full, (unsigned long)sum);
    return 0;
}
