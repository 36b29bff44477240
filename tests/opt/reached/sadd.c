/* Three ways to write what SADD does. */

int f0(int a, int b)
{
    int s = (unsigned)a + b;
    if (((a ^ s) & (b ^ s)) < 0) s = (a >> 31) ^ 0x7fffffff;
    return s;
}

int f1(int a, int b)
{
    int s = (unsigned)a + b;
    return ((a ^ s) & (b ^ s)) >= 0 ? s : a < 0 ? -0x7fffffff - 1 : 0x7fffffff;
}

int f2(int a, int b)
{
    unsigned s = a + (unsigned)b;
    if ((s ^ a) & (s ^ b) & 1u << 31) s = a < 0 ? 1u << 31 : ~0u >> 1;
    return s;
}
