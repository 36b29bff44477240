/* Control leaves nested functions by gotos: past activations in between, to several labels, again and again. */
#include <stdio.h>

static int calls;

static void each(const int *values, int count, void visit(int))
{
    while (count--) {
        calls++;
        visit(*values++);
    }
}

static int find(const int *values, int count, int wanted)
{
    __label__ found, negative;
    int at = 0;
    void visit(int value)
    {
        if (value < 0)
            goto negative;
        if (value == wanted)
            goto found;
        at++;
    }

    each(values, count, visit);
    return -1;
found:
    return at;
negative:
    return -100 - at;
}

static int retry(int times)
{
    __label__ again;
    int failures = 0;
    void fail(int depth)
    {
        if (depth > 0)
            fail(depth - 1);
        failures++;
        goto again;
    }

again:
    if (failures < times)
        fail(failures);
    return failures;
}

/* Each activation has a label of its own; the inner ones come back before the outer one's is used. */
static int deep(int level)
{
    __label__ out;
    int seen = level;
    void leave(void)
    {
        seen += 10;
        goto out;
    }

    if (level > 0)
        seen += deep(level - 1);
    leave();
    seen = -1;
out:
    return seen;
}

int main(void)
{
    static const int values[] = {5, 7, 9, -1, 11};

    printf("%d %d %d %d\n", find(values, 5, 5), find(values, 5, 9), find(values, 3, 11), find(values, 5, 11));
    printf("%d calls, %d failures, deep %d\n", calls, retry(6), deep(4));
    return 0;
}
