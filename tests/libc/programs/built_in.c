/* gcc's built-in functions that are functions of the library under other names, or with more arguments. */

#include <stdint.h>
#include <stdio.h>

extern int isnan(double), isinf(double); /* as programs before C99 declare them */

static int calls;

static int count(void)
{
    return ++calls;
}

int main(void)
{
    char text[64], *p = text;
    void *(*allocate)(__SIZE_TYPE__) = __builtin_malloc;
    double whole;
    int exponent;

    __builtin___strcpy_chk(p, "hello", (size_t)-1);
    __builtin___snprintf_chk(p + 5, 50, count() - 1, (size_t)-1, "-%d%s", 3, "x");
    char *over = __builtin_alloca_with_align(10, 2048);
    printf("%s %d %d\n", p, count(), (int)((uintptr_t)over & 255));
    printf("%d ", (int)(__builtin_stpcpy(p, "abc") - p));
    printf("%d %s\n", (int)__builtin_strnlen(p, 2), __builtin_index(p, 'b'));
    printf("%g %g %g\n", __builtin_powi(1.5, -3), (double)__builtin_powif(2, 10), __builtin_powi(0, 0));
    printf("%g ", __builtin_modf(3.25, &whole));
    printf("%g %g ", whole, __builtin_frexp(48, &exponent));
    printf("%d\n", exponent);
    p = allocate(10);
    __builtin_fprintf(stdout, "%d %d\n", p != 0, __builtin_strcasecmp("Ab", "aB"));
    __builtin___printf_chk(0, "%d\n", 5);
    printf("%d %d\n", !!isnan(whole), isinf(-1 / (whole - 3)));
    return 0;
}
