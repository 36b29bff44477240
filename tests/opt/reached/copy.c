/* Three ways to write what COPY does. */

struct four { int a, b, c, d; };
struct three { int x[3]; };
static struct four v[3] = {{1, 2, 3, 4}};
static struct three u[2] = {{{5, 6, 7}}, {{8, 9, 1}}};
struct { int k; struct three in; } o;

static void g(struct four *p, struct four *q)
{
    *p = *q;
}

int f0(int a, int b)
{
    g(&v[1 + (b & 1)], &v[a & 1]);
    return v[1].c ^ v[2].d;
}

int f1(int a, int b)
{
    v[1 + (b & 1)] = v[a & 1];
    return v[1].b ^ v[2].d;
}

int f2(int a, int b)
{
    o.in = u[b & 1];
    return o.in.x[2] * a + o.k;
}
