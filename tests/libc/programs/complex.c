/* Functions of complex numbers, in as many digits as a simple formula gives. */

#include <complex.h>
#include <stdio.h>

#define SHOW(function) \
    do { \
        double complex r = function(w); \
        float complex s = function##f(w); \
        printf(#function " %.9g %.9g %.4g %.4g\n", creal(r), cimag(r), crealf(s), cimagf(s)); \
    } while (0)

/* Quotients of numbers whose parts are far apart: products of parts overflow or underflow, the result does not. */
static void divide(void)
{
    volatile double complex x[] = {
        CMPLX(0x1p651, -0x1p-860), CMPLX(0x1p-310, 0x1p837), CMPLX(0x1p-846, -0x1p-1040), CMPLX(0x1p1023, 0x1p1023), CMPLX(3, 4),
    };
    volatile double complex y[] = {
        CMPLX(0x1p245, -0x1p-1050), CMPLX(0x1p735, -0x1p-327), CMPLX(0x1p-820, 0x1p-584), CMPLX(0x1p1023, 0x1p1022), CMPLX(2, 0),
    };
    for (int i = 0; i < 5; i++) {
        double complex q = x[i] / y[i], r = y[i] / x[i];
        printf("%a %a %a %a\n", creal(q), cimag(q), creal(r), cimag(r));
    }
}

int main(void)
{
    double complex z[] = { 1 + 2 * I, -3 + 0.5 * I, 0.25 - 4 * I, 2.5, -1.5 * I };
    for (int i = 0; i < 5; i++) {
        double complex w = z[i], p = cpow(w, 2 + I), q = w / (1 - 2 * I) * w;
        SHOW(cexp); SHOW(clog); SHOW(csqrt); SHOW(csin); SHOW(ccos); SHOW(ctan); SHOW(csinh); SHOW(ccosh); SHOW(ctanh);
        SHOW(casin); SHOW(cacos); SHOW(catan); SHOW(casinh); SHOW(cacosh); SHOW(catanh); SHOW(conj); SHOW(cproj);
        printf("%.9g %.9g %.6g %.6g\n", cabs(w), carg(w), cabsf(w), cargf(w));
        printf("%.9g %.9g %.9g %.9g\n", creal(p), cimag(p), creal(q), cimag(q));
    }
    divide();
    printf("%g %g\n", creal(CMPLX(-0.0, 3)), cimag(CMPLX(1, 3)));
    return 0;
}
