/* Three ways to write what MIN does. */

int f0(int a, int b)
{
    return a < b ? a : b;
}

int f1(int a, int b)
{
    if (b <= a) a = b;
    return a;
}

int f2(int a, int b)
{
    int m;
    if (a > b) m = b;
    else m = a;
    return m;
}
