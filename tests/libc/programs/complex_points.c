/* Points of functions of <complex.h>: complex_points SEED COUNT writes so many for each function: the function's number,
   the parts of the argument and those of the result, as five doubles. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef double complex function(double complex);

static function *const functions[] = {
    cexp, clog, csqrt, csin, ccos, ctan, csinh, ccosh, ctanh, casin, cacos, catan, casinh, cacosh, catanh,
};

static uint64_t state;

static uint64_t next64(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static double part(void)
{
    double unit = (double)(next64() >> 11) * 0x1p-53, sign = next64() & 1 ? 1 : -1;

    switch (next64() % 10) {
    case 0: return 0;
    case 1: return sign * ldexp(1 + unit, (int)(next64() % 2090) - 1070);
    case 2: return sign * ldexp(1 + unit, (int)(next64() % 100) - 70);
    case 3: return sign * unit * 720;
    case 4: return sign * (1 + ldexp(unit, -(int)(next64() % 60)));
    case 5: return sign * 1.57079632679489661923 * (double)(next64() % 6);
    case 6: return sign * unit * 20;
    default: return sign * unit * 2;
    }
}

/* A number of which every fifth is about 1 in size. */
static double complex point(void)
{
    double x = part(), y = part();

    if (next64() % 5 == 0 && fabs(y) <= 1)
        x = copysign(sqrt((1 - y) * (1 + y)), x);
    return next64() & 1 ? CMPLX(x, y) : CMPLX(y, x);
}

int main(int argc, char **argv)
{
    int count = atoi(argv[2]), number;

    state = (uint64_t)atoi(argv[1]) * 0x9e3779b97f4a7c15;
    while (count-- > 0)
        for (number = 0; number < (int)(sizeof functions / sizeof *functions); number++) {
            double complex z = point(), w = functions[number](z);
            double numbers[5] = {number, creal(z), cimag(z), creal(w), cimag(w)};

            fwrite(numbers, sizeof numbers, 1, stdout);
        }
    return 0;
}
