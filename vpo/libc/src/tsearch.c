/* tsearch and its kin: a treap, whose priorities are a hash of the order of insertion, so it is balanced. */

#include <search.h>
#include <stdint.h>
#include <stdlib.h>

typedef int comparison(const void *, const void *);

struct node {
    const void *key; /* first: callers read it */
    struct node *left, *right;
    uint32_t priority;
};

static uint32_t next_priority(void)
{
    static uint32_t state = 1;

    return state = state * 1664525 + 1013904223;
}

void *tfind(const void *key, void *const *root, comparison *compare)
{
    struct node *node = root ? *root : NULL;
    int order;

    while (node && (order = compare(key, node->key)) != 0)
        node = order < 0 ? node->left : node->right;
    return node;
}

/* Splits a tree into what is before a key and what is behind it. */
static void split(struct node *tree, const void *key, comparison *compare, struct node **before, struct node **behind)
{
    while (tree)
        if (compare(key, tree->key) < 0) {
            *behind = tree;
            behind = &tree->left;
            tree = tree->left;
        } else {
            *before = tree;
            before = &tree->right;
            tree = tree->right;
        }
    *before = *behind = NULL;
}

void *tsearch(const void *key, void **root, comparison *compare)
{
    struct node *found, *new, **link;

    if (root == NULL)
        return NULL;
    found = tfind(key, root, compare);
    if (found)
        return found;
    new = malloc(sizeof *new);
    if (new == NULL)
        return NULL;
    new->key = key;
    new->priority = next_priority();
    for (link = (struct node **)root; *link && (*link)->priority >= new->priority; )
        link = compare(key, (*link)->key) < 0 ? &(*link)->left : &(*link)->right;
    split(*link, key, compare, &new->left, &new->right);
    return *link = new;
}

/* Returns the parent of what was removed, or the root for the root. */
void *tdelete(const void *key, void **root, comparison *compare)
{
    struct node **link = (struct node **)root, *parent = NULL, *old, *left, *right;
    int order;

    if (root == NULL)
        return NULL;
    while (*link && (order = compare(key, (*link)->key)) != 0) {
        parent = *link;
        link = order < 0 ? &parent->left : &parent->right;
    }
    old = *link;
    if (old == NULL)
        return NULL;
    for (left = old->left, right = old->right; left && right; )
        if (left->priority > right->priority) {
            *link = left;
            link = &left->right;
            left = left->right;
        } else {
            *link = right;
            link = &right->left;
            right = right->left;
        }
    *link = left ? left : right;
    free(old);
    return parent ? (void *)parent : (void *)root;
}

static void walk(const struct node *node, void (*visit)(const void *, VISIT, int), int depth)
{
    if (node->left == NULL && node->right == NULL) {
        visit(node, leaf, depth);
        return;
    }
    visit(node, preorder, depth);
    if (node->left)
        walk(node->left, visit, depth + 1);
    visit(node, postorder, depth);
    if (node->right)
        walk(node->right, visit, depth + 1);
    visit(node, endorder, depth);
}

void twalk(const void *root, void (*visit)(const void *, VISIT, int))
{
    if (root && visit)
        walk(root, visit, 0);
}

void tdestroy(void *root, void (*destroy)(void *))
{
    struct node *node = root;

    while (node) {
        struct node *right = node->right;

        tdestroy(node->left, destroy);
        destroy((void *)node->key);
        free(node);
        node = right;
    }
}
