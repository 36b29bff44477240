/* Three ways to write what MSUB does. */

int v[] = {3, 4, 9};

int f0(int a, int b)
{
    return 5 - a * b;
}

int f1(int a, int b)
{
    int i, s = a;
    for (i = 0; i < 3; i++) s -= b * v[i];
    return s;
}

int f2(int a, int b)
{
    return -(a * b) + a;
}
