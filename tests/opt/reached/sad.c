/* Three ways to write what SAD does. */

int abs(int);

int f0(int a, int b)
{
    return a + abs(a - b);
}

int f1(int a, int b)
{
    int d = a - b;
    if (d < 0) d = -d;
    return d + b;
}

int f2(int a, int b)
{
    return 9 + (a - b >= 0 ? a - b : b - a);
}
