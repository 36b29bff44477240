/* Multiplication for machines without, of numbers of the type `factor`: a step for each bit of the smaller one. */

factor PRODUCT(factor a, factor b)
{
    factor product = 0;

    if (a < b) {
        factor kept = a;

        a = b;
        b = kept;
    }
    for (; b; b >>= 1) {
        if (b & 1)
            product += a;
        a += a;
    }
    return product;
}
