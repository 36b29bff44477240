/* Three ways to write what MAX does. */

int f0(int a, int b)
{
    return a > b ? a : b;
}

int f1(int a, int b)
{
    if (a < b) return b;
    return a;
}

int f2(int a, int b)
{
    int i, v[2] = {a, b};
    for (i = 0; i < 2; i++) if (v[i] > a) a = v[i];
    return a;
}
