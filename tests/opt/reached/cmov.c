/* Three ways to write what CMOV does. */

int f0(int a, int b)
{
    return a ? b : 7;
}

int f1(int a, int b)
{
    int c = 5;
    if (a & 1) c = b;
    return c;
}

int f2(int a, int b)
{
    if (a) b = 0;
    return b;
}
