/* fenv: rounding is to nearest, as the machine does it; arithmetic records nothing, so exceptions are what a program
   raises itself. */

#include <fenv.h>

static int raised;

int feclearexcept(int excepts)
{
    raised &= ~excepts;
    return 0;
}

int feraiseexcept(int excepts)
{
    raised |= excepts & FE_ALL_EXCEPT;
    return 0;
}

int fetestexcept(int excepts)
{
    return raised & excepts;
}

int fegetexceptflag(fexcept_t *flag, int excepts)
{
    *flag = raised & excepts;
    return 0;
}

int fesetexceptflag(const fexcept_t *flag, int excepts)
{
    raised = (raised & ~excepts) | (*flag & excepts);
    return 0;
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
    *environment = raised;
    return 0;
}

int feholdexcept(fenv_t *environment)
{
    *environment = raised;
    raised = 0;
    return 0;
}

int fesetenv(const fenv_t *environment)
{
    raised = environment == FE_DFL_ENV ? 0 : *environment;
    return 0;
}

int feupdateenv(const fenv_t *environment)
{
    int before = raised;

    fesetenv(environment);
    raised |= before;
    return 0;
}

int fesetexcept(int excepts)
{
    return feraiseexcept(excepts);
}

int fetestexceptflag(const fexcept_t *flag, int excepts)
{
    return *flag & excepts;
}

int feenableexcept(int excepts)
{
    return excepts & FE_ALL_EXCEPT ? -1 : 0;
}

int fedisableexcept(int excepts)
{
    (void)excepts;
    return 0;
}

int fegetexcept(void)
{
    return 0;
}
