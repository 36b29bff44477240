/* Three ways to write what SATU does. */

int f0(unsigned a, unsigned b)
{
    unsigned s = a + b;
    if (s < a) s = ~0u;
    return s;
}

int f1(unsigned a, unsigned b)
{
    return a > ~0u - b ? ~0u : a + b;
}

int f2(unsigned a, unsigned b)
{
    return a + b >= b ? a + b : 0xffffffff;
}
