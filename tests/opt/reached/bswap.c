/* Three ways to write what BSWAP does. */

int f0(unsigned x, int b)
{
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

int f1(unsigned x, int b)
{
    return (x >> 24) + ((x >> 16 & 255) << 8) + ((x >> 8 & 255) << 16) + ((x & 255) << 24);
}

int f2(unsigned x, int b)
{
    x = (x & 0xff00ff) << 8 | (x >> 8 & 0xff00ff);
    return x << 16 | x >> 16;
}
