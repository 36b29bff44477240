/* Pointers: arithmetic, comparison, arrays of arrays, addresses in initialisers, strings, volatile, unions. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; struct { short tags[3]; char name[6]; } info; };

static int numbers[10] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
static int *const inside = &numbers[3], *end = numbers + 10;
static char text[] = "characters", *middle = text + 4;
static int grid[3][4][2] = {{{1, 2}, {3}, {4, 5}}, {{6}}, {[3] = {7, 8}}};
static int (*rows)[4][2] = grid + 1;
static struct node last = {3, 0, {{1, 2, 3}, "last"}}, first = {1, &last, {{4, 5}, "first"}};
static struct node *list = &first, **link = &first.next;
static const char *const words[] = {"zero", "one", "two", "three", 0};
static const struct { const char *name; int *where; size_t offset; } table[] = {
    {"a", &numbers[9], offsetof(struct node, next)}, {"b" "c", &grid[1][0][0], sizeof grid}, {&"xyz"[1], 0, 0},
};
static void *self = &self;
union view { unsigned word; unsigned char bytes[4]; };

static int length(const char *s) { const char *p = s; while (*p) p++; return p - s; }
static void reverse(char *s) { char *e = s + length(s) - 1, t; while (s < e) { t = *s; *s++ = *e; *e-- = t; } }
static int total(int *p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }
static int columns(int g[][2], int n) { int i, s = 0; for (i = 0; i < n; i++) s = s * 10 + g[i][0] - g[i][1]; return s; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int *greatest(int *p, int *e) { int *g = p; for (; p != e; ++p) if (*p > *g) g = p; return g; }
static struct node *push(struct node *n, int value)
{ struct node *m = malloc(sizeof *m); memset(m, 0, sizeof *m); m->value = value; m->next = n; strcpy(m->info.name, words[value % 4]); return m; }

int main(void)
{
    int i, j, *p = numbers, *q = end, local[5] = {1, 2, 3}, (*pl)[5] = &local, *each[3];
    char copy[20], *s = copy;
    const char *t = middle;
    struct node *n = 0, **pn, array[3], *pa = array;
    volatile int v = 5, *pv = &v;
    union view u;
    void *anything = &local[1];
    unsigned char *bytes;

    printf("%d %d %d %d\n", *inside, inside[-1], 2[inside], (int)(end - inside));
    printf("%d %d %d\n", p < q, (int)(q - p), p + 10 == q);
    while (p < q) { *p++ += 1; --q; *q *= 2; }
    for (i = 0; i < 10; i++) printf("%d ", numbers[i]);
    printf("%d %d\n", *p, p[-1]);
    printf("%s %c %s %d\n", middle, *(middle + 1), &text[8], (int)(strchr(text, 't') - middle));
    printf("%d %d %d %d\n", rows[1][3][1], (*rows)[0][0], *(*(*(grid + 2) + 3) + 1), (int)(sizeof *rows / sizeof **rows));
    printf("%d %d\n", columns(grid[0], 3), columns(*rows, 4));
    for (n = list; n; n = n->next) printf("%d %s %d; ", n->value, n->info.name, n->info.tags[1]);
    *link = push(&last, 2);
    link = &(*link)->next;
    *link = push(*link, 7);
    for (pn = &list; *pn; pn = &(*pn)->next) if ((*pn)->value == 2) *pn = (*pn)->next;
    for (n = list; n; n = n->next) printf("%d %s ", n->value, n->info.name);
    printf("\n");
    for (i = 0; words[i]; i++) { strcpy(s, words[i]); reverse(s); printf("%s %d ", s, length(s)); s += length(s); }
    printf("%s\n", copy);
    printf("%s %s %s %d %d\n", table[0].name, table[1].name, table[2].name, table[0].where == &numbers[9], table[2].where == NULL);
    printf("%d %d %d\n", (*pl)[1], total(*pl, 5), *(int *)anything);
    each[0] = local; each[1] = &local[2]; each[2] = each[0] + 4;
    for (i = 0; i < 3; i++) for (j = 0; j < 3; j++) printf("%d", (each[i] > each[j]) - (each[i] < each[j]));
    swap(&local[0], &local[4]); swap(each[1], each[1]);
    printf(" %d %d %d %d\n", local[0], local[4], *greatest(local, local + 5), self == &self);
    for (i = 0; i < 3; i++, pa++) { pa->value = i; pa->next = i ? pa - 1 : &array[2]; pa->info.tags[i] = 100 * i; strcpy(pa->info.name, "n"); }
    pa = array; for (i = 0; i < 7; i++) pa = pa->next;
    printf("%d %d %d\n", pa->value, pa->info.tags[pa->value], (int)(&array[2] - pa));
    *pv += 3; v++; (*pv)--; printf("%d %d\n", v, *pv ? *pv : 0);
    u.word = 0x01020304; printf("%d\n", u.bytes[0] + u.bytes[1] + u.bytes[2] + u.bytes[3] + u.bytes[0] * u.bytes[3]);
    bytes = (unsigned char *)local; for (j = 0, i = 0; i < (int)sizeof local; i++) j += bytes[i]; printf("%d\n", j);
    memmove(copy + 1, copy, 5); copy[6] = 0; printf("%s %d\n", copy, memcmp(text, "charming", 5) < 0);
    p = numbers; *p++ = numbers[1] == 1 ? 5 : 6; i = *++p; i += (*p)++; printf("%d %d %d\n", i, *p, (int)(p - numbers));
    printf("%d %d %d\n", !p, p && *p, (p ? p : q)[1]);
    while (*t) if (*t++ == 'e') break;
    printf("%s\n", t);
    return (int)(size_t)&((struct node *)0)->value;
}
