/* Three ways to write what CLIP does. */

int f0(int a, int b)
{
    return a < 0 ? 0 : a > 255 ? 255 : a;
}

int f1(int a, int b)
{
    if (a > 255) a = 255;
    if (a < 0) a = 0;
    return a;
}

int f2(int a, int b)
{
    if (a < 0) return 0;
    if (a >= 256) return 255;
    return a;
}
