/* A library of linked lists: insertion, reversal, search, merge sort with functions that compare, removal. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int16_t key, value;
};

typedef int comparison(const struct item *, const struct item *);

static int by_key(const struct item *a, const struct item *b)
{
    return a->key - b->key;
}

static int by_value(const struct item *a, const struct item *b)
{
    return a->value != b->value ? a->value - b->value : a->key - b->key;
}

static struct item *reversed(struct item *list)
{
    struct item *done = NULL;

    while (list) {
        struct item *next = list->next;

        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

static struct item *found(struct item *list, int key)
{
    while (list && list->key != key)
        list = list->next;
    return list;
}

static int length(const struct item *list)
{
    int count = 0;

    for (; list; list = list->next)
        count++;
    return count;
}

static struct item *merged(struct item *a, struct item *b, comparison *compare)
{
    struct item *first = NULL, **end = &first;

    while (a && b) {
        struct item **smaller = compare(a, b) <= 0 ? &a : &b;

        *end = *smaller;
        end = &(*smaller)->next;
        *smaller = (*smaller)->next;
    }
    *end = a ? a : b;
    return first;
}

static struct item *sorted(struct item *list, comparison *compare)
{
    struct item *slow = list, *fast;

    if (list == NULL || list->next == NULL)
        return list;
    for (fast = list->next; fast && fast->next; fast = fast->next->next)
        slow = slow->next;
    fast = slow->next;
    slow->next = NULL;
    return merged(sorted(list, compare), sorted(fast, compare), compare);
}

/* Moves the items whose value has a bit set to another list. */
static struct item *taken_out(struct item **list, int bit)
{
    struct item *out = NULL;

    while (*list) {
        struct item *item = *list;

        if (item->value >> bit & 1) {
            *list = item->next;
            item->next = out;
            out = item;
        } else
            list = &item->next;
    }
    return out;
}

static uint32_t checksum(const struct item *list)
{
    uint32_t sum = 0;

    for (; list; list = list->next)
        sum = (sum << 5) + (sum >> 27) + (uint32_t)(list->key * 3 + list->value);
    return sum;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 500, hits = 0;
    struct item *items = malloc((size_t)count * sizeof *items), *list = NULL;
    uint32_t seed = 17, sum = 0;

    for (int i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        items[i].key = (int16_t)(seed >> 20);
        items[i].value = (int16_t)(seed >> 16 & 0x7fff);
        items[i].next = list;
        list = items + i;
    }
    for (int round = 0; round < 8; round++) {
        struct item *out;

        list = sorted(list, round % 2 ? by_value : by_key);
        sum = sum * 31 + checksum(list);
        for (int key = 0; key < 4000; key += 80)
            hits += found(list, key + round) != NULL;
        out = taken_out(&list, round);
        sum = sum * 31 + (uint32_t)length(list);
        list = merged(reversed(sorted(out, by_value)), reversed(list), by_key);
        sum = sum * 31 + checksum(list);
    }
    printf("%d items, %d hits, %08lx\n", length(list), hits, (unsigned long)sum);
    free(items);
    return 0;
}
