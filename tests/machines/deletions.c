struct pair { short a; unsigned char b; int c; };
static struct pair pairs[4] = {{-300, 200, 70000}, {5, 6, -7}, {1, 1, 1}, {0, 255, 123456789}};
static unsigned long state = 12345;
static int (*pick)(int, int);
static unsigned next(void) { state = state * 1103515245u + 12345u; return (unsigned)(state >> 16 & 0x7fff); }
static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }
static long long scaled(int a, unsigned b) { return (long long)a * 1000003 - (b >> 3) + ((long long)b << 20); }
static int mixed(struct pair *p, int n)
{
    int i;
    unsigned s = 0;
    for (i = 0; i < n; i++, p++) s = s * 31 + (p->a ^ p->b) + (p->c % 97) - (p->c / 10) + (p->c >> 5) + (p->a < -1);
    return (int)s;
}
static int tree(int n) { return n < 2 ? n : tree(n - 1) + tree(n - 2) + (n & 1); }
static double weights[3] = {0.5, -1.25, 3e5};
static float f1 = 1.5f;
static double area(double a, float b, int n) { return n ? a * b - n / 3.0 : a + b; }
static int floating(void)
{
    double d = 1, e = 0;
    float f = f1;
    int i;
    for (i = 0; i < 3; i++) { d = d * 1.5 + weights[i]; f = f / 2 + i; e += area(d, f, i); }
    return (d < 0) + (int)f * 3 + (int)(d / 1000) + (int)(unsigned)(e / 4096) + (f == d) + (e >= d ? 7 : 3) + (-f < 1e-3f);
}
int main(void)
{
    char text[20];
    int i, s = 0;
    unsigned u = 0;
    long long w = 0;
    for (i = 0; i < 19; i++) text[i] = (char)(next() % 26 + 'a');
    text[19] = 0;
    for (i = 0; text[i]; i++) {
        pick = text[i] & 1 ? larger : smaller;
        s += pick(text[i], (int)(next() & 127)) * (i % 3 - 1);
        u = (u << 5 | u >> 11) ^ (unsigned)text[i];
        w += scaled(s, u) % 10007;
        switch (text[i] % 5) { case 0: s ^= 0x5555; break; case 1: s += 70001; break; case 2: s = ~s; break; case 4: s -= i; }
    }
    s += mixed(pairs, 4) + tree(9);
    s += floating();
    return (int)((unsigned)s ^ u ^ (unsigned)w ^ (unsigned)(w >> 32)) >> 3 & 255;
}
