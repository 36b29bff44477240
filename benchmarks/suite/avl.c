/* Balanced trees after Adelson-Velsky and Landis: insertion, deletion, ranges, by recursion. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
    int key, height, count;
};

static struct node *unused;

static int height(const struct node *node)
{
    return node ? node->height : 0;
}

static int count(const struct node *node)
{
    return node ? node->count : 0;
}

static void update(struct node *node)
{
    int left = height(node->left), right = height(node->right);

    node->height = 1 + (left > right ? left : right);
    node->count = 1 + count(node->left) + count(node->right);
}

static struct node *rotated_right(struct node *node)
{
    struct node *top = node->left;

    node->left = top->right;
    top->right = node;
    update(node);
    update(top);
    return top;
}

static struct node *rotated_left(struct node *node)
{
    struct node *top = node->right;

    node->right = top->left;
    top->left = node;
    update(node);
    update(top);
    return top;
}

static struct node *balanced(struct node *node)
{
    int difference;

    update(node);
    difference = height(node->left) - height(node->right);
    if (difference > 1) {
        if (height(node->left->left) < height(node->left->right))
            node->left = rotated_left(node->left);
        return rotated_right(node);
    }
    if (difference < -1) {
        if (height(node->right->right) < height(node->right->left))
            node->right = rotated_right(node->right);
        return rotated_left(node);
    }
    return node;
}

static struct node *inserted(struct node *node, int key)
{
    if (node == NULL) {
        node = unused;
        unused = node->left;
        node->left = node->right = NULL;
        node->key = key;
        node->height = node->count = 1;
        return node;
    }
    if (key < node->key)
        node->left = inserted(node->left, key);
    else if (key > node->key)
        node->right = inserted(node->right, key);
    else
        return node;
    return balanced(node);
}

static struct node *without_first(struct node *node, struct node **first)
{
    if (node->left == NULL) {
        *first = node;
        return node->right;
    }
    node->left = without_first(node->left, first);
    return balanced(node);
}

static struct node *removed(struct node *node, int key)
{
    struct node *rest, *next;

    if (node == NULL)
        return NULL;
    if (key != node->key) {
        if (key < node->key)
            node->left = removed(node->left, key);
        else
            node->right = removed(node->right, key);
        return balanced(node);
    }
    if (node->right == NULL)
        next = node->left;
    else {
        rest = without_first(node->right, &next);
        next->right = rest;
        next->left = node->left;
        next = balanced(next);
    }
    node->left = unused;
    unused = node;
    return next;
}

/* Returns how many keys are below a key. */
static int rank(const struct node *node, int key)
{
    int below = 0;

    while (node)
        if (key <= node->key)
            node = node->left;
        else {
            below += 1 + count(node->left);
            node = node->right;
        }
    return below;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 3000;
    struct node *pool = malloc((size_t)steps * sizeof *pool), *tree = NULL;
    uint32_t seed = 23, sum = 0;

    for (int i = 0; i < steps; i++) {
        pool[i].left = unused;
        unused = pool + i;
    }
    for (int i = 0; i < steps; i++) {
        int key;

        seed = seed * 1664525u + 1013904223u;
        key = (int)((seed >> 16) % 2000);
        tree = (seed >> 13) % 3 ? inserted(tree, key) : removed(tree, key);
        sum = sum * 31 + (uint32_t)(rank(tree, key + 100) - rank(tree, key - 100));
    }
    printf("%d keys, height %d, %08lx\n", count(tree), height(tree), (unsigned long)sum);
    free(pool);
    return 0;
}
