/* Three ways to write what LDP does. */

static const int w[] = {3, -1, 4, 1, -5, 9, 2, 6, 5, 3, 5, 8};
static struct { int x, y; } s[4] = {{1, 2}, {3, 4}, {5, 6}};
struct four { int a, b, c, d; };
static struct four v[3] = {{1, 2, 3, 4}};

int f0(int a, int b)
{
    const int *p = w + (a & 7);
    return p[0] - p[1] * b;
}

int f1(int a, int b)
{
    int i, t = a;
    for (i = 0; i < 4; i++) t += s[i].y * b - s[i].x;
    return t;
}

int f2(int a, int b)
{
    v[1 + (b & 1)] = v[a & 1];
    return v[1].c ^ v[2].d;
}
