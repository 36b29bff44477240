/* __powidf2, __powisf2: powers with whole exponents, by squaring, as gcc's library has them. */

double __powidf2(double x, int n)
{
    unsigned left = n < 0 ? -(unsigned)n : (unsigned)n;
    double result = left & 1 ? x : 1;

    while (left >>= 1) {
        x *= x;
        if (left & 1)
            result *= x;
    }
    return n < 0 ? 1 / result : result;
}

float __powisf2(float x, int n)
{
    unsigned left = n < 0 ? -(unsigned)n : (unsigned)n;
    float result = left & 1 ? x : 1;

    while (left >>= 1) {
        x *= x;
        if (left & 1)
            result *= x;
    }
    return n < 0 ? 1 / result : result;
}
