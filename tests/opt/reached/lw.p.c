/* Three ways to write what LW.P does. */

static const int w[] = {3, -1, 4, 1, -5, 9, 2, 6, 5, 3, 5, 8};

int f0(int a, int b)
{
    int i, s = b;
    for (i = 0; i < (a & 7); i++) s = s * 3 + w[i];
    return s;
}

int f1(int a, int b)
{
    const int *p = w;
    int n = a & 7;
    while (n--) b = b * 5 ^ *p++;
    return b;
}

int f2(int a, int b)
{
    int i, s = 0;
    for (i = 0; i < 12; i++) { int k = w[i]; if (k > b) s += k ^ a; }
    return s;
}
