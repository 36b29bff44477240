/* Exceptions that a program raises itself, and the only way to round. */

#include <fenv.h>
#include <stdio.h>

int main(void)
{
    fenv_t kept;
    fexcept_t flag;

    feclearexcept(FE_ALL_EXCEPT);
    printf("%d", fetestexcept(FE_ALL_EXCEPT) != 0);
    printf(" %d", feraiseexcept(FE_INVALID) || feraiseexcept(FE_DIVBYZERO));
    printf(" %d %d %d", fetestexcept(FE_INVALID) != 0, fetestexcept(FE_DIVBYZERO) != 0, fetestexcept(FE_OVERFLOW) != 0);
    fegetexceptflag(&flag, FE_INVALID);
    feholdexcept(&kept);
    printf(" %d", fetestexcept(FE_ALL_EXCEPT) != 0);
    feraiseexcept(FE_OVERFLOW);
    feupdateenv(&kept);
    printf(" %d %d", fetestexcept(FE_INVALID) != 0, fetestexcept(FE_OVERFLOW) != 0);
    feclearexcept(FE_INVALID);
    printf(" %d", fetestexcept(FE_INVALID) != 0);
    fesetexceptflag(&flag, FE_INVALID);
    printf(" %d", fetestexcept(FE_INVALID) != 0);
    fesetenv(FE_DFL_ENV);
    printf(" %d", fetestexcept(FE_INVALID) != 0);
    printf(" %d %d\n", fesetround(FE_TONEAREST), fegetround() == FE_TONEAREST);
    return 0;
}
