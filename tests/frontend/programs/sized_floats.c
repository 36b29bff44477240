/* _Float32 is float, _Float64 and _Float32x are double: their built-in functions and macros, and as further arguments. */
int printf(const char *, ...);

static double sum(int count, ...)
{
    __builtin_va_list list;
    double result = 0;

    __builtin_va_start(list, count);
    while (count--)
        result += __builtin_va_arg(list, _Float32) + __builtin_va_arg(list, _Float64) - __builtin_va_arg(list, _Float32x);
    __builtin_va_end(list);
    return result;
}

int main(void)
{
    volatile _Float32 small = -1.5f32;
    volatile _Float64 plain = 0.1f64, negative = -0.0f64;
    volatile _Float32x wide = 3.25f32x;
    _Float32 infinite = __builtin_huge_valf32();

    printf("%d %d\n", __builtin_isinf(__builtin_inff64()), __builtin_isnan(__builtin_nanf32x("")) && infinite > 1e38);
    printf("%g %g %g\n", (double)__builtin_fabsf32(small), (double)__builtin_copysignf64(plain, negative),
           (double)__builtin_copysignf32x(wide, small));
    printf("%g %a %d\n", (double)__FLT32_MAX__, (double)__FLT64_DENORM_MIN__, __FLT32X_MANT_DIG__ + __FLT64_DIG__);
    printf("%zu %zu\n", sizeof __builtin_nanf32(""), sizeof __builtin_inff32x());
    printf("%.9g\n", sum(2, small, plain, wide, (_Float32)2, (_Float64)4, (_Float32x)0.5));
    return 0;
}
