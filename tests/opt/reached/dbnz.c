/* Three ways to write what DBNZ does. */

int f0(int a, int b)
{
    int n = (a & 7) + 1;
    do b = b * 3 + a;
    while (--n);
    return b;
}

int f1(int a, int b)
{
    int i;
    for (i = 0; i < (a & 7); i++) b = b * 3 + a;
    return b;
}

int f2(int a, int b)
{
    int i;
    for (i = 10; i > 0; i--) b = b * 3 + a;
    return b;
}
