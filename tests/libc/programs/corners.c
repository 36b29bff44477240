/* Results at the corners of the floating functions: products that overflow or underflow in between, numbers that overflow
   when they are read, large quotients, complex numbers at which simple formulas overflow. */
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void fused(void)
{
    static const double x[] = {1e308, -1e308, -1e-300, 1e-300, 1e-300, 5e-324, -3, 0.0, INFINITY};
    static const double y[] = {10, 10, 1e-300, 1e-300, -1e-320, 0.5, 1e-320, -1, 1};
    static const double z[] = {-INFINITY, INFINITY, 0.0, -0.0, 0.0, -0.0, 5e-324, 0.0, 1};

    for (int i = 0; i < 9; i++)
        printf("%a\n", fma(x[i], y[i], z[i]));
    printf("%a %a\n", fmaf(1e38F, 10, -INFINITY), fmaf(-1e-30F, 1e-30F, 0));
}

static void quotients(void)
{
    static const double x[] = {1.7976931348623157e308, 1.7976931348623157e308, -1.7976931348623157e308, 1e308, 23, -7e300, 4.4e-308};
    static const double y[] = {8e307, 1e307, 0x1.c7b1f3cac7433p+1022, -1.5e308, 3, 3, 2.5e-308};

    for (int i = 0; i < 7; i++) {
        int quotient;
        double rest = remquo(x[i], y[i], &quotient);

        printf("%a %d %a\n", rest, quotient, remainder(x[i], y[i]));
    }
}

static void read(const char *text)
{
    float narrow = 0;
    double wide = 0;

    errno = 0;
    printf("%s: %a", text, strtof(text, NULL));
    printf(" %d", errno);
    errno = 0;
    printf(" %a", strtod(text, NULL));
    printf(" %d", errno);
    sscanf(text, "%f", &narrow);
    sscanf(text, "%lf", &wide);
    printf(" %a %a\n", narrow, wide);
}

static void show(double complex z)
{
    printf("%.9g %.9g\n", creal(z), cimag(z));
}

/* A pointer to anything converts to a stream, be a function a macro or not. */
static void print_to(void *out, void *in)
{
    putc('>', out);
    fputc('\n', out);
    fflush(out);
    if (!feof(in) && !ferror(in) && fileno(in) == 0)
        ungetc(getc(in), in);
    clearerr(in);
}

int main(void)
{
    static const double near[] = {0.6, 0.8, 1e-9, 1e-20};

    print_to(stdout, stdin);
    fused();
    quotients();
    read("0x1p1024");
    read("0x1p99999");
    read("-0x1.fffffffp127");
    read("0x1.fffffffffffff8p1023");
    read("0x1p-99999");
    read("0x1p-150");
    read("0x1.8p-1074");
    read("0x1.fffffep-127");
    show(csin(CMPLX(0, 1e17)));
    show(csinh(CMPLX(-1e17, 0)));
    show(csin(CMPLX(2.5, 0)));
    show(csinh(CMPLX(-0.0, 2.5)));
    show(ccosh(CMPLX(-0.0, 2.5)));
    show(ccosh(CMPLX(-2, -0.0)));
    show(ccosh(CMPLX(711, 1.5)));
    show(cexp(CMPLX(710, 1.57)));
    show(ctanh(CMPLX(1e17, 1)));
    show(clog(CMPLX(1e308, 1.5e308)));
    show(clog(CMPLX(5e-324, 5e-324)));
    show(csqrt(CMPLX(1.5e308, 1e308)));
    show(csqrt(CMPLX(5e-324, 5e-324)));
    show(catanh(CMPLX(1e200, 3)));
    show(catanh(CMPLX(1, 1e-200)));
    show(catanh(CMPLX(-1, 1e308)));
    show(casin(CMPLX(1.7e308, 1.7e308)));
    for (int i = 0; i < 4; i++) {
        double y = near[i];

        show(clog(CMPLX(sqrt((1 - y) * (1 + y)), y)));
        show(catanh(CMPLX(y, sqrt((1 - y) * (1 + y)))));
        show(catanh(CMPLX(-sqrt((1 - y) * (1 + y)), y)));
    }
    return 0;
}
