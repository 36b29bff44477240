/* Three ways to write what ABS does. */

int abs(int);

int f0(int a, int b)
{
    return a < 0 ? -a : a;
}

int f1(int a, int b)
{
    if (a <= 0) a = 0 - a;
    return a;
}

int f2(int a, int b)
{
    return abs(a);
}
