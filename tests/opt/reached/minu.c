/* Three ways to write what MINU does. */

int f0(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

int f1(unsigned a, unsigned b)
{
    if (a > b) a = b;
    return a;
}

int f2(unsigned a, unsigned b)
{
    return b >= a ? a : b;
}
