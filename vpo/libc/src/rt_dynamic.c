/* Memory for arrays of variable length and what else a function allocates: a stack of its own, in pieces. */

#include <stdlib.h>

#define PIECE 8000
#define ALIGN 16

struct piece {
    struct piece *before;
    char *end;
};

static struct piece *current;
static char *top;

static char *aligned(char *p)
{
    return p + (-(unsigned long)p & (ALIGN - 1));
}

static void grow(size_t size)
{
    size_t room = size > PIECE ? size : PIECE;
    struct piece *piece = malloc(sizeof *piece + ALIGN + room);
    if (piece == NULL)
        abort();
    piece->before = current;
    piece->end = (char *)(piece + 1) + ALIGN + room;
    current = piece;
    top = aligned((char *)(piece + 1));
}

void *__dynamic_allocate(size_t size)
{
    char *result;
    size = (size + ALIGN - 1) & -(size_t)ALIGN;
    if (current == NULL || size > (size_t)(current->end - top))
        grow(size);
    result = top;
    top += size;
    return result;
}

/* What __dynamic_release takes to give back all that is allocated from now on. */
void *__dynamic_top(void)
{
    if (current == NULL)
        grow(0);
    return top;
}

void __dynamic_release(void *mark)
{
    while ((char *)mark < (char *)current || (char *)mark > current->end) {
        struct piece *done = current;
        current = done->before;
        free(done);
    }
    top = mark;
}
