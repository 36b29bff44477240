/*
 * tree - inserts into a binary search tree, looks up, removes: all nodes from malloc.
 *
 * usage: tree [KEYS [LOOKUPS]]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
    uint32_t key, count;
};

static uint32_t state;

static uint32_t next_key(uint32_t limit)
{
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    return (state >> 12) % limit;
}

static struct node **place_of(struct node **link, uint32_t key)
{
    while (*link != NULL && (*link)->key != key)
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    return link;
}

static int insert(struct node **root, uint32_t key)
{
    struct node **link = place_of(root, key);

    if (*link != NULL) {
        (*link)->count++;
        return 0;
    }
    *link = malloc(sizeof **link);
    if (*link == NULL)
        exit(1);
    (*link)->left = (*link)->right = NULL;
    (*link)->key = key;
    (*link)->count = 1;
    return 1;
}

static int discard(struct node **root, uint32_t key)
{
    struct node **link = place_of(root, key), *node = *link;

    if (node == NULL)
        return 0;
    if (node->left != NULL && node->right != NULL) {
        struct node **next = &node->right, *successor;

        while ((*next)->left != NULL)
            next = &(*next)->left;
        successor = *next;
        *next = successor->right;
        successor->left = node->left;
        successor->right = node->right;
        *link = successor;
    } else {
        *link = node->left != NULL ? node->left : node->right;
    }
    free(node);
    return 1;
}

static uint32_t visit(const struct node *node, uint32_t sum, int depth, int *deepest)
{
    if (node == NULL)
        return sum;
    if (depth > *deepest)
        *deepest = depth;
    sum = visit(node->left, sum, depth + 1, deepest);
    return visit(node->right, sum * 31 + node->key * node->count, depth + 1, deepest);
}

int main(int argc, char **argv)
{
    int keys = argc > 1 ? atoi(argv[1]) : 500, lookups = argc > 2 ? atoi(argv[2]) : 1000;
    uint32_t limit = (uint32_t)keys * 2, sum;
    struct node *root = NULL;
    int nodes = 0, found = 0, removed = 0, deepest = 0;

    if (keys < 1)
        return 1;
    state = 23;
    for (int i = 0; i < keys; i++)
        nodes += insert(&root, next_key(limit));
    for (int i = 0; i < lookups; i++)
        found += *place_of(&root, next_key(limit)) != NULL;
    for (int i = 0; i < keys / 2; i++)
        removed += discard(&root, next_key(limit));
    sum = visit(root, 0, 1, &deepest);
    printf("tree %d: %d nodes, %d found, %d removed, depth %d, %08lx\n", keys, nodes, found, removed, deepest,
           (unsigned long)sum);
    return 0;
}
