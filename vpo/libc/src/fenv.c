/* fenv: rounding is to nearest and nothing is recorded, which is what the machine does. */

#include <fenv.h>

int feclearexcept(int excepts)
{
    return excepts;
}

int feraiseexcept(int excepts)
{
    return excepts;
}

int fetestexcept(int excepts)
{
    (void)excepts;
    return 0;
}

int fegetexceptflag(fexcept_t *flag, int excepts)
{
    *flag = 0;
    return excepts;
}

int fesetexceptflag(const fexcept_t *flag, int excepts)
{
    (void)flag;
    return excepts;
}

int fegetround(void)
{
    return FE_TONEAREST;
}

int fesetround(int mode)
{
    return mode != FE_TONEAREST;
}

int fegetenv(fenv_t *environment)
{
    *environment = 0;
    return 0;
}

int feholdexcept(fenv_t *environment)
{
    return fegetenv(environment);
}

int fesetenv(const fenv_t *environment)
{
    (void)environment;
    return 0;
}

int feupdateenv(const fenv_t *environment)
{
    return fesetenv(environment);
}
