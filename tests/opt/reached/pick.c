/* Three ways to write what PICK does. */

int f0(int a, int b)
{
    return a ? b : 7;
}

int f1(int a, int b)
{
    int c = b;
    if (!(a & 2)) c = a;
    return c;
}

int f2(int a, int b)
{
    int c;
    if ((a ^ b) & 4) c = a;
    else c = b;
    return c;
}
